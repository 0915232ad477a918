"""The film of a run, sweep by sweep: the series, the shares of states, transitions, and the number of changes."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, Columns, Data, along
from pages.contract.film import Film
from pages.drawing.charts import trace
from pages.drawing.numbers import rounded
from pages.scenes.close_up import SWEEP_BY_SWEEP
from pages.topics.hidden_chain import charts
from pages.topics.hidden_chain.run import HiddenScene

ROOM = 0.8  # below the lowest and above the highest value, in their units
MOST_CHANGES = 24  # that have a bar
CHANGED = ("changes", "changes_b")  # the columns of both chains
CHANGES = "{changes} {changes:changes|change|changes} of state"


def by_sweep(
    scene: HiddenScene[Any], charts: Sequence[Chart], data: Data, columns: Callable[[Any, int, int], Columns]
) -> Film:
    """Return the run, a frame a sweep; ``columns(scene, start, stop)`` makes the columns beside those of the series."""
    return Film(
        key=f"{scene.key} sweeps {scene.hour}",
        charts=charts,
        data=hours_data(scene) | data,
        columns=lambda start, stop: _series(scene, start, stop) | columns(scene, start, stop),
        total=SWEEPS,
        grow=scene.grow,
        params={"changes_span": (0.0, float(most_changes(scene)))},
        **SWEEP_BY_SWEEP,
    )


def series_chart(scene: HiddenScene[Any], caption: str) -> Chart:
    """Return the chart of the series; of two chains its states are those of the first, which its title then names."""
    values = scene.values
    y = (float(values.min()) - ROOM, float(max(values.max(), scene.run.sampler.centres[-1])) + ROOM)
    return Chart(
        "series",
        "The series" if len(scene.runs) == 1 else f"The series, {scene.method.name.lower()}",
        caption,
        "The value of each hour, in the colour and shape of its state, and the mean of that state as a line.",
        charts.series(len(values), y),
        scene.legend,
    )


def moves_chart(scene: HiddenScene[Any], now: str = "") -> Chart:
    """Return the picture of the transition probabilities; `now` is the end of its caption."""
    return Chart(
        "moves",
        "Transitions",
        f"· drawn{now}" if scene.run.sampler.learned else "· given",
        "The probability of each next state, a row for each state.",
        charts.moves(scene.run.sampler.states),
    )


def trace_chart(scene: HiddenScene[Any], two: bool) -> Chart:
    """Return the trace of the number of changes, of one chain or two."""
    names = [("accent", scene.method.name), ("dashed", scene.other.name)]
    return Chart(
        "trace",
        "Changes of state",
        "· {changes}",
        "The number of changes of state along the run.",
        trace("changes", None, "sweeps", two),
        names if two else (),
        params={"changes_span": (0.0, float(most_changes(scene)))},
    )


def most_changes(scene: HiddenScene[Any]) -> int:
    """Return the largest number of changes that has a bar."""
    return min(len(scene.values) - 1, MOST_CHANGES)


def hours_data(scene: HiddenScene[Any]) -> Data:
    """Return the data sets of the series."""
    values = scene.values
    return {
        "hours": {
            "x": list(range(1, len(values) + 1)),
            "name": [f"hour-{hour + 1}" for hour in range(len(values))],
            "y": rounded(values),
            "label": INT16,
            "mean": FLOAT32,
        },
        "hand": {"x": FLOAT32, "y": FLOAT32},
    }


def bars_data(scene: HiddenScene[Any], *names: str) -> Data:
    """Return the data sets of stacked bars with these names, and the exact borders between their parts."""
    hours, states = len(scene.values), scene.run.sampler.states
    x = np.arange(1, hours + 1)
    bars = {"x": np.repeat(x, states).tolist(), "k": list(range(states)) * hours}
    sets: Data = {name: {**bars, "low": FLOAT32, "high": FLOAT32} for name in names}
    if scene.marginals is not None:
        ends = scene.marginals.cumsum(axis=1)[:, :-1]
        sets["borders"] = {"x": np.repeat(x, states - 1).tolist(), "at": rounded(ends.ravel())}
    return sets


def moves_data(states: int) -> Data:
    """Return the data set of the transition probabilities."""
    k = np.arange(states)
    return {"moves": {"from": np.repeat(k, states).tolist(), "to": k.tolist() * states, "p": FLOAT32}}


def stacked(name: str, shares: np.ndarray) -> Columns:
    """Return the ends of the parts of stacked bars; `shares` has shape (frames, T, K)."""
    high = shares.cumsum(axis=2)
    wide = (len(shares), shares.shape[1] * shares.shape[2])
    return {(name, "low"): (high - shares).reshape(wide), (name, "high"): high.reshape(wide)}


def _series(scene: HiddenScene[Any], start: int, stop: int) -> Columns:
    """Return the columns of the series, and how many changes there are in each chain."""
    run = scene.run
    labels = run.labels[start:stop]
    columns: Columns = {
        ("hours", "label"): labels,
        ("hours", "mean"): np.take_along_axis(run.means[start:stop], labels.astype(int), axis=1),
        ("hand", "x"): scene.hour + 1,
        ("hand", "y"): scene.values[scene.hour],
    }
    for each, field in zip(scene.runs, CHANGED, strict=False):
        columns |= along(**{field: each.changes[start:stop]})
    return columns


def said_of(scene: HiddenScene[Any], *more: str) -> Data:
    """Return the columns of captions: the changes of each chain, and more."""
    changed = dict.fromkeys(CHANGED[: len(scene.runs)], FLOAT32)
    return {"past": changed, "say": changed | dict.fromkeys(more, FLOAT32)}


def so_far(found: np.ndarray, numbers: np.ndarray, start: int, stop: int) -> np.ndarray:
    """Return how often each number has come up until each sweep, shape (sweeps, numbers); sweep 0 does not count."""
    hits = found[1:stop, None] == numbers
    until = np.concatenate([np.zeros((1, len(numbers))), hits.cumsum(axis=0)])
    shares: np.ndarray = until / np.maximum(np.arange(stop), 1)[:, None]
    return shares[start:stop]
