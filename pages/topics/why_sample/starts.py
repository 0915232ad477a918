"""Modes in which runs share their darts: from every start at once, or from one start with one dart elsewhere."""

from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from pages.code.ways import code_of_step
from pages.contract.charts import TOLD, Chart
from pages.contract.columns import FLOAT32, UINT8, UINT16, Data
from pages.contract.film import Film
from pages.scenes.wall import Wall
from pages.topics.why_sample import braid, picture, shared_cards
from pages.topics.why_sample.layout import layout
from pages.topics.why_sample.placed import fixed, line_of, scale_of
from pages.topics.why_sample.shared_runs import StartsRun
from pages.topics.why_sample.visiting import Visiting
from samplers.partitions import named

SHOWN = 24  # updates on the axis of the paths


class FilmedStarts(StartsRun):
    """Runs with one stream of darts, and their film."""

    @cached_property
    def film(self) -> Film:
        """The film; the same settings and seed make the same one."""
        settings = self.settings
        top = float(max(self.exact.max(), self.limit.max()))
        return Film(
            key=f"why_sample {settings.model_dump_json()} {self.seed}",
            charts=_charts(self),
            data={
                **fixed(self),
                **self._moving(),
                "ways": _ways(self.where, self.two),
                "past": UINT16.made(left=self.left),
                "say": UINT16.made(left=self.left, changed=settings.changed) | FLOAT32.made(put=settings.put),
            },
            total=self.total,
            label="update {t} of {total}",
            strides=(("1", 1), ("Sweep", self.points)),
            params={
                "scale": scale_of(self),
                "bars_top": min(1.0, 1.3 * top),
                "left_span": (0.0, float(len(self.partitions))),
            },
        )

    def _moving(self) -> Data:
        """Return the runs, and the point whose turn it is."""
        x, y = layout(self.points).places.T
        now, after = self.where, np.append(self.where[1:], self.where[-1:], axis=0)
        every, n = np.arange(self.total + 1)[:, None], self.points
        return {
            "pucks": {
                "second": [self.two and number == 1 for number in range(now.shape[1])],
                **FLOAT32.made(
                    x=x[now], y=y[now], nx=x[after], ny=y[after], many=np.take_along_axis(self.together, now, axis=1)
                ),
            },
            "points": {
                **line_of(self),
                **UINT8.made(
                    held=((every - 1) % n == np.arange(n)) & (every > 0),
                    next=every % n == np.arange(n),
                    color=0 * every,
                ),
            },
        }


def _ways(where: np.ndarray, two: bool) -> dict[str, list]:
    """Return the ways of runs between two updates, each once: from `y` at `t` updates to `y2`, with its part of all."""
    found: dict[str, list] = {field: [] for field in ("t", "long", "y", "y2", "part", "second")}
    for t, (now, after) in enumerate(pairwise(where)):
        pairs = list(zip(now.tolist(), after.tolist(), strict=True))
        for pair in dict.fromkeys(pairs):
            part, second = pairs.count(pair) / len(pairs), two and pairs[0] != pair
            for field, value in zip(found, (t, 1, pair[0] + 1, pair[1] + 1, round(part, 3), second), strict=True):
                found[field].append(value)
    return found


def _charts(run: StartsRun) -> list[Chart]:
    names, total = tuple(map(named, run.partitions)), len(run.partitions)
    leads = (
        [(f"{picture.UNEQUAL} dashed", "where this rule leads in the long run", TOLD)]
        if run.wrong and not run.two
        else []
    )
    second = [(f"{braid.SECOND} solid", "with one dart elsewhere")] if run.two else []
    what = (
        "dart of update {changed} elsewhere, at {put} · {left:|together|apart}"
        if run.two
        else f"{total} starts, one stream of darts · {{left}} {{left:clusterings|clustering|clusterings}} left"
    )
    found = [
        Chart(
            "clusterings",
            "Two runs" if run.two else "Every start at once",
            f"· {what}",
            f"All {total} clusterings of {run.points} points, a ring as large as the exact posterior, and the runs "
            "that are there as a disc that is the larger the more they are. Below, the points on their line.",
            braid.clusterings(run.points, run.wrong, moving=True),
            [("ring", "exact posterior", TOLD), ("dot", "runs that are there"), *second, *leads],
            aspect="4 / 3",
        ),
        Chart(
            "paths",
            "Paths",
            "· a row for each clustering",
            "Where the runs are after each update, a row for each clustering; the more together, the wider their line.",
            braid.paths(names, (0, SHOWN), "updates", moving=True),
            [("accent", "runs"), *second],
        ),
    ]
    if not run.two:
        found.append(
            Chart(
                "left",
                "Clusterings left",
                "· {left}",
                "In how many clusterings the runs are, update by update.",
                braid.left(SHOWN),
            )
        )
    return found


class Starts(Visiting[FilmedStarts]):
    """Runs that share their darts."""

    makes = FilmedStarts
    wall = Wall("stream of darts", "streams of darts", "update", last=SHOWN)
    views: ClassVar = {"update": shared_cards.update, "code": code_of_step, **Visiting.exact}
