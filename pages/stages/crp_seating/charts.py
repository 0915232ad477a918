"""The charts of the restaurant, described once; what changes comes as frames."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, SPECS, finish
from pages.drawing.palette import COLORS
from pages.stages.crp_seating.floor import CHAIR, DOOR, HEIGHT, WIDTH

WALK = (
    f"(datum.arrival == {NOW} + 1 ? frame - {NOW} : 1)"  # how far the customer has come, from the door (0) to the chair
)
EASED = f"({WALK} < 0.5 ? 4 * pow({WALK}, 3) : 1 - pow(2 - 2 * {WALK}, 3) / 2)"
SEATED = f"datum.arrival <= {NOW}"
PALETTE = alt.Scale(domain=list(range(len(COLORS))), range=list(COLORS))
ROOM_X = alt.Scale(domain=[0, WIDTH], nice=False)
ROOM_Y = alt.Scale(domain=[0, HEIGHT], nice=False)


def _x(name: str) -> alt.X:
    return alt.X(name, type="quantitative", scale=ROOM_X, axis=None)


def _y(name: str) -> alt.Y:
    return alt.Y(name, type="quantitative", scale=ROOM_Y, axis=None)


@lru_cache(maxsize=SPECS)
def room(names: bool) -> dict[str, Any]:
    """Draw tables as circles that grow and customers who walk to them from the door; how wide apart is a parameter."""
    unit = f"(width / {WIDTH})"  # pixels a unit of the room
    table_size = f"pow(2 * {unit} * spacing * (sqrt(datum.count) + {CHAIR} + 0.25), 2)"
    chair_size = f"pow(2 * {unit} * spacing * {CHAIR}, 2)"
    tables = alt.Chart(alt.NamedData("tables")).transform_filter("datum.count > 0")
    discs = (
        tables.transform_calculate(size=table_size)
        .mark_point(shape="circle", filled=True, fillOpacity=0.16, strokeWidth=1.5, strokeOpacity=0.7)
        .encode(
            _x("x"),
            _y("y"),
            alt.Size("size:Q", scale=None, legend=None),
            fill=alt.Fill("color:N", scale=PALETTE, legend=None),
            stroke=alt.Stroke("color:N", scale=PALETTE, legend=None),
            tooltip=[alt.Tooltip("name:N", title="table"), alt.Tooltip("count:Q", title="customers")],
        )
    )
    rim = tables.transform_calculate(top=f"datum.y + spacing * (sqrt(datum.count) + {CHAIR} + 0.25)")
    badge = rim.mark_point(shape="circle", filled=True, size=230, opacity=1, strokeWidth=1.2).encode(
        _x("x"), _y("top"), fill=alt.value(PAPER), stroke=alt.Stroke("color:N", scale=PALETTE, legend=None)
    )
    number = rim.mark_text(fontSize=11, fontWeight="bold", color=INK).encode(_x("x"), _y("top"), alt.Text("name:N"))
    people = (
        alt.Chart(alt.NamedData("customers"))
        .transform_filter(f"datum.arrival <= {NOW} + 1")
        .transform_calculate(
            px=f"{DOOR[0]} + {EASED} * (datum.x - {DOOR[0]})",
            py=f"{DOOR[1]} + {EASED} * (datum.y - {DOOR[1]})",
            size=f"{SEATED} ? {chair_size} : max({chair_size}, 260)",
            seated=SEATED,
        )
    )
    fill = {
        "condition": {"test": "datum.seated", "field": "color", "type": "nominal", "scale": PALETTE, "legend": None},
        "value": {"expr": "paper"},
    }
    dots = people.mark_point(shape="circle", filled=True, opacity=1, strokeWidth=1.6).encode(
        _x("px"),
        _y("py"),
        alt.Size("size:Q", scale=None, legend=None),
        fill=fill,
        stroke=alt.condition("datum.seated", alt.value(PAPER), alt.value(INK)),
        tooltip=[alt.Tooltip("person:N", title="customer"), alt.Tooltip("name:N", title="table")],
    )
    label = (
        people.transform_filter("true" if names else "!datum.seated")
        .mark_text(fontSize=alt.ExprRef(f"max(9, min(14, {unit} * spacing * {CHAIR}))"))
        .encode(
            _x("px"),
            _y("py"),
            alt.Text("person:N"),
            color=alt.condition("datum.seated", alt.value("white"), alt.value(INK)),
        )
    )
    door = (
        alt.Chart(alt.NamedData("door"))
        .mark_text(fontSize=12, dy=22, color=SOFT)
        .encode(_x("x"), _y("y"), alt.Text("label:N"))
    )
    return finish(alt.layer(discs, door, badge, number, dots, label).add_params(alt.param(name="spacing", value=1)))


@lru_cache(maxsize=SPECS)
def tables_by_customer(customers: int, approximations: bool) -> dict[str, Any]:
    """Draw the number of tables against the number of customers, with its exact mean and standard deviation.

    Its parameter ``most`` is the top of the axis.
    """
    x = alt.X(
        "n:Q",
        title="customers",
        scale=alt.Scale(domain=[0, customers], nice=False),
        axis=alt.Axis(grid=False, tickCount=5, tickMinStep=1),
    )
    scale = alt.Scale(domain=[0, alt.ExprRef("most")], nice=False, clamp=True)
    axis = alt.Axis(tickCount=4, tickMinStep=1, title=None)
    facts = alt.Chart(alt.NamedData("facts"))
    band = facts.mark_area(color=INK, opacity=0.12).encode(x, alt.Y("low:Q", scale=scale, axis=axis), alt.Y2("high:Q"))
    mean = facts.mark_line(color=INK, strokeWidth=1.5).encode(x, alt.Y("mean:Q", scale=scale, axis=axis))
    path = (
        alt.Chart(alt.NamedData("path"))
        .transform_filter(f"datum.n <= {NOW}")
        .mark_line(color=ACCENT, strokeWidth=2.5, interpolate="step-after")
        .encode(x, alt.Y("tables:Q", scale=scale, axis=axis))
    )
    end = (
        alt.Chart(alt.NamedData("path"))
        .transform_filter(f"datum.n == {NOW}")
        .mark_point(filled=True, size=60, color=ACCENT, opacity=1)
        .encode(x, alt.Y("tables:Q", scale=scale, axis=axis))
    )
    layers = [band, mean]
    if approximations:
        for name, dash in (("log1p", [6, 3]), ("log", [1.5, 3])):
            layers.append(
                facts.mark_line(color=INK, strokeWidth=1.3, strokeDash=dash).encode(
                    x, alt.Y(f"{name}:Q", scale=scale, axis=axis)
                )
            )
    return finish(alt.layer(*layers, path, end).add_params(alt.param(name="most", value=1)))


@cache
def tables_over_restaurants() -> dict[str, Any]:
    """Draw how many tables many restaurants have in the end, the exact probabilities, and where this one is now.

    Its parameters are ``span``, the least and the most tables, and ``tallest``, the top of the axis.
    """
    cell = "width / (span[1] - span[0] + 1.2)"  # pixels a table
    ticks = alt.ExprRef("sequence(span[0], span[1] + 1, max(1, round((span[1] - span[0]) / 5)))")
    axis = alt.Axis(grid=False, values=ticks, format="d")
    domain = [alt.ExprRef("span[0] - 0.6"), alt.ExprRef("span[1] + 0.6")]
    x = alt.X("tables:Q", title="tables", scale=alt.Scale(domain=domain, nice=False), axis=axis)
    scale = alt.Scale(domain=[0, alt.ExprRef("tallest")], nice=False)
    percent = alt.Axis(format="%", tickCount=3, title=None)
    counts = alt.Chart(alt.NamedData("restaurants"))
    bars = counts.mark_bar(color=ACCENT, opacity=0.55, size=alt.ExprRef(f"0.8 * {cell}")).encode(
        x,
        alt.Y("share:Q", axis=percent, scale=scale, stack=None),
        tooltip=[
            alt.Tooltip("tables:Q"),
            alt.Tooltip("share:Q", format=".3f", title="share of restaurants"),
            alt.Tooltip("exact:Q", format=".3f", title="exact probability"),
        ],
    )
    exact = counts.mark_tick(orient="horizontal", color=INK, thickness=2, size=alt.ExprRef(cell)).encode(
        x, alt.Y("exact:Q", axis=percent, scale=scale)
    )
    here = (
        alt.Chart(alt.NamedData("now"))
        .transform_filter("datum.tables >= span[0]")
        .mark_point(shape="triangle-down", filled=True, size=90, color=INK, opacity=1)
        .encode(x, y=alt.value(4))
    )
    span, tallest = alt.param(name="span", value=[0, 1]), alt.param(name="tallest", value=1)
    return finish(alt.layer(bars, exact, here).add_params(span, tallest))


@cache
def sizes() -> dict[str, Any]:
    """Draw the table sizes, the largest first, each bar with its size above it and its table's number below.

    The top of the axis is the parameter ``largest``.
    """
    axis = alt.Axis(labels=False, ticks=False, grid=False, titlePadding=16)
    x = alt.X("rank:O", title="table, the largest first", axis=axis)
    bars = (
        alt.Chart(alt.NamedData("ranks"))
        .transform_calculate(size="datum.count")
        .mark_bar()
        .encode(
            x,
            alt.Y(
                "size:Q",
                title=None,
                scale=alt.Scale(domain=[0, alt.ExprRef("largest")], nice=False),
                axis=alt.Axis(tickCount=4, tickMinStep=1),
            ),
            color=alt.Color("color:N", scale=PALETTE, legend=None),
            tooltip=[alt.Tooltip("table:N"), alt.Tooltip("count:Q", title="customers")],
        )
    )
    occupied = alt.Chart(alt.NamedData("ranks")).transform_filter("datum.count > 0")
    size = occupied.mark_text(dy=-6, fontSize=10, color=INK).encode(
        x, alt.Y("count:Q", title=None), alt.Text("count:Q")
    )
    name = occupied.mark_text(dy=9, fontSize=10, color=SOFT).encode(
        x, alt.Y(datum=0, type="quantitative"), alt.Text("table:N")
    )
    return finish(alt.layer(bars, size, name).add_params(alt.param(name="largest", value=2)))


@cache
def stick() -> dict[str, Any]:
    """Draw a stick from 0 to 1, broken as far as tables have opened, and the darts that were thrown at it.

    The next customer's dart falls while they walk; at rest nobody sees where it will land.
    """
    across = alt.Scale(domain=[-0.015, 1.015], nice=False)  # room for a dart at the rim, which would move the chart
    down = alt.Scale(domain=[0, 1], nice=False)
    low, high = alt.Y("low:Q", scale=down, axis=None), "high:Q"
    ends = {"low": "0.02", "high": "0.58", "to": "isValid(datum.to) ? datum.to : 1", "middle": "0.3"}

    def at(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title=None, scale=across, axis=None)

    left = (
        alt.Chart(alt.NamedData("left"))
        .transform_filter(f"datum.since <= {NOW} && {NOW} < datum.until")
        .transform_calculate(**ends)
        .mark_rect(fill=SOFT, fillOpacity=0.12, stroke=SOFT, strokeDash=[4, 3])
        .encode(at("from"), low, x2="to:Q", y2=high)
    )
    broken = (
        alt.Chart(alt.NamedData("pieces"))
        .transform_filter(f"datum.since <= {NOW}")
        .transform_calculate(**ends, centre="(datum.from + datum.to) / 2", length="datum.to - datum.from")
    )
    tooltip = [alt.Tooltip("name:N", title="table"), alt.Tooltip("length:Q", format=".4f", title="length of its piece")]
    pieces = broken.mark_rect(stroke=PAPER, strokeWidth=1.5).encode(
        at("from"), low, x2="to:Q", y2=high, fill=alt.Fill("color:N", scale=PALETTE, legend=None), tooltip=tooltip
    )
    names = (
        broken.transform_filter("datum.length * width > 14")
        .mark_text(fontSize=12, fontWeight="bold", color="white")
        .encode(at("centre"), alt.Y("middle:Q", scale=down, axis=None), alt.Text("name:N"))
    )
    thrown = alt.Chart(alt.NamedData("darts"))
    marks = (
        thrown.transform_filter(SEATED)
        .transform_calculate(low="0.6", high="0.74")
        .mark_rule(color=SOFT, opacity=0.7)
        .encode(at("at"), low, y2=high)
    )
    dart = (
        thrown.transform_filter(f"datum.arrival == {NOW} + (frame > {NOW} ? 1 : 0)")
        .transform_calculate(low=f"0.98 - 0.2 * {EASED}")
        .mark_point(shape="triangle-down", filled=True, size=110, color=INK, opacity=1)
        .encode(at("at"), low)
    )
    return finish(alt.layer(left, pieces, names, marks, dart))
