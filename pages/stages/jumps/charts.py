"""The chart of an opened move, described once: points that go to sides."""

from functools import lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import INK, SPECS, colored, plane_axes, rows
from pages.drawing.marks import SIDES, corners
from pages.stages.points.pictures import plane_layers
from pages.stages.points.update_layers import AROUND, PointsPicture

STROKE = colored(alt.Stroke)
MOVE = ("seating", "fit", "proposal", "sum")


@lru_cache(maxsize=SPECS)
def move(picture: PointsPicture) -> dict[str, Any]:
    """Draw points while their cluster tears, or while two are to merge, and what each point of a scan may join.

    A thread leads from each of the points to the middle of its side. The clusters before the move are dashed until the
    dart has decided.
    """
    axes = plane_axes(picture.x, picture.y, picture.columns)
    threads = rows("threads", "x2").transform_calculate(color="datum.label % 8")
    threads = threads.mark_rule(opacity=0.4, strokeWidth=1.2, clip=True).encode(*axes, STROKE, **SIDES)
    ghosts = corners(rows("ghosts", "mx", "shown"), "2", AROUND).mark_line(
        interpolate="cardinal-closed", color=INK, opacity=0.6, strokeDash=[6, 4], strokeWidth=1.5, clip=True
    )
    anchors = rows("anchors", "shown").encode(*axes)
    rings = anchors.mark_point(shape="circle", size=420, opacity=1, color=INK, strokeWidth=2.4)
    return plane_layers(picture, [ghosts.encode(*axes, detail="i:N", order="angle:Q"), threads], [rings])
