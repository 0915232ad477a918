"""The charts of the walk: numbers along the run, class probabilities, and points on a line with their components."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal, NamedTuple

from pages.drawing.charts import INK, PAPER, SOFT, Domain, axis, bare_axes, finish, iterations, past, rows, span
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS

EXACT = COLORS[1]
DOT: dict[str, Any] = {"filled": True, "opacity": 1, "clip": True}
SHARES = {"domain": [0, 1, 2], "range": list(COLORS[:3])}
NAMES = 0.8  # room for names, left of the bars, where a bar is 1 long
STEPS = "sequence(-3.2, 3.21, 0.2)"  # places on a bell curve, in standard deviations
TOP = 0.42  # of the axis, where a component is 1 / √(2π) high
FLOOR, CEILING = -0.13566, -0.012  # of the bars of the points, below the curves


class Line(NamedTuple):
    """A trace of a field of the data set ``"past"``."""

    field: str
    color: str  # or the name of one of the theme's
    width: float
    opacity: float = 1.0
    dash: tuple[int, ...] = ()
    start: int = 0  # the first iteration


def now_and_mean(name: str, warmup: int, many: int) -> tuple[Line, ...]:
    """Return the lines of a number that each class has: thin as it is, and thick its average after the warm-up."""
    thin = [Line(f"{name}{k}", COLORS[k], 1, opacity=0.5) for k in range(many)]
    return *thin, *(Line(f"{name}{k}_mean", COLORS[k], 2.8, start=warmup + 1) for k in range(many))


@drawn_once
def along(lines: tuple[Line, ...], warmup: int, *, exact: bool = False, ticks: int | None = None) -> dict[str, Any]:
    """Draw numbers along the run on an axis that doubles when the run has filled it, and where the warm-up ends.

    The ends of the other axis are a parameter: the first line's field with ``_span``.

    Parameters
    ----------
    lines : tuple of Line
        The last one on top.
    warmup : int
        Iterations before averages begin.
    exact : bool, optional
        Whether the data set ``"exact"`` holds a number to which they should come.
    ticks : int, optional
        About how many the axis of the numbers has.
    """
    x = iterations("iterations")
    domain, ends = span(f"{lines[0].field}_span")
    y = axis(alt.Y, "value", domain, clamp=True, tickCount=ticks or alt.Undefined)
    end = alt.Chart(alt.Data(values=[{"t": warmup + 0.5}]))
    layers = [end.mark_rule(color=SOFT, strokeDash=[2, 3], clip=True).encode(x)]
    if exact:
        layers.append(rows("exact", "value").mark_rule(color=EXACT, strokeWidth=2).encode(y))
    for line in lines:
        seen = past(line.field).transform_filter(f"datum.t >= {line.start}")
        color = line.color if line.color.startswith("#") else alt.ExprRef(line.color)
        drawn = seen.transform_calculate(value=f"datum.{line.field}").mark_line(
            clip=True, color=color, strokeWidth=line.width, opacity=line.opacity, strokeDash=list(line.dash)
        )
        layers.append(drawn.encode(x, y))
    return finish(alt.layer(*layers).add_params(ends))


@drawn_once
def classes(many: int, mean: bool, classes: int) -> dict[str, Any]:
    """Draw the probability of each class for some items: now, and averaged over the run, thinner below it.

    Parameters
    ----------
    many : int
        How many items are in sight.
    mean : bool
        Whether there is an average.
    classes : int
        K. The fields ``now0``, ``mean0`` … say where the bar of a class ends and the next one's begins.
    """
    x, _ = bare_axes((-NAMES, 1.0), (0, 1))
    y = axis(alt.Y, "y", [alt.ExprRef(f"scrolled + {many - 0.35}"), alt.ExprRef("scrolled - 0.55")])
    layers = []
    bars = [("now", -0.42, 0.02 if mean else 0.3, 0.9), ("mean", 0.08, 0.3, 0.6)]
    for field, top, bottom, opacity in bars[: 1 + mean]:
        ends = ["0", *(f"datum.{field}{k}" for k in range(classes - 1)), "1"]
        for label, (left, right) in enumerate(pairwise(ends)):
            share = f"format({right} - {left}, '.3f')"
            tip = ["name:N", alt.Tooltip("share:N", title=f"Pr[z = {label + 1}]")]
            layers.append(
                rows("rows", f"{field}0")
                .transform_calculate(x=left, x2=right, y=f"datum.row + {top}", y2=f"datum.row + {bottom}", share=share)
                .mark_rect(color=COLORS[label], opacity=opacity)
                .encode(x, y, x2="x2:Q", y2="y2:Q", tooltip=tip)
            )
    room = alt.ExprRef(f"{0.98 * NAMES / (1 + NAMES):.3f} * width")
    named = rows("rows").transform_calculate(x=f"{-NAMES}", y="datum.row - 0.06")
    layers.append(named.mark_text(align="left", fontSize=11.5, color=INK, limit=room).encode(x, y, alt.Text("name:N")))
    places: list[tuple[str, Literal["left", "right"]]] = [("0.012", "left"), ("0.988", "right")]
    for label, (place, align) in enumerate(places):
        known = rows("rows").transform_filter(f"datum.known == {label}")
        layers.append(
            known.transform_calculate(x=place, y="datum.row - 0.19")
            .mark_text(align=align, fontSize=11, fontWeight=600, color="white")
            .encode(x, y, text="shown:N")
        )
    half = alt.Chart(alt.Data(values=[{"x": 0.5}])).mark_rule(color=PAPER, strokeWidth=1.2, strokeDash=[3, 3])
    middle = [half.encode(x)] if classes == 2 else []
    return finish(alt.layer(*layers, *middle).add_params(alt.param(name="scrolled", value=0)))


@drawn_once
def line(domain: Domain) -> dict[str, Any]:
    """Draw points on a line, each a bar that its components share, below the components' densities."""
    x = axis(alt.X, "x", domain, "x", grid=False, tickCount=6)
    y = alt.Y("y:Q", axis=None, stack=None, scale=alt.Scale(domain=[FLOOR / 0.95, TOP], nice=False))
    curves = (
        rows("components", "mean")
        .transform_calculate(place=STEPS)
        .transform_flatten(["place"])
        .transform_calculate(x="datum.mean + datum.place", y="exp(-datum.place * datum.place / 2) / 2.5066", zero="0")
    )
    color: dict[str, Any] = {"scale": SHARES, "legend": None}
    areas = curves.mark_area(opacity=0.16, clip=True).encode(x, y, alt.Fill("label:N", **color), y2="zero:Q")
    rims = curves.mark_line(strokeWidth=2, clip=True).encode(x, y, alt.Stroke("label:N", **color), order="place:Q")
    split = f"{FLOOR} + {CEILING - FLOOR} * datum.now0"
    shares = [
        rows("rows", "now0")
        .transform_calculate(y=bottom, y2=top)
        .mark_rule(color=COLORS[label], strokeWidth=5, clip=True)
        .encode(
            x,
            y,
            y2="y2:Q",
            tooltip=[alt.Tooltip("name:N", title="point"), alt.Tooltip("now0:Q", title="Pr[z = 1]", format=".3f")],
        )
        for label, (bottom, top) in enumerate(((f"{FLOOR}", split), (split, f"{CEILING}")))
    ]
    return finish(alt.layer(areas, rims, *shares))
