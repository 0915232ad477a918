"""A ladder of mixtures: its run, whose cold level is the chain on the charts, its films and the words of its cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, Columns, Data
from pages.contract.film import Film
from pages.drawing.cards import table
from pages.drawing.charts import MARKS, PALETTE, PAPER, rows
from pages.drawing.lazy import alt
from pages.drawing.numbers import rounded
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS, SHAPES
from pages.scenes.ladder import charts, film
from pages.scenes.ladder.cards import of_level
from pages.scenes.ladder.charts import HEIGHT, WIDTH
from pages.scenes.ladder.run import SWEPT, LadderRun, OpenedLadder
from pages.scenes.points.film import sweeps_film
from pages.scenes.points.model import Model
from pages.scenes.points.scene import MixtureScene
from pages.topics.jumps.run import JumpRun
from samplers.crp.mixture import MixtureState
from samplers.jumps.split_merge import evaluations
from samplers.jumps.tempering import MixtureLadder
from samplers.tempering import LadderState, LadderStep

SMALL, LARGE = 26, 60  # sizes of a tile's points, if there are many, and if there are few
CLUSTERS = "datum.tables + (datum.tables == 1 ? ' cluster' : ' clusters')"


class MixtureLadderRun(LadderRun, JumpRun):
    """The sweeps of a ladder. What a `JumpRun` has is that of the cold level; `sampler` is the mixture.

    The records of `walkers` have the number of clusters, the log joint and the labels, shape (N,).
    """

    def __init__(self, sampler: MixtureLadder, model: Model, seed: int) -> None:
        self.swapping = sampler
        kinds = [("level", "u1"), ("tables", "i2"), ("joint", "f4"), ("labels", "i2", (len(sampler.mixture.data),))]
        self.walkers = np.empty((SWEEPS + 1, len(sampler.levels)), kinds)
        super().__init__(sampler, model, seed)

    def _note(self, t: int, record: LadderStep[Any]) -> None:
        """Keep what step t has cost, on all levels."""
        self.evaluations[t] = sum(map(evaluations, record.own))
        self.moved[t] = record.swaps[-1].accepted

    def add(self, t: int, state: LadderState[MixtureState]) -> None:
        super().add(t, state.cold)
        self.walkers[t] = self.carried(state)

    def carries(self, state: MixtureState) -> tuple[int, float, list[int]]:
        """Return a level's number of clusters, log joint and labels."""
        return len(state.clusters), self.swapping.log_density(state), state.labels


# ---- films -----------------------------------------------------------------------------------------------------------


def ladder_sweeps_film(scene: MixtureScene[Any]) -> Film:
    """Return the run, a frame a sweep: the film of the cold level, with the ladder beside it."""
    key, levels, run = f"{scene.key} ladder", scene.settings.levels, _run(scene)
    if key not in scene.films:
        base: Any = sweeps_film(scene)
        more = _data(scene) | film.path_sets(levels)
        pictures = [chart for chart in base.charts if chart.name in ("points", "second")]
        others = [chart for chart in base.charts if chart not in pictures]
        scene.films[key] = replace(
            base,
            key=key,
            charts=[*pictures, _ladder(scene), film.paths_chart(levels, WORDS.unit), *others],
            data={name: {**base.data.get(name, {}), **more.get(name, {})} for name in [*base.data, *more]},
            columns=lambda start, stop: {
                **base.columns(start, stop),
                **_columns(run.walkers[start:stop]),
                **film.path_columns(run, start, stop),
            },
        )
    return scene.films[key]


def swap_film(scene: MixtureScene[Any], opened: OpenedLadder) -> Film:
    """Return the film of an opened sweep, frame by frame."""
    columns = _columns(opened.carried_by(_run(scene)))
    return film.swap_film(scene.key, opened, WORDS, [_ladder(scene)], _data(scene), columns)


def _run(scene: MixtureScene[Any]) -> MixtureLadderRun:
    assert isinstance(scene.run, MixtureLadderRun)
    return scene.run


def _ladder(scene: MixtureScene[Any]) -> Chart:
    return Chart(
        "ladder",
        film.TITLE,
        film.CAPTION,
        "A row for each level, the cold one below: its walker, and the points in the colours of its clusters.",
        ladder(scene.settings.levels, LARGE if len(scene.data) <= 30 else SMALL),
        beside=True,
    )


@drawn_once
def ladder(levels: int, size: int) -> dict[str, Any]:
    """Draw the ladder: the points of each level in the colours of its clusters; `size` is that of a point."""
    points = rows("tiles", "label").transform_calculate(
        y="datum.level + datum.up", color=f"datum.label % {len(COLORS)}"
    )
    points = points.transform_calculate(form=f"datum.label % {len(SHAPES)}")
    shapes = alt.Shape("form:N", scale=MARKS, legend=None)
    fill = alt.Fill("color:N", scale=PALETTE, legend=None)
    fits = alt.ExprRef(f"{charts.roomy(levels)} ? {size} : {0.6 * size:g}")
    drawn = points.mark_point(filled=True, opacity=1, stroke=PAPER, strokeWidth=0.6, size=fits)
    tiles = [drawn.encode(*charts.axes(levels), fill, shapes)]
    return charts.ladder(levels, tiles, (CLUSTERS, "'log joint ' + format(datum.joint, '.2f')"))


def _data(scene: MixtureScene[Any]) -> Data:
    """Return the data sets of the ladder, with the columns that change."""
    exponents, points = _run(scene).swapping.exponents, len(scene.data)
    ends = np.array(scene.domains)
    levels = len(exponents)
    across, up = ((scene.data - ends[:, 0]) / (ends[:, 1] - ends[:, 0])).T
    return film.rung_sets(exponents) | {
        "walkers": {"walker": list(range(levels)), "level": FLOAT32, "tables": INT16, "joint": FLOAT32},
        "tiles": {
            "x": rounded(np.tile(WIDTH * across, levels), 4),
            "up": rounded(np.tile(HEIGHT * (up - 0.5), levels), 4),
            "level": FLOAT32.of(levels * points),
            "label": INT16.of(levels * points),
        },
    }


def _columns(walkers: np.ndarray) -> Columns:
    """Return the columns of the ladder, from the records of frames, shape (frames, levels)."""
    labels = walkers["labels"]
    frames, levels, points = labels.shape
    return {
        **{("walkers", name): walkers[name] for name in ("level", "tables", "joint")},
        ("tiles", "level"): np.repeat(walkers["level"], points, axis=1),
        ("tiles", "label"): labels.reshape(frames, levels * points),
    }


# ---- cards -----------------------------------------------------------------------------------------------------------


def _sweep(opened: OpenedLadder) -> str:
    """Return the number of labels that the Gibbs sweep changed at each level, as a table."""
    rows = []
    for level, state in enumerate(opened.at(SWEPT).levels):
        changed = sum(a != b for a, b in zip(opened.before.levels[level].labels, state.labels, strict=True))
        rows.append((of_level(level), f"{changed}"))
    return table(("labels", "changed"), rows)


WORDS = film.Words("sweep", SWEEPS, "a Gibbs sweep", "Sweep", _sweep, "log joint")
