"""The recipe that every Gibbs sampler follows, and the one loop that runs it.

A sampler says what one sweep visits (``sites``), how a site leaves the state (``forget``), what each of its options is
worth given everything else (``score``), and how a value enters the state (``remember``). `updates` is the only loop,
and the only place that draws: what a page shows, what a test checks and what runs are the same lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp
from operator import add
from typing import Any, NamedTuple, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

Site = int | str  # a data point's index, or the name of a block such as "word probabilities"


class State(Protocol):
    """What a sampler moves through."""

    def copy(self) -> Self:
        """Return a state that can change while this one stays as it is."""
        ...


S = TypeVar("S", bound=State)


class Distribution(Protocol):
    """What a site is drawn from: a `Conditional`, or a continuous law for a block."""

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw the site's new value."""
        ...


class Conditional:
    """The law of one label given everything else, as named log terms that add up.

    Parameters
    ----------
    terms : mapping of str to sequence of float
        For each named term (say ``"customers"`` and ``"fit"``) its logarithm at every option, all of one length.
        Their sum is the log weight of an option; it need not be normalised.

    Attributes
    ----------
    terms : mapping of str to sequence of float
        As given.
    dart : float or None
        The uniform number in [0, 1) that picked the option, once `draw` has been called: where the dart hit the bar on
        which the options lie end to end.
    """

    __slots__ = ("dart", "terms")

    def __init__(self, terms: Mapping[str, Sequence[float]]) -> None:
        self.terms = terms
        self.dart: float | None = None

    @property
    def log_weights(self) -> Sequence[float]:
        """The sum of the terms, one number per option."""
        columns = iter(self.terms.values())
        total = next(columns)
        for column in columns:
            if len(column) != len(total):
                raise ValueError(f"one term is shorter than another: {len(column)} and {len(total)} options")
            total = list(map(add, total, column))
        return total

    def weights(self) -> list[float]:
        """Weights of the options, scaled so that the largest is 1.

        Raises
        ------
        ValueError
            If a log weight is NaN or +inf, or if no option has a positive weight.
        """
        log_weights = self.log_weights
        top = max(log_weights)
        weights = [exp(value - top) for value in log_weights]
        if not sum(weights) >= 1:  # the largest is 1; of infinities and NaN come only NaN
            raise ValueError(f"no distribution can be made of the log weights {list(log_weights)}")
        return weights

    @property
    def probabilities(self) -> np.ndarray:
        """Probabilities of the options, shape (options,)."""
        weights = np.array(self.weights())
        probabilities: np.ndarray = weights / weights.sum()
        return probabilities

    def draw(self, rng: np.random.Generator) -> int:
        """Throw one dart at the bar of probabilities and return the option that it hits."""
        weights = self.weights()
        self.dart = rng.random()
        left = self.dart * sum(weights)
        for option, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return option
        return max(option for option, weight in enumerate(weights) if weight > 0)  # the dart rounded up to the rim


class GibbsSampler(Protocol[S]):
    """A model with its data and settings, and how to redraw each part of its state."""

    def init(self, rng: np.random.Generator) -> S:
        """Return a first state."""
        ...

    def sites(self, state: S) -> Iterable[Site]:
        """Yield what one sweep updates, in order; it may look at the state as the sweep changes it."""
        ...

    def forget(self, state: S, site: Site) -> None:
        """Take the site out of the state's counts."""
        ...

    def score(self, state: S, site: Site) -> Distribution:
        """Return the law of the site given everything else in the state, from which the site has been taken out."""
        ...

    def remember(self, state: S, site: Site, value: Any) -> None:
        """Put the site back with its new value."""
        ...

    def log_joint(self, state: S) -> float:
        """Return the log probability of data and state together, with nothing dropped."""
        ...


@runtime_checkable
class Stepper(Protocol[S]):
    """What moves by other steps than Gibbs updates: an optimiser, or a chain that follows a gradient."""

    def init(self, rng: np.random.Generator) -> S:
        """Return a first state."""
        ...

    def advance(self, state: S, rng: np.random.Generator) -> S:
        """Return the state after one step; the state that was given stays as it was."""
        ...


class Update(NamedTuple):
    """One site redrawn: what was visited, the law it was drawn from, and what came out."""

    site: Site
    conditional: Any
    value: Any


def updates(sampler: GibbsSampler[S], state: S, rng: np.random.Generator) -> Iterator[Update]:
    """Run one sweep in place, one update at a time.

    Parameters
    ----------
    sampler : GibbsSampler
        The model and its rules.
    state : State
        Changed in place; it is whole again whenever an update has been yielded.
    rng : numpy.random.Generator
        The only source of chance.

    Yields
    ------
    Update
        What has just been drawn, and from what.
    """
    for site in sampler.sites(state):
        sampler.forget(state, site)
        conditional = sampler.score(state, site)
        value = conditional.draw(rng)
        sampler.remember(state, site, value)
        yield Update(site, conditional, value)


def step(sampler: GibbsSampler[S], state: S, rng: np.random.Generator) -> S:
    """Run one sweep on a copy of the state and return the copy; the state that was given stays as it was."""
    state = state.copy()
    for _ in updates(sampler, state, rng):
        pass
    return state
