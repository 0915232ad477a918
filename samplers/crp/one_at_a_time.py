"""A sampler whose step is a single update: the points take turns, and start again after the last.

A sweep of `samplers.crp.mixture.CRPMixture` is N such steps. Exact results about them are here as well: the transition
matrix of each update, the stationary distribution of a sweep, and the effective number of draws in a run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, cycle, islice
from typing import Any

import numpy as np

from samplers.crp.facts import relabel
from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.enumerated import stationary, transitions
from samplers.partitions import Partition, partitions
from samplers.recipe import Distribution, GibbsSampler, Site


@dataclass
class Turn:
    """A state of the mixture, and the point that has its turn next."""

    mixture: MixtureState  # the clusters of the points
    point: int  # the next point to update, from 0

    @property
    def partition(self) -> Partition:
        """The partition of the points, as a restricted growth string; see `samplers.partitions`."""
        return as_partition(self.mixture.labels)

    def copy(self) -> "Turn":
        """Return an independent copy of the state."""
        return Turn(self.mixture.copy(), self.point)


class OneAtATime(GibbsSampler[Turn]):
    """The updates of a mixture's sweep, one per step.

    Parameters
    ----------
    mixture : CRPMixture
        The right rule, or a wrong one that does not need its sweep to end; with a known concentration.

    Raises
    ------
    ValueError
        If the concentration has a prior, since it would have no turn.
    """

    of_a_posterior = True

    def __init__(self, mixture: CRPMixture) -> None:
        if mixture.concentration_prior is not None:
            raise ValueError("the concentration must be known: it has no turn among the points")
        self.mixture = mixture

    def init(self, rng: np.random.Generator) -> Turn:
        """Return the mixture's first state; the first point has the next turn."""
        return Turn(self.mixture.init(rng), 0)

    def variables(self, state: Turn) -> dict[str, Any]:
        """Return the variables of the mixture's state."""
        return self.mixture.variables(state.mixture)

    def sites(self, state: Turn) -> Iterator[Site]:
        """Yield only the point that has its turn."""
        yield state.point

    def forget(self, state: Turn, site: Site) -> None:
        """Take the point out of its cluster."""
        self.mixture.forget(state.mixture, site)

    def score(self, state: Turn, site: Site) -> Distribution:
        """Return the conditional of the point's cluster."""
        return self.mixture.score(state.mixture, site)

    def remember(self, state: Turn, site: Site, value: int) -> None:
        """Put the point into its new cluster, and give the turn to the next point."""
        self.mixture.remember(state.mixture, site, value)
        state.point = (state.point + 1) % len(self.mixture.data)

    def log_joint(self, state: Turn) -> float:
        """Return log p(data, assignments)."""
        return self.mixture.log_joint(state.mixture)


def as_partition(labels: Sequence[int]) -> Partition:
    """Return labels as a restricted growth string."""
    return tuple(relabel(labels).tolist())


def update_matrices(mixture: CRPMixture) -> list[np.ndarray]:
    """Return the transition matrix of each point's update, from the row's partition to the column's: N of shape (S, S).

    Rows and columns are in the order of `samplers.partitions.partitions`, and rows sum to 1. The product of
    the matrices, with the first point's first, is the matrix of a sweep.

    Parameters
    ----------
    mixture : CRPMixture
        The right rule, or a wrong one that does not need its sweep to end; on at most 8 points.
    """
    states = partitions(len(mixture.data))
    return [transitions(mixture, states, as_partition, sites=[point]) for point in range(len(mixture.data))]


def sweep_of(matrices: Sequence[np.ndarray]) -> np.ndarray:
    """Return the transition matrix of a sweep: the product of its updates' matrices, the first update first."""
    return reduce(np.matmul, matrices)


def spread(matrices: Sequence[np.ndarray], start: int, updates: int) -> np.ndarray:
    """Return the distribution of the state after 0, 1, ..., `updates` updates from `start`, shape (updates + 1, S)."""
    first = np.eye(len(matrices[0]))[start]
    return np.array(list(accumulate(islice(cycle(matrices), updates), np.matmul, initial=first)))


def visited(matrices: Sequence[np.ndarray]) -> np.ndarray:
    """Return the share of visits that each state gets in the long run, shape (S,).

    Each update is a visit. In the long run, the state before the first point's turn has the stationary distribution of
    a sweep, and the updates of the turns carry this distribution on. If all updates share a stationary distribution,
    the shares of visits are that distribution.
    """
    return _by_turn(matrices).mean(axis=0)


def effective_visits_per_update(matrices: Sequence[np.ndarray]) -> float:
    """Return the effective number of independent draws per update, for the shares of visits in a long run.

    The matrices are those of `update_matrices`.

    Notes
    -----
    State and turn together are a Markov chain, with the distribution μ and the fundamental matrix
    Z = (I - P + 1 μᵀ)⁻¹. The variance of the number of visits to a state per update is 2 fᵀ diag(μ) Z f - p - p², where
    f indicates the state at any turn and p = μᵀ f (Kemeny & Snell 1960, Finite Markov Chains, theorem 4.6.3).
    As in `samplers.diagnostics.convergence.effective_draws_per_sweep`, the result gives the right noise on average over
    the states.
    """
    turns, states = len(matrices), len(matrices[0])
    chain = np.zeros((turns * states, turns * states))
    for turn, matrix in enumerate(matrices):
        after = (turn + 1) % turns
        chain[turn * states : (turn + 1) * states, after * states : (after + 1) * states] = matrix
    together = _by_turn(matrices).ravel() / turns
    fundamental = np.linalg.inv(np.eye(turns * states) - chain + together)
    state = np.tile(np.eye(states), (turns, 1))
    share = together @ state
    later = np.einsum("is,i,ij,js->s", state, together, fundamental, state, optimize=True)
    variance = np.maximum(2 * later - share - share**2, 0.0)
    return float((np.sqrt(share * (1 - share)).sum() / np.sqrt(variance).sum()) ** 2)


def _by_turn(matrices: Sequence[np.ndarray]) -> np.ndarray:
    """Return the distribution before each turn in the long run, shape (N, S)."""
    return np.array(list(accumulate(matrices[:-1], np.matmul, initial=stationary(sweep_of(matrices)))))
