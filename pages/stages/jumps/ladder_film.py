"""The films of a ladder of mixtures: sweep by sweep beside the cold level's charts, or one sweep, opened."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lessons.stages.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, Columns, Data
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.stages.jumps import ladder_charts
from pages.stages.jumps.ladder_run import MixtureLadderRun
from pages.stages.ladder import film
from pages.stages.ladder.charts import HEIGHT, WIDTH
from pages.stages.ladder.run import OpenedLadder
from pages.stages.points.film import sweeps_film
from pages.stages.points.scene import Scene

STEPS = film.Steps("sweep", "each level makes a Gibbs sweep", SWEEPS)
SMALL, LARGE = 26, 60  # sizes of a tile's points, if there are many, and if there are few
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # by walker: level, labels, clusters, log joint


def ladder_sweeps_film(scene: Scene[Any]) -> Film:
    """Return the run, a frame a sweep: the film of the cold level, with the ladder beside it."""
    key, levels = f"{scene.key} ladder", scene.settings.levels
    if key not in scene.films:
        base = sweeps_film(scene)
        more = _data(scene) | film.path_sets(levels)
        scene.films[key] = replace(
            base,
            key=key,
            charts=_beside(base.charts, [_ladder(scene), film.paths_chart(levels, STEPS.unit)]),
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
    run, part = scene.run, slice(start, stop)
    assert isinstance(run, MixtureLadderRun)
    arrays = run.level_of[part], run.labels_of[part], run.tables_of[part], run.joints_of[part]
    return _columns(arrays) | film.path_columns(run, start, stop)


def swap_film(scene: Scene[Any], opened: OpenedLadder) -> Film:
    """Return the film of an opened sweep, frame by frame."""
    columns = _columns(_arrays(opened, opened.total + 1))
    return film.swap_film(scene.key, opened, STEPS, [_ladder(scene)], _data(scene), columns)


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


def _ladder(scene: Scene[Any]) -> Chart:
    size = LARGE if len(scene.data) <= 30 else SMALL
    return Chart(
        "ladder",
        film.TITLE,
        film.CAPTION,
        "A row for each level, the cold one below: its walker, and the points in the colours of its clusters.",
        ladder_charts.ladder(scene.settings.levels, size),
        beside=True,
    )


def _data(scene: Scene[Any]) -> Data:
    """Return the data sets of the ladder, with the columns that change."""
    run, points = scene.run, len(scene.data)
    assert isinstance(run, MixtureLadderRun)
    ends = np.array(scene.domains)
    levels = len(run.swapping.exponents)
    across, up = ((scene.data - ends[:, 0]) / (ends[:, 1] - ends[:, 0])).T
    return film.rung_sets(run.swapping.exponents) | {
        "walkers": {"walker": list(range(levels)), "level": FLOAT32, "tables": INT16, "joint": FLOAT32},
        "tiles": {
            "x": rounded(np.tile(WIDTH * across, levels), 4),
            "up": rounded(np.tile(HEIGHT * (up - 0.5), levels), 4),
            "level": FLOAT32.of(levels * points),
            "label": INT16.of(levels * points),
        },
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
