"""The generative process of a CRP mixture: a point draws its table, a new table its dish, and the dish the point.

It is the model that `samplers.crp.mixture` reads backwards: nothing is conditioned on, so that every draw is exact.
"""

from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from samplers.chain import Chain
from samplers.checks import whole_from
from samplers.conjugate import Family, Parameters
from samplers.crp.facts import log_joint_of_counts
from samplers.crp.seating import CRPSeating, SeatingState
from samplers.data.blobs import Dataset
from samplers.recipe import Conditional, Kernel

TABLE, DISH, POINT = range(3)  # what is drawn, in turn
TURNS = 3  # draws that a point takes; the dish of a table in use is there already, and its turn draws nothing


class Draw(NamedTuple):
    """One turn."""

    turn: int  # `TABLE`, `DISH` or `POINT`
    # of what was drawn, given all that was drawn before: a factor of the joint. That of nothing is 0.
    log_density: float
    seats: Conditional | None = None  # the options of a table: those in use, and last a new one
    uniform: float | None = None  # the number in [0, 1) that picked the table


class Made:
    """The tables, dishes and points so far.

    Attributes
    ----------
    seating : SeatingState
        Who sits where. The last one to sit down may still wait for a dish and for a point.
    dishes : list of Parameters
        Of each table, in the order in which they were opened.
    points : list of numpy.ndarray
        Each of shape (D,).
    turn : int
        What is drawn next.
    """

    __slots__ = ("dishes", "points", "seating", "turn")

    def __init__(self) -> None:
        self.seating = SeatingState()
        self.dishes: list[Parameters] = []
        self.points: list[np.ndarray] = []
        self.turn = TABLE

    @property
    def counts(self) -> list[int]:
        """Customers at each table."""
        return self.seating.counts

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        twin = copy(self)
        twin.seating, twin.dishes, twin.points = self.seating.copy(), self.dishes.copy(), self.points.copy()
        return twin


@dataclass(frozen=True, eq=False)
class Forwards(Kernel[Made, Draw]):
    """One draw a step: of a table by the seating rule, of a new table's dish from the family, of a point from its dish.

    Parameters
    ----------
    family : Family
        The distribution that dishes are drawn from.
    concentration : float
        α, above 0.

    Raises
    ------
    ValueError
        If the concentration is out of range.

    Notes
    -----
    Gershman & Blei (2012), section 2.3: the generative process of a CRP mixture.

    Examples
    --------
    >>> from samplers.conjugate import NormalKnownVariance
    >>> made = Chain(Forwards(NormalKnownVariance(0, 4, 0.5), 1.0), seed=1)[3 * 5]
    >>> len(made.points), sum(made.counts)
    (5, 5)
    """

    family: Family
    concentration: float

    def __post_init__(self) -> None:
        CRPSeating(self.concentration)

    def init(self, rng: np.random.Generator) -> Made:
        """Return an empty restaurant."""
        return Made()

    def variables(self, state: Made) -> dict[str, Any]:
        """Return the table of each point, the mean of each table's dish, and the points."""
        size = self.family.dimension
        return {
            "assignments": state.seating.assignments,
            "dishes": np.array([dish.mean for dish in state.dishes]).reshape(-1, size),
            "points": np.array(state.points).reshape(-1, size),
        }

    def step(self, state: Made, rng: np.random.Generator) -> tuple[Made, Draw]:
        """Do the next turn."""
        state = state.copy()
        turn, state.turn = state.turn, (state.turn + 1) % TURNS
        if turn == TABLE:
            seats = CRPSeating(self.concentration).score(state.seating, len(state.seating))
            uniform = rng.random()
            table = seats.pick(uniform)
            state.seating.seat(table)
            return state, Draw(turn, float(np.log(seats.probabilities[table])), seats, uniform)
        if turn == POINT:
            served = state.dishes[state.seating.seats[-1]]
            point = served.points(1, rng)
            state.points.append(point[0])
            return state, Draw(turn, float(served.log_density(point)[0]))
        if len(state.dishes) == len(state.counts):
            return state, Draw(turn, 0.0)
        dish = self.family.draw(rng)
        state.dishes.append(dish)
        return state, Draw(turn, float(self.family.log_density_of(dish)))

    def log_joint(self, state: Made) -> float:
        """Return the log density of all that has been drawn: the product of the factors, put together anew."""
        total = log_joint_of_counts(state.counts, self.concentration, 0.0)
        total += sum(float(self.family.log_density_of(dish)) for dish in state.dishes)
        seats = state.seating.seats
        return total + sum(
            float(state.dishes[table].log_density(point[None])[0])
            for table, point in zip(seats, state.points, strict=False)
        )


def make_points(story: Forwards, points: int, seed: int) -> Made:
    """Run the generative process for n points, from 1; a longer run begins with the same points."""
    return Chain(story, seed, keep=2)[TURNS * whole_from("points", points, 1)]


def made_points(story: Forwards, points: int, seed: int) -> Dataset:
    """Return the same in the plane as data, with the tables as labels."""
    made = make_points(story, points, seed)
    return Dataset(np.array(made.points), made.seating.assignments, ("x", "y"))
