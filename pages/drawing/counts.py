"""Charts of a number that grows along a run, beside its exact mean, and of its distribution over many runs."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import ACCENT, INK, NOW, axis, finish, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import path
from pages.drawing.once import drawn_once

DASHES: tuple[list[float], ...] = ([6, 3], [1.5, 3])


@drawn_once
def growth(last: int, title: str, curves: tuple[str, ...] = ()) -> dict[str, Any]:
    """Draw a number against the iterations, with its exact mean and standard deviation, and up to two more curves.

    The data set ``"path"`` has its ``number`` at each ``t``, and ``"facts"`` has ``mean``, ``low``, ``high`` and the
    curves. Its parameter ``most`` is the top of the axis. A curve that leaves the chart has an arrow
    there, and the number at its end.

    Parameters
    ----------
    last : int
        The last iteration.
    title : str
        Of the horizontal axis.
    curves : tuple of str, optional
        Fields of ``"facts"``: the first is dashed, the second dotted.
    """
    x = axis(alt.X, "t", (0, last), title, grid=False, tickCount=5, tickMinStep=1)

    def height(field: str) -> alt.Y:
        return axis(alt.Y, field, (0, alt.ExprRef("most")), tickCount=4, tickMinStep=1)

    facts, number = rows("facts").encode(x), rows("path").transform_filter(f"datum.t <= {NOW}")
    layers = [
        facts.mark_area(color=INK, opacity=0.12, clip=True).encode(height("low"), alt.Y2("high:Q")),
        facts.mark_line(color=INK, strokeWidth=1.5, clip=True).encode(height("mean")),
    ]
    for field, dash in zip(curves, DASHES, strict=False):
        layers.append(facts.mark_line(color=INK, strokeWidth=1.3, strokeDash=dash, clip=True).encode(height(field)))
        beyond = rows("facts").transform_filter(f"datum.{field} > most")
        beyond = beyond.transform_aggregate(t="min(t)", end=f"max({field})")  # where it leaves the chart
        beyond = beyond.transform_filter("isValid(datum.t)")
        beyond = beyond.transform_calculate(said="'↑ ' + format(datum.end, '.0f')", top="most")
        text = beyond.mark_text(align="left", dx=4, dy=5, color=INK, fontSize=11)
        layers.append(text.encode(x, height("top"), text="said:N"))
    layers += path(number, x, height("number"), strokeWidth=2.5, interpolate="step-after")
    return finish(alt.layer(*layers).add_params(alt.param(name="most", value=1)))


@drawn_once
def over_runs(name: str, title: str, run: str, limit: bool = False) -> dict[str, Any]:
    """Draw the distribution of a number over many runs, its exact probabilities, and its current value in this run.

    The data set called `name` has a row per ``number``, with its ``share`` of the runs and its ``exact`` probability;
    ``"now"`` has the number of this run, in the field called `name`. The parameters are ``NAME_span``, the lowest and
    the highest number, and ``NAME_top``, the top of the axis.

    Parameters
    ----------
    name : str
        The name of the number.
    title : str
        The title of the horizontal axis.
    run : str
        The plural of the word for a run.
    limit : bool, optional
        Whether the rows have a further distribution, ``limit``, which is drawn as points.
    """
    low, high = f"{name}_span[0]", f"{name}_span[1]"
    cell = f"width / ({high} - {low} + 1.2)"  # pixels a number
    ticks = alt.ExprRef(f"sequence({low}, {high} + 1, max(1, round(({high} - {low}) / 5)))")
    domain = [alt.ExprRef(f"{low} - 0.6"), alt.ExprRef(f"{high} + 0.6")]
    x = axis(alt.X, "number", domain, title, grid=False, values=ticks, format="d")
    share, exact, beyond = (
        axis(alt.Y, field, (0, alt.ExprRef(f"{name}_top")), format="%", tickCount=3)
        for field in ("share", "exact", "limit")
    )
    counts = rows(name).encode(x)
    bars = counts.mark_bar(color=ACCENT, opacity=0.55, size=alt.ExprRef(f"0.8 * {cell}")).encode(
        share.stack(None),
        tooltip=[
            alt.Tooltip("number:Q", title=title),
            alt.Tooltip("share:Q", format=".3f", title=f"share of {run}"),
            alt.Tooltip("exact:Q", format=".3f", title="exact probability"),
        ],
    )
    truth = counts.mark_tick(orient="horizontal", color=INK, thickness=2, size=alt.ExprRef(cell)).encode(exact)
    here = rows("now").transform_calculate(number=f"datum.{name}").transform_filter(f"datum.number >= {low}")
    arrow = here.mark_point(shape="triangle-down", filled=True, size=90, color=INK, opacity=1).encode(x, y=alt.value(4))
    layers = [bars, truth, arrow]
    if limit:
        layers.append(counts.mark_point(filled=True, size=26, color=INK, opacity=1).encode(beyond))
    params = alt.param(name=f"{name}_span", value=[0, 1]), alt.param(name=f"{name}_top", value=1)
    return finish(alt.layer(*layers).add_params(*params))
