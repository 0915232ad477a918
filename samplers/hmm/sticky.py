"""The sticky HDP hidden Markov model: the number of states is learned, and a state tends to last.

Fox, Sudderth, Jordan & Willsky (2011, "A sticky HDP-HMM with application to speaker diarization", Annals of Applied
Statistics 5), in the weak limit with a largest number of states. With a stickiness of 0 it is the HDP-HMM of Teh,
Jordan, Beal & Blei (2006, "Hierarchical Dirichlet processes"). In the Chinese restaurant franchise the row of a state
is a restaurant, a move is a customer, and the next state is a dish.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, finite_from, whole_from
from samplers.crp.seating import draw_tables
from samplers.hmm.block import Block
from samplers.hmm.concentrations import CONCENTRATIONS, ConcentrationsGivenPath, Priors, Seated
from samplers.hmm.model import MEANS, TRANSITIONS, ChainState, HiddenMarkov, Rows
from samplers.hmm.single import SingleSite
from samplers.recipe import Distribution

BASE = "base weights"  # the block that draws tables, and then base weights


class StickyState(ChainState):
    """The state of a hidden Markov model, the base weights, and the concentrations.

    Attributes
    ----------
    base : list of float
        The base weight b_k of each state, shape (L,), sum 1.
    concentration, top_concentration, stickiness : float
        α, γ and κ.
    seated : Seated or None
        Between the redraw of these and that of the base weights, the tables that both are given.
    """

    __slots__ = ("base", "concentration", "seated", "stickiness", "top_concentration")

    def __init__(self, labels: list[int], transitions: list[list[float]], means: list[float]) -> None:
        super().__init__(labels, transitions, means)
        self.base: list[float] = []
        self.concentration = self.top_concentration = self.stickiness = 1.0
        self.seated: Seated | None = None

    @property
    def used(self) -> list[int]:
        """The numbers of the states that an hour has."""
        return sorted({label for label in self.labels if label >= 0})


class Tables(NamedTuple):
    """A draw of the block."""

    tables: np.ndarray  # the number of tables of each next state in each row, integers of shape (L, L)
    sticky: np.ndarray  # how many tables of a state in its own row the stickiness has ordered, integers of shape (L,)
    base: list[float]  # the new base weights, shape (L,)


@dataclass(frozen=True, eq=False)
class BaseGivenPath:
    """The distribution of tables and base weights given the states, transition probabilities integrated out."""

    moves: np.ndarray  # how often each state follows each, integers of shape (L, L)
    weights: np.ndarray  # αb_k, and κ more on the diagonal, with the present base weights, shape (L, L)
    # how probable it is that a table of a state in its own row was ordered by the stickiness, shape (L,)
    shares: np.ndarray
    # pseudo-counts of the base weights, shape (L,): γ / L, and 1 more for the state of the first hour
    prior: np.ndarray
    seated: Seated | None = None  # the tables, if they have been drawn with the concentrations

    def seat(self, rng: np.random.Generator) -> Seated:
        """Draw tables given the present weights, then who ordered those of a state in its own row."""
        tables = draw_tables(self.moves, self.weights, rng)
        return Seated(tables, rng.binomial(np.diag(tables), self.shares))

    def draw(self, rng: np.random.Generator) -> Tables:
        """Draw tables, if there are none yet, and then new weights.

        A table that the stickiness has ordered says nothing of the base weights, so it does not count (Fox et al. 2011:
        the override variables).
        """
        tables, sticky = self.seated or self.seat(rng)
        counted = tables.sum(axis=0) - sticky
        return Tables(tables, sticky, Rows((self.prior + counted)[None]).draw(rng)[0])


class Sticky(HiddenMarkov[StickyState]):
    """A hidden Markov model whose number of states is learned; a subclass says how its labels are redrawn.

    The base weights b are Dirichlet with pseudo-counts γ / L. Each row of transition probabilities is Dirichlet with
    pseudo-counts αb_k, and κ more for the state itself. The first state is drawn from b: that is what a first row of
    its own, with pseudo-counts αb_k, comes to, as it is used once. As L grows, this becomes the sticky HDP-HMM (the
    weak limit of Fox et al. 2011). All means have the same Normal prior, so names of states have no meaning.

    Parameters
    ----------
    series, deviation
        As for `HiddenMarkov`.
    states : int
        L, the largest possible number of states, at least 2.
    concentration, top_concentration : float
        α and γ, above 0: the larger γ, the more states; the larger α, the more alike are the rows.
    stickiness : float
        κ, from 0: pseudo-counts for staying in a state.
    centre, spread : float
        Mean and standard deviation of the prior of each state's mean.
    priors : Priors, optional
        With them each sweep redraws α, γ and κ; those above are the first values.

    Raises
    ------
    TypeError, ValueError
        If a parameter is out of range; the message says which.

    Notes
    -----
    A sweep redraws the states given everything else, and then the base weights, transition probabilities and means.
    The base weights are drawn given the states alone, and the transition probabilities at once after them: together
    they are one draw given the states. So are the concentrations, if they have priors, before both.
    """

    kind = StickyState

    def __init__(
        self,
        series: ArrayLike,
        states: int,
        deviation: float,
        concentration: float,
        top_concentration: float,
        stickiness: float,
        *,
        centre: float = 0.0,
        spread: float = 1.0,
        priors: Priors | None = None,
    ) -> None:
        size = whole_from("states", states, 2)
        self.centre = float(centre)
        equal = np.full((size, size), 1 / size)
        super().__init__(series, [self.centre] * size, deviation, equal, learned=True, spread=spread)
        self.concentration = finite_above("concentration", concentration, 0)
        self.top_concentration = finite_above("top_concentration", top_concentration, 0)
        self.stickiness = finite_from("stickiness", stickiness, 0, np.inf)
        self.priors = priors

    def state(self, labels: Sequence[int]) -> StickyState:
        """Return the state with these labels, shape (T,), equal base weights, and the prior's means as parameters."""
        made = super().state(labels)
        made.base = [1 / self.states] * self.states
        made.concentration, made.top_concentration = self.concentration, self.top_concentration
        made.stickiness = self.stickiness
        rows = self.row_prior(made)
        made.transitions = (rows / rows.sum(axis=1, keepdims=True)).tolist()
        return made

    def init(self, rng: np.random.Generator) -> StickyState:
        """Return random labels, and parameters drawn given these."""
        made = super().init(rng)
        for site in self.parameters():
            self.remember(made, site, self.score_parameters(made, site).draw(rng))
        return made

    def variables(self, state: StickyState) -> dict[str, Any]:
        """Return the labels, the number of states in use, and all parameters that are drawn."""
        more: dict[str, Any] = {"states": len(state.used), "base_weights": np.array(state.base)}
        if self.priors is not None:
            more |= {
                "concentration": state.concentration,
                "top_concentration": state.top_concentration,
                "stickiness": state.stickiness,
            }
        return super().variables(state) | more

    def parameters(self) -> Iterator[str]:
        if self.priors is not None:
            yield CONCENTRATIONS
        yield from (BASE, TRANSITIONS, MEANS)

    def row_prior(self, state: StickyState) -> np.ndarray:
        """Return the pseudo-counts of each row: αb_k, and κ more on the diagonal, shape (L, L)."""
        return state.concentration * np.array(state.base) + state.stickiness * np.eye(self.states)

    def first(self, state: StickyState) -> list[float]:
        """Return the probability of each state in the first hour: the base weights, shape (L,)."""
        return state.base

    def score_parameters(self, state: StickyState, site: str) -> Distribution:
        """Return the distribution of concentrations, base weights, transition probabilities, or means, given labels."""
        if site == CONCENTRATIONS:
            return self.concentrations_given_path(state)
        return self.base_given_path(state) if site == BASE else super().score_parameters(state, site)

    def concentrations_given_path(self, state: StickyState) -> ConcentrationsGivenPath:
        """Return the distribution of tables and concentrations given the labels."""
        assert self.priors is not None
        path, row = self.base_given_path(state), state.concentration + state.stickiness
        return ConcentrationsGivenPath(
            path.moves, state.labels[0], path.seat, self.by_stickiness, row, state.top_concentration, self.priors
        )

    def by_stickiness(self, seated: Seated) -> int:
        """Return how many tables count as ordered by κ when α and κ are redrawn."""
        return int(seated.sticky.sum())

    def base_given_path(self, state: StickyState) -> BaseGivenPath:
        """Return the distribution of tables and base weights given the labels."""
        prior = np.full(self.states, state.top_concentration / self.states)
        prior[state.labels[0]] += 1
        moves = self.moves(state.labels).astype(int)
        return BaseGivenPath(moves, self.row_prior(state), self.ordered_by_stickiness(state), prior, state.seated)

    def ordered_by_stickiness(self, state: StickyState) -> np.ndarray:
        """Return how probable it is that a table of a state in its own row was ordered by κ, shape (L,).

        The row's pseudo-count for the state itself is αb_k + κ, so the share of κ is κ / (κ + αb_k). With ρ = κ / (α +
        κ) this is ρ / (ρ + b_k (1 - ρ)), as Fox et al. (2011) write it.
        """
        return state.stickiness / (state.stickiness + state.concentration * np.array(state.base))

    def remember(self, state: StickyState, site: Any, value: Any) -> None:
        """Put a label, concentrations, base weights or other parameters into the state."""
        if site == BASE:
            state.base, state.seated = value.base, None
        elif site == CONCENTRATIONS:
            state.seated = value.seated
            state.concentration, state.stickiness = value.concentration, value.stickiness
            state.top_concentration = value.top_concentration
        else:
            super().remember(state, site, value)

    def log_joint(self, state: StickyState) -> float:
        """Return log p(series, labels, all parameters that are drawn); forgotten labels are summed out."""
        prior = Rows(np.full((1, self.states), state.top_concentration / self.states))
        log_joint = super().log_joint(state) + prior.log_density([state.base])
        if self.priors is None:
            return log_joint
        return log_joint + self.priors.log_density(state.concentration, state.top_concentration, state.stickiness)


class StickyBlock(Sticky, Block[StickyState]):
    """The number of states is learned, and the whole path is drawn at once: sums forwards, draws backwards."""


class StickySingle(Sticky, SingleSite[StickyState]):
    """The number of states is learned, and each state is drawn given the two beside it and the hour's value."""
