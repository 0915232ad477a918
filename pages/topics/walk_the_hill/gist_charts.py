"""The picture of two bars of path lengths: of the path there, with the dart that draws one, and of the way back."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import ACCENT, INK, PAPER, SOFT, axis, finish, if_, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES, dart
from pages.drawing.once import drawn_once

TALL = 0.3  # of a bar, where the picture is 1 high
BELOW = (0.56, 0.06)  # where the bars of the path there, and of the way back, begin
WIDE = 0.045  # of a cell, from which on it has its number


@drawn_once
def bars() -> dict[str, Any]:
    """Draw both bars, a cell for each length; that which was drawn is filled on both, if it is there."""
    x, y = axis(alt.X, "x", (0, 1), "random number", grid=False, tickCount=5), axis(alt.Y, "y", (0, 1))
    low = f"(datum.back ? {BELOW[1]} : {BELOW[0]})"
    cells = rows("lengths", "low").transform_calculate(x="datum.low", x2="datum.high", y=low, y2=f"{low} + {TALL}")
    box = cells.mark_rect(stroke=PAPER, strokeWidth=1.5).encode(
        x, y, **SIDES, fill=if_("datum.lit == 1", ACCENT, SOFT), fillOpacity=if_("datum.lit == 1", 1, 0.35)
    )
    middle = cells.transform_filter(f"datum.high - datum.low > {WIDE}")
    middle = middle.transform_calculate(x="(datum.low + datum.high) / 2", y=f"{low} + {TALL / 2}")
    number = middle.mark_text(fontSize=12, fontWeight=600).encode(
        x, y, alt.Text("number:Q", format="d"), color=if_("datum.lit == 1", PAPER, INK)
    )
    names = alt.Chart(
        alt.Data(
            values=[
                {"x": 0, "y": bottom + TALL + 0.04, "text": text} for bottom, text in zip(BELOW, NAMES, strict=True)
            ]
        )
    )
    name = names.mark_text(align="left", baseline="bottom", fontSize=12, color=INK).encode(x, y, text="text:N")
    thrown = rows("dart", "x").transform_calculate(y=f"{BELOW[0] + TALL}", mark="'dart'")
    return finish(alt.layer(box, number, name, dart(thrown, x, y)))


NAMES = ("lengths of the path there", "lengths of the way back")
