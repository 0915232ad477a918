"""The Indian buffet process: customers choose dishes one at a time, as many as they like; and its finite model."""

import math
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from samplers.buffet.exact import harmonic
from samplers.checks import finite_above, whole_from
from samplers.recipe import Conditional, GibbsSampler, Site

NEW = "new dishes"  # the site at the end of the line
TAKES, REFUSES = 0, 1  # the options at a dish that is there
RARE = -40.0  # log probability of a number of new dishes that no number in [0, 1) picks


class BuffetState:
    """The dishes that each customer has taken, and the next dish of the one who is choosing.

    Attributes
    ----------
    plates : list of tuple of int
        Dishes of each customer who has gone by, numbered from 0: by who was first to take them, or by column.
    counts : list of int
        How many customers have taken each dish.
    plate : list of int
        What the customer who is choosing has taken so far.
    passed : int
        How many dishes this customer has passed.
    """

    __slots__ = ("counts", "passed", "plate", "plates")

    def __init__(self, dishes: int = 0) -> None:
        self.plates: list[tuple[int, ...]] = []
        self.counts = [0] * dishes
        self.plate: list[int] = []
        self.passed = 0

    def __len__(self) -> int:
        """Return how many customers have gone by."""
        return len(self.plates)

    @property
    def matrix(self) -> np.ndarray:
        """Dishes by customer, shape (customers, dishes), a new array of 0 and 1."""
        bits = np.zeros((len(self.plates), len(self.counts)), np.int64)
        for row, plate in zip(bits, self.plates, strict=True):
            row[list(plate)] = 1
        return bits

    def leave(self) -> None:
        """Finish the current customer, in place, and start the next one at the first dish."""
        self.plates.append(tuple(self.plate))
        self.plate, self.passed = [], 0

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        twin = copy(self)
        twin.plates, twin.counts, twin.plate = self.plates.copy(), self.counts.copy(), self.plate.copy()
        return twin


@dataclass(frozen=True)
class IndianBuffet(GibbsSampler[BuffetState]):
    """The Indian buffet process: each step takes one more customer along all dishes.

    Parameters
    ----------
    concentration : float
        α > 0: how many dishes a customer takes on average.
    columns : int, optional
        K of the finite model, whose dishes are all there from the start; None for its limit, the buffet.

    Raises
    ------
    ValueError
        If a setting is out of range.

    Notes
    -----
    Customer n takes a dish that m_k others have taken with probability m_k / n, and then Poisson(α / n) new ones:
    Gershman & Blei (2012), section 3; Griffiths & Ghahramani (2011), section 3. With K columns the probability is
    (m_k + α/K) / (n + α/K): the Beta(α/K, 1) prior of each column's own is integrated out (section 2.3).

    Examples
    --------
    >>> state, rng = BuffetState(), np.random.default_rng(0)
    >>> for _ in range(5):
    ...     state, _updates = IndianBuffet(concentration=2.0).step(state, rng)
    >>> state.matrix.sum(axis=0).tolist() == state.counts
    True
    """

    concentration: float
    columns: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "concentration", finite_above("concentration", self.concentration, 0))
        if self.columns is not None:
            object.__setattr__(self, "columns", whole_from("columns", self.columns, 1))

    @property
    def share(self) -> float:
        """The weight α/K of a column that is not taken yet; the buffet has no such dish."""
        return self.concentration / self.columns if self.columns else 0.0

    def init(self, rng: np.random.Generator) -> BuffetState:
        """Return a buffet without customers: with K dishes, or with none yet."""
        return BuffetState(self.columns or 0)

    def variables(self, state: BuffetState) -> dict[str, Any]:
        """Return who has taken which dish."""
        return {"matrix": state.matrix}

    def sites(self, state: BuffetState) -> Iterator[Site]:
        """Yield the dishes that the next customer passes, and `NEW` at the end: one customer is one step."""
        yield from range(len(state.counts))
        if self.columns is None:
            yield NEW

    def forget(self, state: BuffetState, site: Site) -> None:
        """Do nothing: the newcomer has not chosen yet, so that no count holds them."""

    def score(self, state: BuffetState, site: Site) -> Conditional:
        """Return the conditional of taking a dish or not, or of the number of new ones.

        Of a dish the one term ``"customers before"`` holds log(m_k + α/K) and log(n - m_k), not normalised, so that the
        weights are the numbers of the formula, and their sum is its denominator.
        """
        customer = len(state) + 1
        if site == NEW:
            return Conditional({"Poisson": poisson_logs(self.new_mean(customer))})
        count = state.counts[int(site)]
        return Conditional({"customers before": [math.log(count + self.share), math.log(customer - count)]})

    def remember(self, state: BuffetState, site: Site, value: int) -> None:
        """Put the dish on the plate or leave it; after the last, the customer goes."""
        if site == NEW:
            known = len(state.counts)
            state.plate += range(known, known + value)
            state.counts += [1] * value
        else:
            taken = value == TAKES
            state.counts[int(site)] = self.count_after(state.counts[int(site)], taken)
            state.plate += [int(site)] * taken
            state.passed += 1
        if site == NEW or state.passed == self.columns:
            state.leave()

    def new_mean(self, customer: int) -> float:
        """Return the mean number α / n of dishes that the n-th customer, from 1, is the first to take."""
        return self.concentration / customer

    def count_after(self, count: Any, taken: Any) -> Any:
        """Return a dish's count, or those of many, after a customer has taken it or not."""
        return count + taken

    def log_joint(self, state: BuffetState) -> float:
        """Return the log probability of all choices so far, dishes being numbered as they are in the state.

        Of whole rows of the buffet it is equation 13 of Griffiths & Ghahramani (2011).
        """
        gone, share = len(state), self.share
        total = len(state.counts) * math.log(share or self.concentration)
        for dish, count in enumerate(state.counts):
            passed = gone + (dish < state.passed)
            total += math.lgamma(count + share) + math.lgamma(passed - count + 1) - math.lgamma(passed + 1 + share)
        if self.columns is None:
            known = 0
            for plate in state.plates:
                new = sum(dish >= known for dish in plate)
                total -= math.lgamma(new + 1)
                known += new
            total -= self.concentration * harmonic(gone)
        return total

    def simulate(self, customers: int, buffets: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        """Draw how many dishes have been taken in each of many buffets, and how many its last customer took.

        And the number of new ones among the latter: three arrays of shape (buffets,).

        Raises
        ------
        ValueError
            If the number of customers in each buffet, or of buffets, is below 0.
        """
        customers, buffets = whole_from("customers", customers, 0), whole_from("buffets", buffets, 0)
        each = np.arange(buffets)
        where = np.repeat(each, self.columns or 0)  # the buffet of each dish
        counts, tried = np.zeros(len(where)), np.zeros(len(where), bool)
        plates, new = np.zeros((2, buffets), int)
        for customer in range(1, customers + 1):
            takes = rng.random(len(where)) * (customer + self.share) < counts + self.share
            plates, new = (np.bincount(where[taken], minlength=buffets) for taken in (takes, takes & ~tried))
            counts, tried = self.count_after(counts, takes), tried | takes
            if self.columns is None:
                new = rng.poisson(self.new_mean(customer), buffets)
                plates, where = plates + new, np.append(where, np.repeat(each, new))
                counts, tried = (np.append(known, np.ones(new.sum(), known.dtype)) for known in (counts, tried))
        return np.bincount(where[tried], minlength=buffets), plates, new


def poisson_logs(mean: float) -> list[float]:
    """Return log probabilities of 0, 1, 2, … by a Poisson distribution, up to the last that can be drawn."""
    logs = [-mean]
    while logs[-1] > RARE or len(logs) <= mean:
        logs.append(logs[-1] + math.log(mean / len(logs)))
    return logs
