"""Several chains on one density: three samplers with the same number of gradients, or two chains of one sampler."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from lessons.stages.walk_the_hill import GRADIENTS, ITERATIONS, SAMPLERS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.film import Film
from pages.contract.waiting import NotYet
from pages.drawing.charts import trace
from pages.stages.walk_the_hill import charts
from pages.stages.walk_the_hill.film import LEGEND, Scene, aspect_of, heights, hill_of, moving_bars
from pages.stages.walk_the_hill.run import WalkRun
from samplers.diagnostics.convergence import diagnose

EVERY = 10  # frames after which effective sample sizes and R-hat are computed anew
MANY = 10  # iterations that are made at a time, where nobody knows how many it takes
TOGETHER = ("a", "b")  # the two chains


@dataclass(frozen=True)
class Race(Scene):
    """A run of each of `SAMPLERS` on one density, each frame with the same number of gradients for all."""

    prefixes: ClassVar = tuple(map(str.lower, SAMPLERS))
    compares: ClassVar = True
    _sizes: dict[tuple[str, int], float] = field(default_factory=dict)

    @property
    def by_name(self) -> dict[str, WalkRun]:
        """The runs by the names of the samplers."""
        return dict(zip(SAMPLERS, self.runs, strict=True))

    @property
    def each(self) -> int:
        """Gradients in a frame: an iteration of HMC. A proposal of Metropolis counts as one."""
        return self.settings.leapfrog_steps

    @property
    def total(self) -> int:
        """Frames until all gradients are spent."""
        return GRADIENTS // self.each

    def iterations(self, name: str, start: int, stop: int) -> np.ndarray:
        """Return how many iterations a sampler has done at each frame."""
        frames = np.arange(start, stop)
        if name == "HMC":
            return frames
        if name == "Metropolis":
            return frames * self.each
        run = self.by_name[name]
        spent = np.cumsum(run.leapfrogs[: run.made + 1], dtype=int)
        return np.searchsorted(spent, frames * self.each, "right") - 1

    def steps_at(self, t: int) -> Sequence[int]:
        """Return how many iterations each sampler has done at frame t."""
        self.ready(t)
        return [int(self.iterations(name, t, t + 1)[0]) for name in SAMPLERS]

    def _reached(self, name: str) -> int:
        """Return the last frame for which a sampler has its iterations."""
        run = self.by_name[name]
        if name == "NUTS":
            return int(run.leapfrogs[: run.made + 1].sum(dtype=int)) // self.each
        return run.made // (1 if name == "HMC" else self.each)

    @property
    def made(self) -> int:
        """The last frame for which all samplers have their iterations."""
        return min(map(self._reached, SAMPLERS))

    def grow(self, t: int) -> int:
        """Make what is missing up to frame t, for a moment; return the last frame that is there."""
        runs = self.by_name
        runs["HMC"].grow(t)
        runs["Metropolis"].grow(t * self.each)
        nuts = runs["NUTS"]
        while self._reached("NUTS") < t and nuts.made < ITERATIONS:
            wanted = min(nuts.made + MANY, ITERATIONS)
            if nuts.grow(wanted) < wanted:
                break
        return min(t, self.made)

    def ready(self, t: int) -> None:
        """Have everything up to frame t, or raise `NotYet`."""
        made = self.grow(t)
        if made < t:
            said = f"Spending gradients: {made * self.each:,} of {t * self.each:,}"
            raise NotYet(said, made / t, lambda: self.ready(t), made)

    def size(self, name: str, t: int) -> float:
        """Return the smaller effective sample size of x and y at the last frame that is a multiple of ten, or NaN."""
        t -= t % EVERY
        if (name, t) not in self._sizes:
            many = int(self.iterations(name, t, t + 1)[0])
            self._sizes[name, t] = smallest_size(self.by_name[name].positions[1 : many + 1])
        return self._sizes[name, t]


def smallest_size(draws: np.ndarray) -> float:
    """Return the smaller effective sample size of x and y of draws, shape (draws, 2); NaN if there is none."""
    return float(np.array([diagnose(draws[:, axis]).ess_bulk for axis in (0, 1)], float).min())


def race_film(race: Race) -> Film:
    """Return the film of three samplers."""
    settings = race.settings
    order = sorted(SAMPLERS, key=lambda name: name != settings.method)
    owns = [own.lower() for own in SAMPLERS]
    bars = {name: rows for own in owns for name, rows in moving_bars(settings.target, f"_{own}").items()}
    kept = {name: rows for name, rows in hill_of(settings.target).sets.items() if not name.startswith("bars")}
    return Film(
        key=f"race {race.key} {settings.method}",
        charts=[_of_sampler(race, name) for name in order],
        data={
            **kept,
            **bars,
            "past": {f"{axis}_{own}": FLOAT32 for own in owns for axis in "xy"},
            "say": {"spent": FLOAT32} | {f"{what}_{own}": FLOAT32 for own in owns for what in ("many", "size")},
        },
        columns=lambda start, stop: _race_columns(race, start, stop),
        total=race.total,
        label="{spent} gradients for each sampler",
        strides=((f"{race.each} gradients", 1),),
        grow=race.grow,
    )


def _of_sampler(race: Race, name: str) -> Chart:
    own, window = name.lower(), race.settings.window
    return Chart(
        own,
        {"Metropolis": "Random-walk Metropolis"}.get(name, name),
        f"· {{many_{own}}} iterations · ESS {{size_{own}}}",
        f"Where {name} has been, a dot for every {race.each} gradients, and both margins beside the exact ones.",
        charts.crowd(*window, race.settings.density.names, (own,), f"_{own}"),
        LEGEND if name == race.settings.method else [],
        aspect=aspect_of(window),
    )


def _race_columns(race: Race, start: int, stop: int) -> Columns:
    columns: Columns = {("say", "spent"): race.each * np.arange(start, stop)}
    for name in SAMPLERS:
        run, own, many = race.by_name[name], name.lower(), race.iterations(name, start, stop)
        columns |= _places(run.positions[many], own)
        columns |= heights(run.counts[many], many, run, f"_{own}")
        columns["say", f"many_{own}"] = many
        columns["say", f"size_{own}"] = [np.round(race.size(name, t)) for t in range(start, stop)]
    return columns


def _places(positions: np.ndarray, own: str) -> Columns:
    return {("past", f"{letter}_{own}"): positions[:, axis] for axis, letter in enumerate("xy")}


# ---- two chains ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair(Scene):
    """Two chains of one sampler, from opposite corners."""

    _rhats: dict[int, float] = field(default_factory=dict)

    def rhat(self, t: int) -> float:
        """Return the larger R-hat of x and y at the last iteration that is a multiple of ten; NaN if there is none."""
        t -= t % EVERY
        if t not in self._rhats:
            draws = self.draws(t)
            self._rhats[t] = float(np.array([diagnose(draws[:, :, axis]).rhat for axis in (0, 1)], float).max())
        return self._rhats[t]


def pair_film(pair: Pair) -> Film:
    """Return the film of two chains."""
    settings = pair.settings
    window = settings.window
    picture = Chart(
        "plane",
        "Two chains",
        "· {draws} draws each · R-hat {rhat}",
        "The draws of two chains that began in opposite corners, and the margins of both together.",
        charts.crowd(*window, settings.density.names, TOGETHER, ""),
        [*LEGEND, (f"{charts.SECOND} solid", "second chain")],
        aspect=aspect_of(window),
    )
    traces = [
        Chart(
            f"trace{end}",
            letter,
            "",
            f"Both chains' {letter} along the run.",
            trace(f"{letter}_a", None, "iterations", second=True),
            [("accent", "first"), ("dashed", "second")],
            params={f"{letter}_a_span": window[axis]},
        )
        for axis, (letter, end) in enumerate((("x", ""), ("y", "_y")))
    ]
    return Film(
        key=f"pair {pair.key}",
        charts=[picture, *traces],
        data={
            **hill_of(settings.target).sets,
            **moving_bars(settings.target),
            "past": {f"{axis}_{own}": FLOAT32 for own in ("a", "b", "a_b") for axis in "xy"},
            "say": {"draws": FLOAT32, "warm": UINT8, "rhat": FLOAT32},
        },
        columns=lambda start, stop: _pair_columns(pair, start, stop),
        total=ITERATIONS,
        label="iteration {t} of {total}{warm:| · warm-up}",
        strides=(("Iteration", 1),),
        grow=pair.grow,
    )


def _pair_columns(pair: Pair, start: int, stop: int) -> Columns:
    first, second = pair.runs
    warmup, numbers = pair.settings.warmup, np.arange(start, stop)
    draws = np.maximum(0, numbers - warmup)
    columns: Columns = {
        **_places(first.positions[start:stop], "a"),
        **_places(second.positions[start:stop], "b"),
        **heights(first.counts[start:stop].astype(int) + second.counts[start:stop], 2 * draws, first, ""),
        ("say", "draws"): draws,
        ("say", "warm"): (numbers <= warmup) & (warmup > 0),
        ("say", "rhat"): [np.round(pair.rhat(t), 3) for t in range(start, stop)],
    }
    columns |= {("past", f"{letter}_a_b"): columns["past", f"{letter}_b"] for letter in "xy"}
    return columns
