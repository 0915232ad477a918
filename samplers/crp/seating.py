"""The Chinese restaurant process, with or without a discount, one customer at a time; and tables of a franchise."""

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from samplers.checks import whole_from
from samplers.crp.facts import checked_settings, log_joint_of_counts, new_table_weight
from samplers.recipe import Conditional, GibbsSampler, S, Site


class SeatingState:
    """The table of each customer, in a restaurant where customers arrive and never leave.

    Attributes
    ----------
    seats : list of int
        The table of each customer; tables are numbered from 0 in order of opening.
    counts : list of int
        The number of customers at each table, in order of opening.
    """

    __slots__ = ("counts", "seats")

    def __init__(self) -> None:
        self.seats: list[int] = []
        self.counts: list[int] = []

    def __len__(self) -> int:
        """Return the number of seated customers."""
        return len(self.seats)

    @property
    def assignments(self) -> np.ndarray:
        """The table of each customer, from 0 in order of opening: a new array of integers, shape (customers,)."""
        return np.array(self.seats, np.int64)

    def seat(self, table: int) -> None:
        """Seat the next customer at a table, in place.

        Raises
        ------
        ValueError
            If the table is neither in use nor the next to open.
        """
        tables = len(self.counts)
        if not 0 <= table <= tables:
            raise ValueError(f"table must be one of 0 to {tables} ({tables} opens a new one), got {table}")
        if table == tables:
            self.counts.append(1)
        else:
            self.counts[table] += 1
        self.seats.append(table)

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        twin = type(self).__new__(type(self))  # in a third of the time of `copy.copy`, which would show in a step
        twin.seats, twin.counts = self.seats.copy(), self.counts.copy()
        return twin


@dataclass(frozen=True)
class SeatingRule(GibbsSampler[S]):
    """Base class of seating rules: their settings, and the number of tables that they lead to."""

    concentration: float
    discount: float = 0.0

    def __post_init__(self) -> None:
        concentration, discount = checked_settings(self.concentration, self.discount)
        object.__setattr__(self, "concentration", concentration)
        object.__setattr__(self, "discount", discount)

    def forget(self, state: S, site: Site) -> None:
        """Do nothing: the newcomer has not sat down yet, so no count includes it."""

    def variables(self, state: S) -> dict[str, Any]:
        """Return the table of each customer, from 0, and the number of customers at each table."""
        seated: Any = state
        return {"assignments": seated.assignments, "counts": np.array(seated.counts, int)}

    def simulate_table_counts(self, customers: int, restaurants: int, rng: np.random.Generator) -> np.ndarray:
        """Draw the number of tables in each of many restaurants, without the seatings: shape (restaurants,).

        Raises
        ------
        ValueError
            If the number of customers in each restaurant, or of restaurants, is below 0.
        """
        return self._table_counts(whole_from("customers", customers, 0), whole_from("restaurants", restaurants, 0), rng)

    @abstractmethod
    def _table_counts(self, customers: int, restaurants: int, rng: np.random.Generator) -> np.ndarray:
        """Fill restaurants with customers, and return their numbers of tables; arguments are checked already."""


@dataclass(frozen=True)
class CRPSeating(SeatingRule[SeatingState]):
    """The Chinese restaurant process: each step seats one more customer.

    Parameters
    ----------
    concentration : float
        α, the weight of a new table without a discount. Greater than 0, or than -discount if there is a discount.
    discount : float, optional
        d, 0 <= d < 1: moved from the weight of every table in use to the weight of a new one. It makes the number of
        tables grow as a power of the number of customers (Pitman-Yor). 0 is the ordinary process.

    Raises
    ------
    ValueError
        If a setting is out of range.

    Notes
    -----
    With n - 1 customers at K tables of sizes m_k, the n-th sits at table k with probability (m_k - d) / (n - 1 + α) and
    at a new one with probability (α + K d) / (n - 1 + α): Gershman & Blei (2012), section 2.2, equation 4; with the
    discount, Pitman (2006), section 3.2.

    Examples
    --------
    >>> state, rng = SeatingState(), np.random.default_rng(0)
    >>> for _ in range(5):
    ...     state, _updates = CRPSeating(concentration=1.0).step(state, rng)
    >>> len(state), sum(state.counts)
    (5, 5)
    """

    def init(self, rng: np.random.Generator) -> SeatingState:
        """Return an empty restaurant."""
        return SeatingState()

    def sites(self, state: SeatingState) -> Iterator[Site]:
        """Yield the next customer, numbered from 0: each step seats one."""
        yield len(state)

    def score(self, state: SeatingState, site: Site) -> Conditional:
        """Return the conditional of the newcomer's table; the options are the tables in use, then a new one.

        Its one term ``"customers already there"`` holds log(m_k - d) and log(α + K d). It is not normalised, so the
        weights are the numbers in the formula, and their sum is its denominator n - 1 + α.
        """
        log, discount = math.log, self.discount
        weights = [log(count - discount) for count in state.counts]
        weights.append(log(new_table_weight(len(state.counts), self.concentration, discount)))
        return Conditional({"customers already there": weights})

    def remember(self, state: SeatingState, site: Site, value: int) -> None:
        """Seat the newcomer at the drawn table."""
        state.seat(value)

    def log_joint(self, state: SeatingState) -> float:
        """Return the log probability of the seating: equation 8; see `samplers.crp.facts.log_joint`."""
        return log_joint_of_counts(state.counts, self.concentration, self.discount)

    def seat_all(self, uniforms: np.ndarray) -> np.ndarray:
        """Seat the customers of many restaurants at once, with the uniform numbers that each chain's steps draw.

        Parameters
        ----------
        uniforms : numpy.ndarray
            In [0, 1), of shape (customers, restaurants): `samplers.streams.first_uniforms` of seeds and steps.

        Returns
        -------
        numpy.ndarray
            The number of customers at each table after each arrival: integers of shape (customers + 1, restaurants,
            tables). Tables are in order of opening; those not open yet have 0.
        """
        customers, restaurants = uniforms.shape
        counts = np.zeros((customers + 1, restaurants, customers + 1), np.uint16)  # uses memory only where it is filled
        each, tables = np.arange(restaurants), np.zeros(restaurants, int)
        for seated, uniform in enumerate(uniforms):
            now, then = counts[seated : seated + 2, :, : tables.max() + 1]
            weights = np.where(now > 0, now - self.discount, 0.0)
            weights[each, tables] = [new_table_weight(k, self.concentration, self.discount) for k in tables.tolist()]
            ends = weights.cumsum(axis=1)
            chosen = (ends <= (uniform * ends[:, -1])[:, None]).sum(axis=1)
            then[:] = now
            then[each, chosen] += 1
            tables += chosen == tables
        return counts[:, :, : tables.max(initial=0)]

    def _table_counts(self, customers: int, restaurants: int, rng: np.random.Generator) -> np.ndarray:
        """Draw whether each restaurant's next customer opens a table; only the number of tables matters for that."""
        weights = np.array([new_table_weight(k, self.concentration, self.discount) for k in range(customers + 1)])
        tables = np.full(restaurants, min(customers, 1))
        for seated in range(1, customers):
            tables += rng.random(restaurants) * (seated + self.concentration) < weights[tables]
        return tables


def draw_tables(counts: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw the number of tables of each dish in each restaurant of a franchise, integers of shape (D, K).

    Of the customers of a dish in a restaurant, the i-th, from 0, opens a table with probability w / (w + i), where w is
    the dish's weight (Antoniak 1974; Teh et al. 2006, equation 40).

    Parameters
    ----------
    counts : numpy.ndarray
        The customers of each dish in each restaurant, integers of shape (D, K).
    weights : numpy.ndarray
        The weight w of each dish, shape (K,), or of each dish in each restaurant, shape (D, K).
    """
    found = np.zeros_like(counts)
    restaurant, dish = np.nonzero(counts)
    customers = counts[restaurant, dish]
    starts = np.cumsum(customers) - customers
    earlier = np.arange(customers.sum()) - np.repeat(starts, customers)
    weight = np.repeat(np.broadcast_to(weights, counts.shape)[restaurant, dish], customers)
    opens = rng.random(len(earlier)) * (weight + earlier) < weight
    opens[starts] = True  # the first customer always does
    if len(starts):
        found[restaurant, dish] = np.add.reduceat(opens, starts, dtype=int)
    return found
