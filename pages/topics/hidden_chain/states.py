"""Hidden states that keep their names: their shares in each hour, and how many changes there are."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from lessons.topics.hidden_chain import HiddenChainSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.place import Place
from pages.contract.tools import Number, Tool
from pages.drawing.numbers import rounded
from pages.scenes.gibbs_stage import BEATS, GibbsStage
from pages.scenes.points.charts import table_counts
from pages.scenes.shared import key_of, shared
from pages.topics.hidden_chain import charts, inspector
from pages.topics.hidden_chain.beats import beats_film
from pages.topics.hidden_chain.diagram import of_states
from pages.topics.hidden_chain.film import (
    CHANGES,
    bars_data,
    by_sweep,
    most_changes,
    moves_chart,
    moves_data,
    said_of,
    series_chart,
    so_far,
    stacked,
    trace_chart,
)
from pages.topics.hidden_chain.own import UPLOAD
from pages.topics.hidden_chain.run import HiddenScene, StatesScene
from pages.topics.hidden_chain.truth import Listed, Posterior
from samplers.hmm.exact import MOST_PATHS, exact_paths

SHARES = ("shares", "second")  # the charts of both chains


def sweeps_film(scene: StatesScene) -> Film:
    """Return the run, a frame a sweep."""
    one, learned = len(scene.runs) == 1, scene.run.sampler.learned
    last = moves_chart(scene) if learned else trace_chart(scene, not one)
    shown = [
        series_chart(scene, f"· {CHANGES}"),
        shares_chart(scene, "shares", scene.method.name),
        _changes(scene) if one else shares_chart(scene, "second", scene.other.name),
        last,
    ]
    return by_sweep(scene, shown, _data(scene), _columns)


def shares_chart(scene: StatesScene, name: str, title: str) -> Chart:
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


def _changes(scene: StatesScene) -> Chart:
    exact = scene.exact is not None
    return Chart(
        "changes",
        "Changes of state so far",
        "· exact mean {exact}" if exact else "",
        "How often each number of changes has come up so far, beside its exact probability where it is known.",
        table_counts(most_changes(scene) + 1, exact, False, "changes", False),
        [("block", "this chain"), *[("ink", "exact")] * exact],
    )


def _data(scene: StatesScene) -> Data:
    sets = bars_data(scene, *SHARES[: len(scene.runs)])
    changes = np.arange(most_changes(scene) + 1)
    if len(scene.runs) == 1:
        sets["counts"] = {"k": changes.tolist(), "share": FLOAT32}
        if scene.exact is not None:
            sets["counts"]["exact"] = rounded(scene.exact.changes[changes])
    if scene.run.sampler.learned:
        sets |= moves_data(scene.run.sampler.states)
    return sets | said_of(scene, "exact")


def _columns(scene: StatesScene, start: int, stop: int) -> Columns:
    run, exact = scene.run, scene.exact
    columns: Columns = {("say", "exact"): np.nan if exact is None else exact.changes @ np.arange(len(exact.changes))}
    for each, name in zip(scene.runs, SHARES, strict=False):
        columns |= stacked(name, each.shares(start, stop))
    if len(scene.runs) == 1:
        columns["counts", "share"] = so_far(run.changes, np.arange(most_changes(scene) + 1), start, stop)
    if run.sampler.learned:
        columns["moves", "p"] = run.moves[start:stop]
    return columns


def listed(scene: StatesScene) -> Listed:
    """Return all paths, or where these are too many the numbers of changes."""
    model = scene.run.sampler
    if model.states**model.hours <= MOST_PATHS:
        found = _paths(scene)
        place = model.states ** np.arange(model.hours)[::-1]
        return Listed(found, f"all {len(found):,} paths", lambda run: run.labels.astype(int) @ place)
    assert scene.exact is not None
    return Listed(scene.exact.changes, "the number of changes", lambda run: run.changes)


@shared
def _paths(scene: StatesScene) -> np.ndarray:
    return exact_paths(scene.run.sampler).probabilities


POSTERIOR = Posterior(
    "Changes of state",
    "changes of state",
    "changes",
    lambda exact: exact.changes,
    listed,
    lambda _: "<b>Eight hours</b>, or means and transitions given",
)


@shared
def _made(settings: HiddenChainSettings, seed: int, kind: type[Any]) -> Any:
    series = settings.series()
    runs = [kind.kind(settings.sampler_by(method, series), seed) for method in settings.methods]
    return kind(settings, key_of(settings, seed), runs, series, settings.exact())


class States(GibbsStage[HiddenChainSettings, HiddenScene[Any]]):
    """The stage of a fixed number of states."""

    one = "Hour"
    update = inspector.CARDS
    diagram = of_states
    kind: ClassVar[type[HiddenScene[Any]]] = StatesScene
    sweeps = sweeps_film
    beats = beats_film
    own = UPLOAD
    views: ClassVar = {"cost": inspector.cost, "truth": POSTERIOR.beside}
    opens = ("hour",)

    def scene(self, settings: HiddenChainSettings, seed: int) -> HiddenScene[Any]:
        return replace(_made(settings, seed, self.kind), settings=settings)

    def actions(self, place: Place[HiddenChainSettings]) -> Iterable[Tool]:
        if place.view in BEATS and place.settings.opened is None and not place.settings.many:
            yield Number("hour", "Hour", len(place.settings.series()), icon=":material/schedule:")

    def open(self, place: Place[HiddenChainSettings], mark: Open) -> None:
        scene = self.scene(place.settings, place.seed)
        hour = min(mark.which, len(scene.values))
        place.change(hour=hour)
        if place.settings.opened is not None:
            place.move(4 * scene.update_of(hour - 1) + 1)
