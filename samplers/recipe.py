"""The contract of all transition kernels, and the recipe of all Gibbs samplers.

A transition kernel makes the next state of a chain from the current one and a random generator. A `Kernel` defines how
a run begins (``init``) and how it goes on (``step``, which returns a new state and the step's record). A state holds
what the next step needs; a record holds everything else about a step. Records are not stored but made again on demand,
so a page shows exactly what ran. `samplers.chain.Chain` runs kernels, and needs only ``init``, ``step`` and ``pieces``.

A `GibbsSampler` is a kernel whose step is one sweep, and whose record is the list of the sweep's updates. It defines
which sites a sweep visits (``sites``), how a site leaves the state (``forget``), the distribution of its new value
given everything else (``score``), and how a value enters the state (``remember``). `updates` is the only loop, and the
only place that draws: pages, tests and runs all use the same lines.
"""

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
    """A transition kernel on states of type T; each step also returns a record of type R.

    Attributes
    ----------
    of_a_posterior : bool
        Whether its states are draws from a posterior or another fixed distribution.
    """

    of_a_posterior: ClassVar[bool] = False

    @abstractmethod
    def init(self, rng: np.random.Generator) -> T:
        """Return a first state."""

    @abstractmethod
    def step(self, state: T, rng: np.random.Generator) -> tuple[T, R]:
        """Return the next state and the record of the step; the given state does not change."""

    def packed(self, state: T) -> Any:
        """Return the form in which a chain keeps a state, which may be smaller: by default the state itself."""
        return state

    def unpacked(self, kept: Any) -> T:
        """Return the state that a chain keeps in this form."""
        return kept

    def variables(self, state: T) -> dict[str, Any]:
        """Return the variables of a state, numbers or arrays, by the field's standard names.

        By default these are the fields of a named tuple, or else one entry under the name in ``parameter``.
        """
        return dict(state._asdict()) if hasattr(state, "_asdict") else {getattr(self, "parameter", "state"): state}

    def pieces(self, state: T, rng: np.random.Generator, recorded: bool = True) -> Generator[None, None, tuple[T, R]]:
        """Do `step` as a generator that yields between pieces, so a long step can be interrupted.

        With ``recorded=False``, the record may be empty.
        """
        made = self.step(state, rng)
        yield
        return made


def drained(work: Generator[object, None, T]) -> T:
    """Run a generator to its end, and return what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


class State(Protocol):
    """The state of a Gibbs sampler, which updates change in place."""

    def copy(self) -> Self:
        """Return an independent copy of the state."""


S = TypeVar("S", bound=State)


class Distribution(Protocol):
    """The distribution of a site's new value: a `Conditional`, or a continuous distribution for a block.

    The test of all samplers compares a continuous one with the joint if it has a method ``log_density(value)``, which
    may leave out a constant.
    """

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw the site's new value."""


class Conditional:
    """The distribution of one label given everything else, as a sum of named log terms.

    Parameters
    ----------
    terms : mapping of str to sequence of float
        The logarithm of each term (such as ``"customers"`` and ``"fit"``) at every option, all of one length. The sum
        of the terms is the log weight of an option; weights need not be normalised.
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[str, Sequence[float]]) -> None:
        self.terms = terms

    @property
    def log_weights(self) -> Sequence[float]:
        """The log weights of the options: the sum of the terms."""
        columns = iter(self.terms.values())
        total = next(columns)
        for column in columns:
            if len(column) != len(total):
                raise ValueError(f"one term is shorter than another: {len(column)} and {len(total)} options")
            total = list(map(add, total, column))
        return total

    def weights(self) -> list[float]:
        """Return the weights of the options, scaled so that the largest is 1.

        Raises
        ------
        ValueError
            If a log weight is NaN or +inf, or if no option has a positive weight.
        """
        log_weights = self.log_weights
        top = max(log_weights)
        weights = [exp(value - top) for value in log_weights]
        if not sum(weights) >= 1:  # the largest weight is 1, or else some weights are NaN
            raise ValueError(f"no distribution can be made of the log weights {list(log_weights)}")
        return weights

    @property
    def undefined(self) -> bool:
        """Whether the probabilities are undefined: false for a correct rule, which raises an error instead."""
        return False

    @property
    def probabilities(self) -> np.ndarray:
        """The probabilities of the options, shape (options,)."""
        weights = np.array(self.weights())
        return weights / weights.sum()

    def pick(self, uniform: float) -> int:
        """Return the option at a number in [0, 1), on a bar where each option is as wide as its probability."""
        ends = list(accumulate(self.weights()))  # adds from left to right; `sum` does so only before Python 3.12
        return bisect_right(ends, uniform * ends[-1])  # a number below 1 stays below the last end, also when rounded

    def draw(self, rng: np.random.Generator) -> int:
        """Draw an option."""
        return self.pick(rng.random())


class Update(NamedTuple):
    """The update of one site."""

    site: Any  # the site
    conditional: Any  # its distribution given everything else
    value: Any  # the value that was drawn; for a label, the option
    uniform: float | None  # the number in [0, 1) that picked the option; None for a block, which draws in its own way


class GibbsSampler(Kernel[S, list[Update]]):
    """A model with its data and settings, and the rules that redraw each part of its state; a step is one sweep."""

    @abstractmethod
    def sites(self, state: S) -> Iterable[Any]:
        """Yield the sites of one sweep, in order; they may depend on the state as the sweep changes it."""

    @abstractmethod
    def forget(self, state: S, site: Any) -> None:
        """Take a site out of the state's counts."""

    @abstractmethod
    def score(self, state: S, site: Any) -> Distribution:
        """Return the distribution of a site given everything else in the state; the site has been taken out."""

    @abstractmethod
    def remember(self, state: S, site: Any, value: Any) -> None:
        """Put a site back with its new value."""

    @abstractmethod
    def log_joint(self, state: S) -> float:
        """Return the joint log probability of data and state, with all constants."""

    def step(self, state: S, rng: np.random.Generator) -> tuple[S, list[Update]]:
        """Return the state after one sweep, and the sweep's updates; the given state does not change."""
        return drained(self.pieces(state, rng))

    def pieces(
        self, state: S, rng: np.random.Generator, recorded: bool = True
    ) -> Generator[None, None, tuple[S, list[Update]]]:
        """Do the same, and pause after every update; recording the updates takes a twentieth of the time."""
        state, record = state.copy(), []
        for update in updates(self, state, rng):
            if recorded:
                record.append(update)
            yield
        return state, record


def updates(sampler: GibbsSampler[S], state: S, rng: np.random.Generator) -> Iterator[Update]:
    """Run one sweep in place and yield its updates; whenever one is yielded, the state is complete again."""
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
    """Return every state to which updates of these labels, in order, can lead, by trying every option.

    The result maps a state's ``labels`` to its probability and the state; the start does not change. This is the loop
    of `updates` without draws.
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
