"""The chart of a ladder of mixtures, described once: the points of each level in the colours of its clusters."""

from functools import lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import MARKS, PALETTE, PAPER, SPECS, rows
from pages.stages.ladder import charts

CLUSTERS = "datum.tables + (datum.tables == 1 ? ' cluster' : ' clusters')"


@lru_cache(maxsize=SPECS)
def ladder(levels: int, size: int) -> dict[str, Any]:
    """Draw the ladder; `size` is that of a point."""
    points = rows("tiles", "label").transform_calculate(y="datum.level + datum.up", color="datum.label % 8")
    points = points.transform_calculate(form="datum.label % 5")
    shapes = alt.Shape("form:N", scale=MARKS, legend=None)
    fill = alt.Fill("color:N", scale=PALETTE, legend=None)
    fits = alt.ExprRef(f"{charts.roomy(levels)} ? {size} : 16")
    drawn = points.mark_point(filled=True, opacity=1, stroke=PAPER, strokeWidth=0.6, size=fits)
    tiles = [drawn.encode(*charts.axes(levels), fill, shapes)]
    return charts.ladder(levels, tiles, (CLUSTERS, "'log joint ' + format(datum.joint, '.2f')"))
