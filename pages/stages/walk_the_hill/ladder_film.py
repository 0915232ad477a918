"""The films of a ladder on a density: iteration by iteration, or the swaps of one iteration, opened."""

from functools import lru_cache

import numpy as np

from lessons.stages.walk_the_hill import ITERATIONS, TARGETS, window_of
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.stages.ladder import film
from pages.stages.ladder.run import OpenedLadder
from pages.stages.walk_the_hill import ladder_charts
from pages.stages.walk_the_hill.film import (
    CURVE,
    LEGEND,
    Scene,
    aspect_of,
    draw_columns,
    run_sets,
    share_charts,
    still,
)
from pages.stages.walk_the_hill.ladder_run import WalkLadderRun

STEPS = film.Steps("iteration", "each level makes a Metropolis step", ITERATIONS)
CELLS = 301  # of a margin's integral, along the other axis


def ladder_film(scene: Scene) -> Film:
    """Return the film of a run's iterations."""
    levels = scene.settings.levels
    return Film(
        key=f"run {scene.key}",
        charts=[*_pictures(scene, close=False), film.paths_chart(levels, STEPS.unit), *share_charts(scene)],
        data=run_sets(scene, _data(scene) | film.path_sets(levels)),
        columns=lambda start, stop: _run_columns(scene, start, stop),
        total=ITERATIONS,
        label="iteration {t} of {total}",
        strides=(("Iteration", 1),),
        grow=scene.run.grow,
        lasts=0.8,
    )


def swap_film(scene: Scene, opened: OpenedLadder) -> Film:
    """Return the film of an opened iteration, frame by frame."""
    sets = still(scene, opened.number) | _data(scene)
    return film.swap_film(scene.key, opened, STEPS, _pictures(scene, close=True), sets, _opened_columns(opened))


def _pictures(scene: Scene, *, close: bool) -> list[Chart]:
    settings = scene.settings
    x, y = settings.window
    return [
        Chart(
            "plane",
            "The density from above",
            "" if close else "· {draws} {draws:draws|draw|draws}",
            "Contours of the density, the draws of level 1, the walkers of all levels, and both margins.",
            ladder_charts.plane(x, y, settings.density.names, close=close),
            [LEGEND[0], ("accent", "draws of level 1"), LEGEND[2]],
            aspect=aspect_of(settings.window),
        ),
        Chart(
            "ladder",
            film.TITLE,
            film.CAPTION,
            "A row for each level, the cold one below: β, the margin of its density along x, and its walker.",
            ladder_charts.ladder(settings.levels, x),
            beside=True,
        ),
    ]


def _data(scene: Scene) -> Data:
    """Return the data sets of the ladder, with the columns that change."""
    run, levels = scene.run, scene.settings.levels
    assert isinstance(run, WalkLadderRun)
    exponents = run.swapping.exponents
    curves = level_margins(scene.settings.target, exponents)
    return film.rung_sets(exponents) | {
        "walkers": {"walker": list(range(levels)), **dict.fromkeys(("level", "across", "up", "height"), FLOAT32)},
        "curves": {
            "level": np.repeat(np.arange(levels), CURVE).tolist(),
            "share": rounded(np.tile(np.linspace(0, 1, CURVE), levels), 4),
            "h": rounded(curves.ravel(), 4),
        },
    }


@lru_cache(maxsize=len(TARGETS))
def _grid(name: str) -> np.ndarray:
    """Return the log density of a target, 0 at its top: columns share a place across the window."""
    target, (ends, _) = TARGETS[name], window_of(name)
    places = np.meshgrid(np.linspace(*ends, CURVE), np.linspace(*target.reach[1], CELLS))
    found: np.ndarray = target.log_densities(*places)
    found -= found.max()
    return found


def level_margins(name: str, exponents: tuple[float, ...]) -> np.ndarray:
    """Return the margin along x of a target to each power, shape (levels, `CURVE`), each with a top of 1."""
    sums = np.array([np.exp(exponent * _grid(name)).sum(axis=0) for exponent in exponents])
    margins: np.ndarray = sums / sums.max(axis=1, keepdims=True)
    return margins


def _run_columns(scene: Scene, start: int, stop: int) -> Columns:
    run, part = scene.run, slice(start, stop)
    assert isinstance(run, WalkLadderRun)
    return {
        **draw_columns(scene, start, stop),
        **film.path_columns(run, start, stop),
        **_walkers(run.level_of[part], run.place_of[part], run.height_of[part]),
    }


def _opened_columns(opened: OpenedLadder) -> Columns:
    """Return where each walker is in each frame of an opened iteration."""
    frames, levels = opened.total + 1, len(opened.before.levels)
    level_of, place_of, height_of = (np.empty((frames, levels, *more)) for more in ((), (2,), ()))
    for t in range(frames):
        state = opened.at(t)
        for level, (walker, now) in enumerate(zip(state.walkers, state.levels, strict=True)):
            level_of[t, walker], place_of[t, walker], height_of[t, walker] = level, now.position, now.log_density
    return _walkers(level_of, place_of, height_of)


def _walkers(level_of: np.ndarray, place_of: np.ndarray, height_of: np.ndarray) -> Columns:
    return {
        ("walkers", "level"): level_of,
        ("walkers", "across"): place_of[..., 0],
        ("walkers", "up"): place_of[..., 1],
        ("walkers", "height"): height_of,
    }
