"""The contract of everything that steps, and the recipe by which every Gibbs sampler does.

A transition kernel makes the next state of a chain from the last one and a generator. A `Kernel` says how a run begins
(``init``) and how it goes on (``step``), which returns a new state and the step's record. A state holds what the next
step needs, and a record whatever else a step has found: it is not kept but made again when somebody looks, so that
what is shown is what ran. `samplers.chain.Chain` runs kernels and knows no other methods of theirs.

A `GibbsSampler` is a kernel whose step is one sweep, and whose record is the list of its updates. It says what a sweep
visits (``sites``), how a site leaves the state (``forget``), what each of its options is worth given everything else
(``score``), and how a value enters the state (``remember``). `updates` is the only loop, and the only place that draws:
what a page shows, what a test checks and what runs are the same lines.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import exp
from operator import add
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

Site = int | str  # a data point's index, or the name of a block such as "word probabilities"; a sampler may have others


T = TypeVar("T")
R = TypeVar("R")


class Kernel(ABC, Generic[T, R]):
    """A transition kernel from states T to states T, each step of which leaves a record R.

    Attributes
    ----------
    of_a_posterior : bool
        Whether its states are draws from a posterior, or another fixed distribution.
    """

    of_a_posterior: ClassVar[bool] = False

    @abstractmethod
    def init(self, rng: np.random.Generator) -> T:
        """Return a first state."""

    @abstractmethod
    def step(self, state: T, rng: np.random.Generator) -> tuple[T, R]:
        """Return the next state and the record of the step; the state that was given stays as it was."""

    def variables(self, state: T) -> dict[str, Any]:
        """Return what a state holds, by the names of the field: numbers, or arrays of them.

        Here the fields of a named tuple, else one entry named by ``parameter``.
        """
        return dict(state._asdict()) if hasattr(state, "_asdict") else {getattr(self, "parameter", "state"): state}

    def replayed(self, step: int, frame: int) -> list[str]:
        """Return lines of Python that go on after ``chain = Chain(sampler, seed)`` to what a frame of a step shows."""
        return [f"state = chain[{step}]"]

    def pieces(self, state: T, rng: np.random.Generator, recorded: bool = True) -> Generator[None, None, tuple[T, R]]:
        """Do `step` as a generator that yields between pieces, so that a long step can be interrupted.

        With ``recorded=False`` the record may be empty.
        """
        made = self.step(state, rng)
        yield
        return made


def drained(work: Generator[object, None, T]) -> T:
    """Go through a generator without a pause, and return what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


class State(Protocol):
    """The state of a Gibbs sampler: it changes in place, update by update."""

    def copy(self) -> Self:
        """Return a state that can change while this one stays as it is."""


S = TypeVar("S", bound=State)


class Distribution(Protocol):
    """The distribution that a site is drawn from: a `Conditional`, or a continuous one for a block."""

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw the site's new value."""


class Conditional:
    """The distribution of one label given everything else, as named log terms that add up.

    Parameters
    ----------
    terms : mapping of str to sequence of float
        For each named term (say ``"customers"`` and ``"fit"``) its logarithm at every option, all of one length.
        Their sum is the log weight of an option; it need not be normalised.
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[str, Sequence[float]]) -> None:
        self.terms = terms

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
    def undefined(self) -> bool:
        """Whether there are no probabilities: never by a right rule, which raises instead."""
        return False

    @property
    def probabilities(self) -> np.ndarray:
        """Probabilities of the options, shape (options,)."""
        weights = np.array(self.weights())
        return weights / weights.sum()

    def pick(self, uniform: float) -> int:
        """Return the option that a number in [0, 1) picks from the bar on which all lie end to end, by probability."""
        ends = list(accumulate(self.weights()))  # adds from left to right, as `sum` does only before Python 3.12
        return bisect_right(ends, uniform * ends[-1])  # below 1 it stays below the last end, rounded or not

    def draw(self, rng: np.random.Generator) -> int:
        """Draw an option."""
        return self.pick(rng.random())


class Update(NamedTuple):
    """One site redrawn.

    Attributes
    ----------
    site : Site, or as the sampler has them
        What was visited.
    conditional : Distribution
        Its distribution given everything else.
    value : object
        What was drawn: of a label, the option.
    uniform : float or None
        The number in [0, 1) that picked the option; None of a block, which draws as it likes.
    """

    site: Any
    conditional: Any
    value: Any
    uniform: float | None


class GibbsSampler(Kernel[S, list[Update]]):
    """A model with its data and settings, and how to redraw each part of its state; a step is one sweep."""

    @abstractmethod
    def sites(self, state: S) -> Iterable[Any]:
        """Yield what one sweep updates, in order; it may look at the state as the sweep changes it."""

    @abstractmethod
    def forget(self, state: S, site: Any) -> None:
        """Take the site out of the state's counts."""

    @abstractmethod
    def score(self, state: S, site: Any) -> Distribution:
        """Return the site's distribution given everything else in the state, from which it has been taken out."""

    @abstractmethod
    def remember(self, state: S, site: Any, value: Any) -> None:
        """Put the site back with its new value."""

    @abstractmethod
    def log_joint(self, state: S) -> float:
        """Return the log probability of data and state together, with nothing dropped."""

    def step(self, state: S, rng: np.random.Generator) -> tuple[S, list[Update]]:
        """Return the state after one sweep, and the sweep's updates; the state that was given stays as it was."""
        return drained(self.pieces(state, rng))

    def pieces(
        self, state: S, rng: np.random.Generator, recorded: bool = True
    ) -> Generator[None, None, tuple[S, list[Update]]]:
        """Do the same, and pause after every update; to hold the updates takes one time in twenty."""
        state, record = state.copy(), []
        for update in updates(self, state, rng):
            if recorded:
                record.append(update)
            yield
        return state, record


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
        if isinstance(conditional, Conditional):
            uniform = rng.random()
            value = conditional.pick(uniform)
        else:
            uniform, value = None, conditional.draw(rng)
        sampler.remember(state, site, value)
        yield Update(site, conditional, value, uniform)


def outcomes(sampler: GibbsSampler[S], start: S, sites: Iterable[Site]) -> dict[tuple[int, ...], tuple[float, S]]:
    """Return every state in which updates of these labels can end, by trying every option: no chance is involved.

    By its labels: the probability of ending there, and the state. It is the loop of `updates` without a draw.

    Parameters
    ----------
    sampler : GibbsSampler
        Its states have ``labels``.
    start : State
        It stays as it is.
    sites : iterable of int
        Which labels are updated, in order.
    """
    reached = {_labels(start): (1.0, start)}
    for site in sites:
        before, reached = reached, {}
        for probability, state in before.values():
            lifted = state.copy()
            sampler.forget(lifted, site)
            conditional: Any = sampler.score(lifted, site)
            for option, chance in enumerate(conditional.probabilities.tolist()):
                after = lifted.copy()
                sampler.remember(after, site, option)
                so_far, _ = reached.get(_labels(after), (0.0, after))
                reached[_labels(after)] = (so_far + probability * chance, after)
    return reached


def _labels(state: Any) -> tuple[int, ...]:
    return tuple(state.labels)
