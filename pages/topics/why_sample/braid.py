"""The pictures of runs from all starts: pucks that become one, and their paths in time."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import ACCENT, INK, NOW, SOFT, axis, finish, if_, rows, trace
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.topics.why_sample import picture

AHEAD = 4.0  # sweeps on the axis of the past
READ = 15  # clusterings up to which each has its name beside its line
SECOND = picture.UNEQUAL  # the colour of a second run


@drawn_once
def clusterings(points: int, wrong: bool, moving: bool) -> dict[str, Any]:
    """Draw every clustering, and the runs as pucks: as they move, with points on their line; or with draws as discs.

    Its parameter ``scale`` is the radius of a ring or a disc for a probability of 1.
    """
    layers = [
        *picture.heads(),
        *([] if moving else picture.discs()),
        *picture.rings(wrong),
        _pucks(),
        *picture.numbers(points),
        *(picture.line_of_points(crowd=True) if moving else []),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="scale", value=1)))


def _pucks() -> alt.Chart:
    """Draw each run; those in one place are one puck, whose area is their number."""
    there = rows("pucks", "x").transform_calculate(
        px=f"datum.x + {picture.MOVING} * {picture.ON_WAY} * (datum.nx - datum.x)",
        py=f"datum.y + {picture.MOVING} * {picture.ON_WAY} * (datum.ny - datum.y)",
        area=picture.area("(1.1 * pow(datum.many, 0.3))"),
    )
    puck = there.mark_point(shape="circle", filled=True, stroke="white", strokeWidth=1.5, opacity=1)
    return puck.encode(
        *picture.at("px", "py"), alt.Size("area:Q", scale=None), fill=if_("datum.second", SECOND, ACCENT)
    )


@drawn_once
def paths(names: tuple[str, ...], reach: tuple[float, float], title: str, moving: bool) -> dict[str, Any]:
    """Draw where runs are, one line for each clustering, as time goes on; where they are together, one line is wide.

    Parameters
    ----------
    names : tuple of str
        Of the clusterings.
    reach : (float, float)
        The ends of the axis of time.
    title : str
        Of this axis.
    moving : bool
        Whether ways come one by one as the run goes on, or all at once.
    """
    labels = f"datum.value >= 1 && datum.value <= {len(names)} ? {list(names)}[datum.value - 1] : ''"
    ticks = {"values": list(range(1, len(names) + 1)), "labelExpr": labels} if len(names) <= READ else {"tickCount": 0}

    def y(field: str) -> alt.Y:
        return axis(alt.Y, field, (len(names) + 0.5, 0.5), grid=False, ticks=False, labelFontSize=11, **ticks)

    x = axis(alt.X, "t", reach, title, grid=False, tickCount=5)
    ways = rows("ways", "t")
    if moving:
        ways = ways.transform_filter(f"datum.t + 1 <= {NOW}")
    wide = ways.transform_calculate(broad="1 + 5 * pow(datum.part, 0.7)", later="datum.t + datum.long")
    lines = wide.mark_rule(strokeCap="round", opacity=0.85, clip=True).encode(
        x,
        y("y"),
        x2="later:Q",
        y2="y2:Q",
        strokeWidth=alt.StrokeWidth("broad:Q", scale=None),
        stroke=if_("datum.second", SECOND, ACCENT),
    )
    if not moving:
        end = alt.Chart(alt.Data(values=[{"t": 0}])).mark_rule(color=SOFT, strokeDash=[4, 3]).encode(x)
        there = rows("here", "t").mark_point(shape="circle", filled=True, size=90, color=ACCENT, stroke=INK, opacity=1)
        return finish(alt.layer(end, lines, there.encode(x, y("y"))))
    return finish(alt.layer(lines))


def left(last: int) -> dict[str, Any]:
    """Draw how many clusterings are left, update by update."""
    return trace("left", last, "updates")
