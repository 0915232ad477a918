"""The charts of the restaurant, described once; what changes comes as frames."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import (
    INK,
    LIT,
    NOW,
    PALETTE,
    PAPER,
    SOFT,
    axis,
    by_fill,
    by_stroke,
    colored,
    finish,
    if_,
    if_lit,
    rows,
)
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.topics.crp_seating import bar
from pages.topics.crp_seating.bar import at
from pages.topics.crp_seating.floor import CHAIR, DOOR, WIDTH

# how far the customer has come, from the door (0) to the chair
WALK = f"(datum.arrival == {NOW} + 1 ? frame - {NOW} : 1)"
EASED = f"({WALK} < 0.5 ? 4 * pow({WALK}, 3) : 1 - pow(2 - 2 * {WALK}, 3) / 2)"
TABLE = "'table-' + datum.name"
SEATED = f"datum.arrival <= {NOW}"
UNIT = f"(width / {WIDTH})"  # pixels a unit of the room
BADGE, DIGIT = 15.2, 6.5  # pixels across: a table's badge, and each digit for which it has room
APART = 17.0  # pixels across a small table, from which on its badge leaves the next one's customer free


@drawn_once
def room(names: bool, stick: bool) -> dict[str, Any]:
    """Draw tables as circles that grow, customers who walk to them from the door, and the bar that decides where to.

    A dashed circle is the place of a new table.

    Parameters
    ----------
    names : bool
        Whether customers have their numbers. How wide apart they sit is a parameter of the chart, ``spacing``.
    stick : bool
        Whether the bar is a stick that breaks.
    """
    radius = f"spacing * (sqrt(datum.count) + {CHAIR} + 0.25)"
    tables = rows("tables").transform_filter("datum.count > 0").transform_calculate(mark=TABLE)
    discs = tables.transform_calculate(size=f"pow(2 * {UNIT} * {radius}, 2)")
    discs = discs.mark_point(shape="circle", filled=True, strokeOpacity=0.7)
    discs = discs.encode(strokeWidth=if_lit(5, 1.5), fillOpacity=if_lit(0.4, 0.16))
    fresh = rows("tables").transform_calculate(empty="datum.count == 0 ? 1 : 0").transform_window(empties="sum(empty)")
    fresh = fresh.transform_filter("datum.empty && datum.empties == 1")  # the first table without a customer
    fresh = fresh.transform_calculate(size=f"pow(2 * {UNIT} * spacing * {1 + CHAIR + 0.25}, 2)", mark="'new'")
    fresh = fresh.mark_point(shape="circle", fill=SOFT, fillOpacity=0.06, stroke=SOFT, strokeDash=[5, 4])
    # a badge leaves the middle of a small table to its customer
    clear = f"max({radius}, {(BADGE + DIGIT) / 2} / {UNIT})"
    rim = tables.transform_calculate(top=f"datum.y + {clear}").encode(*at("x", "top"))
    # badges as large as the smallest table meet no other one
    across = f"(2 * {UNIT} * spacing * {1 + CHAIR + 0.25})"
    size = alt.ExprRef(f"min({BADGE * BADGE}, pow({across}, 2))")
    named = rim.transform_filter(f"{across} >= max({APART}, {DIGIT} * larger * max(2, length('' + datum.name)))")
    knob = named.mark_point(shape="circle", filled=True, size=size, opacity=1, strokeWidth=1.2)
    foot = alt.ExprRef(f"max(22, {UNIT} * spacing * {CHAIR} + 12)")  # below whoever waits there
    door = rows("door").mark_text(fontSize=12, dy=foot, color=SOFT).encode(*at("x", "y"), alt.Text("label:N"))
    layers = [
        fresh.encode(*at("x", "y"), _size(), strokeWidth=if_lit(4, 1.5), tooltip=alt.value("a new table")),
        discs.encode(*at("x", "y"), _size(), by_fill(), by_stroke(), tooltip=_told(name="table", count="customers")),
        door,
        knob.encode(by_stroke(), fill=alt.value(PAPER)),
        named.mark_text(fontSize=11, fontWeight="bold", color=INK).encode(alt.Text("name:N")),
        *_people(names),
        *bar.layers(stick),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="spacing", value=1)))


def _size() -> alt.Size:
    return alt.Size("size:Q", scale=None, legend=None)


def _told(**titles: str) -> list[alt.Tooltip]:
    """Return a mark's tooltip: fields with their titles."""
    return [alt.Tooltip(f"{field}:{'Q' if field == 'count' else 'N'}", title=title) for field, title in titles.items()]


def _people(names: bool) -> tuple[alt.Chart, ...]:
    """Draw the customers, each with their number, or only the one who walks."""
    size = f"pow(2 * {UNIT} * spacing * {CHAIR}, 2)"
    there = rows("customers").transform_filter(f"datum.arrival <= {NOW} + 1")
    people = there.transform_calculate(
        px=f"{DOOR[0]} + {EASED} * (datum.x - {DOOR[0]})",
        py=f"{DOOR[1]} + {EASED} * (datum.y - {DOOR[1]})",
        size=f"{SEATED} ? {size} : max({size}, 260)",
        seated=SEATED,
        sits=f"{SEATED} ? datum.name : 'not yet'",
        mark="'customer-' + datum.person",
    ).encode(*at("px", "py"))
    by_table = {"test": "datum.seated", "field": "color", "type": "nominal", "scale": PALETTE, "legend": None}
    fill = alt.FillValue(PAPER, condition=by_table)
    dots = people.mark_point(shape="circle", filled=True, opacity=1).encode(
        _size(),
        fill,
        strokeWidth=if_lit(4, 1.6),
        stroke=if_(f"datum.seated && !({LIT})", PAPER, INK),
        tooltip=_told(person="customer", sits="table"),
    )
    named = people.transform_filter("true" if names else "!datum.seated")
    color = if_("datum.seated", "white", INK)
    label = named.mark_text(fontSize=alt.ExprRef(f"max(9, min(24 * larger, {UNIT} * spacing * {CHAIR}))"))
    return dots, label.encode(alt.Text("person:N"), color=color)


@drawn_once
def sizes() -> dict[str, Any]:
    """Draw the table sizes, the largest first, each bar with its size above it and its table's number below.

    The top of the axis is the parameter ``largest``.
    """
    labels = alt.Axis(labels=False, ticks=False, grid=False, titlePadding=16)
    ranks = rows("ranks").encode(alt.X("rank:O", title="table, the largest first", axis=labels))
    height = axis(alt.Y, "size", (0, alt.ExprRef("largest")), tickCount=4, tickMinStep=1)
    bars = ranks.transform_calculate(size="datum.count", mark="'table-' + datum.table").mark_bar()
    bars = bars.encode(stroke=alt.value(INK), strokeWidth=if_lit(3, 0))
    tooltip = [alt.Tooltip("table:N"), *_told(count="customers")]
    occupied = ranks.transform_filter("datum.count > 0")
    size = occupied.mark_text(dy=-6, fontSize=10, color=INK)
    name = occupied.mark_text(dy=9, fontSize=10, color=SOFT)
    layers = [
        bars.encode(height, colored(alt.Color), tooltip=tooltip),
        size.encode(alt.Y("count:Q", title=None), alt.Text("count:Q")),
        name.encode(alt.Y(datum=0, type="quantitative"), alt.Text("table:N")),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="largest", value=2)))
