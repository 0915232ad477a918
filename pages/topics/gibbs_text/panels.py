"""The inspector's other views: labels against the true ones, what the draws say, and the exact truth beside them."""

from html import escape

import numpy as np

from lessons.topics.gibbs_text import names_of
from pages.drawing.cards import badge, plus_minus, quiet, rhat, table, whole
from pages.drawing.numbers import significant
from pages.drawing.parts import columns
from pages.drawing.truth import beside, error_curve, frequencies, not_listed, own_limit, verdict
from pages.scenes.shared import shared
from pages.topics.gibbs_text import statistics
from pages.topics.gibbs_text.scene import TextScene, letters_of
from samplers.diagnostics.convergence import FEWEST_DRAWS
from samplers.mixtures.exact_labellings import ExactLabels, sweep_matrix
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.wrong import WRONG_LABEL_RULES

SURPRISES = 4  # messages that are listed
MATRIX_LABELLINGS = 64  # so many that the exact sweep can be written down while somebody waits

# ---- labels --------------------------------------------------------------------------------------------------------


def labels(scene: TextScene, sweep: int) -> str:
    """Return the hidden labels after a sweep against the true ones, and where the two differ most surely."""
    if not scene.has_held:
        return quiet("No hidden message has a true label to compare with.")
    counts = scene.corpus.confusion(scene.run.labels[sweep], scene.classes)
    names = names_of(scene.corpus, counts)
    return columns(_confusion(scene, counts, names), _surprises(scene, sweep, names), widths=(0.42, 0.58))


def _confusion(scene: TextScene, counts: np.ndarray, names: tuple[int, ...]) -> str:
    known, named = [escape(name) for name in scene.corpus.messages.classes], scene.corpus.named
    rows, agree, total = [], 0, int(counts.sum())
    for k, (row, name) in enumerate(zip(counts.tolist(), names, strict=True)):
        stands = f" = {known[name]}?" if not named and name >= 0 else ""
        cells = [f"<b>{count}</b>" if name == c else str(count) for c, count in enumerate(row)]
        rows.append([f"{badge(scene.letters[k], k)} {escape(scene.names[k])}{stands}", *cells])
        agree += row[name] if name >= 0 else 0
    said = f"{agree} of {total} hidden labels match the true ones, {100 * agree / total:.0f} %."
    if not named:
        said += " No label was shown, so the classes have no names: they get the names under which most labels agree."
    return table(["drawn ↓ true →", *known], rows) + quiet(said)


def _surprises(scene: TextScene, sweep: int, names: tuple[int, ...]) -> str:
    """Return the messages whose label is most surely another than the true one."""
    drawn, held, messages = scene.run.labels[sweep], scene.corpus.held_back, scene.corpus.messages
    certainty = np.where(scene.run.certainty[sweep] > 100, 0, scene.run.certainty[sweep].astype(int))
    wrong = np.flatnonzero((held != HIDDEN) & (np.array(names)[drawn] != held))
    wrong = wrong[np.argsort(-certainty[wrong], kind="stable")][:SURPRISES]
    if not wrong.size:
        return quiet("None differs from the true label.")
    letters = letters_of(messages.classes)
    rows = [
        (
            str(document + 1),
            badge(scene.letters[drawn[document]], int(drawn[document])),
            f"{certainty[document]} %" if certainty[document] else "–",
            letters[held[document]],
            escape(messages.texts[document][:70]),
        )
        for document in wrong.tolist()
    ]
    return table(("", "now", "drawn with", "true", "surest disagreements"), rows, "messages")


# ---- statistics ----------------------------------------------------------------------------------------------------


def statistics_table(scene: TextScene, sweep: int) -> str:
    """Return the statistic's summary by the kept draws, chain by chain, beside the last value alone."""
    burn_in, thin = scene.settings.burn_in, scene.settings.thin
    if statistics.kept_draws(scene, sweep).shape[1] < FEWEST_DRAWS:
        kept = f"after a burn-in of {burn_in} sweeps, every {_ordinal(thin)} sweep is kept".replace("  ", " ")
        return quiet(f"Too few draws: {kept}, and this is sweep {sweep}. Run on, or shorten the burn-in.")
    last = [significant(float(value), 4) for value in statistics.series(scene, sweep, sweep + 1)[:, 0]]
    rows = [
        (
            name,
            f"{sweep * (len(scene.runs) if name == 'all' else 1):,}",
            f"{draws.size:,}",
            whole(found.ess_bulk),
            whole(found.ess_tail),
            rhat(found),
            significant(float(draws.mean()), 4) + plus_minus(found.mcse_mean),
            alone,
        )
        for (name, draws, found), alone in zip(statistics.summary(scene, sweep), [*last, ""], strict=False)
    ]
    heads = ("", "sweeps", "kept", "ESS bulk", "ESS tail", "R-hat", "mean ± error", "last alone")
    name = escape(statistics.statistic_of(scene).title(scene))
    title = f"<b>{name}</b>, burn-in {burn_in}, every {_ordinal(thin)} sweep kept"
    return f"<p>{title}</p>{table(heads, rows)}{quiet(_caution(scene))}"


def _caution(scene: TextScene) -> str:
    said = (
        "<i>ESS</i>, effective sample size: how many independent draws would be as precise, for the middle (bulk) and "
        "for the tails. R-hat above 1.01: the chains, or the parts of one, do not agree yet."
    )
    if not statistics.statistic_of(scene).named or scene.corpus.named or len(scene.runs) == 1:
        return said
    if scene.settings.naming == "matched":
        return f"{said} The other chains' classes were matched to those of the first chain, after an early look at it."
    return (
        "<b>No label is shown</b>, so a chain may call class 1 what another calls class 2. Then R-hat is large "
        "although nothing is wrong: show a few labels, match the names, or look at the log joint, which has no names. "
    ) + said


def _ordinal(thin: int) -> str:
    return "" if thin == 1 else f"{thin}th" if thin > 3 else ("2nd", "3rd")[thin - 2]


# ---- truth ---------------------------------------------------------------------------------------------------------


def truth(scene: TextScene, sweep: int) -> str:
    """Return the exact posterior beside the chain's frequencies, and the error to truth against sweeps."""
    exact, size = scene.exact, f"{scene.corpus.size:,} messages"
    if exact is None or not sweep:
        return not_listed(exact, "label the messages", size, "<b>Six messages</b>")
    drawn, probabilities = scene.run.labels[1 : sweep + 1], exact.probabilities
    curve = error_curve(labelling_ids(exact, drawn), probabilities)
    over = f"{len(exact.labellings):,} labellings"
    said = quiet(verdict(curve[-1], over) + _own_limit(scene, exact))
    title = f"Messages in {escape(scene.names[0])}"
    return said + beside(title, "messages", in_first_class(exact, drawn), curve, probabilities)


def in_first_class(exact: ExactLabels, drawn: np.ndarray) -> list[dict[str, float]]:
    """Return how often each number of messages was in the first class, beside its exact distribution."""
    numbers = range(drawn.shape[1] + 1)
    distribution = np.bincount((exact.labellings == 0).sum(axis=1), exact.probabilities, len(numbers))
    return frequencies((drawn == 0).sum(axis=1), numbers, distribution)


def labelling_ids(exact: ExactLabels, drawn: np.ndarray) -> np.ndarray:
    """Return which of the listed labellings each sweep has, integers of shape (sweeps,)."""
    digits = exact.classes ** np.arange(drawn.shape[1])[::-1]  # lexical order is the order of these numbers
    return np.searchsorted(exact.labellings @ digits, drawn.astype(int) @ digits)


def _own_limit(scene: TextScene, exact: ExactLabels) -> str:
    """Return where a wrong rule ends up, as a sentence, if it is soon worked out."""
    sampler, wrong = scene.run.sampler, scene.settings.rule in WRONG_LABEL_RULES
    if not wrong or sampler.blocks or len(exact.labellings) > MATRIX_LABELLINGS:
        return ""
    return _limit(scene)


@shared
def _limit(scene: TextScene) -> str:
    exact, right = scene.exact, scene.settings.model_copy(update={"rule": "right", **scene.settings.variant})
    assert exact is not None
    samplers = scene.run.sampler, right.sampler_of(scene.corpus)
    return own_limit(exact.probabilities, [sweep_matrix(each, exact.labellings) for each in samplers])
