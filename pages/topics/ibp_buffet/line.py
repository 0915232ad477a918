"""The buffet line: customers down, dishes across, and above them the probabilities that one of the customers faces."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, axis, colored, finish, if_, if_lit, marked, rows
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once

WIDTH, HEIGHT = 120.0, 90.0  # of the picture, in its own units
LEFT, MOST_WIDE, MOST_TALL = 8.0, 92.0, 66.0  # where dishes begin; what they and the customers may take up
BAR, TALL = 70.5, 14.0  # where the bars above the dishes stand, and how tall they are
ENDS = 65_535  # what a dart at 1 is in the columns
MOVING = f"(frame > {NOW})"
AT_HAND = f"({NOW} + {MOVING})"  # the customer who chooses, or has chosen last
WALKED = (
    f"({MOVING} ? {LEFT} - 3 + (wide + 6.5) * (frame - {NOW}) : {WIDTH})"  # how far along the line this one has come
)
UNIT = f"(width / {WIDTH})"  # pixels a unit
CELL = f"({UNIT} * cell)"


def _at(x: str = "x", y: str = "y") -> tuple[alt.X, alt.Y]:
    return axis(alt.X, x, (0, WIDTH)), axis(alt.Y, y, (0, HEIGHT))


def _box(source: alt.Chart, wide: str, tall: str) -> alt.Chart:
    """Return rows as boxes around their places: so wide, and so tall."""
    return source.transform_calculate(
        left=f"datum.x - ({wide}) / 2",
        right=f"datum.x + ({wide}) / 2",
        low=f"datum.y - ({tall}) / 2",
        high=f"datum.y + ({tall}) / 2",
    ).encode(*_at("left", "low"), x2="right:Q", y2="high:Q")


@drawn_once
def line(finite: bool, mean: bool = True) -> dict[str, Any]:
    """Draw who has taken what, the customer at hand on the way along the dishes, and the chances of each dish.

    Its parameters are ``cell`` and ``row``, the size of a cell, ``wide``, that of all dishes, and ``share``, the weight
    α/K of a column of the finite model that is not taken yet.

    Parameters
    ----------
    finite : bool
        Whether it is the finite model, in which no dish is new.
    mean : bool, optional
        Whether the end of the line says how many new dishes are expected; that would give away a wrong rule.
    """
    layers = [*_table(), *_cells(), *_chances(finite), *_people(), *([] if finite else _new(mean))]
    params = (alt.param(name=name, value=1) for name in ("cell", "row", "wide", "share"))
    return finish(alt.layer(*layers).add_params(*params))


def _table() -> list[alt.Chart]:
    """Draw a band for each customer who has come, and for a dish that is pointed at."""
    come = rows("rows").transform_filter(f"datum.customer <= {AT_HAND}")
    bands = _box(
        come.transform_calculate(
            x=f"{LEFT - 2.5} + wide / 2",  # with the customer's number on it
            mark="'customer-' + datum.customer",
            shade=f"datum.customer == {AT_HAND} ? 0.22 : 0.07",
        ),
        "wide + 5",
        "0.92 * row",
    )
    known = rows("dishes").transform_filter("datum.next > 0")
    dishes = _box(
        known.transform_calculate(y=f"{BAR + TALL} / 2", mark="'dish-' + datum.dish"), "cell", f"{BAR + TALL}"
    )
    return [
        bands.mark_rect(cornerRadius=2, color=SOFT).encode(
            opacity=alt.Opacity("shade:Q", scale=None), stroke=if_lit(INK, PAPER), strokeWidth=if_lit(3, 0)
        ),
        dishes.mark_rect(color=ACCENT).encode(opacity=if_lit(0.18, 0)),
    ]


def _cells() -> list[alt.Chart]:
    """Draw what has been taken, with a plus where somebody was the first to take it."""
    there = rows("cells").transform_filter(
        f"datum.customer <= {NOW} || datum.customer == {AT_HAND} && datum.x <= {WALKED}"
    )
    cells = _box(there.transform_calculate(mark="'dish-' + datum.dish"), "0.9 * cell", "0.84 * row")
    tooltip = [alt.Tooltip("customer:N"), alt.Tooltip("dish:N")]
    small = f"min({CELL}, {UNIT} * row)"
    plus = there.transform_filter(f"datum.first && {small} > 4").encode(
        *_at(), size=alt.SizeValue(alt.ExprRef(f"pow(clamp(0.7 * {small}, 4, 9 * larger), 2)"))
    )
    return [
        cells.mark_rect(cornerRadius=2, opacity=1).encode(
            colored(alt.Fill), stroke=if_lit(INK, PAPER), strokeWidth=if_lit(2.5, 0.5), tooltip=tooltip
        ),
        plus.mark_point(shape="cross", filled=True, opacity=1, color="white", strokeWidth=0),
    ]


def _chances(finite: bool) -> list[alt.Chart]:
    """Draw how likely the customer at hand is to take each dish, as a bar that fills, and the darts."""
    there = (
        rows("dishes")
        .transform_calculate(
            count=f"({MOVING} ? datum.next : datum.was) - 1",
            at=f"({MOVING} ? datum.coming : datum.dart) / {ENDS}",
            mark="'dish-' + datum.dish",
        )
        .transform_filter("told && datum.count >= 0")
        .transform_calculate(chance=f"(datum.count + share) / ({AT_HAND} + share)")
    )
    empty = _box(there.transform_calculate(y=f"{BAR + TALL / 2}"), "0.78 * cell", f"{TALL}")
    filled = _box(
        there.transform_calculate(
            y=f"{BAR} + {TALL} * datum.chance / 2",
            taken=f"datum.x > {WALKED} || datum.at < datum.chance ? 1 : 0.4",
        ),
        "0.78 * cell",
        f"{TALL} * datum.chance",
    )
    thrown = there.transform_filter(f"datum.x <= {WALKED}").transform_calculate(y=f"{BAR} + {TALL} * datum.at")
    said = "format(datum.chance, '.2f')" if finite else f"datum.count + '/' + {AT_HAND}"
    above = there.transform_filter(f"{CELL} > 27 * larger").transform_calculate(y=f"{BAR + TALL + 2.2}", said=said)
    size = f"{CELL} < 32 * larger && {AT_HAND} > 9 ? 10 : 12"  # so that 19/20 does not run into the next
    names = rows("dishes").transform_filter(f"datum.next > 0 && {CELL} > 14 * larger")
    names = names.transform_calculate(y=f"{BAR - 2.1}")
    return [
        empty.mark_rect(color=SOFT, fillOpacity=0.12, stroke=SOFT, strokeOpacity=0.6).encode(
            strokeWidth=if_lit(3, 0.6)
        ),
        filled.mark_rect().encode(colored(alt.Fill), opacity=alt.Opacity("taken:Q", scale=None)),
        thrown.mark_point(shape="circle", filled=True, opacity=1, color=INK, stroke=PAPER, strokeWidth=1).encode(
            *_at(), size=alt.SizeValue(alt.ExprRef(f"clamp(4 * {CELL}, 22, 70)"))
        ),
        above.mark_text(fontSize=alt.ExprRef(f"larger * ({size})"), color=INK).encode(*_at(), alt.Text("said:N")),
        names.mark_text(fontSize=11, color=SOFT).encode(*_at(), alt.Text("dish:N")),
    ]


def _people() -> list[alt.Chart]:
    """Draw the customers' numbers, how many dishes each has taken, and the one who is on the way."""
    each = rows("rows").transform_calculate(mark="'customer-' + datum.customer")
    near = f"abs(datum.customer - {AT_HAND})"
    apart = f"{UNIT} * row >= 10 * larger || {near} < 1 || datum.customer % 5 == 0 && {near} > 2"
    names = each.transform_filter(apart).transform_calculate(x=f"{LEFT - 1.2}").encode(*_at(), alt.Text("customer:N"))
    gone = each.transform_filter(f"datum.customer <= {NOW} && ({apart})")
    beside = f"max(6.5, 3 + 11 * larger / {UNIT})"  # clear of whoever is on the way
    totals = gone.transform_calculate(x=f"{LEFT} + wide + {beside}").encode(*_at(), alt.Text("total:N"))
    walker = each.transform_filter(f"datum.customer == {AT_HAND}")
    walker = walker.transform_calculate(x=f"min({LEFT} + wide + 3, {WALKED})").encode(*_at())
    here = if_(f"datum.customer == {AT_HAND}", INK, SOFT)
    size = alt.SizeValue(alt.ExprRef("230 * larger * larger"))
    return [
        names.mark_text(align="right", fontSize=11).encode(color=here),
        totals.mark_text(align="left", fontSize=11).encode(color=here),
        walker.mark_point(shape="circle", filled=True, opacity=1, color=INK).encode(size=size),
        walker.mark_text(fontSize=10, fontWeight="bold", color=PAPER).encode(alt.Text("customer:N")),
    ]


def _new(mean: bool) -> list[alt.Chart]:
    """Say at the end of the line how many new dishes the customer at hand took, and what their `mean` is."""
    mine = rows("rows").transform_filter(f"told && datum.customer == {AT_HAND}")
    end = marked(mine.transform_calculate(x=f"{LEFT} + wide + 2"), "new")
    lines: tuple[tuple[float, str, dict[str, Any]], ...] = (
        (BAR + 10.2, f"{MOVING} ? '+ ?' : '+ ' + datum.new", {"fontSize": 17, "fontWeight": "bold", "color": ACCENT}),
        # on a phone there is no room
        (BAR + 4.6, f"{UNIT} > 4 * larger ? 'new dishes' : ''", {"fontSize": 11, "color": INK}),
        (BAR + 0.8, "'Poisson(' + format(datum.mean, '.3~g') + ')'", {"fontSize": 11, "color": SOFT}),
    )
    found = []
    for y, said, look in lines if mean else lines[:2]:
        seen = end.transform_calculate(y=str(y), said=said).encode(*_at(), alt.Text("said:N"))
        found.append(seen.mark_text(align="left", **look).encode(opacity=if_lit(1, 0.95)))
    return found
