"""The run beside the whole truth: every labelling listed, or, for prediction, independent draws of the parameters."""

from functools import lru_cache
from html import escape
from itertools import combinations
from math import inf

import numpy as np

from lessons.topics.marginalise import MarginaliseSettings
from pages.drawing.cards import badge, plus_minus, quiet, table
from pages.drawing.numbers import fixed
from pages.drawing.palette import color
from pages.topics.marginalise.scene import MarginaliseScene, of_one_class, too_early
from samplers.diagnostics.convergence import diagnose
from samplers.gradient.naive_bayes_marginal import LogSumExp
from samplers.mixtures.exact_labellings import ExactLabels
from samplers.mixtures.labels import HIDDEN

DRAWS = 40_000  # independent ones, where the parameters have a distribution that can be drawn from
LISTED = 8  # items
LARGE, STRANGE = 2.5, 4.0  # errors from which a difference is large for chance, and from which it is no chance
STUCK = 0.05  # how far off a run may be that never changes, and so has no error


@lru_cache(maxsize=32)
def truth_of(settings: MarginaliseSettings) -> dict[int, float] | None:
    """Return the true P(first class) of unlabelled items; None if it can't be had, or if the classes have no names.

    Prediction without model updates averages Pr[z = k | θ, φ] over what the labelled documents alone say of θ and φ.
    That is a Dirichlet each, so that it can be drawn from independently, by no chain.
    """
    if not (settings.labels != HIDDEN).any():
        return None
    items = np.flatnonzero(settings.labels == HIDDEN)[:LISTED]
    if settings.variant == "prediction":
        return dict(zip(items.tolist(), _by_independent_draws(settings, items), strict=True))
    exact = settings.exact()
    return None if exact is None else dict(zip(items.tolist(), exact.class_probabilities[items, 0], strict=True))


def _by_independent_draws(settings: MarginaliseSettings, items: np.ndarray) -> list[float]:
    corpus, rng = settings.corpus(), np.random.default_rng(0)
    known = (corpus.shown[:, None] == np.arange(settings.class_count)).astype(float)
    weights = rng.dirichlet(known.sum(axis=0) + settings.class_prior, DRAWS)
    counts = np.asarray((corpus.bag.counts.T @ known).T) + settings.word_prior
    log_probs = [np.log(rng.dirichlet(row, DRAWS)) for row in counts]
    asked = corpus.bag.counts[items]
    gamma = np.stack([asked @ logs.T for logs in log_probs], axis=-1) + np.log(weights)
    return LogSumExp(gamma).softmax[:, :, 0].mean(axis=1).tolist()


def panel(scene: MarginaliseScene, t: int) -> str:
    """Return how far the run's averages are from the truth."""
    t = min(t, scene.made)
    if not (scene.labels == HIDDEN).any():
        return quiet("Every label is known here; there is nothing to infer about them.")
    if too_early(scene, t):
        return quiet(f"{too_early(scene, t)}, then look here.")
    truth = truth_of(scene.settings.model_copy(update={"rule": "right"}))
    if truth is not None:
        return _by_item(scene, t, truth)
    if scene.exact is None:
        return quiet(
            "The truth lists every labelling, and here there are too many. Choose <b>Six messages</b> or ten points "
            "at most."
        )
    return _by_pairs(scene, t, scene.exact)


def _by_item(scene: MarginaliseScene, t: int, truth: dict[int, float]) -> str:
    rows, far = [], 0.0
    predicts = scene.settings.variant == "prediction"
    for item, exact in truth.items():
        draws = scene.run.class_probs[scene.settings.warmup + 1 : t + 1, item, 0].astype(float)
        mean, error = float(draws.mean()), diagnose(draws).mcse_mean
        more = draws.std() / np.sqrt(DRAWS) if predicts and error else 0.0
        far = max(far, _off(mean - exact, np.hypot(error or 0.0, more)))
        bar = (
            f'<div class="against"><span style="width:{100 * mean:.1f}%;background:{color(0)}"></span>'
            f'<i style="left:{100 * exact:.1f}%"></i></div>'
        )
        said = f"{mean:.3f}{plus_minus(error)}"
        rows.append((escape(scene.title_of(item)), said, bar, f"{exact:.3f}", fixed(mean - exact, 3)))
    heads = f"Pr[z = {badge('1', 0)} {escape(scene.names[0])}]", "this run", "", "truth", "off by"
    how = f"{DRAWS:,} independent draws from what the labelled documents say" if predicts else "every labelling, listed"
    return table(heads, rows, "truth") + quiet(f"{_verdict(far)} Truth by {how}.")


def _by_pairs(scene: MarginaliseScene, t: int, listed: ExactLabels) -> str:
    """Return P(i and j are of one class), the run's above the diagonal and the truth below: it has no names."""
    labels = listed.labellings
    exact = np.tensordot(listed.probabilities, labels[:, :, None] == labels[:, None, :], axes=1)
    probs = scene.run.belongs(slice(scene.settings.warmup + 1, t + 1)).astype(float)
    same = of_one_class(probs[:, :, None], probs[:, None, :])
    mean = same.mean(axis=0)
    errors = {pair: diagnose(same[:, *pair]).mcse_mean for pair in combinations(range(len(mean)), 2)}
    off = {pair: _off(mean[pair] - exact[pair], error or 0.0) for pair, error in errors.items()}
    worst = max(off, key=lambda pair: (off[pair], abs(mean[pair] - exact[pair])), default=(0, 1))
    mirror = np.triu(mean) + np.tril(exact, -1)
    heads = "".join(f"<th>{number}</th>" for number in range(1, len(mean) + 1))
    rows = "".join(
        f"<tr><th>{i + 1}</th>{''.join(_cell(value, i == j) for j, value in enumerate(row))}</tr>"
        for i, row in enumerate(mirror)
    )
    return (
        f'<div class="sideways"><table class="matrix pairs"><tr><td></td>{heads}</tr>{rows}</table>'
        "<div><p><b>Are i and j of one class?</b></p>"
        "<p>Above the diagonal this run’s average, below it the truth: all is well where they mirror each other.</p>"
        f"<p>Furthest apart: {worst[0] + 1} and {worst[1] + 1}, {mean[worst]:.3f} here, <b>{exact[worst]:.3f}</b> in "
        f"truth. {_verdict(off.get(worst, 0.0))}</p>"
        f'<p class="quiet">{len(labels):,} labellings are listed. Nothing in the table has a name, so label switching '
        "cannot spoil it.</p></div></div>"
    )


def _cell(value: float, diagonal: bool) -> str:
    return "<td></td>" if diagonal else f'<td style="--p:{60 * value:.0f}%">{value:.2f}</td>'


def _off(difference: float, error: float) -> float:
    """Return how many standard errors a difference is; of a run that never changes, none, or infinitely many."""
    if error:
        return float(abs(difference) / error)
    return inf if abs(difference) > STUCK else 0.0


def _verdict(errors: float) -> str:
    if errors < LARGE:
        return f"The largest difference is {errors:.1f} standard errors: within Monte Carlo error."
    if errors < STRANGE:
        return f"The largest difference is {errors:.1f} standard errors: large, but it may be chance. Run on."
    if errors == inf:
        return "There <b>this run never changes</b>: it is far too sure, and no standard error can say by how much."
    return (
        f"The largest difference is <b>{errors:.0f} standard errors</b>, too large to be chance: the density is wrong."
    )
