"""The chain beside the exact posterior: how often each number of changes or of states came up, and the error."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from pages.drawing.cards import quiet
from pages.drawing.truth import beside, error_curve, frequencies, not_listed, verdict
from pages.player.run import reach
from pages.topics.hidden_chain.run import ChainRun

LEAST = 1e-4  # of the probability of a number that has a bar


class Listed(NamedTuple):
    """The quantities over which the error is computed."""

    probabilities: np.ndarray  # the exact one of each of these
    over: str  # how many of what they are
    ids: Callable[[ChainRun], np.ndarray]  # which of them each sweep of a run was in, shape (sweeps + 1,)

    def curve(self, run: ChainRun, sweep: int) -> list[dict[str, float]]:
        """Return the error of a run up to a sweep; the start does not count."""
        return error_curve(self.ids(run)[1 : sweep + 1], self.probabilities)


class Posterior(NamedTuple):
    """The quantities of a scene that are compared with its truth."""

    title: str  # of the bars
    unit: str
    column: str  # of a run: what is counted
    exact: Callable[[Any], np.ndarray]  # the probabilities of its numbers, of the truth
    listed: Callable[[Any], Listed]  # what the error is computed over
    smaller: Callable[[Any], str]  # which data a model has a truth for, as HTML
    besides: Callable[[Any], str] = lambda _: ""  # what a model does that makes it harder
    limit: Callable[[Any], Sequence[str]] = lambda _: ()  # sentences on what a model's limit costs

    def beside(self, scene: Any, sweep: int) -> str:
        """Return how often each number came up beside its probability, and the error to truth."""
        exact, model = scene.exact, scene.run.sampler
        if exact is None or not sweep:
            hours = f"{model.hours} hours{self.besides(model)}"
            return not_listed(exact, "give each hour a state", hours, self.smaller(model))
        reach(scene.runs, sweep)
        every = self.listed(scene)
        curve = every.curve(scene.run, sweep)
        found, posterior = getattr(scene.run, self.column), self.exact(exact)
        values = np.flatnonzero(posterior > LEAST).tolist()
        bars = frequencies(found[1 : sweep + 1], values, posterior[values])
        other = [f"{scene.other.name}: {every.curve(run, sweep)[-1]['error']:.3f}." for run in scene.runs[1:]]
        said = " ".join((verdict(curve[-1], every.over), *other, *self.limit(model)))
        return beside(self.title, self.unit, bars, curve, every.probabilities) + quiet(said)
