"""The charts of labels that are asked for: examples as large as their gain, the gains as bars, and what came of it."""

from __future__ import annotations

from typing import Any

from lessons.data.columns import Column
from pages.drawing.charts import ACCENT, INK, NOW, SOFT, axis, finish, if_lit, iterations, past, rows, span
from pages.drawing.lazy import alt
from pages.drawing.marks import by_class, written
from pages.drawing.once import drawn_once
from pages.drawing.plane import axes_of_plane, labelled_points

KNOWN, HIDDEN, ASKED = 0, 1, 2  # how an example's label is known: from the start, not, or by asking
LEAST, LARGEST = 320, 1100  # the area of an example without gain, and with the largest one, where its number has room
SMALLER = "max(0.6, min(1, width / 400))"  # lengths in a small picture, where examples are near each other


def _examples() -> alt.Chart:
    return rows("points").transform_calculate(mark="'point-' + datum.name")


@drawn_once
def plane(columns: tuple[Column, Column]) -> dict[str, Any]:
    """Draw the examples: known ones, those that have been asked for, and hidden ones by gain and probability."""
    axes = axes_of_plane(columns)
    each = _examples()
    without = each.transform_filter(f"datum.state == {HIDDEN}")
    hidden = without.transform_calculate(
        full=f"told ? {LEAST} + {LARGEST - LEAST} * max(0, datum.gain) / gain_top : {1.5 * LEAST}",
        shown="told ? datum.sure : 0.35",
    ).transform_calculate(area=f"pow({SMALLER}, 2) * datum.full")
    disc = hidden.mark_point(shape="circle", filled=True, stroke=INK).encode(
        *axes,
        by_class(alt.Fill),
        alt.Size("area:Q", scale=None),
        alt.FillOpacity("shown:Q", scale=None),
        strokeWidth=if_lit(4, 1.4),
        tooltip=[alt.Tooltip("name:N", title="example")],
    )
    names = without.encode(*axes, alt.Text("name:N"))
    last = each.transform_filter(f"datum.turn == {NOW} && datum.turn > 0")
    ring = last.mark_point(
        shape="circle", filled=False, size=alt.ExprRef(f"420 * pow({SMALLER}, 2)"), strokeWidth=2.5, opacity=1
    )
    layers = [
        disc,
        labelled_points(each.transform_filter(f"datum.state != {HIDDEN}"), axes, "k"),
        ring.encode(*axes, stroke=alt.value(INK)),
        *written(names, fontSize=alt.ExprRef(f"max(9, 12 * {SMALLER})"), fontWeight=600),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="gain_top", value=1)))


@drawn_once
def worth(examples: int) -> dict[str, Any]:
    """Draw the gain of each hidden label as a bar: its own bits, and those of the others on top.

    Parameters
    ----------
    examples : int
        How many there are.
    """
    x = axis(alt.X, "name", (0.5, examples + 0.5), "example", grid=False, tickCount=examples, format="d")
    y = axis(alt.Y, "low", [alt.ExprRef("min(0, gain_low)"), alt.ExprRef("1.08 * gain_top")], "bits", tickCount=4)
    there = _examples().transform_filter(f"datum.state == {HIDDEN} && told")
    there = there.transform_calculate(low="0", split="min(datum.own, datum.gain)")
    width = alt.ExprRef(f"0.62 * width / {examples}")
    own = there.mark_bar(color=SOFT, size=width).encode(x, y, y2="split:Q", opacity=if_lit(1, 0.6))
    others = there.transform_calculate(low="datum.split")
    others = others.mark_bar(color=ACCENT, size=width).encode(x, y, y2="gain:Q", opacity=if_lit(1, 0.85))
    frame = there.mark_bar(fillOpacity=0, stroke=INK, size=width).encode(x, y, y2="gain:Q", strokeWidth=if_lit(2.5, 0))
    params = (alt.param(name="gain_top", value=1), alt.param(name="gain_low", value=0))
    return finish(alt.layer(own, others, frame).add_params(*params))


@drawn_once
def curve(answers: int) -> dict[str, Any]:
    """Draw how many hidden labels are right after each answer, and how many the model expects to be.

    Parameters
    ----------
    answers : int
        How many labels can be asked for.
    """
    domain, ends = span("curve_span")
    x = iterations("answers", answers, min(answers, 9))

    def y(field: str) -> Any:
        return axis(alt.Y, field, domain, tickCount=5, format="d")

    promised = past("promised").mark_line(color=INK, strokeWidth=1.6, strokeDash=[5, 3], point=False)
    right = past("right").mark_line(color=ACCENT, strokeWidth=2.2)
    dots = past("right").mark_point(filled=True, size=45, color=ACCENT, opacity=1)
    chance = past("chance").mark_line(color=SOFT, strokeWidth=2, strokeDash=[1.5, 3])
    layers = [
        chance.encode(x, y("chance")),
        promised.encode(x, y("promised")),
        right.encode(x, y("right")),
        dots.encode(x, y("right")),
    ]
    return finish(alt.layer(*layers).add_params(ends))
