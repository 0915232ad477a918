"""Hidden states whose number is learned: they have no names that stay, so changes and states in use are counted."""

from typing import ClassVar

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.scenes.points.charts import table_counts
from pages.topics.hidden_chain import charts, inspector
from pages.topics.hidden_chain.diagram import of_sticky
from pages.topics.hidden_chain.film import (
    CHANGES,
    by_sweep,
    moves_chart,
    moves_data,
    said_of,
    series_chart,
    so_far,
    trace_chart,
)
from pages.topics.hidden_chain.run import StickyScene
from pages.topics.hidden_chain.states import States
from pages.topics.hidden_chain.truth import Listed, Posterior
from samplers.diagnostics.convergence import partition_ids
from samplers.hmm.exact_sticky import exact_states
from samplers.hmm.sticky import Sticky

CONCENTRATIONS = ("alpha", "gamma", "kappa")
SHARES = ("share", "share_b")  # the columns of both chains


def sweeps_film(scene: StickyScene) -> Film:
    """Return the run, a frame a sweep."""
    exact, two = scene.exact is not None, len(scene.runs) == 2
    chain = ("block", scene.method.name if two else "this chain")
    along, counted = ([chain, *[(mark, scene.other.name)] * two] for mark in ("dashed", "ink"))
    truth = [("ink", "exact, thick" if two else "exact")] * exact
    now = " · α {alpha}, γ {gamma}, κ {kappa}" * scene.settings.learns
    shown = [
        series_chart(scene, f"· {CHANGES}, {{used}} {{used:states|state|states}}"),
        Chart(
            "moved",
            "A change before each hour",
            "· share of sweeps",
            "For each hour but the first the share of sweeps in which its state differs from that of the hour before.",
            charts.moved(len(scene.values), exact, two),
            [*along, *truth],
        ),
        Chart(
            "number",
            "States in use so far",
            "· exact mean {states}" if exact else "",
            "How often each number of states has come up so far, beside its exact probability where it is known.",
            table_counts(_most_used(scene), exact, two, "states", False),
            [*counted, *truth],
        ),
        trace_chart(scene, two) if two else moves_chart(scene, now),
    ]
    return by_sweep(scene, shown, _data(scene), _columns)


def _most_used(scene: StickyScene) -> int:
    """Return the largest number of states that has a bar."""
    return min(len(scene.values), scene.run.sampler.states)


def _data(scene: StickyScene) -> Data:
    exact, most = scene.exact, _most_used(scene)
    shares = dict.fromkeys(SHARES[: len(scene.runs)], FLOAT32)
    sets: Data = {
        "moved": {"x": list(range(2, len(scene.values) + 1)), **shares},
        "counts": {"k": list(range(1, most + 1)), **shares},
    }
    if exact is not None:
        sets["moved"]["exact"] = rounded(exact.moved)
        sets["counts"]["exact"] = rounded(np.pad(exact.states, (0, most))[1 : most + 1])
    if len(scene.runs) == 1:
        sets |= moves_data(scene.run.sampler.states)
    return sets | said_of(scene, "used", "states", *CONCENTRATIONS)


def _columns(scene: StickyScene, start: int, stop: int) -> Columns:
    run, exact = scene.run, scene.exact
    mean = np.nan if exact is None else exact.states @ np.arange(len(exact.states))
    columns: Columns = {("say", "used"): run.used[start:stop], ("say", "states"): mean}
    columns |= {("say", name): run.concentrations[start:stop, place] for place, name in enumerate(CONCENTRATIONS)}
    counted = np.arange(1, _most_used(scene) + 1)
    for each, share in zip(scene.runs, SHARES, strict=False):
        columns["moved", share] = each.moved(start, stop)
        columns["counts", share] = so_far(each.used, counted, start, stop)
    if len(scene.runs) == 1:
        columns["moves", "p"] = run.moves[start:stop]
    return columns


def listed(scene: StickyScene) -> Listed:
    """Return all partitions."""
    assert scene.exact is not None
    over = f"all {len(scene.exact.log_joint):,} partitions into states"
    return Listed(scene.exact.probabilities, over, lambda run: partition_ids(run.labels))


def _limit(model: Sticky) -> list[str]:
    """Return how far a largest number of states moves the exact mean."""
    means = []
    for limit in (False, True):
        found = exact_states(model, limit)
        assert found is not None  # there is a truth
        means.append(float(found.states @ np.arange(len(found.states))))
    return [
        f"With at most {model.states} states the exact mean is {means[0]:.2f}; "
        f"without a largest number it would be {means[1]:.2f}."
    ]


def _smaller(model: Sticky) -> str:
    """Return which data are small enough, as HTML."""
    return "<b>Eight hours</b>" if model.priors is None else "<b>Eight hours</b>, with concentrations fixed"


POSTERIOR = Posterior(
    "States in use",
    "states",
    "used",
    lambda exact: exact.states,
    listed,
    _smaller,
    lambda model: " with concentrations redrawn" * (model.priors is not None),
    _limit,
)


class Learned(States):
    """The stage of a number of states that is learned."""

    kind = StickyScene
    diagram = of_sticky
    sweeps = sweeps_film
    views: ClassVar = {"cost": inspector.cost, "truth": POSTERIOR.beside}
