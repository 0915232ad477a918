"""The charts of a hidden chain, described once: the series, shares of states, transitions, and an update's factors."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import (
    ACCENT,
    INK,
    PAPER,
    SOFT,
    Domain,
    axis,
    bare_axes,
    by_fill,
    by_stroke,
    colored,
    finish,
    if_lit,
    rows,
)
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES, written
from pages.drawing.once import drawn_once
from pages.drawing.palette import SHAPES

FEW = 4  # states, for which there is room to write
MOST = 12  # states, of those with a shape
HEADS = ("from before", "× to the next", "× value", "= probability")
FACTORS = ("before", "next", "fit", "p")
COLUMNS = (
    *FACTORS,
    "density",
)  # a bar of a fit is its share of the largest density; the number beside it is the density


def hours_axis(hours: int, title: str | None = "hour", field: str = "x") -> alt.X:
    """Return the axis of hours, half an hour beyond both ends."""
    return axis(alt.X, field, (0.5, hours + 0.5), title, grid=False, tickCount=min(hours, 10), format="d")


def _shape() -> alt.Shape:
    """Return the shape of a state."""
    scale = alt.Scale(domain=list(range(MOST)), range=[SHAPES[k % len(SHAPES)] for k in range(MOST)])
    return alt.Shape("color:N", scale=scale, legend=None)


def _values(domain: Domain, field: str) -> alt.Y:
    """Return the axis of values."""
    return axis(alt.Y, field, domain, "value", grid=False, tickCount=5, minExtent=28)


@drawn_once
def series(hours: int, y: Domain) -> dict[str, Any]:
    """Draw the values in the colours and shapes of their states, each with its state's mean.

    The hour in hand has a ring. An hour whose state is forgotten is hollow.
    """
    across, up, level_at = hours_axis(hours), _values(y, "y"), _values(y, "mean")
    every = rows("hours").transform_calculate(color="datum.label", mark="'hour-' + datum.x")
    known = every.transform_filter("datum.label >= 0")
    level = known.transform_calculate(left="datum.x - 0.5", right="datum.x + 0.5")
    steps = level.mark_rule(strokeWidth=4, opacity=0.55).encode(
        hours_axis(hours, field="left"), level_at, by_stroke(), x2="right:Q"
    )
    size = 150 if hours <= 20 else 60
    points = known.mark_point(filled=True, opacity=1, strokeWidth=1).encode(
        across, up, by_fill(), _shape(), stroke=if_lit(INK, PAPER), size=if_lit(2.2 * size, size)
    )
    gone = every.transform_filter("datum.label < 0").mark_point(filled=False, color=SOFT, opacity=1, size=size)
    ring = rows("hand", "x").mark_point(filled=False, color=INK, opacity=1, size=4 * size, strokeWidth=2)
    return finish(alt.layer(steps, points, gone.encode(across, up), ring.encode(across, up)))


@drawn_once
def shares(hours: int, exact: bool, name: str) -> dict[str, Any]:
    """Draw the share of each state in each hour as a stacked bar, and the exact borders between them as lines."""
    across = hours_axis(hours, None, "left")
    up = axis(alt.Y, "low", (0, 1), grid=False, tickCount=3, format="%")
    parts = rows(name, "low", "high").transform_calculate(
        left="datum.x - 0.45",
        right="datum.x + 0.45",
        color="datum.k",
        mark="'hour-' + datum.x",
        state="datum.k + 1",
        share="datum.high - datum.low",
    )
    told = [alt.Tooltip("x:N", title="hour"), alt.Tooltip("state:N"), alt.Tooltip("share:Q", format=".0%")]
    bars = parts.mark_rect(opacity=0.75).encode(
        across,
        up,
        by_fill(),
        x2="right:Q",
        y2="high:Q",
        stroke=if_lit(INK, PAPER),
        strokeWidth=if_lit(2, 0),
        tooltip=told,
    )
    layers = [bars]
    if exact:
        borders = rows("borders").transform_calculate(left="datum.x - 0.5", right="datum.x + 0.5", low="datum.at")
        layers.append(borders.mark_rule(color=INK, strokeWidth=2.5).encode(across, up, x2="right:Q"))
    return finish(alt.layer(*layers))


@drawn_once
def moved(hours: int, exact: bool, second: bool) -> dict[str, Any]:
    """Draw how often each hour has had another state than the one before, as bars, beside the exact probability."""
    across = hours_axis(hours, "hour", "left")
    up = axis(alt.Y, "share", (0, 1), grid=False, tickCount=3, format="%")
    each = rows("moved").transform_calculate(
        left="datum.x - 0.4", right="datum.x + 0.4", low="0", mark="'hour-' + datum.x"
    )
    bars = each.mark_rect(color=ACCENT, opacity=0.55).encode(
        across, up, x2="right:Q", y2="low:Q", stroke=if_lit(INK, PAPER), strokeWidth=if_lit(2, 0)
    )
    layers = [bars]
    looks: list[tuple[str, dict[str, Any]]] = [("share_b", {"strokeWidth": 1.5, "strokeDash": [4, 2]})] * second
    looks += [("exact", {"strokeWidth": 2.5})] * exact
    for field, look in looks:
        at = axis(alt.Y, field, (0, 1), grid=False, tickCount=3, format="%")
        layers.append(each.mark_rule(color=INK, **look).encode(across, at, x2="right:Q"))
    return finish(alt.layer(*layers))


@drawn_once
def moves(states: int) -> dict[str, Any]:
    """Draw transition probabilities as a picture: a row for each state, the fuller the colour the more probable.

    Of a few states the numbers are written as well.
    """
    room = 0.12 * states  # for the numbers of the states
    x, y = bare_axes((-room, states), (states, -room))
    cells = rows("moves", "p").transform_calculate(
        x="datum.to", y="datum.from", x2="datum.to + 0.96", y2="datum.from + 0.96", color="datum.from"
    )
    shade = alt.Opacity("p:Q", scale=alt.Scale(domain=[0, 1], range=[0.06, 0.9]), legend=None)
    squares = cells.mark_rect(cornerRadius=3).encode(x, y, by_fill(), shade, **SIDES)
    middle = cells.transform_calculate(x="datum.to + 0.48", y="datum.from + 0.48", text="format(datum.p, '.2f')")
    texts = written(middle.encode(x, y, alt.Text("text:N")), fontSize=13) if states <= FEW else []
    to = "to " if states <= FEW else ""
    ends = [{"x": k + 0.48, "y": -room / 2, "text": f"{to}{k + 1}"} for k in range(states)]
    ends += [{"x": -0.57 * room, "y": k + 0.48, "text": f"{k + 1}"} for k in range(states)]
    heads = alt.Chart(alt.Data(values=ends)).mark_text(fontSize=12, color=SOFT).encode(x, y, text="text:N")
    return finish(alt.layer(squares, *texts, heads))


@drawn_once
def weights(states: int) -> dict[str, Any]:
    """Draw the factors of each state as bars, and the probability that their product gives."""
    x, y = bare_axes((0, 4.0), (states, -0.9))
    known = rows("weights").transform_calculate(color="datum.k", mark="'state-' + (datum.k + 1)")
    layers = []
    for place, (field, title) in enumerate(zip(FACTORS, HEADS, strict=True)):
        there = known.transform_filter(f"isValid(datum.{field})")
        bar = there.transform_calculate(
            x=f"{place + 0.12}", x2=f"{place + 0.12} + 0.48 * datum.{field}", y="datum.k + 0.12", y2="datum.k + 0.88"
        )
        drawn = bar.mark_rect(cornerRadius=2, fillOpacity=0.9 if field == "p" else 0.45, stroke=INK)
        layers.append(drawn.encode(x, y, by_fill(), **SIDES, strokeWidth=if_lit(2, 0)))
        number = "datum.density" if field == "fit" else f"datum.{field}"
        form = f"format({number}, {number} > 0 && {number} < 0.0005 ? '.0e' : '.3f')"
        said = there.transform_calculate(x=f"{place + 0.97}", y="datum.k + 0.5", text=form)
        layers.append(said.mark_text(align="right", fontSize=12, color=INK).encode(x, y, text="text:N"))
        head = alt.Chart(alt.Data(values=[{"x": place + 0.12, "y": -0.45, "text": title}]))
        layers.append(head.mark_text(align="left", fontSize=11, color=SOFT).encode(x, y, text="text:N"))
    names = known.transform_calculate(x="0.09", y="datum.k + 0.5", text="datum.k + 1")
    named = names.mark_text(align="right", fontSize=13, fontWeight="bold").encode(
        x, y, colored(alt.Color), text="text:N"
    )
    return finish(alt.layer(*layers, named))
