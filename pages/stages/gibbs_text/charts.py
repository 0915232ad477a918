"""The charts of messages and their words, described once; what changes comes as frames."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, SPECS, finish
from pages.drawing.palette import COLORS, SHAPES

ROWS = 16  # messages that are shown one by one
PAST = 30  # sweeps that a row looks back on
HIDE = 255  # a label that is in nobody's class just now
PALETTE = alt.Scale(domain=list(range(len(COLORS))), range=list(COLORS))
MARKS = alt.Scale(domain=list(range(len(SHAPES))), range=list(SHAPES))
TEXT, BAR, STRIP, HELD = 0.062, 0.56, 0.715, 0.965  # where the columns of a row begin, as shares of the width
BAR_WIDTH, STRIP_WIDTH = 0.13, 0.22
X_SWEEPS = {"expr": "max(50, pow(2, ceil(log(frame + 2) / log(2))))"}  # doubles when the run has filled it


def _fill(field: str = "label:N") -> alt.Fill:
    return alt.Fill(field, scale=PALETTE, legend=None)


def _rows(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name))


@lru_cache(maxsize=SPECS)
def rows(letters: tuple[str, ...], held: bool, beats: bool) -> dict[str, Any]:
    """Draw messages as rows: label, first words, probability of the label when it was drawn, and its last sweeps.

    Parameters
    ----------
    letters : tuple of str
        One for each class.
    held : bool
        Whether there are true labels, to be shown at the end of each row.
    beats : bool
        Whether the row to light is the one whose field ``lit`` says so; else it is where the parameter ``document`` is.
    """
    across: dict[str, Any] = {"scale": alt.Scale(domain=[0, 1], nice=False), "axis": None}
    x = alt.X("x:Q", **across)
    down: dict[str, Any] = {"scale": alt.Scale(domain=[ROWS - 0.4, -1.3], nice=False), "axis": None}
    y = alt.Y("row:Q", **down)
    base = _rows("rows").transform_filter("datum.doc >= 0")
    lit = "datum.lit == 1" if beats else "abs(datum.row - document[1]) < 0.5"
    stripe = (
        base.transform_calculate(x="0", x2="1", y="datum.row - 0.5", y2="datum.row + 0.5")
        .mark_rect(opacity=alt.ExprRef("1"), cornerRadius=4)
        .encode(
            x,
            alt.Y("y:Q", **down),
            x2="x2:Q",
            y2="y2:Q",
            fill=alt.value(SOFT),
            fillOpacity=alt.condition(lit, alt.value(0.22), alt.value(0.0)),
        )
    )
    letter = f"{list(letters)}[datum.label]"
    seated = base.transform_calculate(x="0.025", letter=letter).transform_filter(f"datum.label < {HIDE}")
    marks = seated.mark_point(shape="circle", filled=True, size=150, opacity=1).encode(x, y, _fill())
    named = seated.mark_text(fontSize=9.5, fontWeight="bold", color="#fff").encode(x, y, alt.Text("letter:N"))
    lifted = (
        base.transform_calculate(x="0.025")
        .transform_filter(f"datum.label == {HIDE}")
        .mark_point(shape="circle", filled=False, size=150, stroke=INK, strokeDash=[3, 2], strokeWidth=1.5)
        .encode(x, y)
    )
    told = base.transform_lookup("doc", alt.LookupData(alt.NamedData("texts"), "doc", ["text", "held"]))
    words = (
        told.transform_calculate(x=str(TEXT))
        .mark_text(align="left", fontSize=11.5, color=INK, limit=alt.ExprRef(f"{BAR - TEXT - 0.02} * width"))
        .encode(x, y, alt.Text("text:N"))
    )
    frame = (
        base.transform_filter("datum.drawn <= 100")
        .transform_calculate(x=str(BAR), x2=str(BAR + BAR_WIDTH), y="datum.row - 0.3", y2="datum.row + 0.3")
        .mark_rect(stroke=SOFT, strokeWidth=0.6, fill="transparent")
        .encode(x, alt.Y("y:Q", **down), x2="x2:Q", y2="y2:Q")
    )
    bar = (
        base.transform_filter("datum.drawn <= 100")
        .transform_calculate(
            x=str(BAR), x2=f"{BAR} + {BAR_WIDTH} * datum.drawn / 100", y="datum.row - 0.3", y2="datum.row + 0.3"
        )
        .mark_rect()
        .encode(x, alt.Y("y:Q", **down), _fill(), x2="x2:Q", y2="y2:Q")
    )
    known = (
        base.transform_filter("datum.drawn == 254 || datum.drawn == 253")
        .transform_calculate(x=str(BAR), said="datum.drawn == 254 ? 'shown' : '0 / 0'")
        .mark_text(align="left", fontSize=10.5, fontStyle="italic", color=SOFT)
        .encode(x, y, alt.Text("said:N"))
    )
    offers = (
        _rows("offers")
        .transform_filter("isValid(datum.p)")
        .transform_calculate(
            x=f"{BAR} + {BAR_WIDTH} * datum.from",
            x2=f"{BAR} + {BAR_WIDTH} * (datum.from + datum.p)",
            y="datum.row - 0.3",
            y2="datum.row + 0.3",
        )
        .mark_rect()
        .encode(x, alt.Y("y:Q", **down), _fill(), x2="x2:Q", y2="y2:Q")
    )
    cell = STRIP_WIDTH / PAST
    strip = (
        _rows("strip")
        .transform_filter(f"datum.was < {HIDE}")
        .transform_calculate(
            x=f"{STRIP} + {cell} * datum.place",
            x2=f"{STRIP} + {cell} * (datum.place + 1)",
            y="datum.row - 0.36",
            y2="datum.row + 0.36",
        )
        .mark_rect(strokeWidth=0)
        .encode(x, alt.Y("y:Q", **down), _fill("was:N"), x2="x2:Q", y2="y2:Q")
    )
    titles = [(TEXT, "message"), (BAR, "probability"), (STRIP, f"last {PAST} sweeps")]
    heads = (
        alt.Chart(alt.Data(values=[{"x": place, "row": -0.95, "text": text} for place, text in titles]))
        .mark_text(align="left", fontSize=10.5, color=SOFT)
        .encode(x, y, alt.Text("text:N"))
    )
    layers = [stripe, strip, frame, bar, offers, known, marks, named, lifted, words, heads]
    if held:
        truth = told.transform_calculate(x=str(HELD + 0.012))
        wrong = "datum.unlike"
        layers.append(
            truth.mark_text(fontSize=10.5, fontWeight=alt.ExprRef("600")).encode(
                x, y, alt.Text("held:N"), color=alt.condition(wrong, alt.value(INK), alt.value(SOFT))
            )
        )
        head = alt.Chart(alt.Data(values=[{"x": 1.0, "row": -0.95, "text": "true"}]))
        layers.append(head.mark_text(align="right", fontSize=10.5, color=SOFT).encode(x, y, alt.Text("text:N")))
    return finish(alt.layer(*layers).add_params(alt.param(name="document", value=[0, 0])))


@lru_cache(maxsize=SPECS)
def words(names: tuple[str, ...], low: float, high: float, classes: int) -> dict[str, Any]:
    """Draw the probability of a few words in each class: a dot now, a tick for the mean of the run so far.

    Parameters
    ----------
    names : tuple of str
        The words, from top to bottom.
    low, high : float
        Ends of the axis, above 0.
    classes : int
        K.
    """
    scale = alt.Scale(type="log", domain=[low, high], nice=False, clamp=True)
    powers = list(range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1))
    axis = alt.Axis(grid=True, values=[10.0**power for power in powers[:: 1 + len(powers) // 4]], format="~%")
    x = alt.X("now:Q", title="probability", scale=scale, axis=axis)
    y = alt.Y(
        "word:N", title=None, sort=list(names), axis=alt.Axis(domain=False, ticks=False, labelLimit=80, labelPadding=6)
    )
    base = alt.Chart(alt.NamedData("words")).transform_calculate(shape=f"datum.label % {len(SHAPES)}")
    shape = alt.Shape("shape:N", scale=MARKS, legend=None)
    means = base.mark_tick(thickness=2, size=13, opacity=0.75).encode(
        alt.X("mean:Q", title="probability", scale=scale, axis=axis),
        y,
        alt.Color("label:N", scale=PALETTE, legend=None),
    )
    dots = base.mark_point(filled=True, size=58, opacity=0.95, strokeWidth=0.7).encode(
        x, y, _fill(), shape, stroke=alt.value(PAPER), tooltip=["word:N", alt.Tooltip("now:Q", format=".2~%")]
    )
    return finish(alt.layer(means, dots))


@lru_cache(maxsize=SPECS)
def everyone(width: int, height: float, groups: tuple[tuple[str, float, float], ...], beats: bool) -> dict[str, Any]:
    """Draw all messages as cells in the colour of their class, the paler the less sure.

    Parameters
    ----------
    width : int
        Cells in a row, gaps included.
    height : float
        Rows.
    groups : tuple of (str, float, float)
        Headings: text, and where it begins across and down.
    beats : bool
        Whether the cell to ring is the one whose field ``lit`` says so; else it is where the parameter ``cell`` is.
    """
    across: dict[str, Any] = {"scale": alt.Scale(domain=[-0.5, width - 0.5], nice=False), "axis": None}
    down: dict[str, Any] = {"scale": alt.Scale(domain=[height - 0.5, -1.7], nice=False), "axis": None}
    base = alt.Chart(alt.NamedData("all")).transform_calculate(
        left="datum.x - 0.44", right="datum.x + 0.44", top="datum.y - 0.44", bottom="datum.y + 0.44"
    )
    ends = {"x2": "right:Q", "y2": "bottom:Q"}
    places = (alt.X("left:Q", **across), alt.Y("top:Q", **down))
    sure = alt.Scale(domain=[50, 100], range=[0.4, 1], clamp=True)
    cells = (
        base.transform_filter(f"datum.label < {HIDE}")
        .mark_rect()
        .encode(*places, _fill(), alt.FillOpacity("sure:Q", scale=sure, legend=None), **ends)
    )
    lit = "datum.lit == 1" if beats else "abs(datum.x - cell[0]) < 0.5 && abs(datum.y - cell[1]) < 0.5"
    ring = base.transform_filter(lit).mark_rect(fill="transparent", stroke=INK, strokeWidth=2).encode(*places, **ends)
    headings = [{"text": text, "x": left - 0.44, "y": top} for text, left, top in groups]
    heads = (
        alt.Chart(alt.Data(values=headings))
        .mark_text(align="left", fontSize=11, color=SOFT)
        .encode(alt.X("x:Q", **across), alt.Y("y:Q", **down), alt.Text("text:N"))
    )
    layers = [cells, ring, heads] if groups else [cells, ring]
    return finish(alt.layer(*layers).add_params(alt.param(name="cell", value=[0, 0])))


def trace_domain(seen: np.ndarray) -> tuple[float, float]:
    """Return where a number moves in the first sweeps, with some room: more above, as it is still rising."""
    low, high = float(seen.min()), float(seen.max())
    room = 0.1 * (high - low) + 1
    return float(np.floor(low - room)), float(np.ceil(high + 4 * room))


@lru_cache(maxsize=SPECS)
def trace(field: str, domain: tuple[float, float], last: int | None, title: str) -> dict[str, Any]:
    """Draw how a number of the data set ``"past"`` moves along the run; `last` is None for an axis that doubles."""
    end = X_SWEEPS if last is None else last
    x = alt.X("t:Q", title=title, scale=alt.Scale(domain=[0, end], nice=False), axis=alt.Axis(grid=False, tickCount=4))
    scale = alt.Scale(domain=list(domain), nice=False, clamp=True)
    y = alt.Y(f"{field}:Q", title=None, scale=scale, axis=alt.Axis(tickCount=4))
    past = alt.Chart(alt.NamedData("past")).transform_filter(f"datum.t <= {NOW}")
    return finish(past.mark_line(color=ACCENT, strokeWidth=1.6, clip=True).encode(x, y))
