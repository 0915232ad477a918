"""The inspector's other views: labels against the true ones, what the draws say, and the exact truth beside them."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from lessons.stages.gibbs_text import names_of
from pages.drawing.cards import badge, rhat, whole
from pages.drawing.numbers import significant
from pages.drawing.truth import draw, error_curve, frequencies, verdict
from pages.shell.page import plain
from pages.stages.gibbs_text import statistics
from pages.stages.gibbs_text.scene import Scene, letters_of
from samplers.diagnostics.convergence import effective_draws_per_sweep, sweeps_to_separate
from samplers.enumerated import stationary
from samplers.mixtures.exact_labellings import ExactLabels, sweep_matrix
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.wrong import WRONG_LABEL_RULES

SURPRISES = 4  # messages that are listed
MATRIX_LABELLINGS = 64  # so many that the exact sweep can be written down while somebody waits

# ---- labels --------------------------------------------------------------------------------------------------------


def labels(scene: Scene, sweep: int) -> None:
    """Draw the hidden labels after a sweep against the true ones, and where the two differ most surely."""
    if not scene.has_held:
        st.html('<p class="quiet">No hidden message has a true label to compare with.</p>')
        return
    run = scene.run
    table = scene.corpus.confusion(run.labels[sweep], scene.classes)
    names = names_of(scene.corpus, table)
    agree = sum(int(table[k, c]) for k, c in enumerate(names) if c >= 0)
    left, right = st.columns([0.42, 0.58])
    with left:
        st.html(_confusion(scene, table, names, agree))
    with right:
        st.html(_surprises(scene, sweep, names))


def _confusion(scene: Scene, table: np.ndarray, names: tuple[int, ...], agree: int) -> str:
    known = scene.corpus.messages.classes
    head = "".join(f"<th>{escape(name)}</th>" for name in known)
    rows = ""
    for k, counts in enumerate(table):
        stands = f" = {escape(known[names[k]])}?" if not scene.corpus.named and names[k] >= 0 else ""
        cells = "".join(
            f"<td>{'<b>' if names[k] == c else ''}{count}{'</b>' if names[k] == c else ''}</td>"
            for c, count in enumerate(counts)
        )
        rows += f"<tr><td>{badge(scene.letters[k], k)} {escape(scene.names[k])}{stands}</td>{cells}</tr>"
    total = int(table.sum())
    said = f"{agree} of {total} hidden labels match the true ones, {100 * agree / total:.0f} %."
    if not scene.corpus.named:
        said += " No label was shown, so the classes have no names: they get those under which most agree."
    return f'<table class="list"><tr><th>drawn ↓ true →</th>{head}</tr>{rows}</table><p class="quiet">{said}</p>'


def _surprises(scene: Scene, sweep: int, names: tuple[int, ...]) -> str:
    """Return the messages whose label is most surely another than the true one."""
    run, held = scene.run, scene.corpus.held_back
    stands = np.array(names)[run.labels[sweep]]
    certainty = np.where(run.certainty[sweep] > 100, 0, run.certainty[sweep].astype(int))
    wrong = np.flatnonzero((held != HIDDEN) & (stands != held))
    wrong = wrong[np.argsort(-certainty[wrong], kind="stable")][:SURPRISES]
    if not wrong.size:
        return '<p class="quiet">None differs from the true label.</p>'
    letters = letters_of(scene.corpus.messages.classes)
    rows = ""
    for document in wrong.tolist():
        label = int(run.labels[sweep, document])
        text = escape(scene.corpus.messages.texts[document][:70])
        sure = f"{certainty[document]} %" if certainty[document] else "–"
        rows += (
            f"<tr><td>{document + 1}</td><td>{badge(scene.letters[label], label)}</td><td>{sure}</td>"
            f"<td>{letters[held[document]]}</td><td>{text}</td></tr>"
        )
    head = "".join(f"<th>{text}</th>" for text in ("", "now", "drawn with", "true", "surest disagreements"))
    return f'<table class="list messages"><tr>{head}</tr>{rows}</table>'


# ---- statistics ----------------------------------------------------------------------------------------------------


def statistics_table(scene: Scene, sweep: int) -> None:
    """Draw what the draws that are kept say of the statistic, chain by chain, beside the last value alone."""
    settings = scene.settings
    if sweep - settings.burn_in < statistics.FEWEST:
        st.html(
            f'<p class="quiet">Nothing to add up yet: the burn-in is {settings.burn_in} sweeps, and this is sweep '
            f"{sweep}. Run on, or take less burn-in.</p>"
        )
        return
    heads = ("", "sweeps", "kept", "ESS bulk", "ESS tail", "R-hat", "mean ± error", "last alone")
    head = "".join(f"<th>{text}</th>" for text in heads)
    last = statistics.series(scene, sweep, sweep + 1)[:, 0]
    rows = ""
    for k, (name, draws, found) in enumerate(statistics.summary(scene, sweep)):
        error = "" if found.mcse_mean is None else f" ± {found.mcse_mean:.2g}"
        cells = (
            name,
            f"{sweep * (len(scene.runs) if name == 'all' else 1):,}",
            f"{draws.size:,}",
            whole(found.ess_bulk),
            whole(found.ess_tail),
            rhat(found.rhat),
            significant(float(draws.mean()), 4) + error,
            significant(float(last[k]), 4) if k < len(last) else "",
        )
        rows += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    st.html(
        f"<p><b>{escape(statistics.title_of(scene))}</b>, burn-in {settings.burn_in}, every "
        f'{_ordinal(settings.thin)} sweep kept</p><table class="list"><tr>{head}</tr>{rows}</table>'
        f'<p class="quiet">{_caution(scene)}</p>'
    )


def _caution(scene: Scene) -> str:
    said = (
        "<i>ESS</i>, effective sample size: as many independent draws would say as much, of the mean (bulk) and of the "
        "tails. R-hat above 1.01: the chains, or the halves of one, do not agree yet."
    )
    if scene.settings.statistic == "log_joint" or scene.corpus.named or len(scene.runs) == 1:
        return said
    if scene.settings.naming == "matched":
        return f"{said} The other chains' classes were matched to the first chain's after its first look."
    return (
        "<b>No label is shown</b>, so a chain may call class 1 what another calls class 2. Then R-hat is large though "
        "nothing is wrong: show a few labels, match the names, or look at the log joint, which has no names. " + said
    )


def _ordinal(thin: int) -> str:
    return "" if thin == 1 else f"{thin}th" if thin > 3 else ("2nd", "3rd")[thin - 2]


# ---- truth ---------------------------------------------------------------------------------------------------------


def truth(scene: Scene, sweep: int) -> None:
    """Draw the exact posterior beside the chain's frequencies, and the error to truth against sweeps."""
    if scene.exact is None:
        st.html(
            f'<p class="quiet">The exact posterior lists every way to label the messages. For {scene.corpus.size:,} '
            "messages there are too many; choose <b>Six messages</b>, and come back.</p>"
        )
        return
    if not sweep:
        st.html('<p class="quiet">Run some sweeps first.</p>')
        return
    drawn = scene.run.labels[1 : sweep + 1]
    curve = error_curve(labelling_ids(scene.exact, drawn), scene.exact.probabilities)
    st.html(f'<p class="quiet">{_verdict(scene, curve[-1])}</p>')
    draw(
        f"Messages in {plain(scene.names[0])}",
        "messages",
        in_first_class(scene.exact, drawn),
        curve,
        scene.exact.probabilities,
    )


def in_first_class(exact: ExactLabels, drawn: np.ndarray) -> list[dict[str, float]]:
    """Return how often each number of messages was in the first class, beside its exact law."""
    numbers = range(drawn.shape[1] + 1)
    law = np.bincount((exact.labellings == 0).sum(axis=1), exact.probabilities, len(numbers))
    return frequencies((drawn == 0).sum(axis=1), numbers, law)


def labelling_ids(exact: ExactLabels, drawn: np.ndarray) -> np.ndarray:
    """Return which of the listed labellings each sweep has, integers of shape (sweeps,)."""
    digits = exact.classes ** np.arange(drawn.shape[1])[::-1]  # lexical order is the order of these numbers
    return np.searchsorted(exact.labellings @ digits, drawn.astype(int) @ digits)


def _verdict(scene: Scene, last: dict[str, float]) -> str:
    assert scene.exact is not None
    listed = len(scene.exact.labellings)
    said = verdict(last, f"{listed:,} labellings")
    if scene.settings.rule not in WRONG_LABEL_RULES or scene.run.sampler.blocks or listed > MATRIX_LABELLINGS:
        return said
    distance, sweeps = _separation(scene.key, scene)
    when = "never" if sweeps is None else f"after about {sweeps:,} sweeps"
    return f"{said} This rule's own limit is {distance:.3f} away from the truth; it stands clear of the noise {when}."


@st.cache_data(max_entries=64, show_spinner=False)
def _separation(key: str, _scene: Scene) -> tuple[float, int | None]:
    """Return how far the rule's limit is from the truth, and after how many sweeps that shows."""
    assert _scene.exact is not None
    labellings, right = _scene.exact.labellings, _scene.exact.probabilities
    rule = _scene.settings.model_copy(update={"rule": "right"})
    honest = rule.model_copy(update={"word_probs": "collapsed", "weights": "collapsed"}).sampler_of(_scene.corpus)
    matrices = [sweep_matrix(_scene.run.sampler, labellings), sweep_matrix(honest, labellings)]
    limit = stationary(matrices[0])
    worth = min(effective_draws_per_sweep(matrix) for matrix in matrices)
    return float(np.abs(limit - right).sum() / 2), sweeps_to_separate(limit, right, worth)
