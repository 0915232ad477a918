"""The charts of messages and their words, described once; what changes comes as frames."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import (
    INK,
    LIT,
    MARKS,
    PAPER,
    SOFT,
    axis,
    bare_axes,
    colored,
    finish,
    if_,
    if_lit,
    rows,
    span,
)
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import SHAPES

ROWS = 16  # messages that are in sight at a time
FEW = 8  # rows that there is room for at least: words beside a few messages need as much
HEAD = 0.9  # rows that the heads of the columns take
LIST = 300  # messages that one list scrolls through
PAST = 30  # sweeps that a row looks back on
HIDE = 255  # a label that is in nobody's class just now
TEXT, BAR, STRIP, HELD = 0.062, 0.56, 0.715, 0.965  # where the columns of a row begin, as shares of the width
BAR_WIDTH, CELL = 0.13, 0.22 / PAST
LETTER = 6  # pixels of a head's letter, with some room
LEAST = -12  # the least power of 10 that a word's axis may show
MESSAGE, CLASS = "'message-' + (datum.doc + 1)", "'class-' + (datum.label + 1)"
ROOM = f"{BAR - TEXT - 0.02} * width"  # for a message's first words
IN_SIGHT = f"datum.row >= scrolled && datum.row < scrolled + {ROWS}"


def _axes() -> tuple[alt.X, alt.Y]:
    """Return the axes of the list: shares of its width, and rows."""
    x, _ = bare_axes((0, 1), (0, 1))
    return x, axis(alt.Y, "y", [alt.ExprRef("scrolled + shown - 0.4"), alt.ExprRef("scrolled - 1.3")])


def _boxes(source: alt.Chart, left: str, right: str, half: float, *channels: Any, **look: Any) -> alt.Chart:
    """Draw a box in each row, so high above and below its middle."""
    sides = {"x": left, "x2": right, "y": f"datum.row - {half}", "y2": f"datum.row + {half}"}
    boxes = source.transform_calculate(**sides).mark_rect(**look)
    return boxes.encode(*_axes(), *channels, x2="x2:Q", y2="y2:Q")


def _written(source: alt.Chart, left: float, field: str, **look: Any) -> alt.Chart:
    """Write a field in each row."""
    return (
        source.transform_calculate(x=str(left), y="datum.row")
        .mark_text(**look)
        .encode(*_axes(), alt.Text(f"{field}:N"))
    )


def _head(left: float, text: str, align: Any = "left", short: str = "", room: float = 1) -> alt.Chart:
    """Write the head of a column: a short one where its room, a share of the width, does not hold all of it."""
    fits = f"{room:.4g} * width > {LETTER * len(text):g} * larger"
    source = alt.Chart(alt.Data(values=[{"text": text, "short": short or text}]))
    source = source.transform_calculate(row="scrolled - 0.95", said=f"{fits} ? datum.text : datum.short")
    return _written(source, left, "said", align=align, fontSize=10.5, color=SOFT)


def rows_shown(size: int) -> int:
    """Return the number of messages, of all, that fit at a time."""
    return min(max(size, FEW), ROWS)


@drawn_once
def messages(letters: tuple[str, ...], held: bool, shown: int) -> dict[str, Any]:
    """Draw messages as rows: label, first words, probability of the label when it was drawn, and its last sweeps.

    Parameters
    ----------
    letters : tuple of str
        One for each class.
    held : bool
        Whether there are true labels, to be shown at the end of each row.
    shown : int
        For how many rows there is room.
    """
    all_rows = rows("rows").transform_filter("datum.doc >= 0").transform_calculate(mark=MESSAGE)
    opacity = if_(f"datum.row == current || {LIT}", 0.22, 0.0)
    told = all_rows.transform_lookup("doc", alt.LookupData(alt.NamedData("texts"), "doc", ["text", "held"]))
    strip = rows("strip").transform_filter(f"datum.was < {HIDE}")
    left = f"{STRIP} + {CELL} *"
    layers = [
        _boxes(
            strip, f"{left} datum.place", f"{left} (datum.place + 1)", 0.36, colored(alt.Fill, "was:N"), strokeWidth=0
        ),
        _boxes(all_rows, "0", "1", 0.5, cornerRadius=4, opacity=alt.ExprRef("1")).encode(
            fill=alt.value(SOFT), fillOpacity=opacity
        ),
        *_numbers(all_rows),
        *_labels(all_rows, letters),
        _written(told, TEXT, "text", align="left", fontSize=11.5, color=INK, limit=alt.ExprRef(ROOM)),
        _head(TEXT, "message"),
        _head(BAR, "probability", short="prob.", room=STRIP - BAR - 0.01),
        _head(STRIP, f"last {PAST} sweeps", short=f"{PAST} sweeps", room=HELD - STRIP - 0.03),
    ]
    if held:
        truth = _written(told, HELD + 0.012, "held", fontSize=10.5, fontWeight=alt.ExprRef("600"))
        unlike = if_("datum.unlike", INK, SOFT)
        layers += [truth.encode(color=unlike), _head(1.0, "true", "right")]
    fixed = {"scrolled": 0, "current": 0, "shown": shown}
    return finish(alt.layer(*layers).add_params(*(alt.param(name=name, value=value) for name, value in fixed.items())))


def _numbers(all_rows: alt.Chart) -> tuple[alt.Chart, ...]:
    """Draw how likely the label was when it was drawn, or all classes while it is being drawn."""
    drawn, fill = all_rows.transform_filter("datum.drawn <= 100"), colored(alt.Fill, "label:N")
    known = all_rows.transform_filter("datum.drawn == 254 || datum.drawn == 253")
    bar = f"{BAR} + {BAR_WIDTH} *"
    offers = rows("offers", "p").transform_filter(IN_SIGHT).transform_calculate(mark=CLASS)
    return (
        _boxes(drawn, str(BAR), str(BAR + BAR_WIDTH), 0.3, stroke=SOFT, strokeWidth=0.6, fill="transparent"),
        _boxes(drawn, str(BAR), f"{bar} datum.drawn / 100", 0.3, fill),
        _boxes(offers, f"{bar} datum.from", f"{bar} (datum.from + datum.p)", 0.3, fill, stroke=INK).encode(
            strokeWidth=if_lit(2.5, 0)
        ),
        _written(
            known.transform_calculate(said="datum.drawn == 254 ? 'shown' : '0 / 0'"),
            BAR,
            "said",
            align="left",
            fontSize=10.5,
            fontStyle="italic",
            color=SOFT,
        ),
    )


def _labels(all_rows: alt.Chart, letters: tuple[str, ...]) -> tuple[alt.Chart, ...]:
    """Draw labels as letters in circles, an empty circle for the one that is being drawn."""
    labels = all_rows.transform_calculate(x="0.025", y="datum.row", letter=f"{list(letters)}[datum.label]")
    seated, lifted = (labels.transform_filter(f"datum.label {test} {HIDE}") for test in ("<", "=="))
    circle: dict[str, Any] = {"shape": "circle", "size": 150}
    return (
        seated.mark_point(filled=True, opacity=1, **circle).encode(*_axes(), colored(alt.Fill, "label:N")),
        seated.mark_text(fontSize=9.5, fontWeight="bold", color="#fff").encode(*_axes(), alt.Text("letter:N")),
        lifted.mark_point(filled=False, stroke=INK, strokeDash=[3, 2], strokeWidth=1.5, **circle).encode(*_axes()),
    )


@drawn_once
def words() -> dict[str, Any]:
    """Draw the probability of a few words in each class: a dot now, a tick for the mean of the run so far.

    The ends of its axis, above 0, are the parameter ``words_span``.
    """
    domain, ends = span("words_span")
    scale = alt.Scale(type="log", domain=domain, nice=False, clamp=True)
    powers = [10.0**power for power in range(LEAST, 1)]
    first, last = (f"log(words_span[{end}]) / LN10 - {LEAST}" for end in (0, 1))
    ticks = alt.Axis(grid=True, values=alt.ExprRef(f"slice({powers}, ceil({first}), floor({last}) + 1)"), format="~%")
    now, mean = (alt.X(f"{field}:Q", title="probability", scale=scale, axis=ticks) for field in ("now", "mean"))
    labels = alt.Axis(domain=False, ticks=False, labelLimit=80, labelPadding=6)
    y = alt.Y("word:N", title=None, sort=None, axis=labels)
    base = rows("words").transform_calculate(shape=f"datum.label % {len(SHAPES)}", mark=CLASS)
    means = base.mark_tick(thickness=2, size=13, opacity=0.75).encode(mean, y, colored(alt.Color, "label:N"))
    dots = base.mark_point(filled=True, opacity=0.95, strokeWidth=0.7).encode(
        now,
        y,
        colored(alt.Fill, "label:N"),
        alt.Shape("shape:N", scale=MARKS, legend=None),
        stroke=alt.value(PAPER),
        size=if_lit(200, 58),
        tooltip=["word:N", alt.Tooltip("now:Q", format=".2~%")],
    )
    return finish(alt.layer(means, dots).add_params(ends))


@drawn_once
def everyone(
    width: int, height: float, groups: tuple[tuple[str, float, float], ...], beats: bool, source: str = "all"
) -> dict[str, Any]:
    """Draw all messages as cells in the colour of their class, the fainter the less sure.

    Parameters
    ----------
    width : int
        Cells in a row, gaps included.
    height : float
        Rows.
    groups : tuple of (str, float, float)
        Headings: text, and where it begins across and down.
    beats : bool
        Whether the cells to ring are those whose field ``lit`` says so; else it is where the parameter ``cell`` is.
    source : str, optional
        The data set.
    """
    across, down = (-0.5, width - 0.5), (height - 0.5, -1.7)
    places = axis(alt.X, "left", across), axis(alt.Y, "top", down)
    ends = {"x2": "right:Q", "y2": "bottom:Q"}
    base = rows(source).transform_calculate(
        left="datum.x - 0.44",
        right="datum.x + 0.44",
        top="datum.y - 0.44",
        bottom="datum.y + 0.44",
        mark="'message-' + (datum.row + 1)",
    )
    sure = alt.FillOpacity("sure:Q", scale=alt.Scale(domain=[50, 100], range=[0.4, 1], clamp=True), legend=None)
    cells = base.transform_filter(f"datum.label < {HIDE}").mark_rect()
    lit = "datum.lit == 1" if beats else "abs(datum.x - cell[0]) < 0.5 && abs(datum.y - cell[1]) < 0.5"
    ring = base.transform_filter(f"{lit} || {LIT}").mark_rect(fill="transparent", stroke=INK, strokeWidth=2)
    layers = [cells.encode(*places, colored(alt.Fill, "label:N"), sure, **ends), ring.encode(*places, **ends)]
    if groups:
        headings = [{"text": text, "x": left - 0.44, "y": top} for text, left, top in groups]
        heads = alt.Chart(alt.Data(values=headings)).mark_text(align="left", fontSize=11, color=SOFT)
        layers.append(heads.encode(*bare_axes(across, down), alt.Text("text:N")))
    return finish(alt.layer(*layers).add_params(alt.param(name="cell", value=[0, 0])))
