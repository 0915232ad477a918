"""One run over the clusterings of a few points: which it visits, what is known exactly, and its film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from lessons.stages.why_sample import UPDATES, WhySampleSettings
from pages.drawing.numbers import counted, rounded
from pages.player.player import Chart, Film
from pages.stages.why_sample import picture
from pages.stages.why_sample.layout import colors, layout, name, written
from samplers import Chain
from samplers.crp.one_at_a_time import effective_visits_per_update, update_matrices, visited
from samplers.diagnostics.convergence import noise_floor

LEAST_RING = 0.9  # how near an arrow comes to the middle of a ring that is hardly there
APART = 0.75  # how far an arrow lies from the one that leads back
CURVE = 40  # places along the run at which the noise is computed


class WhyRun:
    """All updates of one run, which take hundredths of a second.

    Parameters
    ----------
    settings : WhySampleSettings
        What the learner chose.
    seed : int
        Of the chain.

    Attributes
    ----------
    partitions : tuple of tuple of int
        All clusterings, in the order in which they are numbered.
    exact : numpy.ndarray
        The posterior of each.
    path : numpy.ndarray
        Which of them the chain is in after each update, shape (UPDATES + 1,).
    matrices : list of numpy.ndarray
        Where the update of each point leads, by the rule that is set.
    """

    def __init__(self, settings: WhySampleSettings, seed: int) -> None:
        self.settings, self.seed, self.points = settings, seed, settings.points
        self.sampler = settings.sampler()
        self.chain = Chain(self.sampler, seed, keep=UPDATES + 1)
        self.posterior = settings.exact()
        self.partitions, self.exact = self.posterior.partitions, self.posterior.probabilities
        place = {partition: index for index, partition in enumerate(self.partitions)}
        self.path = np.array([place[self.chain[t].partition] for t in range(UPDATES + 1)])
        self.matrices = update_matrices(settings.mixture())
        self.wrong = settings.rule != "right"

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes, with its film."""
        return UPDATES * (1_500 + 2 * len(self.partitions))

    def turn(self, t: int) -> int:
        """Return the point that update t draws again, from 0."""
        return (t - 1) % self.points

    @cached_property
    def visits(self) -> np.ndarray:
        """How often each clustering has been visited after each update, shape (UPDATES + 1, clusterings)."""
        found = np.zeros((UPDATES + 1, len(self.partitions)), np.uint16)
        found[np.arange(1, UPDATES + 1), self.path[1:]] = 1
        return found.cumsum(axis=0, dtype=np.uint16)

    @cached_property
    def distance(self) -> np.ndarray:
        """Total variation distance of the shares of visits from the posterior after each update; NaN before any."""
        t = np.arange(UPDATES + 1)
        shares = self.visits / np.maximum(t, 1)[:, None]
        return np.where(t > 0, np.abs(shares - self.exact).sum(axis=1) / 2, np.nan)

    @cached_property
    def limit(self) -> np.ndarray:
        """The share of visits that each clustering gets in the long run, by the rule that is set."""
        return visited(self.matrices) if self.wrong else self.exact

    @cached_property
    def worth(self) -> float:
        """How many independent draws an update by the right rule is worth."""
        right = update_matrices(self.settings.mixture(right=True)) if self.wrong else self.matrices
        return effective_visits_per_update(right)

    def noise(self, t: Any) -> np.ndarray:
        """Return about how far the right rule's visits are off after so many updates, on average."""
        return noise_floor(self.exact, np.asarray(t) * self.worth)

    # ---- the film --------------------------------------------------------------------------------------------------

    @cached_property
    def film(self) -> Film:
        """Return the film of the run."""
        at = np.unique(np.geomspace(1, UPDATES, CURVE).round().astype(int))
        numbers, bands = written(self.points, self.scale * np.sqrt(np.maximum(self.exact, self.limit)))
        columns = self._columns()
        return Film(
            key=f"why_sample {self.settings.model_dump_json()} {self.seed}",
            charts=self._charts(),
            data={
                **self._places(),
                "numbers": numbers,
                "bands": bands,
                "transitions": self._transitions(),
                "floor": {"t": at.tolist(), "noise": rounded(self.noise(at))},
            },
            frames=lambda start, stop: {key: column[start:stop] for key, column in columns.items()},
            total=UPDATES,
            label="update {t} of {total}",
            strides=(("1", 1), ("Sweep", self.points), ("100", 100)),
            params={
                "scale": self.scale,
                "bars_top": min(
                    1.0, (1.7 if self.points == 3 else 1.3) * float(max(self.exact.max(), self.limit.max()))
                ),
                "least": float(f"{self.noise(UPDATES) / 3:.1g}"),
            },
        )

    @property
    def scale(self) -> float:
        """The radius of a ring for a probability of 1: so that the largest one has its room."""
        return layout(self.points).room / float(np.sqrt(max(self.exact.max(), self.limit.max())))

    def _places(self) -> dict[str, Mapping[str, Sequence[Any]]]:
        """Return where clusterings and points stand."""
        here, points = layout(self.points), list(range(1, self.points + 1))
        x, y = here.places.T
        return {
            "nodes": {
                "x": rounded(x),
                "y": rounded(y),
                "number": list(range(1, len(x) + 1)),
                "name": [name(partition) for partition in self.partitions],
                "exact": rounded(self.exact),
                "limit": rounded(self.limit),
                "visits": [0] * len(x),
            },
            "heads": {
                "x": rounded(here.heads),
                "y": [88.0] * self.points,
                "said": [counted(number, "group") for number in points],
            },
            "ticks": {"at": [-4, -2, 0, 2, 4]},
            "points": {
                "at": rounded(self.settings.data),
                "point": points,
                **{field: [0] * self.points for field in ("color", "held", "next")},
            },
            "here": {field: [0] for field in ("x", "y", "nx", "ny")},
            "arrows": {
                "coming": [False] * self.points + [True] * self.points,
                **{field: [0] * 2 * self.points for field in ("x", "y", "x2", "y2", "p", "taken", "loop")},
            },
        }

    def _way(self, start: int, end: int, aside: float = 0.0) -> tuple[float, float, float, float]:
        """Return an arrow from one clustering's ring to another's; of one that stays, where its loop is drawn twice."""
        places = layout(self.points).places
        rings = np.maximum(self.scale * np.sqrt(self.exact), LEAST_RING)
        a, b = places[start], places[end]
        if start == end:
            x, y = float(a[0]), float(a[1] + rings[start] + 1.9)
            return x, y, x, y
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

    def _transitions(self) -> dict[str, list]:
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

    def _columns(self) -> dict[tuple[str, str], np.ndarray]:
        """Return every column of every frame."""
        every, n = np.arange(UPDATES + 1), self.points
        arrows = self._arrows()
        both = np.concatenate([arrows[:-1], arrows[1:]], axis=1)
        x, y = layout(n).places.astype(np.float32).T
        after = np.append(self.path[1:], self.path[-1])
        shades = np.array([colors(partition) for partition in self.partitions], np.uint8)
        held = ((every[:, None] - 1) % n == np.arange(n)) & (every[:, None] > 0)
        coming = every[:, None] % n == np.arange(n)
        groups = np.array([max(partition) + 1 for partition in self.partitions])
        say = {
            "begun": every > 0,
            "point": np.where(every > 0, (every - 1) % n + 1, 0),
            "groups": groups[self.path],
            "visited": (self.visits > 0).sum(axis=1),
        }
        return {
            ("nodes", "visits"): self.visits,
            ("points", "color"): shades[self.path],
            ("points", "held"): held.astype(np.uint8),
            ("points", "next"): coming.astype(np.uint8),
            ("here", "x"): x[self.path][:, None],
            ("here", "y"): y[self.path][:, None],
            ("here", "nx"): x[after][:, None],
            ("here", "ny"): y[after][:, None],
            **{
                ("arrows", field): both[:, :, i] for i, field in enumerate(("x", "y", "x2", "y2", "p", "taken", "loop"))
            },
            ("past", "distance"): self.distance.astype(np.float32)[:, None],
            ("say", "distance"): self.distance.astype(np.float32)[:, None],
            ("say", "noise"): np.append(np.nan, self.noise(every[1:])).astype(np.float32)[:, None],
            **{("say", field): values.astype(np.uint16)[:, None] for field, values in say.items()},
        }

    def _charts(self) -> list[Chart]:
        total, settings = len(self.partitions), self.settings
        names = tuple(name(partition) for partition in self.partitions)
        leads = [("#D1495B dashed", "where visits lead in the long run")] if self.wrong else []
        ways = {
            "update": [
                ("accent", "the way taken"),
                (f"{picture.GREY} solid", "other ways, as wide as they are likely"),
            ],
            "all": [(f"{picture.GREY} solid", "all ways of the point at hand, as wide as they are likely")],
            "flows": [
                (f"{picture.GREY} solid", "flows of the point at hand"),
                ("#D1495B solid", "there and back differ"),
            ],
        }
        chosen = "|".join(["nobody has chosen yet", *(f"point {number} has chosen" for number in range(1, 6))])
        return [
            Chart(
                "clusterings",
                "All clusterings",
                f"· {{point:{chosen}}} · {{groups}} {{groups:groups|group|groups}} now",
                f"All {total} clusterings of {self.points} points, those with as many groups side by side: a ring as "
                "large as the exact posterior, a disc as large as the share of visits so far, and arrows to where an "
                "update can lead. Below, the points on their line.",
                picture.clusterings(self.points, settings.arrows, self.wrong),
                [("ink", "ring: exact posterior"), ("block", "disc: share of visits"), *ways[settings.arrows], *leads],
                aspect="4 / 3",
            ),
            Chart(
                "bars",
                "Visits",
                f"· {{visited}} of {total} visited",
                "The share of visits of each clustering, and its exact posterior.",
                picture.bars(names, self.wrong),
                [("block", "share of visits"), ("ink", "exact posterior"), *leads[:1]],
            ),
            Chart(
                "distance",
                "Distance to the exact posterior",
                "· {begun:no visits yet|now }{distance}",
                "The total variation distance between the shares of visits and the exact posterior along the run, and "
                "what it is on average by the right rule.",
                picture.distance(UPDATES),
                [("accent", "this run"), ("dashed", "the right rule’s noise, on average")],
            ),
        ]
