"""The film of a run, sweep by sweep: the series, the shares of states, transitions, and the number of changes."""

import numpy as np

from lessons.stages.fields import SWEEPS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, INT16, Columns, Data, along
from pages.contract.film import Film
from pages.drawing.charts import trace
from pages.drawing.numbers import rounded
from pages.drawing.palette import color
from pages.stages.close_up import SWEEP_BY_SWEEP
from pages.stages.hidden_chain import charts
from pages.stages.hidden_chain.run import Scene
from pages.stages.points.charts import table_counts
from samplers.hmm.exact_sticky import ExactStates

NAMES = {"single": "One state at a time", "block": "Forwards and backwards"}
ROOM = 0.8  # below the lowest and above the highest value, in their units
MOST_CHANGES = 24  # that have a bar
CONCENTRATIONS = ("alpha", "gamma", "kappa")
CHANGES = "{changes} {changes:changes|change|changes} of state"


def sweeps_film(scene: Scene) -> Film:
    """Return the run, a frame a sweep."""
    return Film(
        key=f"{scene.key} sweeps {scene.hour}",
        charts=_charts(scene),
        data=_data(scene),
        columns=lambda start, stop: _columns(scene, start, stop),
        total=SWEEPS,
        grow=scene.grow,
        params={"changes_span": (0.0, float(_most(scene)))},
        **SWEEP_BY_SWEEP,
    )


def series_chart(scene: Scene, caption: str) -> Chart:
    """Return the chart of the series."""
    values, states = scene.values, scene.run.sampler.states
    y = (float(values.min()) - ROOM, float(max(values.max(), scene.run.sampler.centres[-1])) + ROOM)
    return Chart(
        "series",
        "The series",
        caption,
        "The value of each hour, in the colour and shape of its state, and the mean of that state as a line.",
        charts.series(len(values), y),
        [] if scene.settings.sticky else [(f"{color(k)} solid", f"state {k + 1}") for k in range(states)],
    )


def shares_chart(scene: Scene, name: str, title: str) -> Chart:
    """Return the chart of how often each hour has had each state, of the first or the second chain."""
    exact = scene.marginals is not None
    return Chart(
        name,
        title,
        "· share of sweeps so far",
        "For each hour the share of sweeps in each state, as a stacked bar, and the exact probabilities as lines.",
        charts.shares(len(scene.values), exact, name),
        [("ink", "exact")] * exact,
    )


def moves_chart(scene: Scene) -> Chart:
    """Return the picture of the transition probabilities."""
    now = " · α {alpha}, γ {gamma}, κ {kappa}" if scene.settings.learns and scene.settings.opened is None else ""
    return Chart(
        "moves",
        "Transitions",
        f"· drawn{now}" if scene.run.sampler.learned else "· given",
        "The probability of each next state, a row for each state.",
        charts.moves(scene.run.sampler.states),
    )


def _charts(scene: Scene) -> list[Chart]:
    settings, two = scene.settings, len(scene.runs) == 2
    if settings.sticky:
        return _learned(scene)
    return [
        series_chart(scene, f"· {CHANGES}"),
        shares_chart(scene, "shares", NAMES[settings.method]),
        shares_chart(scene, "second", NAMES[settings.other]) if two else _changes(scene),
        moves_chart(scene) if scene.run.sampler.learned else _trace(scene, two),
    ]


def _learned(scene: Scene) -> list[Chart]:
    """Return the charts where the number of states is learned: states have no names that stay."""
    exact, two = scene.exact is not None, len(scene.runs) == 2
    names = [("block", NAMES[scene.settings.method])] + [("dashed", NAMES[scene.settings.other])] * two
    legend = [*(names if two else [("block", "this chain")]), *[("ink", "exact")] * exact]
    return [
        series_chart(scene, f"· {CHANGES}, {{used}} {{used:states|state|states}}"),
        Chart(
            "moved",
            "A change before each hour",
            "· share of sweeps",
            "For each hour but the first the share of sweeps in which its state differs from that of the hour before.",
            charts.moved(len(scene.values), exact, two),
            legend,
        ),
        Chart(
            "number",
            "States in use so far",
            "· exact mean {states}" if exact else "",
            "How often each number of states has come up so far, beside its exact probability where it is known.",
            table_counts(_most_used(scene), exact, two, "states", False),
            legend,
        ),
        _trace(scene, two) if two else moves_chart(scene),
    ]


def _changes(scene: Scene) -> Chart:
    exact = scene.exact is not None
    return Chart(
        "changes",
        "Changes of state so far",
        "· exact mean {exact}" if exact else "",
        "How often each number of changes has come up so far, beside its exact probability where it is known.",
        table_counts(_most(scene) + 1, exact, False, "changes", False),
        [("block", "this chain"), *[("ink", "exact")] * exact],
    )


def _trace(scene: Scene, two: bool) -> Chart:
    names = [("accent", NAMES[scene.settings.method]), ("dashed", NAMES[scene.settings.other])]
    return Chart(
        "trace",
        "Changes of state",
        "· {changes}",
        "The number of changes of state along the run.",
        trace("changes", None, "sweeps", two),
        names if two else (),
        params={"changes_span": (0.0, float(_most(scene)))},
    )


def _most(scene: Scene) -> int:
    """Return the largest number of changes that has a bar."""
    return min(len(scene.values) - 1, MOST_CHANGES)


def _most_used(scene: Scene) -> int:
    """Return the largest number of states that has a bar."""
    return min(len(scene.values), scene.run.sampler.states)


def hours_data(scene: Scene) -> Data:
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


def bars_data(scene: Scene, *names: str) -> Data:
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


def _data(scene: Scene) -> Data:
    if scene.settings.sticky:
        return _learned_data(scene)
    sets = hours_data(scene) | bars_data(scene, *("shares", "second")[: len(scene.runs)])
    changes = np.arange(_most(scene) + 1)
    said = dict.fromkeys(("changes", "changes_b")[: len(scene.runs)], FLOAT32)
    if len(scene.runs) == 1:
        sets["counts"] = {"k": changes.tolist(), "share": FLOAT32}
        if scene.exact is not None:
            sets["counts"]["exact"] = rounded(scene.exact.changes[changes])
    if scene.run.sampler.learned:
        sets |= moves_data(scene.run.sampler.states)
    return sets | {"past": said, "say": said | {"exact": FLOAT32}}


def _learned_data(scene: Scene) -> Data:
    exact, two = scene.exact, len(scene.runs) == 2
    shares = dict.fromkeys(("share", "share_b")[: len(scene.runs)], FLOAT32)
    sets = hours_data(scene)
    sets["moved"] = {"x": list(range(2, len(scene.values) + 1)), **shares}
    sets["counts"] = {"k": list(range(1, _most_used(scene) + 1)), **shares}
    if isinstance(exact, ExactStates):
        sets["moved"]["exact"] = rounded(exact.moved)
        sets["counts"]["exact"] = rounded(np.pad(exact.states, (0, _most_used(scene)))[1 : _most_used(scene) + 1])
    if not two:
        sets |= moves_data(scene.run.sampler.states)
    said = dict.fromkeys(("changes", "changes_b")[: len(scene.runs)], FLOAT32)
    return sets | {"past": said, "say": said | dict.fromkeys(("used", "states", *CONCENTRATIONS), FLOAT32)}


def stacked(name: str, shares: np.ndarray) -> Columns:
    """Return the ends of the parts of stacked bars; `shares` has shape (frames, T, K)."""
    high = shares.cumsum(axis=2)
    wide = (len(shares), shares.shape[1] * shares.shape[2])
    return {(name, "low"): (high - shares).reshape(wide), (name, "high"): high.reshape(wide)}


def _columns(scene: Scene, start: int, stop: int) -> Columns:
    run, exact = scene.run, scene.exact
    labels = run.labels[start:stop]
    columns: Columns = {
        ("hours", "label"): labels,
        ("hours", "mean"): np.take_along_axis(run.means[start:stop], labels.astype(int), axis=1),
        ("hand", "x"): scene.hour + 1,
        ("hand", "y"): scene.values[scene.hour],
    }
    if scene.settings.sticky:
        return columns | _learned_columns(scene, start, stop)
    columns["say", "exact"] = np.nan if exact is None else exact.changes @ np.arange(len(exact.changes))
    for each, name, field in zip(scene.runs, ("shares", "second"), ("changes", "changes_b"), strict=False):
        columns |= stacked(name, each.shares(start, stop))
        columns |= along(**{field: each.changes[start:stop]})
    if len(scene.runs) == 1:
        columns["counts", "share"] = _so_far(run.changes, np.arange(_most(scene) + 1), start, stop)
    if run.sampler.learned:
        columns["moves", "p"] = run.moves[start:stop]
    return columns


def _learned_columns(scene: Scene, start: int, stop: int) -> Columns:
    run, exact = scene.run, scene.exact
    mean = exact.states @ np.arange(len(exact.states)) if isinstance(exact, ExactStates) else np.nan
    columns: Columns = {("say", "used"): run.used[start:stop], ("say", "states"): mean}
    columns |= {("say", name): run.concentrations[start:stop, place] for place, name in enumerate(CONCENTRATIONS)}
    counted = np.arange(1, _most_used(scene) + 1)
    for each, share, field in zip(scene.runs, ("share", "share_b"), ("changes", "changes_b"), strict=False):
        columns["moved", share] = each.moved(start, stop)
        columns["counts", share] = _so_far(each.used, counted, start, stop)
        columns |= along(**{field: each.changes[start:stop]})
    if len(scene.runs) == 1:
        columns["moves", "p"] = run.moves[start:stop]
    return columns


def _so_far(found: np.ndarray, numbers: np.ndarray, start: int, stop: int) -> np.ndarray:
    """Return how often each number has come up until each sweep, shape (sweeps, numbers); sweep 0 does not count."""
    hits = found[1:stop, None] == numbers
    until = np.concatenate([np.zeros((1, len(numbers))), hits.cumsum(axis=0)])
    shares: np.ndarray = until / np.maximum(np.arange(stop), 1)[:, None]
    return shares[start:stop]
