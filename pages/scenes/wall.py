"""Many runs at once: a film of a wall of tiles, and of the heap of their outcomes.

A topic gives the word for a run and, if a line is not enough, the content of a tile. Its settings already have the
outcomes and their exact distributions.
"""

import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from lessons.settings.law import LATER, Law
from lessons.settings.measuring import Measuring
from lessons.settings.settings import StageSettings
from pages.contract.charts import TOLD, Chart
from pages.contract.columns import FLOAT32, declared
from pages.contract.film import Film
from pages.contract.waiting import NotYet
from pages.drawing.bins import Bins
from pages.drawing.numbers import rounded
from pages.drawing.wall import ACROSS, DOWN, EDGE, NAMED, Grid, heap, wall
from pages.player.crew import CREW, Job
from pages.player.kept import RUNS
from pages.player.shelf import found, keep
from pages.player.turns import SlicedWork, time_slice

POINTS = 60  # of a tile's line, approximately
BYTES = 1_000_000  # of a wall besides its columns: its charts and lines, or the chain that is under way


@dataclass(frozen=True)
class Made:
    """The outcomes of many runs."""

    # the outcome of each run after each iteration, shape (iterations + 1, runs); NaN where there is none
    values: np.ndarray
    # for tiles with discs: the film's data set ``"discs"``. Without discs, a tile has a line.
    discs: dict[str, Any] | None = None


Parts = Generator[float | None, None, Made]  # yields the share that is done, from 0 to 1, or nothing new
Making = Callable[[Any, np.ndarray, int, Grid], Parts]


def measured(settings: StageSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Run a chain for every seed, and measure its outcome after every iteration, as lessons do."""
    return together(Job("", settings, seeds, last))


def together(job: Job) -> Parts:
    """Make all columns of a job that no process makes."""
    measuring = Measuring(job.settings)
    while not job.whole:
        column = job.take()
        if column is not None:
            job.put(column, (yield from measuring.run(job.seeds[column], job.last)))
        yield job.share
    return Made(job.values)


@dataclass(frozen=True)
class Wall:
    """A topic's wall of many runs."""

    # run, runs: the word for a run, and its plural: ``"restaurant"``, ``"restaurants"``
    run: str
    runs: str
    unit: str  # the word for an iteration
    # makes the runs piece by piece, from settings, seeds, the last iteration and the grid of tiles
    make: Making = measured
    last: int = 500  # the limit on iterations; a single run may be longer

    def film(self, name: str, settings: StageSettings, seed: int) -> Film:
        """Return the film of the wall that includes this seed's run, or raise `NotYet` after a slice of computing.

        All seeds of a wall share the film; a first wall of 100 runs has the seeds 0 to 99.
        """
        first = settings.first_on_wall(seed)
        return self._walled(name, settings, first).film(seed - first)

    def prepare(self, name: str, settings: StageSettings, seed: int) -> None:
        """Have other processes make this wall when they have nothing else to do, and keep it for the next start."""
        self._walled(name, settings, settings.first_on_wall(seed)).prepare()

    def _walled(self, name: str, settings: StageSettings, first: int) -> "_Walled":
        key = f"wall {name} {settings.model_dump_json()} {first}"
        return RUNS.shared(key, lambda: _Walled(self, name, settings, first, key))


@dataclass
class _Walled:
    """The runs of a wall, shared by sessions."""

    of: Wall
    name: str
    settings: StageSettings
    first: int
    key: str
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.last = min(self.of.last, self.settings.iterations)
        self.number = self.settings.wall
        self.grid = Grid.of(self.number)
        self.seeds = self.first + np.arange(self.number)
        self._share, self._work = 0.0, SlicedWork(self._parts())
        self._job: Job | None = None
        if self.of.make is measured:  # all others are made at once
            self._job = Job(self.name, self.settings, self.seeds, self.last)
            kept = found(self.key, self._job.values.shape)
            if kept is not None:
                self._job.fill(kept)

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        made: dict[str, Any] | None = getattr(self._work, "made", None)
        return BYTES + (sum(column.values.nbytes for column in declared(made["data"]).values()) if made else 0)

    def film(self, own: int) -> Film:
        """Return the film, with number `own` as the page's own run, or raise `NotYet`."""
        job = self._job
        if job:
            CREW.help(job)
        with self._lock, time_slice() as over:
            if not self._work.until(lambda: bool(job and job.waits) or over()):
                raise NotYet(f"Running {self.number} {self.of.runs}", self._share, lambda: self.film(own), 0)
        made = self._work.made
        return Film(
            key=f"{self.key} {own}",
            total=self.last,
            label=f"{self.of.unit} {{t}} of {{total}}",
            **made | {"params": made["params"] | {"own": own}},
        )

    def prepare(self) -> None:
        """Have the outcomes made ahead, and kept for the next start."""
        if self._job and not self.settings.mine:
            self._job.then(partial(keep, self.key))
            CREW.prepare(self._job)

    def _parts(self) -> Generator[None, None, dict[str, Any]]:
        job, make = self._job, self.of.make
        parts = together(job) if job else make(self.settings, self.seeds, self.last, self.grid)
        while True:
            try:
                share = next(parts)
                self._share = self._share if share is None else share
            except StopIteration as end:
                made = end.value
                break
            yield
        laws = [self.settings.law(self.settings.many, self.last)] * (self.last + 1)
        if laws[0] and laws[0].said != LATER:
            laws = []
            for t in range(self.last + 1):
                laws.append(self.settings.law(self.settings.many, t))
                yield
        return self._described(made, Bins.of(made.values[1:], laws[-1]), laws)

    def _described(self, made: Made, bins: Bins, laws: Sequence[Law | None]) -> dict[str, Any]:
        values, number = made.values, self.number
        corners, names = self.grid.corners(number), np.arange(number)
        known = {
            "run": names.tolist(),
            "seed": self.seeds.tolist(),
            "mark": [f"run-{name + 1}" for name in names],
        }
        exact = np.array([law.mean if law else np.nan for law in laws])
        mean = np.array([now[np.isfinite(now)].mean() if np.isfinite(now).any() else np.nan for now in values])
        shares = np.array([bins.shares(law) for law in laws]) * number
        piled = np.array([bins.piled(now) for now in values], np.float32)
        sets: dict[str, Any] = {
            "runs": known | {"x": rounded(corners[:, 0]), "y": rounded(corners[:, 1])} | FLOAT32.made(value=values),
            "dots": known | FLOAT32.made(x=piled[:, 0], y=piled[:, 1], value=values),
            "bins": {"x": rounded(bins.middles)} | FLOAT32.made(exact=shares),
            "middle": FLOAT32.made(mean=mean, exact=exact),
            "say": FLOAT32.made(mean=mean, error=_errors(values), exact=exact),
        }
        late = slice(max(1, self.last // 2), None)
        highest = max(bins.highest(values[late]), float(np.nan_to_num(shares[late]).max(initial=0)))
        top = float(np.ceil(1.08 * highest))  # runs are counted
        piled[:, 1] *= np.minimum(1, top / np.maximum(1, np.nanmax(np.nan_to_num(piled[:, 1]), axis=1)))[:, None]
        params: dict[str, Any] = {"heap_span": bins.span, "heap_top": top, "heap_bin": bins.width}
        if made.discs is None:
            sets |= self._lines(values, bins, exact, corners)
            params |= {"low": bins.span[0], "high": bins.span[1]}
        else:
            sets["discs"] = made.discs
        return {"charts": self._charts(made, bins, bool(np.isfinite(exact).any())), "data": sets, "params": params}

    def _lines(self, values: np.ndarray, bins: Bins, exact: np.ndarray, corners: np.ndarray) -> dict[str, Any]:
        """Return each tile's line along the run, and the exact mean at the end, if it is known."""
        t = np.unique(np.linspace(0, self.last, min(POINTS, self.last + 1)).round().astype(int))
        low, high = bins.span
        across, up = ACROSS - 2 * EDGE, NAMED * DOWN - 2 * EDGE

        def height(value: np.ndarray) -> np.ndarray:
            share: np.ndarray = np.clip((value - low) / (high - low), 0, 1)
            return EDGE + up * share

        x = corners[:, :1] + EDGE + across * t / max(self.last, 1)
        y = corners[:, 1:] + height(values[t].T)
        aims = corners[:, 1] + height(exact[-1])
        return {
            "line": {
                "run": np.repeat(np.arange(self.number), len(t)).tolist(),
                "t": np.tile(t, self.number).tolist(),
                "x": rounded(x.ravel()),
                "y": [None if np.isnan(each) else round(float(each), 3) for each in y.ravel()],
            },
            "aim": {
                "x": rounded(corners[:, 0] + EDGE),
                "x2": rounded(corners[:, 0] + EDGE + across),
                "y": [None if np.isnan(each) else round(float(each), 3) for each in aims],
            },
        }

    def _charts(self, made: Made, bins: Bins, known: bool) -> list[Chart]:
        of, title = self.of, self.settings.measured[self.settings.many].partition(";")[0]
        kind = "line" if made.discs is None else "discs"
        exactly = ", exactly {exact}" if known else ""
        legend: list[tuple[str, str] | tuple[str, str, str]] = [
            ("dot", f"a dot for each {of.run}", "dotted"),
            ("block", f"how many {of.runs}", "barred"),
        ]
        legend += [("triangle", "their mean", TOLD)]
        legend += [("ink", "exact distribution", TOLD)] if bins.lawful else []
        legend += [("dashed", "exact mean", TOLD)] if known else []
        return [
            Chart(
                "wall",
                f"{self.number} {of.runs}",
                f"· {title} · press one to open it",
                f"{self.number} {of.runs}, each on a small tile with its number: {title}.",
                wall(self.grid, kind, "d" if bins.whole else ".3~g", title),
                aspect=f"{self.grid.width} / {self.grid.height}",
            ),
            Chart(
                "heap",
                f"Distribution over {self.number} {of.runs}",
                f"· mean {{mean}} ± {{error}}{exactly}",
                f"Over {self.number} {of.runs}, piled up: {title}; beside it, the exact answer where it is known.",
                heap(title, of.runs),
                legend,
            ),
        ]


def _errors(values: np.ndarray) -> np.ndarray:
    """Return the mean's Monte Carlo standard error at each iteration, to two digits; NaN of fewer than two outcomes."""
    finite = np.isfinite(values)
    many = finite.sum(axis=1)
    found = np.full(len(values), np.nan)
    for t in np.flatnonzero(many > 1):
        found[t] = float(f"{values[t, finite[t]].std(ddof=1) / np.sqrt(many[t]):.2g}")
    return found
