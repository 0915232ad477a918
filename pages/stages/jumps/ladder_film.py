"""The films of a ladder: sweep by sweep beside the cold level's charts, or one sweep with its swaps, opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lessons.stages.fields import SWEEPS
from lessons.stages.jumps import OF_A_SWAP
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, UINT8, Columns, Data
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.stages.jumps import charts, ladder_charts
from pages.stages.jumps.ladder_charts import HEIGHT, LETTERS, TERMS, WALKERS, WIDTH
from pages.stages.jumps.ladder_run import SWEPT, LadderRun, OpenedLadder
from pages.stages.points.film import sweeps_film
from pages.stages.points.scene import Scene
from samplers.tempering import COLDER, HOTTER

STAGES = "start|each level makes a Gibbs sweep|a pair of levels|the ratio|the dart"
START, SWEEPS_MADE, PAIR, RATIO, DICE = range(5)
SMALL, LARGE = 26, 60  # sizes of a tile's points, if there are many, and if there are few
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # by walker: level, labels, clusters, log joint


def stage_of_frame(t: int) -> int:
    """Return what frame t of an opened sweep shows, as a number of `STAGES`."""
    return t if t <= SWEPT else PAIR + (t - SWEPT - 1) % OF_A_SWAP


# ---- sweep by sweep ------------------------------------------------------------------------------------------------


def ladder_sweeps_film(scene: Scene[Any]) -> Film:
    """Return the run, a frame a sweep: the film of the cold level, with the ladder beside it."""
    key = f"{scene.key} ladder"
    if key not in scene.films:
        base = sweeps_film(scene)
        places = [f"level{walker}" for walker in range(scene.settings.levels)]
        more = _data(scene) | {"past": dict.fromkeys(places, FLOAT32), "say": {"walker": UINT8}}
        scene.films[key] = replace(
            base,
            key=key,
            charts=_beside(base.charts, [_ladder(scene), _walkers(scene)]),
            data={name: {**base.data.get(name, {}), **more.get(name, {})} for name in [*base.data, *more]},
            columns=lambda start, stop: _made(base.columns, start, stop) | _sweep_columns(scene, start, stop),
        )
    return scene.films[key]


def _made(columns: Any, start: int, stop: int) -> Columns:
    made: Columns = columns(start, stop)
    return made


def _beside(old: Sequence[Chart], new: Sequence[Chart]) -> list[Chart]:
    """Return the charts with new ones after the pictures of points."""
    pictures = [chart for chart in old if chart.name in ("points", "second")]
    return [*pictures, *new, *(chart for chart in old if chart not in pictures)]


def _sweep_columns(scene: Scene[Any], start: int, stop: int) -> Columns:
    run = scene.run
    assert isinstance(run, LadderRun)
    places = run.places[start:stop]
    arrays = places, run.labels_of[start:stop], run.tables_of[start:stop], run.joints_of[start:stop]
    paths = {("past", f"level{walker}"): places[:, walker] for walker in range(places.shape[1])}
    undecided = {("swap", "low"): np.nan, ("swap", "decided"): 0}
    return {**_columns(arrays), **paths, **undecided, ("say", "walker"): places.argmin(axis=1)}


# ---- one sweep, opened ---------------------------------------------------------------------------------------------


def swap_film(scene: Scene[Any], opened: OpenedLadder) -> Film:
    """Return the film of an opened sweep, frame by frame."""
    if opened.film is None:
        params: Mapping[str, Any] = {"ratio_span": _span(opened)}
        sets = _data(scene) | {
            "ratio": {"term": list(TERMS), "name": charts.names_of(TERMS), "value": FLOAT32},
            "zero": {"value": [0]},
            "dice": {"p": FLOAT32, "at": FLOAT32},
            "say": dict.fromkeys(("stage", "verdict", "walker"), UINT8),
        }
        opened.film = Film(
            key=f"{scene.key} swaps {opened.sweep}",
            charts=_opened_charts(scene, params),
            data=sets,
            columns=_opened_columns(opened),
            total=opened.total,
            label=f"sweep {opened.sweep} · {{stage:{STAGES}}}",
            strides=(("Beat", 1), ("Swap", OF_A_SWAP)),
            before=opened.sweep > 1,
            after=opened.sweep < SWEEPS,
            params=params,
        )
    film: Film = opened.film
    return film


def _opened_charts(scene: Scene[Any], params: Mapping[str, Any]) -> list[Chart]:
    return [
        _ladder(scene),
        Chart(
            "ratio",
            "The acceptance ratio",
            "· {stage:" + STAGES + "}",
            "The logs of the two factors of a swap's acceptance ratio as bars, and their sum.",
            charts.ratio(TERMS),
            params=params,
        ),
        Chart(
            "accept",
            "Accept or reject",
            "{verdict:|· accepted|· rejected}",
            "A bar from 0 to 1: the part in which the swap is accepted, and the dart.",
            charts.accept(),
            share=0.6,
        ),
    ]


def _span(opened: OpenedLadder) -> tuple[float, float]:
    swaps = opened.step.swaps
    return charts.span_of([value for swap in swaps for value in (*swap.terms.values(), swap.log_ratio)])


def _opened_columns(opened: OpenedLadder) -> Columns:
    frames = opened.total + 1
    stages = np.array([stage_of_frame(t) for t in range(frames)])
    ratio, dice = np.full((frames, len(TERMS)), np.nan), np.full((frames, 2), np.nan)
    low, decided = np.full(frames, np.nan), np.zeros(frames, int)
    for t in range(frames):
        if (swap := opened.swap(t)) is None:
            continue
        low[t] = swap.level
        if stages[t] >= RATIO:
            ratio[t] = swap.terms[COLDER], swap.terms[HOTTER], swap.log_ratio
            dice[t, 0] = swap.probability
        if stages[t] == DICE:
            dice[t, 1], decided[t] = swap.uniform, 1 if swap.accepted else 2
    return {
        **_columns(_arrays(opened, frames)),
        ("swap", "low"): low,
        ("swap", "decided"): decided,
        ("ratio", "value"): ratio,
        ("dice", "p"): dice[:, 0],
        ("dice", "at"): dice[:, 1],
        ("say", "stage"): stages,
        ("say", "verdict"): decided,
        ("say", "walker"): [opened.at(t).walkers[0] for t in range(frames)],
    }


def _arrays(opened: OpenedLadder, frames: int) -> Arrays:
    """Return what each walker carries in each frame."""
    levels, points = len(opened.before.levels), len(opened.before.cold.labels)
    places, tables = np.empty((frames, levels), int), np.empty((frames, levels), int)
    labels, joints = np.empty((frames, levels, points), int), np.empty((frames, levels))
    for t in range(frames):
        state = opened.at(t)
        for level, (walker, now) in enumerate(zip(state.walkers, state.levels, strict=True)):
            places[t, walker], labels[t, walker], tables[t, walker] = level, now.labels, len(now.clusters)
            joints[t, walker] = opened.sampler.log_density(now)
    return places, labels, tables, joints


# ---- what both have ------------------------------------------------------------------------------------------------


def _ladder(scene: Scene[Any]) -> Chart:
    size = LARGE if len(scene.data) <= 30 else SMALL
    return Chart(
        "ladder",
        "The ladder",
        f"· walker {{walker:{'|'.join(LETTERS)}}} is at level 1",
        "A row for each level, the cold one below: its walker, and the points in the colours of its clusters.",
        ladder_charts.ladder(scene.settings.levels, size),
        beside=True,
    )


def _walkers(scene: Scene[Any]) -> Chart:
    levels = scene.settings.levels
    return Chart(
        "walkers",
        "Walkers",
        "· level 1 is the cold one",
        "At which level each walker has been in the last sweeps; paths cross where two have swapped.",
        ladder_charts.walkers(levels),
        [(f"{WALKERS[walker]} solid", LETTERS[walker]) for walker in range(levels)],
    )


def _data(scene: Scene[Any]) -> Data:
    """Return the data sets of the ladder, with the columns that change."""
    run, points = scene.run, len(scene.data)
    assert isinstance(run, LadderRun)
    exponents, ends = run.swapping.exponents, np.array(scene.domains)
    levels = len(exponents)
    across, up = ((scene.data - ends[:, 0]) / (ends[:, 1] - ends[:, 0])).T
    return {
        "rungs": {"rung": list(range(1, levels + 1)), "beta": rounded(np.array(exponents), 3)},
        "walkers": {"walker": list(range(levels)), "level": FLOAT32, "tables": INT16, "joint": FLOAT32},
        "tiles": {
            "x": rounded(np.tile(WIDTH * across, levels), 4),
            "up": rounded(np.tile(HEIGHT * (up - 0.5), levels), 4),
            "level": FLOAT32.of(levels * points),
            "label": INT16.of(levels * points),
        },
        "swap": {"low": FLOAT32, "decided": UINT8},
    }


def _columns(arrays: Arrays) -> Columns:
    """Return the columns of the ladder, from what each walker carries, each array of shape (frames, levels, …)."""
    places, labels, tables, joints = arrays
    frames, levels, points = labels.shape
    return {
        ("walkers", "level"): places,
        ("walkers", "tables"): tables,
        ("walkers", "joint"): joints,
        ("tiles", "level"): np.repeat(places, points, axis=1),
        ("tiles", "label"): labels.reshape(frames, levels * points),
    }
