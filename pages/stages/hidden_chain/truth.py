"""The chain beside the exact posterior: how often each number of changes or of states came up, and the error."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pages.drawing.cards import quiet
from pages.drawing.truth import beside, error_curve, frequencies, not_listed, verdict
from pages.player.kept import RUNS
from pages.player.run import reach
from pages.stages.hidden_chain.film import NAMES
from pages.stages.hidden_chain.run import ChainRun, Scene
from samplers.diagnostics.convergence import partition_ids
from samplers.hmm.exact import MOST_PATHS, exact_paths
from samplers.hmm.exact_sticky import ExactStates, exact_states
from samplers.hmm.model import HiddenMarkov
from samplers.hmm.sticky import Sticky

LEAST = 1e-4  # of the probability of a number that has a bar


class Listed(NamedTuple):
    """What the error is computed over.

    Attributes
    ----------
    probabilities : numpy.ndarray
        The exact probability of each of these.
    over : str
        How many of what they are.
    ids : callable
        Returns which of them each sweep of a run was in, shape (sweeps + 1,).
    """

    probabilities: np.ndarray
    over: str
    ids: Callable[[ChainRun], np.ndarray]

    def curve(self, run: ChainRun, sweep: int) -> list[dict[str, float]]:
        """Return the error of a run up to a sweep; the start does not count."""
        return error_curve(self.ids(run)[1 : sweep + 1], self.probabilities)


def listed(scene: Scene) -> Listed:
    """Return all paths, or all partitions, or where these are too many the numbers of changes."""
    model, exact = scene.run.sampler, scene.exact
    assert exact is not None
    if isinstance(exact, ExactStates):
        over = f"all {len(exact.log_joint):,} partitions into states"
        return Listed(exact.probabilities, over, lambda run: partition_ids(run.labels))
    if model.states**model.hours <= MOST_PATHS:
        found = RUNS.shared(f"{scene.key} paths", lambda: exact_paths(model).probabilities)
        place = model.states ** np.arange(model.hours)[::-1]
        return Listed(found, f"all {len(found):,} paths", lambda run: run.labels.astype(int) @ place)
    return Listed(exact.changes, "the number of changes", lambda run: run.changes)


def truth(scene: Scene, sweep: int) -> str:
    """Return how often each number of changes, or of states, came up beside its probability, and the error to truth."""
    exact, model = scene.exact, scene.run.sampler
    if exact is None or not sweep:
        redrawn = " with concentrations redrawn" * (isinstance(model, Sticky) and model.priors is not None)
        return not_listed(exact, "give each hour a state", f"{model.hours} hours{redrawn}", _smaller(model))
    reach(scene.runs, sweep)
    every = listed(scene)
    curve = every.curve(scene.run, sweep)
    if isinstance(exact, ExactStates):
        found, posterior, title, unit = scene.run.used, exact.states, "States in use", "states"
    else:
        found, posterior, title, unit = scene.run.changes, exact.changes, "Changes of state", "changes of state"
    values = np.flatnonzero(posterior > LEAST).tolist()
    bars = frequencies(found[1 : sweep + 1], values, posterior[values])
    other = [f"{NAMES[scene.settings.other]}: {every.curve(run, sweep)[-1]['error']:.3f}." for run in scene.runs[1:]]
    said = " ".join((verdict(curve[-1], every.over), *other, *_limit(model)))
    return beside(title, unit, bars, curve, every.probabilities) + quiet(said)


def _smaller(model: HiddenMarkov) -> str:
    """Return which data are small enough, as HTML."""
    if not isinstance(model, Sticky):
        return "<b>Eight hours</b>, or means and transitions given"
    return "<b>Eight hours</b>" if model.priors is None else "<b>Eight hours</b>, with concentrations fixed"


def _limit(model: HiddenMarkov) -> list[str]:
    """Return what the largest number of states costs, if their number is learned."""
    if not isinstance(model, Sticky):
        return []
    means = []
    for limit in (False, True):
        found = exact_states(model, limit)
        assert found is not None  # there is a truth
        means.append(float(found.states @ np.arange(len(found.states))))
    return [
        f"With at most {model.states} states the exact mean is {means[0]:.2f}; "
        f"without a largest number it would be {means[1]:.2f}."
    ]
