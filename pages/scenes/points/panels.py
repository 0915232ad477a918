"""The inspector's other views: the components, how well the chains agree, and the exact truth beside the chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from pages.drawing.cards import effective, head, mean_error, quiet, rhat, table
from pages.drawing.charts import vega_lite
from pages.drawing.lazy import alt
from pages.drawing.numbers import significant
from pages.drawing.once import drawn_once
from pages.drawing.palette import ACCENT
from pages.drawing.parts import chart, columns
from pages.drawing.truth import beside, error_curve, frequencies, not_listed, verdict
from pages.scenes.points.agreement import compared
from pages.scenes.points.run import PointsRun
from pages.scenes.points.scene import MixtureScene
from samplers.crp.mixture import co_clustering
from samplers.diagnostics.convergence import diagnose, partition_ids

MATRIX_POINTS = 60  # rows that the co-clustering matrix has room for
MATRIX_SWEEPS = 400
TABLES_LISTED = 12
FEWEST_SHOWN = 40  # draws of a chain of which the parts are shown


# ---- clusters ------------------------------------------------------------------------------------------------------


def clusters(scene: MixtureScene, sweep: int) -> str:
    """Return the list of components after a sweep, and how often each two points have been together until then."""
    run = scene.runs[0]
    labels = run.labels[1 : sweep + 1] if sweep else run.labels[:1]
    order = f"Points in the order of their {run.model.many}."
    title = f'<p title="{order}"><b>Who is with whom</b>, share of the sweeps so far</p>'
    return columns(_cluster_table(scene, run, sweep), title + _co_clustering(labels), widths=(0.55, 0.45))


def _cluster_table(scene: MixtureScene, run: PointsRun, sweep: int) -> str:
    state, model = run.state(sweep), run.model
    sizes = model.sizes(state)
    order = sorted(sizes, key=lambda component: -sizes[component])
    what = "share of" if model.counts else "mean"
    names = (f"{what} {escape(column.name)}" for column in scene.columns)
    heads = ["", "points", *names, *([] if model.counts else ["spread"])]
    rows = []
    for component in order[:TABLES_LISTED]:
        parameters = model.parameters_of(state, component)
        cells = [model.mark(component), str(sizes[component])]
        cells += model.places(parameters.mean)
        if parameters.deviations.size:
            cells.append(" · ".join(model.spreads(parameters.deviations)))
        row = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f'<tr data-mark="{model.mark_of(component)}">{row}</tr>')
    if len(order) > TABLES_LISTED:
        rows.append(f'<tr><td></td><td colspan="4">and {len(order) - TABLES_LISTED} smaller ones</td></tr>')
    note = f'<p class="quiet">{model.note(state)}</p>'
    return f'<table class="list">{head(heads)}{"".join(rows)}</table>{note}'


def _co_clustering(labels: np.ndarray) -> str:
    order = np.argsort(labels[-1], kind="stable")
    order = order[np.linspace(0, len(order) - 1, min(len(order), MATRIX_POINTS)).round().astype(int)]
    sweeps = np.linspace(0, len(labels) - 1, min(len(labels), MATRIX_SWEEPS)).round().astype(int)
    together = co_clustering(labels[np.ix_(sweeps, order)])
    points = [{"place": place, "point": point} for place, point in enumerate((order + 1).tolist())]
    return chart(
        _matrix_spec(len(order)),
        "A matrix of points by points",
        cells=together.round(2).ravel().tolist(),
        points=points,
    )


@drawn_once
def _matrix_spec(size: int) -> dict[str, Any]:
    cell: dict[str, Any] = {"axis": alt.Axis(labels=False, ticks=False, domain=False, title=None)}
    of_points = alt.LookupData(data=alt.NamedData("points"), key="place", fields=["point"])
    matrix = (
        alt.Chart(alt.NamedData("cells"))
        .transform_window(number="row_number()")
        .transform_calculate(
            share="datum.data", row=f"floor((datum.number - 1) / {size})", column=f"(datum.number - 1) % {size}"
        )
        .transform_lookup(lookup="row", from_=of_points, as_=["a"])
        .transform_lookup(lookup="column", from_=of_points, as_=["b"])
        .mark_rect()
        .encode(
            alt.X("column:O", scale=alt.Scale(paddingInner=0), **cell),
            alt.Y("row:O", scale=alt.Scale(paddingInner=0), **cell),
            alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.03, 1]), legend=None),
            color=alt.value(ACCENT),
            tooltip=[alt.Tooltip("a:Q", title="point"), alt.Tooltip("b:Q", title="and point"), "share:Q"],
        )
        .properties(height=180)
    )
    return vega_lite(matrix)


# ---- chains --------------------------------------------------------------------------------------------------------


def chains(scene: MixtureScene, sweep: int, followed: Mapping[str, Sequence[np.ndarray]]) -> str:
    """Return the chains' diagnostics: R-hat, effective sample sizes, standard errors.

    Parameters
    ----------
    scene : MixtureScene
        With one chain or two.
    sweep : int
        The last one that counts.
    followed : mapping of str to sequence of numpy.ndarray
        What is followed, by name: of each chain one number a sweep, from sweep 0.
    """
    first = kept_from(sweep, branched_at(scene))
    if sweep - first < 3:
        return TOO_FEW
    kept = {name: [draws[first : sweep + 1] for draws in of_chains] for name, of_chains in followed.items()}
    listed, (name, draws) = diagnoses(kept), next(iter(kept.items()))
    enough = len(draws[0]) >= FEWEST_SHOWN and all(np.ptp(each) for each in draws)
    shown = columns(listed, compared(name, draws), widths=(0.6, 0.4)) if enough else listed
    return (
        f'{shown}<p class="quiet">{what_is_kept(scene, len(scene.runs), sweep)} <i>ESS</i>, effective sample '
        "size: how many independent draws would be as precise, since neighbouring sweeps resemble each other; for the "
        "middle (bulk) and for the tails. An R-hat above 1.01 says that the chains, or the parts of one, do not "
        "agree yet; an R-hat near 1 does not prove that they are right.</p>"
    )


def branched_at(scene: MixtureScene) -> int:
    """Return the sweep until which two chains share their past; 0 if they share none."""
    settings: Any = scene.settings
    return settings.branch_at if settings.second == "branch" else 0


def kept_from(sweep: int, start: int = 0) -> int:
    """Return the first sweep that counts: of those after the start, or after the branch, the first half is dropped."""
    return start + (sweep - start) // 2 + 1


def what_is_kept(scene: MixtureScene, chains: int, sweep: int) -> str:
    """Return which chains and sweeps the diagnoses use, as sentences."""
    start = branched_at(scene)
    many = f"{chains} chains" if chains > 1 else "One chain, of which R-hat compares the four quarters"
    since = "the branch" if start else "the start"
    return f"{many}, sweeps {kept_from(sweep, start)} to {sweep}: the first half since {since} is left out."


TOO_FEW = '<p class="quiet">Run a few sweeps first: at least eight, and a few hundred to be of use.</p>'
HEADS = dict(enumerate(("", "draws", "ESS bulk", "ESS tail", "R-hat", "mean ± error")))
BRIEF = {0: "", 2: "ESS", 4: "R-hat", 5: "mean ± error"}  # for a narrow table


def diagnoses(followed: Mapping[str, Sequence[np.ndarray]], heads: Mapping[int, str] = HEADS) -> str:
    """Return chains' diagnostics as a table of HTML: some columns, a row for each series that is followed.

    Parameters
    ----------
    followed : mapping of str to sequence of numpy.ndarray
        Of each chain one number a sweep, by name, which may be HTML.
    heads : mapping of int to str, optional
        The heads of columns; all of them, if left out.
    """
    rows = (_diagnosis(name, draws) for name, draws in followed.items())
    return table(heads.values(), ([cells[column] for column in heads] for cells in rows))


def _diagnosis(name: str, draws: Sequence[np.ndarray]) -> tuple[str, ...]:
    series = np.array(draws, float)
    found = diagnose(series)
    mean = significant(series.mean(), 4) + mean_error(found)
    return name, str(found.draws), *effective(found), rhat(found), mean


# ---- truth ---------------------------------------------------------------------------------------------------------


def truth(scene: MixtureScene, sweep: int, *, listed: str, more: str = "") -> str:
    """Return the exact posterior beside the chain's frequencies, and the error to truth against sweeps.

    Parameters
    ----------
    scene : MixtureScene
        With the truth, or without.
    sweep : int
        The last one that counts.
    listed : str
        What the exact posterior lists, for the case that it would be too long.
    more : str, optional
        What else there is to say of the distance.
    """
    smaller = "<b>Three points</b> or <b>Seven points</b> as data"
    run, exact, points = scene.run, scene.exact, f"{len(scene.data)} points"
    if exact is None or not sweep:
        return not_listed(exact, listed, points, smaller)
    curve = error_curve(partition_ids(run.labels[1 : sweep + 1]), exact.probabilities)
    groupings = f"{len(exact.probabilities):,} groupings"
    bars = frequencies(run.tables[1 : sweep + 1], range(1, len(scene.data) + 1), exact.table_counts[1:])
    said = quiet(verdict(curve[-1], groupings) + more)
    return said + beside(scene.model.many.capitalize(), scene.model.many, bars, curve, exact.probabilities)
