"""A ladder on a density: its run, whose cold level is the chain on the charts, its films and the words of its cards."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from lessons.topics.walk_the_hill import TARGETS, WalkTheHillSettings, window_of
from lessons.topics.walk_the_hill.walks import ITERATIONS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.contract.film import Film
from pages.drawing.cards import table
from pages.drawing.charts import INK, PAPER, SOFT, Domain, finish, rows
from pages.drawing.lazy import alt
from pages.drawing.numbers import rounded
from pages.drawing.once import drawn_once
from pages.scenes.ladder import charts as ladder_charts
from pages.scenes.ladder import film
from pages.scenes.ladder.cards import of_level
from pages.scenes.ladder.charts import HEIGHT, HUE, WIDTH
from pages.scenes.ladder.run import LadderRun, OpenedLadder
from pages.topics.walk_the_hill import charts
from pages.topics.walk_the_hill.film import (
    CURVE,
    LEGEND,
    WalkScene,
    aspect_of,
    draw_columns,
    run_sets,
    share_charts,
    still,
)
from pages.topics.walk_the_hill.run import WalkRun
from samplers.log_density import PositionState
from samplers.tempering import LadderState, LadderStep

WALKER = ("level", "across", "up", "height")  # where it is, and the log density there
CELLS = 301  # along the other axis, of which a curve takes the densest
COLD, HOT = "26", "19"  # pixels of a walker's disc in the plane
FLOOR = 0.08 - HEIGHT / 2  # of a tile, below the middle of its row
ROOM = HEIGHT - 0.12  # for the top of a curve


class WalkLadderRun(LadderRun, WalkRun):
    """The iterations of a ladder. What a `WalkRun` has is that of the cold level.

    Attributes
    ----------
    walkers : numpy.ndarray
        Records with the fields of `WALKER`, shape (ITERATIONS + 1, levels).
    swapped : numpy.ndarray
        Whether each swap was accepted, from the coldest pair of levels on, shape (ITERATIONS + 1, levels - 1).
    """

    def __init__(self, settings: WalkTheHillSettings, seed: int) -> None:
        self.walkers = np.empty((ITERATIONS + 1, settings.levels), [(name, "f4") for name in WALKER])
        self.swapped = np.zeros((ITERATIONS + 1, settings.levels - 1), bool)
        super().__init__(settings, seed)
        self.swapping: Any = self.chain.sampler

    def _note(self, t: int, record: LadderStep[Any]) -> None:
        """Keep which swaps of iteration t were accepted."""
        self.swapped[t] = [swap.accepted for swap in reversed(record.swaps)]

    def add(self, t: int, state: LadderState[PositionState]) -> None:
        super().add(t, state.cold)
        self.walkers[t] = self.carried(state)

    def carries(self, state: PositionState) -> tuple[float, ...]:
        """Return where a level is, and the log density there."""
        return (*state.position, state.log_density)


# ---- films -----------------------------------------------------------------------------------------------------------


def ladder_film(scene: WalkScene) -> Film:
    """Return the film of a run's iterations."""
    levels = scene.settings.levels
    return Film(
        key=f"run {scene.key}",
        charts=[*_pictures(scene, close=False), film.paths_chart(levels, WORDS.unit), *share_charts(scene)],
        data=run_sets(scene, _data(scene) | film.path_sets(levels)),
        columns=lambda start, stop: _run_columns(scene, start, stop),
        total=ITERATIONS,
        label="iteration {t} of {total}",
        strides=(("Iteration", 1),),
        grow=scene.run.grow,
        lasts=0.8,
    )


def swap_film(scene: WalkScene, opened: OpenedLadder) -> Film:
    """Return the film of an opened iteration, frame by frame."""
    sets, columns = still(scene, opened.number) | _data(scene), _walkers(opened.carried_by(_run(scene)))
    return film.swap_film(scene.key, opened, WORDS, _pictures(scene, close=True), sets, columns)


def _run(scene: WalkScene) -> WalkLadderRun:
    assert isinstance(scene.run, WalkLadderRun)
    return scene.run


def _pictures(scene: WalkScene, *, close: bool) -> list[Chart]:
    settings = scene.settings
    x, y = settings.window
    return [
        Chart(
            "plane",
            "The density from above",
            "" if close else "· {draws} {draws:draws|draw|draws}",
            "Contours of the density, the draws of level 1, the walkers of all levels, and both margins.",
            plane(x, y, settings.density.names, close=close),
            [LEGEND[0], ("dot", "draws of level 1"), LEGEND[2]],
            aspect=aspect_of(settings.window),
        ),
        Chart(
            "ladder",
            film.TITLE,
            film.CAPTION,
            "A row for each level, the cold one below: β, its highest density at each x, and its walker.",
            ladder(settings.levels, x),
            beside=True,
        ),
    ]


@drawn_once
def plane(x: Domain, y: Domain, names: tuple[str, str], *, close: bool) -> dict[str, Any]:
    """Draw the density, the draws of the cold level so far, all walkers by their letters, and the margins.

    A walker beyond the window is drawn at its rim. Window and names are as in the plane of one sampler.
    """
    inside = {
        axis: f"clamp(datum.{field}, {low}, {high})"
        for axis, field, (low, high) in (("x", "across", x), ("y", "up", y))
    }
    walkers = rows("walkers", "level").transform_calculate(**inside)
    hot = ladder_charts.discs(walkers.transform_filter("datum.level >= 0.5"), HOT)
    cold = ladder_charts.discs(walkers.transform_filter("datum.level < 0.5"), COLD)
    layers: list[Any] = [*charts.hill(), charts.cloud(close), *hot, *cold, *charts.strips(x, y)]
    return finish(alt.layer(*layers).encode(*charts.axes(x, y, names)))


@drawn_once
def ladder(levels: int, across: Domain) -> dict[str, Any]:
    """Draw the ladder: each level's highest density at each x, within the window, and below it where its walker is."""
    axes = ladder_charts.axes(levels)
    curve = rows("curves").transform_calculate(
        x=f"{WIDTH} * datum.share", y=f"datum.level + {FLOOR} + {ROOM} * datum.h"
    )
    line = curve.mark_line(color=INK, strokeWidth=2)
    left, right = across
    walker = rows("walkers", "level").transform_calculate(
        x=f"{WIDTH} * clamp((datum.across - {left}) / {right - left}, 0, 1)", y=f"datum.level + {FLOOR}", hue=HUE
    )
    here = walker.mark_point(shape="circle", filled=True, opacity=1, size=110, stroke=PAPER, strokeWidth=1)
    floor = rows("rungs").transform_calculate(x="0", x2=f"{WIDTH}", y=f"datum.rung - 1 + {FLOOR}")
    tiles = [
        line.encode(*axes, detail="level:N", order="share:Q"),
        floor.mark_rule(color=SOFT, strokeWidth=1).encode(*axes, x2="x2:Q"),
        here.encode(*axes, alt.Fill("hue:N", scale=None)),
    ]
    place = "'x = ' + replace(format(datum.across, '.2f'), '-', '−')"
    height = "'log density ' + replace(format(datum.height, '.2f'), '-', '−')"
    return ladder_charts.ladder(levels, tiles, (place, height))


def _data(scene: WalkScene) -> Data:
    """Return the data sets of the ladder, with the columns that change."""
    exponents, levels = _run(scene).swapping.exponents, scene.settings.levels
    curves = ridges(scene.settings.target, exponents)
    return film.rung_sets(exponents) | {
        "walkers": {"walker": list(range(levels)), **dict.fromkeys(WALKER, FLOAT32)},
        "curves": {
            "level": np.repeat(np.arange(levels), CURVE).tolist(),
            "share": rounded(np.tile(np.linspace(0, 1, CURVE), levels), 4),
            "h": rounded(curves.ravel(), 4),
        },
    }


@lru_cache(maxsize=len(TARGETS))
def _ridge(name: str) -> np.ndarray:
    """Return the highest log density of a target at each place across the window, 0 at the top, shape (`CURVE`,)."""
    target, (ends, _) = TARGETS[name], window_of(name)
    places = np.meshgrid(np.linspace(*ends, CURVE), np.linspace(*target.reach[1], CELLS))
    found: np.ndarray = target.log_densities(*places).max(axis=0)
    return found - found.max()


def ridges(name: str, exponents: tuple[float, ...]) -> np.ndarray:
    """Return the highest density of a target to each power at each x, shape (levels, `CURVE`), each with a top of 1.

    On a curve along the ridge, unlike on a margin, a pass is lower than a top by the power of what it is at level 1.
    """
    return np.exp(np.outer(exponents, _ridge(name)))


def _run_columns(scene: WalkScene, start: int, stop: int) -> Columns:
    run = _run(scene)
    return {
        **draw_columns(scene, start, stop),
        **film.path_columns(run, start, stop),
        **_walkers(run.walkers[start:stop]),
    }


def _walkers(walkers: np.ndarray) -> Columns:
    return {("walkers", name): walkers[name] for name in WALKER}


# ---- cards -----------------------------------------------------------------------------------------------------------


def _steps(opened: OpenedLadder) -> str:
    """Return the outcome of each level's Metropolis step, as a table."""
    rows = [
        (of_level(level), "moves" if proposal.accepted else "stays") for level, proposal in enumerate(opened.step.own)
    ]
    return table(("proposal", ""), rows)


WORDS = film.Words("iteration", ITERATIONS, "a Metropolis step", "Steps", _steps, "log density")
