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

TERMS = ("colder", "hotter", "sum")  # of a swap's ratio
WALKERS = ("#12898C", "#3B6FB6", "#8A63B8", "#B4508F", "#B8572A", "#B07C00")  # from those that began cold to hot
LETTERS = "ABCDEF"
WIDTH, HEIGHT = 1.6, 0.8  # of a tile, in levels
DISC, TEXT, LEFT, RIGHT = -0.35, 1.72, -1.55, 3.35  # places across
WINDOW = 25  # sweeps along which the walkers' paths are drawn
HUE = f"{list(WALKERS)}[datum.walker]"  # beside the clusters' colours, which have a scale of their own


@lru_cache(maxsize=SPECS)
def ladder(levels: int, size: int) -> dict[str, Any]:
    """Draw a row for each level, the cold one below: β, its walker, its points in their clusters, and numbers.

    Two walkers that may swap are joined by a line, which is dashed until the dart has decided.
    """
    x, y = bare_axes((LEFT, RIGHT), (-0.5, levels - 0.5))
    rungs = rows("rungs").transform_calculate(
        x=str(LEFT), x2=str(RIGHT), y="datum.rung - 1.47", y2="datum.rung - 0.53", mark="'level-' + datum.rung"
    )
    pressed = rungs.mark_rect(fill=SOFT, cornerRadius=4).encode(
        x, y, x2="x2:Q", y2="y2:Q", stroke=if_lit(INK, PAPER), strokeWidth=if_lit(2, 0), fillOpacity=if_lit(0.2, 0.08)
    )
    layers = [pressed]
    for text, up in (("'level ' + datum.rung", -9), ("'β = ' + format(datum.beta, '.3~f')", 9)):
        said = rungs.transform_calculate(x=str(LEFT + 0.08), y="datum.rung - 1", text=text)
        layers += written(said.encode(x, y, alt.Text("text:N")), align="left", fontSize=13, dy=up)
    points = rows("tiles", "label").transform_calculate(y="datum.level + datum.up", color="datum.label % 8")
    points = points.transform_calculate(form="datum.label % 5")
    shapes = alt.Shape("form:N", scale=MARKS, legend=None)
    fill = alt.Fill("color:N", scale=PALETTE, legend=None)
    drawn = points.mark_point(filled=True, opacity=1, stroke=PAPER, strokeWidth=0.6, size=size)
    layers.append(drawn.encode(x, y, fill, shapes))
    link = rows("swap", "low").transform_calculate(
        x=str(DISC), y="datum.low + 0.02", y2="datum.low + 0.98", kind="datum.decided == 1 ? 'yes' : 'open'"
    )
    for kind, look in (("open", {"color": INK, "strokeDash": [5, 4]}), ("yes", {"color": ACCENT})):
        line = link.transform_filter(f"datum.kind == '{kind}' && datum.decided != 2").mark_rule(strokeWidth=4, **look)
        layers.append(line.encode(x, y, y2="y2:Q"))
    walkers = rows("walkers", "level").transform_calculate(
        x=str(DISC), y="datum.level", letter=f"'{LETTERS}'[datum.walker]", hue=HUE
    )
    discs = walkers.mark_point(shape="circle", filled=True, opacity=1, size=620, stroke=PAPER, strokeWidth=1.5)
    layers.append(discs.encode(x, y, alt.Fill("hue:N", scale=None)))
    layers.append(walkers.mark_text(fontSize=14, fontWeight="bold", color=PAPER).encode(x, y, alt.Text("letter:N")))
    numbers = walkers.transform_filter("told").transform_calculate(
        x=str(TEXT), text="datum.tables + (datum.tables == 1 ? ' cluster' : ' clusters')"
    )
    joints = walkers.transform_filter("told").transform_calculate(
        x=str(TEXT), text="'log joint ' + format(datum.joint, '.2f')"
    )
    layers += written(numbers.encode(x, y, alt.Text("text:N")), align="left", fontSize=12, dy=-8)
    layers += written(joints.encode(x, y, alt.Text("text:N")), align="left", fontSize=12, dy=9)
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
