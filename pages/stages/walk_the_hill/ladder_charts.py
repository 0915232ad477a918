"""The charts of a ladder on a density: where all walkers are, and a curve for each level with its walker on it."""

from functools import lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import PAPER, SOFT, SPECS, Domain, finish, rows
from pages.stages.ladder import charts as ladder_charts
from pages.stages.ladder.charts import HEIGHT, HUE, WIDTH
from pages.stages.walk_the_hill import charts

COLD, HOT = "26", "19"  # pixels of a walker's disc in the plane
FLOOR = 0.08 - HEIGHT / 2  # of a tile, below the middle of its row
ROOM = HEIGHT - 0.12  # for the top of a curve


@lru_cache(maxsize=SPECS)
def plane(x: Domain, y: Domain, names: tuple[str, str], *, close: bool) -> dict[str, Any]:
    """Draw the density, the draws of the cold level so far, all walkers by their letters, and the margins.

    A walker beyond the window is drawn at its rim. Window and names are as in the plane of one sampler.
    """
    inside = {
        axis: f"clamp(datum.{field}, {low}, {high})"
        for axis, field, (low, high) in (("x", "across", x), ("y", "up", y))
    }
    walkers = rows("walkers", "level").transform_calculate(**inside)
    hot = ladder_charts.discs(walkers.transform_filter("datum.level >= 0.5"), HOT)
    cold = ladder_charts.discs(walkers.transform_filter("datum.level < 0.5"), COLD)
    layers: list[Any] = [*charts.hill(), charts.cloud(close), *hot, *cold, *charts.strips(x, y)]
    return finish(alt.layer(*layers).encode(*charts.axes(x, y, names)))


@lru_cache(maxsize=SPECS)
def ladder(levels: int, across: Domain) -> dict[str, Any]:
    """Draw the ladder: each level's own margin along x, within the window, and below it where its walker is."""
    axes = ladder_charts.axes(levels)
    curve = rows("curves").transform_calculate(
        x=f"{WIDTH} * datum.share", y=f"datum.level + {FLOOR} + {ROOM} * datum.h"
    )
    line = curve.mark_line(color=charts.EXACT, strokeWidth=2)
    left, right = across
    walker = rows("walkers", "level").transform_calculate(
        x=f"{WIDTH} * clamp((datum.across - {left}) / {right - left}, 0, 1)", y=f"datum.level + {FLOOR}", hue=HUE
    )
    here = walker.mark_point(shape="circle", filled=True, opacity=1, size=110, stroke=PAPER, strokeWidth=1)
    floor = rows("rungs").transform_calculate(x="0", x2=f"{WIDTH}", y=f"datum.rung - 1 + {FLOOR}")
    tiles = [
        line.encode(*axes, detail="level:N", order="share:Q"),
        floor.mark_rule(color=SOFT, strokeWidth=1).encode(*axes, x2="x2:Q"),
        here.encode(*axes, alt.Fill("hue:N", scale=None)),
    ]
    place = "'x = ' + replace(format(datum.across, '.2f'), '-', '−')"
    height = "'log density ' + replace(format(datum.height, '.2f'), '-', '−')"
    return ladder_charts.ladder(levels, tiles, (place, height))
