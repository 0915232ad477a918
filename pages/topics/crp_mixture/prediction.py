"""Predictions of the mixture: the next point, by one sweep, averaged or exactly, and sets of points beside the data."""

from collections.abc import Callable
from functools import lru_cache
from html import escape

import numpy as np

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.drawing.cards import Option, badge, numbered, pointing, quiet, score_table, table
from pages.drawing.numbers import probability
from pages.scenes.points.checks import compared
from pages.scenes.points.model import NEW, Model, option_of
from pages.scenes.points.panels import branched_at, kept_from
from pages.scenes.points.run import PointsRun
from pages.scenes.points.scene import MixtureScene
from pages.topics.crp_mixture.run import MixtureRun
from samplers.crp.mixture import MixtureState
from samplers.crp.prediction import NewPoints, Prediction, average_prediction, draw_new_points, exact_prediction

Average = Callable[[PointsRun, int, np.ndarray], np.ndarray]
MOST_SWEEPS = 200  # that are averaged: so many of those that count, equally far apart
TABLES_LISTED = 5
MOST_SETS = 50  # that the data are compared with
HEADING = "p(the next point sits there) = customers there / (N + α)"


def average_of(scene: MixtureScene[CRPMixtureSettings]) -> Average:
    """Return how the density of the next point is averaged over the sweeps of a run that count."""
    return lambda run, sweep, where: _averaged(scene, run, sweep, where).density


def counted_sweeps(scene: MixtureScene[CRPMixtureSettings], sweep: int, most: int) -> np.ndarray:
    """Return the sweeps that count up to one, or `MOST_SWEEPS` of them, equally far apart; at the start, the start."""
    first = min(kept_from(sweep, branched_at(scene)), sweep)
    return np.unique(np.linspace(first, sweep, min(sweep - first + 1, most)).round().astype(int))


def _averaged(scene: MixtureScene[CRPMixtureSettings], run: PointsRun, sweep: int, where: np.ndarray) -> Prediction:
    assert isinstance(run, MixtureRun)
    sweeps = counted_sweeps(scene, sweep, MOST_SWEEPS)
    return average_prediction(run.mixture, run.labels[sweeps], run.concentration[sweeps], where)


def exact_of(scene: MixtureScene[CRPMixtureSettings]) -> Callable[[np.ndarray], np.ndarray]:
    """Return the exact density of the next point, of a scene whose truth is known."""
    return lambda where: _exact(scene, where).density


def _exact(scene: MixtureScene[CRPMixtureSettings], where: np.ndarray) -> Prediction:
    return _exactly(scene.settings.as_run(), scene.data.tobytes(), scene.data.shape, np.asarray(where, float).tobytes())


@lru_cache(maxsize=32)
def _exactly(settings: CRPMixtureSettings, points: bytes, shape: tuple[int, int], where: bytes) -> Prediction:
    data = np.frombuffer(points).reshape(shape)
    return exact_prediction(data, settings.prior(data), np.frombuffer(where).reshape(-1, shape[1]), **settings.weight)


def replica_of(run: MixtureRun) -> Callable[[int], NewPoints]:
    """Return how as many new points as there are come about after a sweep: the same for the same run and sweep."""

    def draw(sweep: int) -> NewPoints:
        rng = np.random.default_rng((run.chain.seed, sweep, len(run.mixture.data)))
        return draw_new_points(run.mixture, run.rebuilt(sweep), len(run.mixture.data), rng)

    return draw


# ---- cards -----------------------------------------------------------------------------------------------------------


def next_point(scene: MixtureScene[CRPMixtureSettings], sweep: int) -> str:
    """Return equation 9 with the numbers of a sweep: where the next point sits, where it falls, and the average."""
    run = scene.run
    assert isinstance(run, MixtureRun)
    state = run.rebuilt(sweep)
    cards = numbered(
        ("Sits down", score_table(_seats(run.model, state), -1, HEADING)),
        ("Falls there", _places(run.model, state)),
        ("Averaged", _average(scene, run, sweep)),
    )
    return f'<div class="three">{cards}</div>'


def _largest(state: MixtureState) -> list[int]:
    return sorted(state.clusters, key=lambda name: -state.clusters[name].count)


def _seats(model: Model, state: MixtureState) -> list[Option]:
    total = len(state.labels) + state.concentration
    below = f"({len(state.labels)} + {state.concentration:.3g})"
    counts = {name: state.clusters[name].count for name in _largest(state)}
    options = [option_of(model.one, name, f"{count} / {below}", count / total) for name, count in counts.items()]
    terms = f"{state.concentration:.3g} / {below}"
    return [*options, option_of(model.one, None, terms, state.concentration / total)]


def _places(model: Model, state: MixtureState) -> str:
    """Return the prediction of each table for a point that sits there: the mean and the spread of a Student t."""
    rows = []
    for name in [*_largest(state)[:TABLES_LISTED], NEW]:
        centre, scale, df = model.predictive(state, name).student_t()
        spread = np.sqrt(np.diag(scale) * (df / (df - 2) if np.isfinite(df) else 1))
        mark = pointing("new", badge("+", None)) if name == NEW else model.mark(name)
        rows.append([mark, *model.places(centre), " · ".join(model.spreads(spread))])
    names = ["mean"] if model.dimension == 1 else [f"mean {escape(column.name)}" for column in model.columns]
    return table(["", *names, "spread"], rows)


def _average(scene: MixtureScene[CRPMixtureSettings], run: MixtureRun, sweep: int) -> str:
    if not sweep:
        return quiet("Run some sweeps first.")
    first = counted_sweeps(scene, sweep, MOST_SWEEPS)[0]
    state, none = run.rebuilt(sweep), scene.data[:1]
    rows = [
        ["this sweep", probability(state.concentration / (len(state.labels) + state.concentration))],
        [f"sweeps {first} to {sweep}", probability(_averaged(scene, run, sweep, none).new)],
    ]
    if scene.exact is not None:
        rows.append(["exact", probability(_exact(scene, none).new)])
    shown = "this sweep’s prediction" if scene.averaged is None else "the average"
    chances = table(["", "a new table"], rows)
    return f"{chances}{quiet(f'The picture shows {shown}.')}"


# ---- a predictive check ----------------------------------------------------------------------------------------------


def check(scene: MixtureScene[CRPMixtureSettings], sweep: int) -> str:
    """Return each statistic of the data beside those of sets from the sweeps that count, as HTML."""
    if not sweep:
        return quiet("Run some sweeps first.")
    run = scene.run
    assert isinstance(run, MixtureRun)
    sweeps, draw = counted_sweeps(scene, sweep, MOST_SETS), replica_of(run)
    sets = [draw(int(each)).points for each in sweeps]
    return compared(scene, sweeps, sets)
