"""Statistics of the draws of one or more chains: running means, autocorrelation, draws kept beside the last one."""

from collections.abc import Callable
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns
from pages.contract.film import Film
from pages.player.run import grown
from pages.scenes.close_up import SWEEP_BY_SWEEP
from pages.topics.gibbs_text import statistics_charts as charts
from pages.topics.gibbs_text.film import trace_domain
from pages.topics.gibbs_text.run import TextRun, first_look
from pages.topics.gibbs_text.scene import TextScene
from samplers.diagnostics.convergence import FEWEST_DRAWS, Diagnosis, diagnose

LAGS = 40


def film(scene: TextScene) -> Film:
    """Return the run as numbers, a frame a sweep."""
    settings = scene.settings
    return Film(
        key=f"{scene.key} {settings.statistic} {scene.document} of {len(scene.runs)} {settings.naming}",
        charts=_charts(scene),
        data={
            "lags": {"t": [-1], "lag": [0], "value": [0], "kept": [0]},
            "kept": _kept_rows(scene, -1),
            "past": {f"s_{k}": FLOAT32 for k in range(len(scene.runs))},
            "say": {"s_0": FLOAT32},
        },
        columns=lambda start, stop: _frames(scene, start, stop),
        total=scene.run.last,
        grow=lambda t: grown(scene.runs, t),
        still=lambda t: _still(scene, t),
        stilled_by=f"{settings.burn_in} {settings.thin}",
        params={"burn_in": (float(settings.burn_in), 0.0)},
        **SWEEP_BY_SWEEP,
    )


class Statistic(NamedTuple):
    """A number of each sweep, whose draws are looked at."""

    title: Callable[[TextScene], str]  # its definition in a few words
    of_run: Callable[[TextScene, TextRun, int, slice], np.ndarray]  # of a run, whose first class it is, and sweeps
    exact: Callable[[TextScene], float | None]  # its posterior mean, of a scene with a truth
    domain: Callable[[TextScene], tuple[float, float]]
    # an axis of means and some standard deviations around them
    around: Callable[[TextScene, float], tuple[float, float]]
    unit: str = " %"
    named: bool = True  # whether it needs the names of classes

    @property
    def scale(self) -> int:
        """The factor by which it is multiplied in captions."""
        return 100 if self.unit else 1


def _first(scene: TextScene) -> str:
    name = scene.names[0]
    return name if name.startswith("class ") else f"class {name}"


def _of_a_share(scene: TextScene) -> tuple[float, float]:
    seen = series(scene, 0, first_look(scene.corpus.size) + 1)
    return max(0.0, round(float(seen.min()) - 0.15, 1)), min(1.0, round(float(seen.max()) + 0.15, 1))


def _past_its_start(scene: TextScene, spreads: float) -> tuple[float, float]:
    """Return an axis of the log joint past its start.

    It rises by hundreds at first; on the axis of its trace one could not see a mean move.
    """
    look = first_look(scene.corpus.size)
    late = series(scene, look // 2, look + 1)
    means, spread = late.mean(axis=1), spreads * float(late.std(axis=1).max()) + 1
    return float(np.floor(means.min() - spread)), float(np.ceil(means.max() + spread))


STATISTICS = {
    "share_of_first_class": Statistic(
        lambda scene: f"Share of messages in {_first(scene)}",
        lambda _, run, first, sweeps: (run.labels[sweeps] == first).mean(axis=1),
        lambda scene: float(_exact(scene).mean()),
        _of_a_share,
        lambda scene, _: _of_a_share(scene),
    ),
    "open_message": Statistic(
        lambda scene: f"Is message {scene.document + 1} in {_first(scene)}?",
        lambda scene, run, first, sweeps: run.labels[sweeps, scene.document] == first,
        lambda scene: float(_exact(scene)[scene.document]),
        lambda _: (-0.04, 1.04),
        lambda *_: (-0.04, 1.04),
    ),
    "log_joint": Statistic(
        lambda _: "Log joint",
        lambda _, run, first, sweeps: run.log_joint[sweeps],
        lambda _: None,
        lambda scene: trace_domain(series(scene, 0, first_look(scene.corpus.size) + 1)),
        _past_its_start,
        "",
        named=False,
    ),
}


def statistic_of(scene: TextScene) -> Statistic:
    """Return the statistic that is looked at."""
    return STATISTICS[scene.settings.statistic]


def series(scene: TextScene, start: int, stop: int) -> np.ndarray:
    """Return the statistic of each chain from sweep start and below stop, floats of shape (chains, sweeps)."""
    statistic, sweeps = statistic_of(scene), slice(start, stop)
    firsts = first_classes(scene) if statistic.named else [0] * len(scene.runs)
    pairs = zip(scene.runs, firsts, strict=True)
    return np.array([statistic.of_run(scene, run, first, sweeps) for run, first in pairs], float)


def kept_draws(scene: TextScene, sweep: int) -> np.ndarray:
    """Return the statistic after the burn-in, thinned, up to a sweep: shape (chains, draws)."""
    settings = scene.settings
    return series(scene, min(settings.burn_in, sweep) + 1, sweep + 1)[:, :: settings.thin]


def first_classes(scene: TextScene) -> list[int]:
    """Return which class of each chain goes by the name of the first class.

    It is the first one itself, or, if names are to be matched and no label is shown, the one that pairs with the first
    chain's when the most messages agree after the first look.
    """
    if scene.settings.naming == "as_drawn" or scene.corpus.named:
        return [0] * len(scene.runs)
    look = first_look(scene.corpus.size)
    return [_partner(scene.run.labels[look], run.labels[look], scene.classes) for run in scene.runs]


def _partner(reference: np.ndarray, labels: np.ndarray, classes: int) -> int:
    table = np.zeros((classes, classes), int)
    np.add.at(table, (reference, labels), 1)
    best = max(permutations(range(classes)), key=lambda order: table[np.arange(classes), order].sum())
    return best[0]


def autocorrelation(draws: np.ndarray, lags: int) -> np.ndarray:
    """Return the correlation of draws at each lag in sweeps, averaged over chains.

    Parameters
    ----------
    draws : numpy.ndarray
        Shape (chains, draws).
    lags : int
        The largest distance.

    Returns
    -------
    numpy.ndarray
        For lags 0, 1, …: as many as there are draws, but lags + 1 at most; 0 if the draws do not vary.
    """
    size = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    width = min(lags + 1, size)
    sums = np.array([(centred[:, : size - lag] * centred[:, lag:]).sum() for lag in range(width)])
    return sums / sums[0] if sums[0] > 0 else np.zeros(width)


def summary(scene: TextScene, sweep: int) -> list[tuple[str, np.ndarray, Diagnosis]]:
    """Return for each chain, and for all together if there are several, the draws that are kept and what they say."""
    kept = kept_draws(scene, sweep)
    rows = [(f"chain {k + 1}", draws[None]) for k, draws in enumerate(kept)]
    if len(kept) > 1:
        rows.append(("all", kept))
    return [(name, draws, diagnose(draws)) for name, draws in rows]


def exact_mean(scene: TextScene) -> float | None:
    """Return the exact posterior mean of the statistic, where it is known."""
    return None if scene.exact is None else statistic_of(scene).exact(scene)


def _exact(scene: TextScene) -> np.ndarray:
    assert scene.exact is not None
    first: np.ndarray = scene.exact.class_probabilities[:, 0]
    return first


# ---- charts and frames ---------------------------------------------------------------------------------------------


def _charts(scene: TextScene) -> list[Chart]:
    statistic, chains = statistic_of(scene), len(scene.runs)
    form = statistic.unit.strip()
    marks = ("accent", "ink", "dashed", "dotted")
    legend = [(marks[k], f"chain {k + 1}") for k in range(chains)] if chains > 1 else []
    exact = exact_mean(scene)
    beside = [("dashed", "exact" if exact is not None else "mean of the run's second half")]
    return [
        Chart(
            "trace",
            statistic.title(scene),
            f"· {{s_0}}{statistic.unit} · drag the line: draws to its left are discarded",
            "The statistic along the run, for each chain, and the end of the burn-in.",
            charts.trace(chains, statistic.domain(scene), form),
            legend,
            hand="burn_in",
        ),
        Chart(
            "running",
            "Mean of the draws after the burn-in",
            "· as it settles",
            "The mean of all sweeps from the burn-in to each sweep, for each chain.",
            charts.running(chains, statistic.around(scene, 2), form, exact),
            beside if exact is not None or chains == 1 else [],
        ),
        Chart(
            "lags",
            "Autocorrelation",
            "· drawn when paused",
            "The correlation of draws by their distance in sweeps; those that thinning keeps are filled.",
            charts.lags(LAGS),
        ),
        Chart(
            "kept",
            "Kept draws, last draw alone",
            "· diamond: last",
            "For each chain the mean of the draws that are kept with two standard errors, and its last value.",
            charts.kept(chains, statistic.around(scene, 3), form, exact),
            [("accent", "mean ± 2 errors"), *([("dashed", "exact")] if exact is not None else [])],
        ),
    ]


def _frames(scene: TextScene, start: int, stop: int) -> Columns:
    values = series(scene, start, stop).astype(np.float32)  # as they are sent, so that a caption rounds the same number
    scale = statistic_of(scene).scale
    return {("past", f"s_{k}"): row for k, row in enumerate(values)} | {("say", "s_0"): (scale * values[0]).round(1)}


def _still(scene: TextScene, t: int) -> dict[str, dict[str, list[Any]]]:
    """Return the autocorrelation and the summary of the draws up to sweep t."""
    burnt = min(scene.settings.burn_in, t)
    every = series(scene, burnt + 1, t + 1)
    values = autocorrelation(every, LAGS) if every.shape[1] >= FEWEST_DRAWS else np.zeros(0)
    lags = list(range(len(values)))
    return {
        "lags": {
            "t": [t] * len(lags),
            "lag": lags,
            "value": [round(float(value), 4) for value in values],
            "kept": [int(lag % scene.settings.thin == 0) for lag in lags],
        },
        "kept": _kept_rows(scene, t),
    }


def _kept_rows(scene: TextScene, t: int) -> dict[str, list[Any]]:
    rows, now = [], max(t, 0)
    for name, draws, found in summary(scene, now):
        mean, error = float(draws.mean()) if draws.size else None, 2 * (found.mcse_mean or 0.0)
        last = float(series(scene, now, now + 1)[int(name[-1]) - 1, 0]) if name != "all" else None
        rows.append(
            (t, name, mean, None if mean is None else mean - error, None if mean is None else mean + error, last)
        )
    names = ("t", "chain", "mean", "low", "high", "last")
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
