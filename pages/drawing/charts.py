"""Shared by every chart of a film: the parameters that the player sets, axes, and looks."""

from __future__ import annotations

from functools import partial
from math import floor, log10, sqrt
from typing import Any

import numpy as np

from lessons.data.columns import Column
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS, SHAPES, THEMES
from pages.drawing.reads import Spec, reads

Domain = tuple[float, float]
# These, like all that is here when no chart is drawn yet, are values for Altair that it need not be there for.
INK, SOFT, PAPER, ACCENT = ({"expr": name} for name in ("ink", "soft", "paper", "accent"))
NOW = "floor(frame + 1e-9)"  # the iteration that has been reached; the rest of `frame` is movement towards the next
LIT = "lit == datum.mark"  # whether a row's mark is pointed at, in the chart, on the cards or in a lesson's words
PALETTE, MARKS = ({"domain": list(range(len(looks))), "range": list(looks)} for looks in (COLORS, SHAPES))
LOOK = [(name, THEMES["light"][name]) for name in ("ink", "soft", "paper", "accent")]
PARAMS = [  # that the player sets; `larger` is how many times its usual size type is, on a projector
    {"name": name, "value": value} for name, value in (("frame", 0), ("told", True), ("lit", ""), ("larger", 1), *LOOK)
]


def doubling(least: int) -> dict[str, str]:
    """Return the end of an axis of iterations that doubles when the run has filled it."""
    return {"expr": f"max({least}, pow(2, ceil(log(frame + 2) / log(2))))"}


DOUBLING = doubling(50)


def rows(name: str, *fields: str) -> alt.Chart:
    """Return the rows of a named data set in which these fields, if any, are numbers."""
    return _valid(alt.Chart(alt.NamedData(name)), fields)


def _valid(source: alt.Chart, fields: tuple[str, ...]) -> alt.Chart:
    return source.transform_filter(" && ".join(f"isValid(datum.{field})" for field in fields)) if fields else source


def marked(source: alt.Chart, mark: str) -> alt.Chart:
    """Return a source whose rows are all one mark."""
    return source.transform_calculate(mark=f"'{mark}'")


def if_(test: str, there: Any, otherwise: Any) -> Any:
    """Return the value of a channel where a test holds, and elsewhere.

    Given dictionaries, as `altair.condition` makes them, Altair tries for 5 to 20 ms which of its classes is meant.
    """
    return alt.ValueDefWithConditionMarkPropFieldOrDatumDefnumber(
        condition={"test": test, "value": there}, value=otherwise
    )


def if_lit(there: Any, otherwise: Any) -> Any:
    """Return the value of a channel for the marks that are pointed at, and for the others."""
    return if_(LIT, there, otherwise)


def past(*fields: str) -> alt.Chart:
    """Return the rows of ``"past"`` up to the iteration that has been reached; see `rows`."""
    so_far = rows("past").transform_filter(f"datum.t <= {NOW}")  # first, so that all layers of a chart share it
    return _valid(so_far, fields)


def colored(channel: Any, field: str = "color:N") -> Any:
    """Return a channel (`altair.Fill`, say) that shows a cluster by its colour."""
    return channel(field, scale=PALETTE, legend=None)


def by_fill() -> alt.Fill:
    """Return a filling in the cluster's colour."""
    return colored(alt.Fill)


def by_stroke() -> alt.Stroke:
    """Return an outline in the cluster's colour."""
    return colored(alt.Stroke)


def axis(
    channel: Any, field: str, domain: Any, title: str | None = None, *, clamp: bool | None = None, **ticks: Any
) -> Any:
    """Return the scale of a number on `altair.X` or `altair.Y`, with an axis that has these `ticks`, or none."""
    scale = alt.Scale(domain=list(domain), nice=False, clamp=alt.Undefined if clamp is None else clamp)
    return channel(f"{field}:Q", title=title, scale=scale, axis=alt.Axis(**ticks) if ticks else None)


def through(axes: tuple[alt.X, alt.Y], x: str, y: str) -> tuple[alt.X, alt.Y]:
    """Return the same axes for other fields: a place that is computed from itself would move on with every frame."""
    return of(axes[0], x), of(axes[1], y)


def of(axis: Any, field: str) -> Any:
    """Return the same axis for another field."""
    other = axis.copy(deep=False)
    other["shorthand"] = f"{field}:Q"
    return other


def iterations(title: str | None, end: Any = None, ticks: int = 4) -> alt.X:
    """Return the axis of iterations; without an end it doubles when the run has filled it."""
    return axis(alt.X, "t", (0, DOUBLING if end is None else end), title, grid=False, tickCount=ticks)


def span(name: str) -> tuple[list[alt.ExprRef], Any]:
    """Return a domain whose ends are a parameter, and that parameter: the same chart for every run."""
    return [alt.ExprRef(f"{name}[{end}]") for end in (0, 1)], alt.param(name=name, value=[0, 1])


@drawn_once
def trace(field: str, last: int | None, title: str, second: bool = False, *, grows: bool = False) -> dict[str, Any]:
    """Draw how a number of the data set ``"past"`` moves along the run.

    The ends of its axis are the parameter ``FIELD_span``. A start beyond them has an arrow and its number.

    Parameters
    ----------
    field : str
        Its name; the second chain's ends in ``_b``.
    last : int or None
        The last iteration, where the axis ends; None for an axis that doubles when it is full.
    title : str
        Of the horizontal axis.
    second : bool, optional
        Whether there is a second chain.
    grows : bool, optional
        Whether the axis grows with what is above it: a count has no other limit, and would lie flat on the rim.
    """
    lines: list[tuple[str, dict[str, Any]]] = [(field, {"color": ACCENT, "strokeWidth": 1.6})]
    if second:
        lines.insert(0, (f"{field}_b", {"color": INK, "strokeWidth": 1.2, "strokeDash": [4, 2]}))
    domain, ends = span(f"{field}_span")
    if grows:
        seen = [f"(extent(pluck(data('past'), '{name}'))[1] || 0)" for name, _ in lines]
        domain = [domain[0], alt.ExprRef(f"max({field}_span[1], {', '.join(seen)})")]
    x, y = iterations(title, last), partial(axis, alt.Y, domain=domain, clamp=True, tickCount=4)
    layers = [past().mark_line(clip=True, **look).encode(x, y(name)) for name, look in lines]
    starts = (
        _start_beyond(name, field, look["color"], 4 + 64 * place).encode(x, y(name))
        for place, (name, look) in enumerate(lines)
    )
    return finish(alt.layer(*layers, *starts).add_params(ends))


def _start_beyond(name: str, field: str, color: str, right: int) -> Any:
    """Return the arrow and the number of a line's start beyond the axis, this many pixels from the left end."""
    above, below = f"datum.{name} > {field}_span[1]", f"datum.{name} < {field}_span[0]"
    start = past().transform_filter(f"datum.t == 0 && ({above} || {below})")
    return start.mark_text(
        align="left",
        baseline=alt.ExprRef(f"{above} ? 'top' : 'bottom'"),
        dx=right,
        fontSize=12,
        color=color,
        text=alt.ExprRef(f"({above} ? '↑ ' : '↓ ') + format(datum.{name}, ',.0f')"),
    )


def bare_axes(x: Domain, y: Domain) -> tuple[alt.X, alt.Y]:
    """Return the axes of a picture without axes, with their domains."""
    return axis(alt.X, "x", x), axis(alt.Y, "y", y)


def plane_axes(x: Domain, y: Domain, columns: tuple[Column, Column]) -> tuple[alt.X, alt.Y]:
    """Return the axes of a plane, with their domains and what lies along them."""
    first, second = columns
    return (
        axis(alt.X, "x", x, first.name, grid=False, **ticks(first, x)),
        axis(alt.Y, "y", y, second.name, grid=False, **ticks(second, y)),
    )


def ticks(column: Column, domain: Domain, count: int = 5) -> dict[str, Any]:
    """Return about this number of ticks of an axis; those of a standardised column are round in its own units."""
    if not column.standardised:
        return {"tickCount": count}
    values, form = round_numbers(column, domain, count)
    return {"values": values.tolist(), "labelExpr": f"format({column.shift} + {column.scale} * datum.value, '{form}')"}


def round_numbers(column: Column, domain: Domain, count: int) -> tuple[np.ndarray, str]:
    """Return the places of about `count` round numbers of a column in a domain, and their format in its own units.

    Their distance is 1, 2 or 5 times a power of ten, as in D3.
    """
    low, high = column.own(np.array(domain)).tolist()
    apart, most = (high - low) / count, max(-low, high)
    power = floor(log10(apart))
    step = 10.0**power * (1, 2, 5, 10)[sum(apart / 10.0**power >= sqrt(edge) for edge in (2, 10, 50))]
    power = floor(log10(1.5 * step))
    if most < 1e7 and power > -7:
        form = f"{',' if most >= 1e4 else ''}.{max(0, -power)}f"
    else:
        form = f".{max(0, floor(log10(most)) - power)}e"
    own = step * np.arange(np.ceil(low / step), np.floor(high / step) + 1)
    return (own - column.shift) / column.scale, form


def finish(chart: Any) -> dict[str, Any]:
    """Return the chart as Vega-Lite, with the player's parameters and nothing that would fetch from a network."""
    found = Spec(vega_lite(chart))
    found["params"], found["padding"] = [*found.get("params", ()), *PARAMS], 4
    found.reads = reads(found)
    return found


def vega_lite(chart: Any) -> dict[str, Any]:
    """Return a chart's Vega-Lite without its look, which comes with the page."""
    spec: dict[str, Any] = chart.to_dict(validate=False)
    spec.pop("config", None)
    spec.pop("$schema", None)
    return spec
