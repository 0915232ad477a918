"""The charts of words and topics, described once; what changes comes as frames."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import INK, LIT, PAPER, SOFT, axis, bare_axes, colored, finish, if_, if_lit, rows, through
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.topics.gibbs_topics.layout import WIDE

HIDE = 255  # a word that has no topic just now
SHOWN = 9  # topics that have a list of words
ACROSS = 3  # lists in a row
LINE, HEADED = 10, 1.6  # pixels of a line of a list at least, and the lines that its head takes
LISTED = {1: 7, 2: 4, 3: 3}  # words of a list, by the rows of lists
MOST_COUNTED = 16  # the last number of topics that has a bar of its own
PICTURES = 5  # of topics in a row
ROOMY = 275  # pixels in which a row of them has room for the share beside each number
IMAGES = (5, 4)  # images across and down
LEFT = -3.2  # room for the number of a message, in letters
NUMBER = 9  # pixels of type at least, of the number of a word's topic
COLOR, TOPIC, MARK = f"datum.label % {len(COLORS)}", f"datum.k % {len(COLORS)}", "'topic-' + (datum.k + 1)"
CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.5, 0.866))  # of the triangle


@drawn_once
def documents(lines: float) -> dict[str, Any]:
    """Draw messages as lines of words, each in the colour of its topic and with its number.

    Parameters
    ----------
    lines : float
        The height of the page.
    """
    axes = axis(alt.X, "x", (LEFT, WIDE)), axis(alt.Y, "y", (lines, -0.1))
    fitting = f"min(16, 1.85 * width / {WIDE - LEFT}, 0.95 * height / {lines + 0.1})"
    size, smaller = alt.ExprRef(fitting), alt.ExprRef(f"max({NUMBER}, 0.72 * {fitting})")
    words = rows("words").transform_calculate(
        y="datum.line + 0.08",
        x2="datum.x + datum.wide",
        y2="datum.line + 0.92",
        color=COLOR,
        mark="'word-' + (datum.n + 1)",
    )
    seated, lifted = (words.transform_filter(f"datum.label {test} {HIDE}") for test in ("<", "=="))
    in_hand = "datum.n == chosen"
    boxes = seated.mark_rect(cornerRadius=3, cursor="pointer", stroke=INK).encode(
        *axes,
        colored(alt.Fill),
        **SIDES,
        fillOpacity=if_lit(0.55, 0.3),
        strokeWidth=if_(f"{in_hand} || {LIT}", 2, 0),
    )
    out = lifted.mark_rect(cornerRadius=3, fillOpacity=0, stroke=INK, strokeDash=[4, 2], strokeWidth=2)
    said = words.transform_calculate(left="datum.x + 0.35", middle="datum.line + 0.5")
    said = said.mark_text(align="left", fontSize=size, color=INK)
    numbered = seated.transform_calculate(left="datum.x2 - 0.1", middle="datum.line + 0.4", number="datum.label + 1")
    numbered = numbered.mark_text(align="right", fontSize=smaller, color=INK)
    places = axis(alt.X, "left", (LEFT, WIDE)), axis(alt.Y, "middle", (lines, -0.1))
    heads = rows("heads").transform_calculate(
        left="-0.6", middle="datum.line + 0.5", text="'' + (datum.doc + 1)", mark="'message-' + (datum.doc + 1)"
    )
    numbers = heads.mark_text(align="right", fontSize=size, color=SOFT).encode(*places, text="text:N")
    named = [said.encode(*places, text="text:N"), numbered.encode(*places, text="number:N")]
    layers = [boxes, out.encode(*axes, **SIDES), *named, numbers]
    return finish(alt.layer(*layers).add_params(alt.param(name="chosen", value=-1)))


@drawn_once
def ranked(topics: int, listed: int) -> dict[str, Any]:
    """Draw the most probable words of each topic, as many as there is room for, with bars for their probabilities."""
    down = -(-topics // ACROSS)
    fit = f"clamp(floor(height / ({down} * {LINE} * larger) - {HEADED}), 1, {listed})"
    each_high = f"({fit} + {HEADED})"
    axes = axis(alt.X, "x", (0, min(topics, ACROSS))), axis(alt.Y, "y", [alt.ExprRef(f"{each_high} * {down}"), 0])
    size = alt.ExprRef("max(9.5, min(13, width / 26))")
    cell = {"left": f"datum.k % {ACROSS}", "top": f"floor(datum.k / {ACROSS}) * {each_high}"}
    each = rows("ranked", "p").transform_filter(f"datum.word >= 0 && datum.rank < {fit}")
    each = each.transform_calculate(
        **cell,
        x="datum.left + 0.03",
        x2="datum.left + 0.03 + 0.94 * min(1, datum.p / top_p)",
        y="datum.top + 1.1 + datum.rank",
        y2="datum.top + 1.95 + datum.rank",
        color=TOPIC,
        mark=MARK,
    )
    bars = each.mark_rect(fillOpacity=0.3, clip=True, cornerRadius=2).encode(*axes, colored(alt.Fill), **SIDES)
    named = each.transform_lookup("word", alt.LookupData(alt.NamedData("vocabulary"), "word", ["text"]))
    named = named.transform_calculate(x="datum.left + 0.05", y="datum.top + 1.53 + datum.rank")
    text = named.mark_text(align="left", fontSize=size, color=INK, limit=alt.ExprRef(f"0.66 * width / {ACROSS}"))
    shares = named.transform_calculate(x="datum.left + 0.97", said="format(datum.p, '.0%')")
    share = shares.mark_text(align="right", fontSize=size, color=SOFT)
    layers = [
        bars,
        text.encode(*axes, text="text:N"),
        share.encode(*axes, text="said:N"),
        _heads(cell, "datum.left + 0.03", "datum.top + 0.5", "'topic ' + (datum.k + 1)", size).encode(*axes),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="top_p", value=0.2)))


def _heads(cell: dict[str, str], x: str, y: str, name: str, size: Any, room: int = 0) -> alt.Chart:
    """Write the name of each topic at a place in its cell, with its share of all words if the picture has `room`."""
    said = f"{name} + (width < {room} ? '' : ' · ' + format(datum.share, '.0%'))"
    topics = rows("shares", "share").transform_calculate(**cell, mark=MARK, color=TOPIC, x=x, y=y, said=said)
    heads = topics.mark_text(align="left", fontWeight="bold", fontSize=size)
    return heads.encode(colored(alt.Color), text="said:N")


@drawn_once
def pictures(topics: int, side: int) -> dict[str, Any]:
    """Draw topics as images: the fuller its colour, the more probable a pixel."""
    down = -(-topics // PICTURES)
    axes = axis(alt.X, "x", (-0.05, 1.15 * min(topics, PICTURES))), axis(alt.Y, "y", (1.4 * down, 0))
    cell = {"left": f"datum.k % {PICTURES} * 1.15", "top": f"floor(datum.k / {PICTURES}) * 1.4 + 0.3"}
    pixels = rows("pixels").transform_calculate(
        **cell,
        mark=MARK,
        x=f"datum.left + datum.px / {side}",
        x2=f"datum.left + (datum.px + 1) / {side}",
        y=f"datum.top + datum.py / {side}",
        y2=f"datum.top + (datum.py + 1) / {side}",
        color=TOPIC,
    )
    opacity = alt.FillOpacity("p:Q", scale=alt.Scale(domain=[0, 0.2], range=[0, 1], clamp=True), legend=None)
    tiles = pixels.mark_rect(stroke=SOFT, strokeOpacity=0.35).encode(
        *axes, colored(alt.Fill), opacity, **SIDES, strokeWidth=if_lit(1.5, 0.5)
    )
    heads = _heads(cell, "datum.left", "datum.top - 0.13", "(datum.k + 1)", 13, ROOMY)
    return finish(alt.layer(tiles, heads.encode(*axes)))


@drawn_once
def images(side: int) -> dict[str, Any]:
    """Draw images: the more words in a pixel the fuller, in the colour of the topic that most of them have."""
    across, down = IMAGES
    axes = axis(alt.X, "x", (-0.05, 1.2 * across)), axis(alt.Y, "y", (1.2 * down, -0.05))
    corner = {"left": f"datum.place % {across} * 1.2", "top": f"floor(datum.place / {across}) * 1.2"}
    cells = rows("cells").transform_filter("datum.count > 0")
    cells = cells.transform_calculate(
        **corner,
        x=f"datum.left + datum.px / {side}",
        x2=f"datum.left + (datum.px + 1) / {side}",
        y=f"datum.top + datum.py / {side}",
        y2=f"datum.top + (datum.py + 1) / {side}",
        color=COLOR,
    )
    opacity = alt.FillOpacity("count:Q", scale=alt.Scale(domain=[0, 4], range=[0.1, 1], clamp=True), legend=None)
    pixels = cells.transform_filter(f"datum.label < {HIDE}").mark_rect()
    frame = rows("images").transform_calculate(
        **corner,
        mark="'image-' + (datum.doc + 1)",
        x="datum.left - 0.04",
        x2="datum.left + 1.04",
        y="datum.top - 0.04",
        y2="datum.top + 1.04",
    )
    frames = frame.mark_rect(fill=SOFT, fillOpacity=0.001, cursor="pointer", stroke=INK).encode(
        *axes,
        **SIDES,
        strokeWidth=if_(f"datum.doc == chosen || {LIT}", 2, 0.3),
    )
    layers = [pixels.encode(*axes, colored(alt.Fill), opacity, **SIDES), frames]
    return finish(alt.layer(*layers).add_params(alt.param(name="chosen", value=-1)))


@drawn_once
def triangle() -> dict[str, Any]:
    """Draw each message as a point: the nearer to a corner, the more of that topic."""
    axes = bare_axes((-0.12, 1.12), (-0.13, 0.99))
    border = [{"x": x, "y": y, "order": order} for order, (x, y) in enumerate((*CORNERS, CORNERS[0]))]
    line = alt.Chart(alt.Data(values=border)).mark_line(color=SOFT, strokeWidth=1).encode(*axes, order="order:Q")
    away = ((-0.05, -0.06), (1.05, -0.06), (0.5, 0.93))
    corners = [{"x": x, "y": y, "k": k, "said": str(k + 1)} for k, (x, y) in enumerate(away)]
    names = alt.Chart(alt.Data(values=corners)).transform_calculate(color="datum.k", mark=MARK)
    named = names.mark_text(fontWeight="bold", fontSize=14).encode(*axes, colored(alt.Color), text="said:N")
    points = rows("mixes").transform_calculate(color=COLOR, mark="'message-' + (datum.doc + 1)")
    points = points.transform_filter("told")  # a question about a place withholds them, and the triangle stays
    dots = points.mark_point(filled=True, opacity=0.75, strokeWidth=0.5, stroke=PAPER, cursor="pointer").encode(
        *axes, colored(alt.Fill), size=if_lit(220, 45)
    )
    ring = points.transform_filter("datum.doc == open").mark_point(filled=False, size=190, strokeWidth=2, opacity=1)
    layers = [line, named, dots, ring.encode(*axes, stroke=alt.value(INK))]
    return finish(alt.layer(*layers).add_params(alt.param(name="open", value=-1)))


@drawn_once
def stick(topics: int) -> dict[str, Any]:
    """Draw a stick of length 1 as pieces, one for each topic; the rest, for topics to come, is dashed."""
    scale = axis(alt.X, "x", (-0.005, 1.005), None, grid=False, values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    axes = scale, bare_axes((0, 1), (1, 0))[1]
    pieces = rows("pieces").transform_calculate(y="0.1", y2="0.9", color=TOPIC)
    broken = pieces.transform_filter(f"datum.k < {topics}").transform_calculate(mark=MARK)
    boxes = broken.mark_rect(fillOpacity=0.55, stroke=PAPER).encode(
        *axes, colored(alt.Fill), **SIDES, strokeWidth=if_lit(3, 1)
    )
    named = broken.transform_filter("datum.x2 - datum.x > 0.025").transform_calculate(
        middle="(datum.x + datum.x2) / 2", y="0.5", said="'' + (datum.k + 1)"
    )
    rest = pieces.transform_filter(f"datum.k == {topics}")
    left = rest.mark_rect(fillOpacity=0, stroke=INK, strokeDash=[4, 2], strokeWidth=1.5).encode(*axes, **SIDES)
    return finish(
        alt.layer(
            boxes, left, named.mark_text(fontSize=13, color=INK).encode(*through(axes, "middle", "y"), text="said:N")
        )
    )


@drawn_once
def hand(topics: int, one: str, written: bool) -> dict[str, Any]:
    """Draw the factors of a word for each topic, as bars, and their product, which sums to 1; `one` is a document.

    By a rule that a learner has `written`, only the probability is drawn: her weight need not have these factors.
    """
    parts = [("document", f"in the {one}", 0.85), ("share", "× in the topic", 0.85), ("p", "= probability", 0.6)]
    if written:
        parts = [("p", "probability by your rule", 2.6)]
    x, y = (0, 3.0), (topics, -0.9)
    axes = bare_axes(x, y)
    factors = rows("hand", "p").transform_calculate(color=TOPIC, mark=MARK)
    layers = []
    size = alt.ExprRef(f"min(11, 0.8 * height / {topics + 0.9})")
    for place, (field, title, wide) in enumerate(parts):
        bar = factors.transform_calculate(
            x=f"{place + 0.1}", x2=f"{place + 0.1} + {wide} * datum.{field}", y="datum.k + 0.12", y2="datum.k + 0.88"
        )
        drawn = bar.mark_rect(cornerRadius=2, fillOpacity=0.85 if field == "p" else 0.45, stroke=INK)
        layers.append(drawn.encode(*axes, colored(alt.Fill), **SIDES, strokeWidth=if_lit(2, 0)))
        head = alt.Chart(alt.Data(values=[{"x": place + 0.1, "y": -0.45, "text": title}]))
        layers.append(head.mark_text(align="left", fontSize=11, color=SOFT).encode(*axes, text="text:N"))
    numbers = "datum.fresh ? 'new' : '' + (datum.k + 1)"
    names = factors.transform_calculate(x="0.08", y="datum.k + 0.5", text=numbers)
    named = names.mark_text(align="right", fontSize=size, fontWeight="bold")
    layers.append(named.encode(*axes, colored(alt.Color), text="text:N"))
    said = factors.transform_calculate(x="2.99", y="datum.k + 0.5", text="format(datum.p, '.0%')")
    layers.append(said.mark_text(align="right", fontSize=size, color=INK).encode(*axes, text="text:N"))
    return finish(alt.layer(*layers))
