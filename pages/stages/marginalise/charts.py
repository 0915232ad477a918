"""The charts of the walk, described once: traces, class probabilities, and points on a line with their components."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import altair as alt

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, SPECS, finish
from pages.drawing.palette import COLORS

Domain = tuple[float, float]
CLASSES = alt.Scale(domain=[0, 1], range=list(COLORS[:2]))
X_RUN = {"expr": "max(50, pow(2, ceil(log(frame + 2) / log(2))))"}  # doubles when the run has filled it
NAMES = 0.8  # room for names, left of the bars, where a bar is 1 long
STEPS = "sequence(-3.2, 3.21, 0.2)"  # places on a bell curve, in standard deviations
BELOW = 0.34  # room for the points below the curves, where a whole component is 1 / √(2π) high


def iterations(title: str | None, end: Any = None) -> alt.X:
    """Return the axis of iterations; without an end it doubles when the run has filled it."""
    scale = alt.Scale(domain=[0, X_RUN if end is None else end], nice=False)
    return alt.X("t:Q", title=title, scale=scale, axis=alt.Axis(grid=False, tickCount=4))


def _past(*valid: str) -> alt.Chart:
    tests = [f"datum.t <= {NOW}", *(f"isValid(datum.{field})" for field in valid)]
    return alt.Chart(alt.NamedData("past")).transform_filter(" && ".join(tests))


def warm(warmup: int) -> alt.Chart:
    """Return a line where the warm-up ends."""
    end = alt.Chart(alt.Data(values=[{"t": warmup + 0.5}]))
    rule: alt.Chart = end.mark_rule(color=SOFT, strokeDash=[2, 3], clip=True).encode(iterations("iterations"))
    return rule


@lru_cache(maxsize=SPECS)
def trace(field: str, domain: Domain, warmup: int) -> dict[str, Any]:
    """Draw how a number of the data set ``"past"`` moves along the run, and where the warm-up ends."""
    scale = alt.Scale(domain=list(domain), nice=False, clamp=True)
    y = alt.Y(f"{field}:Q", title=None, scale=scale, axis=alt.Axis(tickCount=4))
    line = _past(field).mark_line(color=ACCENT, strokeWidth=1.4, clip=True).encode(iterations("iterations"), y)
    return finish(alt.layer(warm(warmup), line))


@lru_cache(maxsize=SPECS)
def pair(now: tuple[str, ...], means: tuple[str, ...], domain: Domain, warmup: int) -> dict[str, Any]:
    """Draw a number that each class has, thin, and its running mean, thick.

    Parameters
    ----------
    now, means : tuple of str
        Fields of the data set ``"past"``, one for each class.
    domain : (float, float)
        Of the numbers.
    warmup : int
        Iterations before running means begin.
    """
    y = alt.Y("value:Q", title=None, scale=alt.Scale(domain=list(domain), nice=False, clamp=True))
    layers = [warm(warmup)]
    looks: tuple[dict[str, Any], ...] = ({"strokeWidth": 1, "opacity": 0.5}, {"strokeWidth": 2.8})
    for fields, look in zip((now, means), looks, strict=True):
        after = _past() if fields is now else _past().transform_filter(f"datum.t > {warmup}")
        for label, field in enumerate(fields):
            layers.append(
                after.transform_calculate(value=f"datum.{field}")
                .mark_line(color=COLORS[label], clip=True, **look)
                .encode(iterations("iterations"), y.copy())
            )
    return finish(alt.layer(*layers))


@lru_cache(maxsize=SPECS)
def classes(rows: int, mean: bool) -> dict[str, Any]:
    """Draw the probability of each class for some items: now, and averaged over the run, thinner below it.

    Parameters
    ----------
    rows : int
        How many items.
    mean : bool
        Whether there is an average.
    """
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-NAMES, 1.0], nice=False))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[rows - 0.35, -0.55], nice=False))
    base = alt.Chart(alt.NamedData("rows"))
    layers = []
    bars = [("now", -0.42, 0.02 if mean else 0.3, 0.9)] + ([("mean", 0.08, 0.3, 0.6)] if mean else [])
    for field, top, bottom, opacity in bars:
        seen = base.transform_filter(f"isValid(datum.{field})")
        for label, (left, right) in enumerate((("0", f"datum.{field}"), (f"datum.{field}", "1"))):
            layers.append(
                seen.transform_calculate(x=left, x2=right, y=f"datum.row + {top}", y2=f"datum.row + {bottom}")
                .mark_rect(color=COLORS[label], opacity=opacity)
                .encode(x, y, x2="x2:Q", y2="y2:Q", tooltip=["name:N", alt.Tooltip(f"{field}:Q", format=".3f")])
            )
    room = alt.ExprRef(f"{0.98 * NAMES / (1 + NAMES):.3f} * width")
    told = base.transform_calculate(x=f"{-NAMES}", y="datum.row - 0.06")
    layers.append(
        told.mark_text(align="left", baseline="middle", fontSize=11.5, color=INK, limit=room).encode(
            x, y, alt.Text("name:N")
        )
    )
    known = base.transform_filter("datum.known >= 0").transform_calculate(
        x="datum.known == 0 ? 0.012 : 0.988", y="datum.row - 0.19"
    )
    sides: tuple[Literal["left", "right"], ...] = ("left", "right")
    for label, align in enumerate(sides):
        layers.append(
            known.transform_filter(f"datum.known == {label}")
            .mark_text(align=align, baseline="middle", fontSize=10.5, fontWeight=600, color=PAPER)
            .encode(x, y, text=alt.value("label shown"))
        )
    half = alt.Chart(alt.Data(values=[{"x": 0.5}])).mark_rule(color=PAPER, strokeWidth=1.2, strokeDash=[3, 3])
    return finish(alt.layer(*layers, half.encode(x)))


@lru_cache(maxsize=SPECS)
def line(domain: Domain) -> dict[str, Any]:
    """Draw points on a line, each a bar that its components share, below the components' densities."""
    x = alt.X(
        "x:Q", title="x", scale=alt.Scale(domain=list(domain), nice=False), axis=alt.Axis(grid=False, tickCount=6)
    )
    y = alt.Y("y:Q", axis=None, stack=None, scale=alt.Scale(domain=[-BELOW * 0.42, 0.42], nice=False))
    curves = (
        alt.Chart(alt.NamedData("components"))
        .transform_filter("isValid(datum.mean)")
        .transform_calculate(place=STEPS)
        .transform_flatten(["place"])
        .transform_calculate(x="datum.mean + datum.place", y="exp(-datum.place * datum.place / 2) / 2.5066", zero="0")
    )
    color: dict[str, Any] = {"scale": CLASSES, "legend": None}
    areas = curves.mark_area(opacity=0.16, clip=True).encode(x, y, alt.Fill("label:N", **color), y2="zero:Q")
    rims = curves.mark_line(strokeWidth=2, clip=True).encode(x, y, alt.Stroke("label:N", **color), order="place:Q")
    ends = alt.Chart(alt.NamedData("rows")).transform_filter("isValid(datum.now)")
    low, high = -BELOW * 0.42 * 0.95, -0.012
    split = f"{low} + {high - low} * datum.now"
    shares = [
        ends.transform_calculate(y=bottom, y2=top)
        .mark_rule(color=COLORS[label], strokeWidth=5, clip=True)
        .encode(x, y, y2="y2:Q", tooltip=[alt.Tooltip("name:N", title="point"), alt.Tooltip("now:Q", format=".3f")])
        for label, (bottom, top) in enumerate(((f"{low}", split), (split, f"{high}")))
    ]
    return finish(alt.layer(areas, rims, *shares))
