"""The redraw of α, γ and κ of the sticky HDP hidden Markov model, given the path.

Fox, Sudderth, Jordan & Willsky (2011, "A sticky HDP-HMM with application to speaker diarization", Annals of Applied
Statistics 5), supplementary material: the concentration of a row, α + κ, has a Gamma prior, its share ρ = κ / (α + κ) a
Beta prior, and γ a Gamma prior. Given tables and auxiliary variables, all three are conjugate (Teh, Jordan, Beal & Blei
2006, "Hierarchical Dirichlet processes", appendix; Escobar & West 1995).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from samplers.checks import finite_above
from samplers.crp.mixture import ConcentrationConditional
from samplers.crp.seating import draw_tables

CONCENTRATIONS = "concentrations"  # the block that draws tables, and then α, γ and κ
NEAR = 1e-9  # how near to 0 and 1 a share may come


class Priors:
    """Independent priors of a row's concentration, of the share of κ in it, and of γ.

    Parameters
    ----------
    row : (float, float), optional
        Shape and rate of the Gamma prior of α + κ.
    share : (float, float), optional
        Both parameters of the Beta prior of ρ = κ / (α + κ).
    top : (float, float), optional
        Shape and rate of the Gamma prior of γ.

    Raises
    ------
    ValueError
        If one of these is not above 0.
    """

    def __init__(
        self,
        row: tuple[float, float] = (2.0, 0.2),
        share: tuple[float, float] = (4.0, 1.0),
        top: tuple[float, float] = (2.0, 2.0),
    ) -> None:
        self.row, self.share, self.top = (
            (finite_above(f"prior of {name}", first, 0), finite_above(f"prior of {name}", second, 0))
            for name, (first, second) in (("α + κ", row), ("ρ", share), ("γ", top))
        )

    def draw(self, rng: np.random.Generator) -> tuple[float, float, float]:
        """Draw α, γ and κ."""
        row = rng.gamma(self.row[0], 1 / self.row[1])
        share = inside(rng.beta(*self.share))
        return (1 - share) * row, rng.gamma(self.top[0], 1 / self.top[1]), share * row

    def log_density(self, concentration: float, top_concentration: float, stickiness: float) -> float:
        """Return the log density of α, γ and κ, all above 0."""
        row = concentration + stickiness
        found = _log_gamma(row, *self.row) + _log_gamma(top_concentration, *self.top) - math.log(row)
        (a, b), rho = self.share, stickiness / row
        constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        return found + constant + (a - 1) * math.log(rho) + (b - 1) * math.log(concentration / row)


class Seated(NamedTuple):
    """Tables of the Chinese restaurant franchise, given the path."""

    tables: np.ndarray  # the number of tables of each next state in each row, integers of shape (L, L)
    sticky: np.ndarray  # how many tables of a state in its own row the stickiness has ordered, integers of shape (L,)


class Concentrations(NamedTuple):
    """A draw of the block."""

    seated: Seated  # the tables, from which the base weights are drawn next
    ordered: int  # how many tables count as ordered by κ
    closed: int  # the number of rows whose auxiliary Bernoulli variable is 1
    upper: int  # how many tables the tables that count have at the upper level
    # row, share: α + κ and ρ
    row: float
    share: float
    # concentration, top_concentration, stickiness: α, γ and κ
    concentration: float
    top_concentration: float
    stickiness: float


@dataclass(frozen=True, eq=False)
class ConcentrationsGivenPath:
    """The distribution of tables, α, γ and κ given the states; transitions and base weights are integrated out."""

    moves: np.ndarray  # how often each state follows each, integers of shape (L, L)
    first: int  # the state of the first hour, which is drawn from the base weights
    seat: Callable[[np.random.Generator], Seated]  # ``seat(rng)`` draws tables given the present values
    count: Callable[[Seated], int]  # ``count(seated)`` returns how many tables were ordered by κ
    # row, top_concentration: the present α + κ and γ
    row: float
    top_concentration: float
    priors: Priors  # of the three

    def draw(self, rng: np.random.Generator) -> Concentrations:
        """Draw tables, then α + κ and ρ given these, then γ given the tables that count for the base weights.

        Each table is ordered by κ with probability ρ, so ρ is Beta. The base weights are integrated out when γ is
        drawn, so they must be drawn next, from the same tables (van Dyk & Park 2008, "Partially collapsed Gibbs
        samplers").
        """
        seated = self.seat(rng)
        every, ordered = int(seated.tables.sum()), self.count(seated)
        row, closed = self._row(every, rng)
        a, b = self.priors.share
        share = inside(rng.beta(a + ordered, b + every - ordered))
        counted = seated.tables.sum(axis=0) - seated.sticky
        counted[self.first] += 1
        top, upper = self._top(counted, rng)
        return Concentrations(seated, ordered, closed, upper, row, share, (1 - share) * row, top, share * row)

    def _row(self, tables: int, rng: np.random.Generator) -> tuple[float, int]:
        """Draw α + κ: an auxiliary fraction and a coin for each row with moves make it Gamma (Teh et al. 2006)."""
        customers = self.moves.sum(axis=1)
        customers = customers[customers > 0]
        fractions = rng.beta(self.row + 1, customers)
        closed = int((rng.random(len(customers)) * (customers + self.row) < customers).sum())
        shape, rate = self.priors.row
        logs = float(np.log(fractions).sum())
        return max(rng.gamma(shape + tables - closed, 1 / (rate - logs)), NEAR), closed

    def _top(self, counted: np.ndarray, rng: np.random.Generator) -> tuple[float, int]:
        """Draw γ as Escobar & West do, given as many tables as the counted ones have among L dishes of weight γ / L.

        Without these, which Fox et al. leave out, it would be right only as L grows.
        """
        weights = np.full(len(counted), self.top_concentration / len(counted))
        upper = int(draw_tables(counted[None], weights, rng).sum())
        posterior = ConcentrationConditional(self.top_concentration, upper, int(counted.sum()), *self.priors.top)
        return max(posterior.draw(rng), NEAR), upper


def inside(share: float) -> float:
    """Return a share that is neither 0 nor 1, as a Beta draw may be when it is rounded."""
    return min(max(share, NEAR), 1 - NEAR)


def _log_gamma(value: float, shape: float, rate: float) -> float:
    return shape * math.log(rate) - math.lgamma(shape) + (shape - 1) * math.log(value) - rate * value
