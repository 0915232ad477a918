"""Parallel tempering: chains on flatter and flatter versions of a target, which exchange their states.

Geyer (1991, Markov chain Monte Carlo maximum likelihood, Computing Science and Statistics 23); Earl & Deem (2005,
Parallel tempering: theory, applications, and new perspectives, Physical Chemistry Chemical Physics 7), section 2. Level
k samples from the target to the power β_k, with 1 = β_1 > β_2 > … > 0. A hot level, with a small β, crosses barriers
easily, and swaps hand its states down the ladder to the cold level, whose draws are those of the target.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, fsum
from typing import Any, Generic

import numpy as np

from samplers.checks import finite_above, whole_from
from samplers.recipe import Kernel, T

COLDER, HOTTER = "colder", "hotter"  # the terms of a swap's log ratio


def geometric(levels: int, hottest: float) -> tuple[float, ...]:
    """Return exponents from 1 to the hottest one, each the same multiple of the one before, shape (levels,).

    A geometric progression of temperatures, which are 1/β, is the usual first guess (Predescu, Predescu & Ciobanu 2004,
    The incomplete beta function law for parallel tempering sampling, Journal of Chemical Physics 120).

    Raises
    ------
    ValueError
        If there are fewer than 2 levels, or the hottest exponent is not between 0 and 1.

    Examples
    --------
    >>> geometric(3, 0.25)
    (1.0, 0.5, 0.25)
    """
    last = whole_from("levels", levels, 2) - 1
    if not finite_above("hottest", hottest, 0) < 1:
        raise ValueError(f"hottest must be below 1, got {hottest}")
    return tuple(float(hottest ** (level / last)) for level in range(levels))


@dataclass(frozen=True, eq=False)
class LadderState(Generic[T]):
    """The states of all levels."""

    levels: tuple[T, ...]  # the state of each level, the cold one first
    walkers: tuple[int, ...]  # at which level the walker that is now at each level began

    @property
    def cold(self) -> T:
        """The state of the cold level: a draw of the target."""
        return self.levels[0]


@dataclass(frozen=True, eq=False)
class Swap:
    """A proposed exchange of the states of two neighbouring levels."""

    level: int  # the colder one, from 0; the other is the next
    exponents: tuple[float, float]  # β of the colder and of the hotter level
    # the log target density of the state at the colder and at the hotter level before the swap, up to a constant
    log_densities: tuple[float, float]
    # the log of each factor of the acceptance ratio: how much denser the colder level's distribution is at the other
    # state than at its own, and likewise for the ``"hotter"`` level
    terms: Mapping[str, float]
    uniform: float  # the number in [0, 1) that was drawn: the swap is accepted if it is below the probability
    accepted: bool  # whether the swap was accepted

    @property
    def log_ratio(self) -> float:
        """The log of the acceptance ratio: the sum of the terms."""
        return fsum(self.terms.values())

    @property
    def probability(self) -> float:
        """The probability of acceptance: the ratio, at most 1."""
        return exp(min(0.0, self.log_ratio))


@dataclass(frozen=True, eq=False)
class LadderStep(Generic[T]):
    """The record of one step: each level's own step, and then the swaps."""

    own: tuple[Any, ...]  # the record of each level's own step
    between: tuple[T, ...]  # the state of each level after its own step, before the swaps
    swaps: tuple[Swap, ...]  # in the order in which they were proposed: from the hottest pair of levels to the coldest


class ParallelTempering(Kernel[LadderState[T], LadderStep[T]], Generic[T]):
    """A ladder of chains, of which each samples from the target to a power of its own.

    A step is a step of each chain, and then a proposal to swap for each pair of neighbouring levels. A subclass says by
    `log_density` what the target is.

    Parameters
    ----------
    levels : sequence of Kernel
        For each level, a kernel that leaves the target to the power of its exponent as it is.
    exponents : sequence of float
        β of each level: 1, and then smaller and smaller ones, above 0; at least two.

    Raises
    ------
    ValueError
        If the exponents are out of order or out of range.

    Notes
    -----
    The swap of x_i and x_j, at levels i and j, is accepted with the probability min(1, r), where
    r = π(x_j)^β_i π(x_i)^β_j / (π(x_i)^β_i π(x_j)^β_j), so log r = (β_i − β_j) (log π(x_j) − log π(x_i)) (Earl & Deem
    2005, section 2, with the energy −log π). The normalising constants cancel.
    """

    of_a_posterior = True

    def __init__(self, levels: Sequence[Kernel[T, Any]], exponents: Sequence[float]) -> None:
        found = tuple(finite_above("exponents", exponent, 0) for exponent in exponents)
        if len(found) < 2 or found[0] != 1 or any(a <= b for a, b in pairwise(found)):
            raise ValueError(f"exponents must be at least two, from 1 downwards, got {found}")
        self.levels, self.exponents = tuple(levels), found

    @abstractmethod
    def log_density(self, state: T) -> float:
        """Return the log density of the target at the state of a level, up to a constant."""

    def init(self, rng: np.random.Generator) -> LadderState[T]:
        """Return the first state of every level."""
        states = tuple(level.init(rng) for level in self.levels)
        return LadderState(states, tuple(range(len(states))))

    def variables(self, state: LadderState[T]) -> dict[str, Any]:
        """Return the variables of the cold level, and which walker is at each level."""
        return {**self.levels[0].variables(state.cold), "walkers": np.array(state.walkers)}

    def step(self, state: LadderState[T], rng: np.random.Generator) -> tuple[LadderState[T], LadderStep[T]]:
        """Return the state after a step of each level and the swaps, and the record of both."""
        moved = [level.step(before, rng) for level, before in zip(self.levels, state.levels, strict=True)]
        states, walkers, swaps = [after for after, _ in moved], list(state.walkers), list[Swap]()
        for level in reversed(range(len(states) - 1)):
            pair = slice(level, level + 2)
            swap = self.swap(level, states[pair], rng)
            if swap.accepted:
                states[pair], walkers[pair] = states[pair][::-1], walkers[pair][::-1]
            swaps.append(swap)
        own, between = tuple(record for _, record in moved), tuple(after for after, _ in moved)
        return LadderState(tuple(states), tuple(walkers)), LadderStep(own, between, tuple(swaps))

    def swap(self, level: int, states: Sequence[T], rng: np.random.Generator) -> Swap:
        """Propose to swap the states of a level and of the next, which is hotter; accept or reject."""
        exponents = self.exponents[level], self.exponents[level + 1]
        here, there = (self.log_density(state) for state in states)
        terms = self.terms(exponents, here, there)
        uniform = rng.random()
        accepted = uniform < exp(min(0.0, fsum(terms.values())))
        return Swap(level, exponents, (here, there), terms, uniform, accepted)

    def terms(self, exponents: tuple[float, float], here: float, there: float) -> dict[str, float]:
        """Return the log of each factor of the ratio, from the log densities at the colder level and at the hotter."""
        colder, hotter = exponents
        return {COLDER: colder * (there - here), HOTTER: hotter * (here - there)}
