"""The film of a run over clusterings: where everything is, what moves, and what the charts are called."""

from functools import cached_property

import numpy as np

from lessons.topics.why_sample.visits import UPDATES
from pages.contract.charts import TOLD, Chart
from pages.contract.columns import FLOAT32, UINT8, UINT16, Column, Data
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.topics.why_sample import picture
from pages.topics.why_sample.layout import LOOP, LOWEST, colors, layout
from pages.topics.why_sample.placed import fixed, line_of, scale_of
from pages.topics.why_sample.run import WhyRun
from samplers.partitions import named

LEAST_RING = 0.9  # how near an arrow comes to the middle of a ring that is hardly there
APART = 1.05  # how far an arrow lies from the one that leads back
CURVE = 40  # places along the run at which the noise is computed
WAY = ("x", "y", "x2", "y2", "p", "taken", "loop")  # of an arrow


class FilmedRun(WhyRun):
    """A run with its film, and the places of its rings and arrows."""

    @cached_property
    def film(self) -> Film:
        """The film; the same settings and seed make the same one."""
        top = float(max(self.exact.max(), self.limit.max()))
        at = np.unique(np.geomspace(1, UPDATES, CURVE).round().astype(int))
        return Film(
            key=f"why_sample {self.settings.model_dump_json()} {self.seed}",
            charts=charts_of(self),
            data={
                **fixed(self),
                **self.places(),
                "transitions": self.transitions(),
                "floor": {"t": at.tolist(), "noise": rounded(self.noise(at))},
                "past": FLOAT32.made(distance=self.distance),
                "say": FLOAT32.made(distance=self.distance) | self.said(),
            },
            total=UPDATES,
            label="update {t} of {total}",
            strides=(("1", 1), ("Sweep", self.points), ("100", 100)),
            params={
                "scale": scale_of(self),
                "bars_top": 1.0 if self.points == 3 else min(1.0, 1.3 * top),
                "least": float(f"{self.noise(UPDATES) / 3:.1g}"),
            },
        )

    def places(self) -> Data:
        """Return where the run is, and where its points are."""
        x, y = layout(self.points).places.T
        path, after = self.path, np.append(self.path[1:], self.path[-1])
        every, n = np.arange(UPDATES + 1)[:, None], self.points
        shades = np.array([colors(partition) for partition in self.partitions])
        arrows = self._arrows()
        both = np.concatenate([arrows[:-1], arrows[1:]], axis=1)
        return {
            "points": {
                **line_of(self),
                **UINT8.made(
                    color=shades[path],
                    held=((every - 1) % n == np.arange(n)) & (every > 0),
                    next=every % n == np.arange(n),
                ),
            },
            "here": FLOAT32.made(x=x[path], y=y[path], nx=x[after], ny=y[after]),
            "arrows": {
                "coming": [False] * n + [True] * n,
                **FLOAT32.made(**dict(zip(WAY, np.moveaxis(both, 2, 0), strict=True))),
            },
        }

    def _way(self, start: int, end: int, aside: float = 0.0) -> tuple[float, float, float, float]:
        """Return an arrow from one clustering's ring to another's; of one that stays, from its loop to its middle."""
        places = layout(self.points).places
        rings = np.maximum(scale_of(self) * np.sqrt(self.exact), LEAST_RING)
        a, b = places[start], places[end]
        if start == end:
            below = self.points == 3 and start == LOWEST  # arrows from above end at its top
            return (
                float(a[0]),
                float(a[1] + (rings[start] + 0.35 * LOOP[self.points]) * (-1 if below else 1)),
                float(a[0]),
                float(a[1]),
            )
        along = (b - a) / np.linalg.norm(b - a)
        beside = aside * np.array([along[1], -along[0]])
        a, b = a + beside + along * (rings[start] + 0.5), b + beside - along * (rings[end] + 1.4)
        return float(a[0]), float(a[1]), float(b[0]), float(b[1])

    def _arrows(self) -> np.ndarray:
        """Return the options of every update, shape (UPDATES + 2, points, 7); the fields are those of the data set."""
        known: dict[tuple[int, int], list[tuple[int, tuple[float, ...]]]] = {}
        rows = np.zeros((UPDATES + 2, self.points, 7), np.float32)
        for t in range(1, UPDATES + 1):
            start, point = int(self.path[t - 1]), self.turn(t)
            if (start, point) not in known:
                chances = self.matrices[point][start]
                known[start, point] = [
                    (int(end), (*self._way(start, int(end)), chances[end], 0, end == start))
                    for end in np.flatnonzero(chances)
                ]
            for row, (end, option) in enumerate(known[start, point]):
                rows[t, row] = option
                rows[t, row, 5] = end == self.path[t]
        return rows

    def transitions(self) -> dict[str, list]:
        """Return every way that each point can take, with its probability, its flow and the flow back."""
        found: dict[str, list] = {field: [] for field in ("of", "x", "y", "x2", "y2", "p", "flow", "back", "loop")}
        for point, matrix in enumerate(self.matrices, 1):
            flows = self.exact[:, None] * matrix
            for start, end in zip(*np.nonzero(matrix), strict=True):
                way = rounded(self._way(int(start), int(end), APART))
                numbers = rounded([matrix[start, end], flows[start, end], flows[end, start]], 6)
                for values, value in zip(found.values(), (point, *way, *numbers, bool(start == end)), strict=True):
                    values.append(value)
        return found

    def said(self) -> dict[str, Column]:
        """Return the columns that captions read."""
        every, groups = np.arange(UPDATES + 1), np.array([max(partition) + 1 for partition in self.partitions])
        return UINT16.made(
            begun=every > 0,
            point=np.where(every > 0, (every - 1) % self.points + 1, 0),
            groups=groups[self.path],
            visited=(self.visits > 0).sum(axis=1),
        )


def charts_of(run: WhyRun) -> list[Chart]:
    """Return the charts of a run, or of a crowd of runs."""
    total, settings, crowd = len(run.partitions), run.settings, run.settings.shown == "crowd"
    names = tuple(named(partition) for partition in run.partitions)
    share = "share of the crowd" if crowd else "share of visits"
    leads = "where this rule leads in the long run"
    rings, ticks = ([(f"{picture.UNEQUAL} {line}", leads, TOLD)] * run.wrong for line in ("dashed", "solid"))
    sizes = [("ring", "exact posterior", TOLD), ("disc", "crowd" if crowd else "visits", TOLD)]
    ways = {
        "update": [("accent", "way taken"), (f"{picture.GREY} solid", "others, by probability")],
        "all": [(f"{picture.GREY} solid", "ways of this point, by probability")],
        "flows": [
            (f"{picture.GREY} solid", "flows of this point"),
            (f"{picture.UNEQUAL} solid", "there and back differ"),
        ],
    }
    shown = ways["all" if crowd and settings.arrows == "update" else settings.arrows]
    chosen = "|".join(["no point has chosen yet", *(f"point {number} has chosen" for number in range(1, 6))])
    noise = "dashed", "the right rule’s noise, on average"
    now = " in all runs" if crowd else " · {groups} {groups:groups|group|groups} now"
    return [
        Chart(
            "clusterings",
            "All clusterings",
            f"· {{point:{chosen}}}{now}",
            f"All {total} clusterings of {run.points} points, ordered by how many groups they have: a ring as large as "
            f"the exact posterior, a disc as large as the {share}, and arrows to where an update can lead. Below, the "
            "points on their line.",
            picture.clusterings(run.points, settings.arrows, run.wrong, crowd),
            [*sizes, *shown, *rings],
            aspect="4 / 3",
        ),
        Chart(
            "bars",
            "The crowd" if crowd else "Visits",
            "" if crowd else f"· {{visited}} of {total} visited",
            f"The {share} of each clustering, and its exact posterior.",
            picture.bars(names, run.wrong),
            [("block", share), ("ink", "exact posterior", TOLD), *ticks],
        ),
        Chart(
            "distance",
            "Distance to the exact posterior",
            "· now {distance}" if crowd else "· {begun:no visits yet|now }{distance}",
            f"The total variation distance between each {share} and the exact posterior, update by update.",
            picture.distance(UPDATES, crowd),
            [("accent", "the crowd" if crowd else "this run"), *([] if crowd else [noise])],
        ),
    ]
