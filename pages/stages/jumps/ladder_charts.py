"""The charts of a ladder, described once: what each level's chain looks like, and where the walkers have been."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import (
    ACCENT,
    INK,
    MARKS,
    NOW,
    PALETTE,
    PAPER,
    SOFT,
    SPECS,
    axis,
    bare_axes,
    finish,
    if_lit,
    past,
    rows,
)
from pages.drawing.marks import written
from pages.drawing.palette import COLORS

TERMS = ("colder", "hotter", "sum")  # of a swap's ratio
WALKERS = tuple(COLORS[place] for place in (5, 0, 4, 1, 6, 3))  # from those that began cold to hot
LETTERS = "ABCDEF"
WIDTH, HEIGHT = 1.6, 0.8  # of a tile, in levels
DISC, TEXT, LEFT, RIGHT = -0.35, 1.72, -1.55, 3.35  # places across
LOW = 45  # pixels of a row that has room for one line alone
WINDOW = 25  # sweeps along which the walkers' paths are drawn
LINKS: tuple[dict[str, Any], ...] = (  # between two walkers: undecided, accepted, rejected
    {"color": INK, "strokeWidth": 4, "strokeDash": [5, 4]},
    {"color": ACCENT, "strokeWidth": 4},
    {"color": SOFT, "strokeWidth": 1.5, "strokeDash": [2, 4]},
)
HUE = f"{list(WALKERS)}[datum.walker]"  # beside the clusters' colours, which have a scale of their own


@lru_cache(maxsize=SPECS)
def ladder(levels: int, size: int) -> dict[str, Any]:
    """Draw a row for each level, the cold one below: β, its walker, its points in their clusters, and numbers.

    Two walkers that may swap are joined by a line, which is dashed until the dart has decided; a rejected one is thin.
    """
    x, y = bare_axes((LEFT, RIGHT), (-0.5, levels - 0.5))
    row = f"(height / {levels})"
    two = f"{row} > {LOW}"  # whether a row has room for two lines of text

    def lines(source: alt.Chart, first: str, second: str, at: float) -> list[alt.Chart]:
        """Write two lines, or the first alone."""
        found: list[alt.Chart] = []
        for text, size, up in ((first, 13, -9), (second, f"{two} ? 13 : 0", 9)):
            said = source.transform_calculate(x=str(at), text=text).encode(x, y, alt.Text("text:N"))
            look = {"fontSize": alt.ExprRef(f"{size}"), "dy": alt.ExprRef(f"{two} ? {up} : 0")}
            found += written(said, align="left", **look)
        return found

    rungs = rows("rungs").transform_calculate(
        x=str(LEFT), x2=str(RIGHT), y="datum.rung - 1.47", y2="datum.rung - 0.53", mark="'level-' + datum.rung"
    )
    pressed = rungs.mark_rect(fill=SOFT, cornerRadius=4).encode(
        x, y, x2="x2:Q", y2="y2:Q", stroke=if_lit(INK, PAPER), strokeWidth=if_lit(2, 0), fillOpacity=if_lit(0.2, 0.08)
    )
    named = rungs.transform_calculate(y="datum.rung - 1")
    layers = [
        pressed,
        *lines(named, f"({two} ? 'level ' : '') + datum.rung", "'β = ' + format(datum.beta, '.3~f')", LEFT + 0.08),
    ]
    points = rows("tiles", "label").transform_calculate(y="datum.level + datum.up", color="datum.label % 8")
    points = points.transform_calculate(form="datum.label % 5")
    shapes = alt.Shape("form:N", scale=MARKS, legend=None)
    fill = alt.Fill("color:N", scale=PALETTE, legend=None)
    drawn = points.mark_point(
        filled=True, opacity=1, stroke=PAPER, strokeWidth=0.6, size=alt.ExprRef(f"{two} ? {size} : 16")
    )
    layers.append(drawn.encode(x, y, fill, shapes))
    link = rows("swap", "low").transform_calculate(x=str(DISC), y="datum.low + 0.02", y2="datum.low + 0.98")
    for decided, look in enumerate(LINKS):
        line = link.transform_filter(f"datum.decided == {decided}").mark_rule(**look)
        layers.append(line.encode(x, y, y2="y2:Q"))
    walkers = rows("walkers", "level").transform_calculate(
        x=str(DISC), y="datum.level", letter=f"'{LETTERS}'[datum.walker]", hue=HUE
    )
    disc = alt.ExprRef(f"min(620, pow(0.9 * {row}, 2))")
    discs = walkers.mark_point(shape="circle", filled=True, opacity=1, size=disc, stroke=PAPER, strokeWidth=1.5)
    layers.append(discs.encode(x, y, alt.Fill("hue:N", scale=None)))
    layers.append(
        walkers.mark_text(fontSize=alt.ExprRef(f"min(14, 0.5 * {row})"), fontWeight="bold", color=PAPER).encode(
            x, y, alt.Text("letter:N")
        )
    )
    known = walkers.transform_filter("told")
    clusters = "datum.tables + (datum.tables == 1 ? ' cluster' : ' clusters')"
    layers += lines(known, clusters, "'log joint ' + format(datum.joint, '.2f')", TEXT)
    return finish(alt.layer(*layers))


@lru_cache(maxsize=SPECS)
def walkers(levels: int) -> dict[str, Any]:
    """Draw the paths of the walkers up and down the ladder over the last sweeps: swaps are crossings."""
    ends = {"expr": f"max(0, frame - {WINDOW})"}, {"expr": f"max({WINDOW}, frame)"}
    x = axis(alt.X, "t", ends, "sweep", grid=False, tickCount=4)
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
