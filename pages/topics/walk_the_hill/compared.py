"""Several chains on one density: three samplers with the same number of gradients, or two chains of one sampler."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from lessons.topics.walk_the_hill.walks import GRADIENTS, ITERATIONS, SAMPLERS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.film import Film
from pages.contract.waiting import NotYet
from pages.drawing.charts import trace
from pages.topics.walk_the_hill import charts
from pages.topics.walk_the_hill.film import LEGEND, WalkScene, aspect_of, heights, hill_of, moving_bars
from pages.topics.walk_the_hill.run import WalkRun
from samplers.diagnostics.convergence import diagnose

EVERY = 10  # frames after which effective sample sizes and R-hat are computed anew
KNOWN, TOO_FEW, NONE = range(3)  # what a caption says of a diagnostic: the number, or why there is none
MANY = 10  # iterations that are made at a time, where nobody knows how many it takes
TOGETHER = ("a", "b")  # the two chains


class Reading(NamedTuple):
    """A diagnostic, and what a caption says of it; NaN if there is none."""

    value: float
    how: int


def told(of_each: Sequence[float | None], worst: Callable[[np.ndarray], float], too_few: bool) -> Reading:
    """Return the worst of the diagnostics of x and of y."""
    value = float(worst(np.array(of_each, float)))
    return Reading(value, KNOWN if not np.isnan(value) else TOO_FEW if too_few else NONE)


@dataclass(frozen=True)
class Race(WalkScene):
    """A run of each of `SAMPLERS` on one density, each frame with the same number of gradients for all."""

    prefixes: ClassVar = tuple(map(str.lower, SAMPLERS))
    _sizes: dict[tuple[str, int], Reading] = field(default_factory=dict)

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
        made = self.grow(t)
        if made < t:
            said = f"Spending gradients: {made * self.each:,} of {t * self.each:,}"
            raise NotYet(said, made / t, lambda: self.ready(t), made)

    def size(self, name: str, t: int) -> Reading:
        """Return the smaller effective sample size of x and y at the last frame that is a multiple of ten."""
        t -= t % EVERY
        if (name, t) not in self._sizes:
            many = int(self.iterations(name, t, t + 1)[0])
            draws = self.by_name[name].positions[1 : many + 1]
            found = [diagnose(draws[:, axis]) for axis in (0, 1)]
            self._sizes[name, t] = told([one.ess_bulk for one in found], np.min, found[0].too_few)
        return self._sizes[name, t]


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
            "say": {"spent": FLOAT32}
            | {f"{what}_{own}": FLOAT32 for own in owns for what in ("many", "size")}
            | {f"how_{own}": UINT8 for own in owns},
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
        f"· {{many_{own}}} iterations · {{how_{own}:ESS |too few draws for an ESS|no ESS}}{{size_{own}}}",
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
        sizes = [race.size(name, t) for t in range(start, stop)]
        columns["say", f"size_{own}"] = [np.round(size.value) for size in sizes]
        columns["say", f"how_{own}"] = [size.how for size in sizes]
    return columns


def _places(positions: np.ndarray, own: str) -> Columns:
    return {("past", f"{letter}_{own}"): positions[:, axis] for axis, letter in enumerate("xy")}


# ---- two chains ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair(WalkScene):
    """Two chains of one sampler, from opposite corners."""

    _rhats: dict[int, Reading] = field(default_factory=dict)

    def rhat(self, t: int) -> Reading:
        """Return the larger R-hat of x and y at the last iteration that is a multiple of ten."""
        t -= t % EVERY
        if t not in self._rhats:
            draws = self.draws(t)
            found = [diagnose(draws[:, :, axis]) for axis in (0, 1)]
            self._rhats[t] = told([one.rhat for one in found], np.max, found[0].too_few_for_rhat)
        return self._rhats[t]


def pair_film(pair: Pair) -> Film:
    """Return the film of two chains."""
    settings = pair.settings
    window = settings.window
    picture = Chart(
        "plane",
        "Two chains",
        "· {draws} draws each · {how:R-hat |too few draws for R-hat|no R-hat}{rhat}",
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
            "say": {"draws": FLOAT32, "warm": UINT8, "rhat": FLOAT32, "how": UINT8},
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
    rhats = [pair.rhat(t) for t in range(start, stop)]
    columns: Columns = {
        **_places(first.positions[start:stop], "a"),
        **_places(second.positions[start:stop], "b"),
        **heights(first.counts[start:stop].astype(int) + second.counts[start:stop], 2 * draws, first, ""),
        ("say", "draws"): draws,
        ("say", "warm"): (numbers <= warmup) & (warmup > 0),
        ("say", "rhat"): [np.round(one.value, 3) for one in rhats],
        ("say", "how"): [one.how for one in rhats],
    }
    columns |= {("past", f"{letter}_a_b"): columns["past", f"{letter}_b"] for letter in "xy"}
    return columns
