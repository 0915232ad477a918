"""The run beside the whole truth: every labelling listed, or, for prediction, independent draws of the parameters."""

from __future__ import annotations

from functools import lru_cache
from html import escape

import numpy as np

from lessons.stages.marginalise import CLASSES, MarginaliseSettings
from pages.drawing.cards import badge
from pages.drawing.numbers import fixed
from pages.drawing.palette import color
from pages.stages.marginalise.scene import Scene
from samplers.diagnostics.convergence import diagnose
from samplers.gradient.naive_bayes_marginal import LogSumExp
from samplers.mixtures.labels import HIDDEN

DRAWS = 40_000  # independent ones, where the parameters have a law that can be drawn from
FEWEST = 20
LISTED = 8  # items
STRANGE = 4.0  # errors from which a difference is no chance


@lru_cache(maxsize=32)
def truth_of(settings: MarginaliseSettings) -> dict[int, float] | None:
    """Return the true P(first class) of unlabelled items; None if it can't be had, or if the classes have no names.

    Prediction without model updates averages Pr[z = k | θ, φ] over what the labelled documents alone say of θ and φ.
    That is a Dirichlet each, so that it can be drawn from independently, by no chain.
    """
    if settings.model == "two means" or not (settings.labels != HIDDEN).any():
        return None
    items = np.flatnonzero(settings.labels == HIDDEN)[:LISTED]
    if settings.variant == "prediction":
        return dict(zip(items.tolist(), _by_independent_draws(settings, items), strict=True))
    exact = settings.exact()
    return None if exact is None else dict(zip(items.tolist(), exact.class_probabilities[items, 0], strict=True))


def _by_independent_draws(settings: MarginaliseSettings, items: np.ndarray) -> list[float]:
    corpus, rng = settings.corpus(), np.random.default_rng(0)
    known = (corpus.shown[:, None] == np.arange(CLASSES)).astype(float)
    weights = rng.dirichlet(known.sum(axis=0) + settings.class_prior, DRAWS)
    counts = np.asarray((corpus.bag.counts.T @ known).T) + settings.word_prior
    log_probs = [np.log(rng.dirichlet(row, DRAWS)) for row in counts]
    asked = corpus.bag.counts[items]
    gamma = np.stack([asked @ logs.T for logs in log_probs], axis=-1) + np.log(weights)
    probabilities: list[float] = LogSumExp(gamma).softmax[:, :, 0].mean(axis=1).tolist()
    return probabilities


def panel(scene: Scene, t: int) -> str:
    """Return how far the run's averages are from the truth."""
    t = min(t, scene.made)
    if not (scene.labels == HIDDEN).any():
        return '<p class="quiet">Every label is known here; there is nothing to find out about them.</p>'
    if t - scene.settings.warmup < FEWEST:
        return (
            f'<p class="quiet">Averages leave the first {scene.settings.warmup} iterations out. Run on beyond '
            f"{scene.settings.warmup + FEWEST}, then look here.</p>"
        )
    truth = truth_of(scene.settings.model_copy(update={"rule": "right"}))
    if truth is not None:
        return _by_item(scene, t, truth)
    if scene.exact is None:
        return (
            '<p class="quiet">The truth lists every labelling, and here there are too many. Choose <b>Six messages</b> '
            "or ten points at most.</p>"
        )
    return _by_pairs(scene, t)


def _by_item(scene: Scene, t: int, truth: dict[int, float]) -> str:
    rows, far = "", 0.0
    first = scene.settings.warmup + 1
    predicts = scene.settings.variant == "prediction"
    for item, exact in truth.items():
        draws = scene.run.class_probs[first : t + 1, item].astype(float)
        mean, error = float(draws.mean()), diagnose(draws).mcse_mean
        off = mean - exact
        if error:
            far = max(far, abs(off) / float(np.hypot(error, draws.std() / np.sqrt(DRAWS) if predicts else 0.0)))
        rows += (
            f"<tr><td>{escape(scene.title_of(item))}</td><td>{mean:.3f}{f' ± {error:.2g}' if error else ''}</td>"
            f'<td><div class="against"><span style="width:{100 * mean:.1f}%;background:{color(0)}"></span>'
            f'<i style="left:{100 * exact:.1f}%"></i></div></td><td>{exact:.3f}</td><td>{fixed(off, 3)}</td></tr>'
        )
    name = f"{badge('1', 0)} {escape(scene.names[0])}"
    head = f"<tr><th>Pr[z = {name}]</th><th>this run</th><th></th><th>truth</th><th>off by</th></tr>"
    how = f"{DRAWS:,} independent draws from what the labelled documents say" if predicts else "every labelling, listed"
    return f'<table class="list truth">{head}{rows}</table><p class="quiet">{_verdict(far)} Truth by {how}.</p>'


def _by_pairs(scene: Scene, t: int) -> str:
    """Return P(i and j are of one class), the run's above the diagonal and the truth below: it has no names."""
    assert scene.exact is not None
    labels, law = scene.exact.labellings, scene.exact.probabilities
    exact = np.tensordot(law, labels[:, :, None] == labels[:, None, :], axes=1)
    probs = scene.run.belongs[scene.settings.warmup + 1 : t + 1].astype(float)
    same = probs[:, :, None] * probs[:, None, :] + (1 - probs[:, :, None]) * (1 - probs[:, None, :])
    mean = same.mean(axis=0)
    far, worst = 0.0, (0, 1)
    for i, j in zip(*np.triu_indices(len(mean), 1), strict=True):
        error = diagnose(same[:, i, j]).mcse_mean
        if error and abs(mean[i, j] - exact[i, j]) / error > far:
            far, worst = abs(mean[i, j] - exact[i, j]) / error, (int(i), int(j))
    head = "".join(f"<th>{j + 1}</th>" for j in range(len(mean)))
    rows = ""
    for row in range(len(mean)):
        cells = "".join(_cell(mean[row, k] if k > row else exact[row, k], row == k) for k in range(len(mean)))
        rows += f"<tr><th>{row + 1}</th>{cells}</tr>"
    one, other = worst
    return (
        f'<div class="sideways"><table class="matrix pairs"><tr><th></th>{head}</tr>{rows}</table>'
        "<div><p><b>Are i and j of one class?</b></p>"
        "<p>Above the diagonal this run’s average, below it the truth: all is well where they mirror each other.</p>"
        f"<p>Furthest apart: {one + 1} and {other + 1}, {mean[worst]:.3f} here, <b>{exact[worst]:.3f}</b> in truth. "
        f'{_verdict(far)}</p><p class="quiet">{len(labels):,} labellings are listed. Nothing in the table has a '
        "name, so label switching cannot spoil it.</p></div></div>"
    )


def _cell(value: float, diagonal: bool) -> str:
    if diagonal:
        return "<td></td>"
    return f'<td style="--p:{60 * value:.0f}%">{value:.2f}</td>'


def _verdict(errors: float) -> str:
    if errors < STRANGE:
        return f"The largest difference is {errors:.1f} standard errors: as chance has it."
    return f"The largest difference is <b>{errors:.0f} standard errors</b>: no chance, a wrong density."
