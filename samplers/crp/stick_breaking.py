"""The stick-breaking construction of the Chinese restaurant process: each table gets a piece broken off a stick.

A table's piece is its share of all future customers, who choose tables by these shares, independently of each other.
With the shares integrated out, this is the seating rule of `samplers.crp.seating`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from samplers.conjugate.beta import Beta
from samplers.crp.seating import SeatingRule, SeatingState
from samplers.recipe import Conditional, Site

STICK = "stick"  # the block that breaks off a new table's piece


class StickState(SeatingState):
    """The table of each customer, and each table's piece of the stick.

    Attributes
    ----------
    fractions : list of float
        The fraction of the remaining stick that each table broke off. Shorter by one than `counts` while a new table
        waits for its piece.
    log_sticks : list of float
        The log length of each table's piece; the whole stick has length 1.
    log_left : float
        The log length of the remaining stick.
    """

    __slots__ = ("fractions", "log_left", "log_sticks")

    def __init__(self) -> None:
        super().__init__()
        self.fractions: list[float] = []
        self.log_sticks: list[float] = []
        self.log_left = 0.0

    @property
    def sticks(self) -> np.ndarray:
        """The length of each table's piece, shape (tables,), a new array."""
        return np.array([math.exp(length) for length in self.log_sticks], float)

    def break_off(self, fraction: float) -> None:
        """Break a fraction off the remaining stick, for the waiting table, in place.

        Raises
        ------
        ValueError
            If no table waits, or the fraction is not strictly between 0 and 1.
        """
        if len(self.fractions) == len(self.counts):
            raise ValueError("every table has its piece of the stick already")
        if not 0 < fraction < 1:
            raise ValueError(f"fraction must be strictly between 0 and 1, got {fraction}")
        self.fractions.append(fraction)
        self.log_sticks.append(self.log_left + math.log(fraction))
        self.log_left += math.log1p(-fraction)

    def copy(self) -> Self:
        twin = super().copy()
        twin.fractions, twin.log_sticks, twin.log_left = self.fractions.copy(), self.log_sticks.copy(), self.log_left
        return twin


@dataclass(frozen=True)
class StickBreakingSeating(SeatingRule[StickState]):
    """Seat one customer per step by lengths of stick; a new table breaks a piece off.

    Arguments and errors as for `samplers.crp.seating.CRPSeating`.

    Notes
    -----
    The k-th table to be opened owns π_k = v_k ∏_{j<k} (1 - v_j) with independent v_k ~ Beta(1 - d, α + k d): the GEM
    distribution of the shares in the order in which their first customers come (Pitman 1996, "Some developments of the
    Blackwell-MacQueen urn scheme"; 2006, section 3.2; without a discount Sethuraman 1994). A customer sits at table k
    with probability π_k, and with what is left of the stick opens one. In this order, which is size-biased, a table's
    piece need not be broken off before its first customer has sat down.
    """

    def init(self, rng: np.random.Generator) -> StickState:
        """Return an empty restaurant and a whole stick."""
        return StickState()

    def variables(self, state: StickState) -> dict[str, Any]:
        """Return the variables of `SeatingRule`, and the length of each table's piece."""
        return {**super().variables(state), "weights": state.sticks}

    def sites(self, state: StickState) -> Iterator[Site]:
        """Yield the next customer, numbered from 0, then `STICK` if that customer opened a table."""
        yield len(state)
        if len(state.fractions) < len(state.counts):
            yield STICK

    def score(self, state: StickState, site: Site) -> Conditional | Beta:
        """Return the conditional of the newcomer's table, or the prior of the fraction that a new table breaks off.

        The newcomer's one term ``"length of stick"`` holds the log lengths of the tables' pieces, then of the
        remaining stick.
        """
        if site == STICK:
            return self.fraction_prior(len(state.counts))
        return Conditional({"length of stick": [*state.log_sticks, state.log_left]})

    def remember(self, state: StickState, site: Site, value: Any) -> None:
        """Seat the newcomer, or give the new table its piece of the stick."""
        if site == STICK:
            state.break_off(value)
        else:
            state.seat(value)

    def log_joint(self, state: StickState) -> float:
        """Return the joint log density of seating and fractions.

        A table contributes the remaining stick for its opening, its piece for every customer who joined, and the Beta
        density of its fraction, except while it waits for its piece.
        """
        total = log_left = 0.0
        for table, fraction in enumerate(state.fractions, start=1):
            joined = state.counts[table - 1] - 1
            total += log_left + joined * state.log_sticks[table - 1]
            total += float(self.fraction_prior(table).log_density(fraction))
            log_left += math.log1p(-fraction)
        waits = len(state.fractions) < len(state.counts)
        return total + log_left if waits else total

    def fraction_prior(self, table: int) -> Beta:
        """Return Beta(1 - d, α + k d), the prior of the fraction that the k-th table breaks off, k from 1."""
        return Beta(1 - self.discount, self.concentration + table * self.discount)

    def _table_counts(self, customers: int, restaurants: int, rng: np.random.Generator) -> np.ndarray:
        """Open a table with the probability of each remaining stick; the pieces of the other tables do not matter."""
        tables, left = np.zeros(restaurants, int), np.ones(restaurants)
        for _ in range(customers):
            opens = rng.random(restaurants) < left
            tables += opens
            new = tables[opens]
            left[opens] *= 1 - rng.beta(1 - self.discount, self.concentration + new * self.discount)
        return tables
