"""The mode in which a step is a perfect draw: all starts begin in the past, and have become one now."""

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pages.code.ways import code_of_step
from pages.contract.charts import TOLD, Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.topics.why_sample import braid, picture, shared_cards
from pages.topics.why_sample.layout import layout
from pages.topics.why_sample.placed import fixed, scale_of
from pages.topics.why_sample.shared_runs import PastRun
from pages.topics.why_sample.visiting import Visiting
from samplers.diagnostics.convergence import noise_floor
from samplers.partitions import named

CURVE = 40  # places along the run at which the noise is computed


class FilmedPast(PastRun):
    """Draws from all starts, and their film."""

    @cached_property
    def film(self) -> Film:
        """The film; the same settings and seed make the same one."""
        top = float(max(self.exact.max(), self.limit.max()))
        at = np.unique(np.geomspace(1, self.total, CURVE).round().astype(int))
        noise = noise_floor(self.exact, at)
        sweeps = np.array([np.nan, *self.sweeps[1:]])
        return Film(
            key=f"why_sample {self.settings.model_dump_json()} {self.seed}",
            charts=_charts(self),
            data={
                **fixed(self),
                "pucks": {"second": [False], **dict.fromkeys(("x", "y", "nx", "ny", "many"), FLOAT32)},
                "ways": dict.fromkeys(("t", "long", "y", "y2", "part", "second"), FLOAT32.of(self._rows)),
                "here": {"t": FLOAT32, "y": FLOAT32},
                "floor": {"t": at.tolist(), "noise": rounded(noise)},
                "past": FLOAT32.made(distance=self.distance),
                "say": FLOAT32.made(distance=self.distance)
                | FLOAT32.made(sweeps=sweeps)
                | UINT8.made(ago=np.minimum(np.nan_to_num(sweeps), 2)),
            },
            columns=self._columns,
            total=self.total,
            label="draw {t} of {total}",
            strides=(("1", 1), ("10", 10), ("100", 100)),
            params={
                "scale": scale_of(self),
                "bars_top": min(1.0, (1.7 if self.points == 3 else 1.3) * top),
                "least": float(f"{noise[-1] / 3:.1g}"),
            },
        )

    @property
    def _rows(self) -> int:
        """Rows of ways: after a first update, partitions that differ in one point are one."""
        fewer = 1 + max(len({*update.maps[i].tolist()}) for update in self._updates for i in range(len(update.maps)))
        return len(self.partitions) + fewer * int(braid.AHEAD * self.points)

    @property
    def _updates(self) -> Any:
        kernel: Any = self.chain.sampler
        return kernel.updates

    def _columns(self, start: int, stop: int) -> Columns:
        x, y = layout(self.points).places.T
        path, rows = self.path[start:stop], self._rows
        begun = np.arange(start, stop) > 0
        at = {field: np.where(begun, values, np.nan) for field, values in (("x", x[path]), ("y", y[path]))}
        drawn = np.full((stop - start, 6, rows), np.nan, np.float32)
        ends = np.full(stop - start, np.nan)
        for number in range(stop - start):
            if begun[number]:
                found, ends[number] = self._ways(start + number)
                drawn[number, :, : found.shape[1]] = found[:, :rows]
        pucks = {"x": at["x"], "y": at["y"], "nx": at["x"], "ny": at["y"], "many": np.ones(stop - start)}
        return {
            **{("pucks", field): values for field, values in pucks.items()},
            **{("ways", field): drawn[:, i] for i, field in enumerate(("t", "long", "y", "y2", "part", "second"))},
            ("here", "t"): ends,
            ("here", "y"): np.where(begun, path + 1, np.nan),
        }

    def _ways(self, t: int) -> tuple[np.ndarray, float]:
        """Return the ways of draw t, shape (6, ways), those near its end first, and when it ends, in sweeps."""
        where = self.where(t)
        begins = 0 if self.mistake else 1 - len(where)
        found = []
        for step in range(len(where) - 2, -1, -1):
            pairs = np.stack([where[step], where[step + 1]]) + 1
            each, many = np.unique(pairs, axis=1, return_counts=True)
            time = np.full(each.shape[1], (begins + step) / self.points)
            part = many / where.shape[1]
            found.append(np.stack([time, np.full_like(time, 1 / self.points), *each, part, 0 * time]))
        return np.concatenate(found, axis=1), (begins + len(where) - 1) / self.points


def _charts(run: PastRun) -> list[Chart]:
    total, names = len(run.partitions), tuple(map(named, run.partitions))
    leads = "where this leads in the long run"
    rings, ticks = ([(f"{picture.UNEQUAL} {line}", leads, TOLD)] * run.leads for line in ("dashed", "solid"))
    took = (
        "{ago:no draw yet|all starts met in sweep }{sweeps}"
        if run.mistake
        else "{ago:no draw yet|all began }{sweeps}{ago:| sweep ago| sweeps ago}"
    )
    reach = (0.0, braid.AHEAD) if run.mistake else (-braid.AHEAD, 0.25)
    return [
        Chart(
            "clusterings",
            "Where all starts first met" if run.mistake else "Perfect draws",
            f"· {took}",
            f"All {total} clusterings of {run.points} points: a ring as large as the exact posterior, a disc as large "
            "as the share of draws so far, and the last draw.",
            braid.clusterings(run.points, run.leads, moving=False),
            [("ring", "exact posterior", TOLD), ("disc", "draws", TOLD), ("dot", "the last draw"), *rings],
            aspect="4 / 3",
        ),
        Chart(
            "paths",
            "All starts of this draw",
            "· a row for each clustering",
            "Where the starts of the last draw are after each update, a row for each clustering.",
            braid.paths(names, reach, "sweeps" if run.mistake else "sweeps from now", moving=False),
            [("accent", "runs from all starts")],
        ),
        Chart(
            "bars",
            "Draws",
            "",
            "The share of draws of each clustering, and its exact posterior.",
            picture.bars(names, run.leads),
            [("block", "share of draws"), ("ink", "exact posterior", TOLD), *ticks],
        ),
        Chart(
            "distance",
            "Distance to the exact posterior",
            "· {ago:no draws yet|now }{distance}",
            "The total variation distance between the shares of draws and the exact posterior, draw by draw.",
            picture.distance(run.total, crowd=False, unit="draws"),
            [("accent", "these draws"), ("dashed", "noise of independent draws, on average")],
        ),
    ]


class Past(Visiting[FilmedPast]):
    """Draws from all starts."""

    makes = FilmedPast
    views: ClassVar = {"update": shared_cards.draw, "code": code_of_step, **Visiting.exact}
