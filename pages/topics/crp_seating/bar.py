"""The bar below the restaurant: the tables' probabilities end to end, or a stick that breaks, and the darts."""

from __future__ import annotations

from pages.drawing.charts import INK, NOW, PAPER, SOFT, axis, colored, if_lit, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES, beside, dart, written
from pages.topics.crp_seating.floor import HEIGHT, WIDTH

LEFT, RIGHT, BOTTOM, TOP = 1.5, WIDTH - 1.5, 2.2, 8.0  # of the bar, in units of the room
ENDS = 65_535  # what the end of the bar is in the columns
GONE = f"(frame - {NOW})"  # how much of the next customer's way is drawn
FALL, LIFT = 0.5, 2.6  # the share of the way after which the dart has fallen; how far a piece that breaks off is lifted
COMING = f"datum.since == {NOW} + 1 && {GONE} > {FALL}"  # a piece that is just breaking off
RIM = "min(1.5, (datum.high - datum.low) * width / 6)"  # pixels: the rims of narrow pieces must not cover them
RAISED = f"({COMING} ? {LIFT} * ({GONE} - {FALL}) / {1 - FALL} : datum.since == {NOW} && frame == {NOW} ? {LIFT} : 0)"


def at(x: str, y: str) -> tuple[alt.X, alt.Y]:
    """Return a place in the room."""
    return axis(alt.X, x, (0, WIDTH)), axis(alt.Y, y, (0, HEIGHT))


def _across(share: str) -> str:
    return f"{LEFT} + {RIGHT - LEFT} * ({share})"


def layers(stick: bool) -> list[alt.Chart]:
    """Draw the bar, or the stick, and the dart of the customer who walks, or has sat down last."""
    places = at("x", "y")
    parts = (
        rows("bar")
        .transform_calculate(start=f"(frame > {NOW} ? datum.next : datum.was) / {ENDS}")
        .transform_window(end="lead(start)")
        .transform_calculate(
            low=f"{COMING} ? datum.from : datum.start",
            high=f"{COMING} ? datum.to : isValid(datum.end) ? datum.end : 1",
            mark="datum.part > 0 ? 'table-' + datum.part : 'new'",
        )
        .transform_filter(f"datum.high > datum.low && told{'' if stick else ' && frame > 0'}")  # the stick comes first
        .transform_calculate(
            x=_across("datum.low"),
            x2=_across("datum.high"),
            middle=_across("(datum.low + datum.high) / 2"),
            y=f"{BOTTOM} + {RAISED}",
            y2=f"{TOP} + {RAISED}",
            said="datum.part > 0 ? datum.part : 'new'",
        )
    )
    boxes = parts.encode(*places, **SIDES, stroke=if_lit(INK, PAPER), strokeWidth=if_lit(3.5, alt.ExprRef(RIM)))
    named = parts.transform_filter("(datum.high - datum.low) * width > larger * (datum.part > 0 ? 14 : 34)")
    named = named.transform_calculate(x="datum.middle", y=f"{(BOTTOM + TOP) / 2} + {RAISED}")
    named = named.encode(*places, alt.Text("said:N"))
    table, new = "datum.part > 0", "datum.part == 0"
    rest = {"fill": SOFT, "fillOpacity": 0.14, "strokeDash": [4, 3]} if stick else {"fill": SOFT}
    drawn = [
        boxes.transform_filter(new).mark_rect(cornerRadius=2, **rest),
        boxes.transform_filter(table).mark_rect(cornerRadius=2).encode(colored(alt.Fill)),
        named.transform_filter(table).mark_text(fontSize=12, fontWeight="bold", color="white"),
        named.transform_filter(new).mark_text(fontSize=12, fontWeight="bold", color=INK if stick else PAPER),
    ]
    return [*drawn, *([_crack(parts)] if stick else []), *_dart()]


def _crack(parts: alt.Chart) -> alt.Chart:
    """Draw the jagged end of a piece that has just been broken off."""
    broken = parts.transform_filter("datum.part > 0 && datum.y > " + str(BOTTOM))
    teeth = broken.transform_calculate(tooth="sequence(0, 7)").transform_flatten(["tooth"])
    edge = teeth.transform_calculate(
        x="datum.x2 + (datum.tooth % 2 - 0.5) * 0.9", y=f"{BOTTOM} + {RAISED} + datum.tooth / 6 * {TOP - BOTTOM}"
    )
    return edge.mark_line(color=PAPER, strokeWidth=4).encode(*at("x", "y"), order="tooth:Q")


def _dart() -> list[alt.Chart]:
    """Draw the dart that falls while a customer walks, and lies there when they have sat down."""
    falls = f"(datum.arrival > {NOW} ? pow(1 - min(1, {GONE} / {FALL}), 2) : 0)"
    thrown = (
        rows("darts")
        .transform_filter(f"told && datum.arrival == {NOW} + (frame > {NOW} ? 1 : 0)")
        .transform_calculate(
            x=_across("datum.at"), y=f"{TOP + 3.2} + 16 * {falls}", said="format(datum.at, '.3f')", mark="'dart'"
        )
        .encode(*at("x", "y"))
    )
    said = thrown.transform_filter(f"frame == {NOW}").encode(alt.Text("said:N"))
    return [dart(thrown), *written(said, fontSize=12, **beside("datum.at", 9))]
