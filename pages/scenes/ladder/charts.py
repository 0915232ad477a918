"""The charts of a ladder, described once: a row for each level, and where the walkers have been."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, axis, bare_axes, finish, if_lit, past, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import written
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS

TERMS = ("colder", "hotter", "sum")  # of a swap's ratio
WALKERS = tuple(COLORS[place] for place in (5, 0, 4, 1, 6, 3))  # from those that began cold to hot
LETTERS = "ABCDEF"
WIDTH, HEIGHT = 1.6, 0.8  # of a tile, in levels
DISC, TEXT, LEFT, RIGHT = -0.35, 1.72, -1.55, 3.35  # places across
LOW = 45  # pixels of a row that has room for one line alone
WINDOW = 25  # steps along which the walkers' paths are drawn
LINKS: tuple[dict[str, Any], ...] = (  # between two walkers: undecided, accepted, rejected
    {"color": INK, "strokeWidth": 4, "strokeDash": [5, 4]},
    {"color": ACCENT, "strokeWidth": 4},
    {"color": SOFT, "strokeWidth": 1.5, "strokeDash": [2, 4]},
)
HUE = f"{list(WALKERS)}[datum.walker]"  # beside the clusters' colours, which have a scale of their own


def axes(levels: int) -> tuple[alt.X, alt.Y]:
    """Return the axes of a ladder: a level is 1 high, and a tile is `WIDTH` wide from 0 on."""
    return bare_axes((LEFT, RIGHT), (-0.5, levels - 0.5))


def roomy(levels: int) -> str:
    """Return the expression for whether a row has room for two lines of text."""
    return f"height / {levels} > {LOW}"


def ladder(levels: int, tiles: Sequence[alt.Chart], texts: tuple[str, str]) -> dict[str, Any]:
    """Draw a row for each level, the cold one below: β, its tile, its walker, and two lines of text.

    Two walkers that may swap are joined by a line, which is dashed until the dart has decided; a rejected one is thin.

    Parameters
    ----------
    levels : int
        How many there are.
    tiles : sequence of altair.Chart
        What each level's chain looks like, on the axes `axes`.
    texts : (str, str)
        Expressions of two lines, from a row of the data set ``"walkers"``; where rows are low, the first alone.
    """
    x, y = axes(levels)
    row, two = f"(height / {levels})", roomy(levels)

    def lines(source: alt.Chart, first: str, second: str, at: float) -> list[alt.Chart]:
        """Write two lines, or the first alone."""
        found: list[alt.Chart] = []
        for text, up in ((first, -9), (f"{two} ? ({second}) : ''", 9)):
            said = source.transform_calculate(x=str(at), text=text).encode(x, y, alt.Text("text:N"))
            found += written(said, align="left", fontSize=13, dy=alt.ExprRef(f"{two} ? {up} : 0"))
        return found

    rungs = rows("rungs").transform_calculate(
        x=str(LEFT), x2=str(RIGHT), y="datum.rung - 1.47", y2="datum.rung - 0.53", mark="'level-' + datum.rung"
    )
    pressed = rungs.mark_rect(fill=SOFT, cornerRadius=4).encode(
        x, y, x2="x2:Q", y2="y2:Q", stroke=if_lit(INK, PAPER), strokeWidth=if_lit(2, 0), fillOpacity=if_lit(0.2, 0.08)
    )
    named = rungs.transform_calculate(y="datum.rung - 1")
    names = lines(named, "'level ' + datum.rung", "'β = ' + format(datum.beta, '.3~f')", LEFT + 0.08)
    layers = [pressed, *names, *tiles]
    link = rows("swap", "low").transform_calculate(x=str(DISC), y="datum.low + 0.02", y2="datum.low + 0.98")
    for decided, look in enumerate(LINKS):
        line = link.transform_filter(f"datum.decided == {decided}").mark_rule(**look)
        layers.append(line.encode(x, y, y2="y2:Q"))
    walkers = rows("walkers", "level").transform_calculate(x=str(DISC), y="datum.level")
    known = walkers.transform_filter("told")
    return finish(alt.layer(*layers, *discs(walkers, row, x, y), *lines(known, *texts, TEXT)))


def discs(walkers: alt.Chart, row: str, *places: Any) -> list[alt.Chart]:
    """Draw walkers as discs with their letters, which fit into a height in pixels, an expression."""
    named = walkers.transform_calculate(letter=f"'{LETTERS}'[datum.walker]", hue=HUE)
    disc = named.mark_point(
        shape="circle",
        filled=True,
        opacity=1,
        clip=True,
        size=alt.ExprRef(f"min(620, pow(0.9 * {row}, 2))"),
        stroke=PAPER,
        strokeWidth=1.5,
    ).encode(*places, alt.Fill("hue:N", scale=None))
    letter = named.mark_text(
        fontSize=alt.ExprRef(f"min(14, 0.5 * {row})"), fontWeight="bold", color=PAPER, clip=True
    ).encode(*places, alt.Text("letter:N"))
    return [disc, letter]


@drawn_once
def walkers(levels: int, unit: str) -> dict[str, Any]:
    """Draw the paths of the walkers up and down the ladder over the last steps: swaps are crossings."""
    ends = {"expr": f"max(0, frame - {WINDOW})"}, {"expr": f"max({WINDOW}, frame)"}
    x = axis(alt.X, "t", ends, unit, grid=False, tickCount=4)
    y = axis(
        alt.Y,
        "level",
        (-0.4, levels - 0.6),
        "level",
        values=list(range(levels)),
        labelExpr="datum.value + 1",
        grid=True,
        minExtent=20,
    )
    layers = []
    for walker in range(levels):
        seen = past(f"level{walker}").transform_filter(f"datum.t >= frame - {WINDOW + 1}")
        seen = seen.transform_calculate(level=f"datum.level{walker}")
        layers.append(seen.mark_line(clip=True, strokeWidth=2.4, color=WALKERS[walker]).encode(x, y))
        here = seen.transform_filter(f"datum.t == {NOW}")
        layers.append(here.mark_point(filled=True, size=90, opacity=1, color=WALKERS[walker]).encode(x, y))
    return finish(alt.layer(*layers))
