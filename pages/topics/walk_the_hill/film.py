"""The films: a run, an iteration a frame, each path drawn as it is made; and one path, a leapfrog step a frame."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from lessons.topics.walk_the_hill import TARGETS, WIDE, WalkTheHillSettings, window_of
from lessons.topics.walk_the_hill.walks import ITERATIONS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, UINT8, Columns, Data
from pages.contract.film import Film
from pages.drawing.charts import Domain
from pages.drawing.contours import as_rows, level_areas, level_lines
from pages.drawing.numbers import counted, rounded
from pages.drawing.palette import SOFT
from pages.scenes.leapfrogs import LeapfrogPath
from pages.scenes.scene import RunScene
from pages.topics.walk_the_hill import charts
from pages.topics.walk_the_hill.run import BINS, MARKS, PLACES, WalkRun, path_of

FIRST_LOOK = 12  # iterations that are made before anything is shown: they set the axes of the energy
CELLS = 130  # of the density's grid, along each axis
LEVELS = (-6.0, -4.0, -2.8, -1.8, -0.9, -0.3)  # below the top of the log density
CURVE = 81  # places on a margin's curve
MOVING = dict.fromkeys(PLACES, FLOAT32) | dict.fromkeys(MARKS, UINT8) | {"step": INT16}  # fields of a path's points
FIELDS = tuple(MOVING)
CLOSEST, ROOM = 0.12, 1.35  # shares of a window: the least that is shown of it, and what a tree is shown with
LASTS = 2.4  # seconds that a step takes, so that a path can be followed


LEGEND = ((f"{SOFT} solid", "density"), ("dot", "draws"), (f"{charts.EXACT} solid", "exact margins"))


class Way(NamedTuple):
    """How a method moves."""

    opens: str  # what an iteration is made of
    lasts: float  # seconds that a step takes
    legend: tuple[tuple[str, str], ...]  # of its marks
    start: str  # what an iteration does
    spent: Callable[[Any, int], str]  # what a scene's draws have cost up to an iteration


def _gradients(scene: Any, t: int) -> str:
    return f" for {counted(int(scene.run.leapfrogs[1 : t + 1].sum(dtype=int)), 'gradient')}"


ROLLS = Way(
    "Leapfrog",
    LASTS,
    ((f"{charts.MOMENTUM} solid", "momentum"), (f"{charts.KICK} solid", "kick")),
    "One iteration draws a momentum, and the puck rolls over the density, steered by its slope.",
    _gradients,
)
PROPOSES = Way(
    "Proposal",
    0.8,
    (),
    "One iteration proposes a place nearby, and goes there or stays.",
    lambda _, t: f" for {counted(t, 'evaluation')} of the density",
)
SWAPS = PROPOSES._replace(
    opens="Beat",
    spent=lambda scene, t: f" of level 1 for {counted(t * scene.settings.levels, 'evaluation')} of the density",
)
WAYS = {"rolls": ROLLS, "proposes": PROPOSES, "swaps": SWAPS}


@dataclass(frozen=True)
class WalkScene(RunScene[WalkTheHillSettings, WalkRun]):
    """A run, as it is looked at; there is none of a throw."""

    @property
    def thrown(self) -> bool:
        """Whether it is the learner who throws."""
        return not self.runs

    @property
    def way(self) -> Way:
        """How its method moves."""
        return WAYS[self.settings.now.moves]

    @property
    def tree(self) -> bool:
        """Whether paths are doubled."""
        return self.settings.now.doubles

    @property
    def turns(self) -> bool:
        """Whether paths go on until they turn back."""
        return self.settings.now.turns

    @property
    def two_hills(self) -> bool:
        """Whether the density has two hills."""
        return self.settings.density.to_the_right is not None

    def draws(self, t: int) -> np.ndarray:
        """Return the draws up to iteration t, without the warm-up, shape (runs, draws, 2)."""
        return np.array([run.positions[self.settings.warmup + 1 : t + 1] for run in self.runs])


def run_film(scene: WalkScene) -> Film:
    """Return the film of a run's iterations."""
    return Film(
        key=f"run {scene.key}",
        charts=[*_charts(scene, close=False), *share_charts(scene)],
        data=run_sets(scene, {"past": {}, "say": {"error": FLOAT32}} | _points(scene, MOVING)),
        columns=lambda start, stop: _run_columns(scene, start, stop),
        total=ITERATIONS,
        label="iteration {t} of {total}{warm:| · warm-up}",
        strides=(("Iteration", 1),),
        grow=scene.run.grow,
        ahead=("path",),
        lasts=scene.way.lasts,
    )


def path_film(scene: WalkScene, iteration: int) -> Film:
    """Return the film of one path, leapfrog step by leapfrog step; on its last frame a point is chosen."""
    path = scene.run.paths[iteration]
    many = int(np.isfinite(path["x"]).sum())
    points = _points(scene, {name: _listed(path[name]) for name in FIELDS})
    at = np.arange(many + 1)
    return Film(
        key=f"path {scene.key} {iteration}",
        charts=[_tree(scene, path), _energy(scene, True)] if scene.tree else _charts(scene, close=True),
        data=still(scene, iteration) | points | {"say": {"error": FLOAT32, "over": UINT8}},
        columns={("say", "error"): path["error"][np.minimum(at, many - 1)], ("say", "over"): at >= many},
        total=many,
        label=f"iteration {iteration}, {{t}} of {{total}}{{over:| · a point is chosen}}",
        strides=((scene.way.opens, 1),),
        before=iteration > 1,
        after=iteration < ITERATIONS,
        lasts=0.6,
    )


def throw_film(scene: WalkScene, path: LeapfrogPath) -> Film:
    """Return the film of a learner's own throw, leapfrog step by leapfrog step."""
    settings, found = scene.settings, path_of(path.trajectory, tree=False)
    points = _points(scene, {name: found[name].astype(float).round(4).tolist() for name in FIELDS})
    sets: Data = {"draws": {"x": [None], "y": [None]}, "say": {"error": FLOAT32}}
    start, arm = np.array(settings.start), charts.arm(settings.window)
    tip = start + arm * np.array([settings.push_x, settings.push_y])
    return Film(
        key=scene.key,
        charts=_charts(scene, close=True),
        data=hill_of(settings.target).sets | points | sets,
        columns={("say", "error"): found["error"]},
        total=settings.leapfrog_steps,
        label="leapfrog step {t} of {total}",
        strides=(("Leapfrog", 1),),
        params={"start": (float(start[0]), float(start[1])), "tip": (float(tip[0]), float(tip[1]))},
        lasts=0.6,
    )


# ---- charts ----------------------------------------------------------------------------------------------------------


def _charts(scene: WalkScene, *, close: bool) -> list[Chart]:
    x, y = scene.settings.window
    legend = [LEGEND[0], ("dot", "puck"), LEGEND[2]] if scene.thrown else [*LEGEND]
    legend += scene.way.legend
    if scene.turns:
        legend.append((f"{charts.TURN} dashed", "U-turn"))
    caption = (
        "· drag the puck, drag its arrow" if scene.thrown else "" if close else "· {draws} {draws:draws|draw|draws}"
    )
    picture = Chart(
        "plane",
        "The density from above",
        caption,
        "Contours of the density, where the sampler goes, the draws so far, and both margins beside the exact ones.",
        charts.plane(x, y, scene.settings.density.names, close=close, thrown=scene.thrown),
        legend,
        hand="start tip" if scene.thrown else "",
        aspect=aspect_of(scene.settings.window),
    )
    return [picture, *([_energy(scene, close)] if scene.way is ROLLS else [])]


def _tree(scene: WalkScene, path: np.ndarray) -> Chart:
    """Return the picture of one tree, as large as it can be."""
    x, y = near(path, scene.settings.window)
    return Chart(
        "plane",
        "The density from above, close to the tree",
        "",
        "Contours of the density, and the tree: each doubling in a colour, the point chosen, and the ends of a U-turn.",
        charts.tree(scene.settings.density.names),
        [LEGEND[0], ("dot", "draws before"), *scene.way.legend, (f"{charts.TURN} dashed", "U-turn")],
        params={"x_span": x, "y_span": y},
        aspect=f"{WIDE} / 1",
    )


def near(path: np.ndarray, window: tuple[Domain, Domain]) -> tuple[Domain, Domain]:
    """Return the part of a window, of the same proportions, that a path's points take with some room around them."""
    whole = (window[1][1] - window[1][0]) / 2
    ends = [(float(np.nanmin(path[letter])), float(np.nanmax(path[letter]))) for letter in "xy"]
    across, up = ((high - low) / 2 for low, high in ends)
    half = ROOM * float(np.clip(max(across / WIDE, up), CLOSEST * whole, whole / ROOM))
    x, y = ((low + high) / 2 for low, high in ends)
    return (x - WIDE * half, x + WIDE * half), (y - half, y + half)


def share_charts(scene: WalkScene) -> list[Chart]:
    """Return the chart of the share of draws on the right of two hills, if there are two."""
    if not scene.two_hills:
        return []
    exact = f"{100 * scene.settings.density.right_share:.1f}"
    return [
        Chart(
            "hills",
            "Draws on the right hill",
            f"· {{right}} % · exact {exact} %",
            "The share of the draws so far that are on the right hill, along the run, and its exact probability.",
            charts.share_of_hills(),
            [("accent", "draws"), (f"{charts.EXACT} solid", "exact")],
        )
    ]


def aspect_of(window: tuple[Domain, Domain]) -> str:
    """Return the width of a window to its height, with the margins' strips."""
    (left, right), (low, high) = window
    strip = charts.STRIP * (high - low) / 2
    return f"{right - left + strip:.4g} / {high - low + strip:.4g}"


def _energy(scene: WalkScene, close: bool) -> Chart:
    reach, most = 1.0, scene.settings.most_points - 1
    named = range(1, len(charts.GENERATIONS) + 1) if scene.tree else ("there", "back, beyond the start")
    if not scene.thrown:
        early = scene.run.paths["error"][1 : FIRST_LOOK + 1]
        reach = float(np.clip(3 * np.median(np.nanmax(np.abs(early), axis=1)), 0.2, 6.0))
        most = most if not scene.turns else max(7, int(np.isfinite(early).sum(axis=1).max()) - 1)
    return Chart(
        "energy",
        "Energy error H − H₀",
        "· {error}" if close else "· largest {error}",
        "How far the energy is from that at the start, point by point: it would stay the same if steps were tiny.",
        charts.energy(close=close, tree=scene.turns),
        [(f"{color} solid", f"{name}") for name, color in zip(named, charts.GENERATIONS, strict=False)]
        if scene.turns
        else [],
        params={"made_span": (-0.3 if scene.turns else -0.6, most + 0.6), "error_span": (-reach, reach)},
    )


# ---- data that stays -------------------------------------------------------------------------------------------------


class Hill(NamedTuple):
    """A target as it is drawn, whatever runs on it: data sets, and the tops of both margins' exact curves."""

    sets: Data
    tops: tuple[float, ...]


@lru_cache(maxsize=len(TARGETS))
def hill_of(name: str) -> Hill:
    """Return the contours and the margins of a target."""
    target, ends = TARGETS[name], window_of(name)
    x, y = np.meshgrid(*(np.linspace(a - 0.3 * (b - a), b + 0.3 * (b - a), CELLS) for a, b in ends))
    if name == "funnel":  # its neck is too narrow for such cells: they are as wide as the funnel is there
        x = x / np.ptp(ends[0]) * 9 * np.exp(y / 2)
    heights = target.log_densities(x, y)
    heights -= heights.max()
    found: Data = {
        "areas": as_rows([area for _, area in level_areas(x, y, heights, LEVELS)], 3),
        "contours": as_rows([line for _, line in level_lines(x, y, heights, LEVELS)], 3),
    }
    tops = []
    for axis, (letter, (low, high)) in enumerate(zip("xy", ends, strict=True)):
        at, edges = np.linspace(low, high, CURVE), np.linspace(low, high, BINS + 1)
        density = target.marginal(axis, at)
        tops.append(float(density.max()))
        found[f"margin_{letter}"] = {"at": rounded(at), "h": rounded(density / tops[axis])}
        found[f"bars_{letter}"] = {"low": rounded(edges[:-1]), "high": rounded(edges[1:]), "h": [0.0] * BINS}
    return Hill(found, tuple(tops))


def _points(scene: WalkScene, fields: Mapping[str, Any]) -> Data:
    return {"path": {"k": list(range(scene.settings.most_points)), **fields}}


def moving_bars(target: str, end: str = "") -> Data:
    """Return the histograms of a target with bars that change; `end` is that of the data sets' names."""
    sets = hill_of(target).sets
    return {f"{name}{end}": {**sets[name], "h": FLOAT32} for name in ("bars_x", "bars_y")}


def run_sets(scene: WalkScene, more: Data) -> Data:
    """Return the data sets of a run: the hill, histograms that change, draws, and what else the topic shows."""
    target = scene.settings.target
    found: Data = {
        **hill_of(target).sets,
        **moving_bars(target),
        **more,
        "past": {"x": FLOAT32, "y": FLOAT32, "draw": UINT8, **more["past"]},
        "say": {"draws": INT16, "warm": UINT8, **more["say"]},
    }
    if scene.two_hills:
        found["exact"] = {"right": [round(100 * scene.settings.density.right_share, 2)]}
        found["past"]["right"] = FLOAT32
        found["say"]["right"] = FLOAT32
    return found


def still(scene: WalkScene, iteration: int) -> Data:
    """Return the data sets of an opened iteration that do not change: the hill, and the draws before it."""
    drawn = scene.run.positions[scene.settings.warmup + 1 : iteration].round(3)
    sets = {name: dict(fields) for name, fields in hill_of(scene.settings.target).sets.items()}
    sets["draws"] = {letter: [None, *drawn[:, axis].tolist()] for axis, letter in enumerate("xy")}
    for (name, field), values in _bars(scene, iteration - 1, iteration).items():
        sets[name][field] = _listed(values[0])
    return sets


def _listed(values: np.ndarray) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 4) for value in values]


# ---- frames ----------------------------------------------------------------------------------------------------------


def _run_columns(scene: WalkScene, start: int, stop: int) -> Columns:
    paths = scene.run.paths[start:stop]
    worst = np.nan_to_num(np.abs(paths["error"]), nan=0.0).max(axis=1, initial=0.0)
    return {
        **{("path", name): paths[name] for name in FIELDS},
        **draw_columns(scene, start, stop),
        ("say", "error"): worst,
    }


def draw_columns(scene: WalkScene, start: int, stop: int) -> Columns:
    """Return the draws of frames, both histograms, and of two hills the share of draws on the right one."""
    run, numbers, warmup = scene.run, np.arange(start, stop), scene.settings.warmup
    columns: Columns = {
        **_bars(scene, start, stop),
        ("past", "x"): run.positions[start:stop, 0],
        ("past", "y"): run.positions[start:stop, 1],
        ("past", "draw"): numbers > warmup,
        ("say", "draws"): np.maximum(0, numbers - warmup),
        ("say", "warm"): (numbers <= warmup) & (warmup > 0),
    }
    if scene.two_hills:
        right = scene.settings.density.on_the_right(run.positions[warmup + 1 : stop])
        shares = np.full(stop, np.nan)
        shares[warmup + 1 :] = np.cumsum(right) / np.arange(1, len(right) + 1)
        columns["past", "right"] = (100 * shares[start:]).round(1)
        columns["say", "right"] = np.nan_to_num(columns["past", "right"])
    return columns


def _bars(scene: WalkScene, start: int, stop: int) -> Columns:
    return heights(scene.run.counts[start:stop], np.arange(start, stop) - scene.settings.warmup, scene.run)


def heights(counts: np.ndarray, draws: np.ndarray, run: WalkRun, end: str = "") -> Columns:
    """Return the heights of both histograms, where the top of the exact curve is 1.

    Parameters
    ----------
    counts : numpy.ndarray
        Draws in each bin at each frame, shape (frames, 2, bins).
    draws : numpy.ndarray
        How many there are in all, shape (frames,).
    run : WalkRun
        Whose bins and whose target they are.
    end : str, optional
        Of the data sets' names.
    """
    tops, many = hill_of(run.settings.target).tops, np.maximum(1, draws)[:, None]
    return {
        (f"bars_{letter}{end}", "h"): (counts[:, axis] / (many * np.diff(run.edges[axis])[0] * tops[axis])).astype(
            np.float32
        )
        for axis, letter in enumerate("xy")
    }
