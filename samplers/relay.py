"""Chains on a short list of states whose accept steps can be people's: each is proposed a state, and moves or stays.

The proposal is any other state, each as probable, so the right acceptance depends on the two weights alone: the rule of
Metropolis et al. (1953), or that of Barker (1965, Australian Journal of Physics 18), by which people choose who prefer
each of two states in proportion to its weight (Sanborn & Griffiths 2008, *Markov chain Monte Carlo with people*).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.recipe import Kernel


def metropolis(here: ArrayLike, there: ArrayLike) -> np.ndarray:
    """Return the ratio of the weights, at most 1."""
    return np.minimum(1.0, np.divide(there, here))


def barker(here: ArrayLike, there: ArrayLike) -> np.ndarray:
    """Return the proposal's share of both weights."""
    found: np.ndarray = np.divide(there, np.add(here, there))
    return found


def upwards(here: ArrayLike, there: ArrayLike) -> np.ndarray:
    """Return 1 where the proposal weighs more, else 0: a wrong rule, which climbs to the top and stays there."""
    return np.greater(there, here).astype(float)


ACCEPTANCE = {"right": metropolis, "preference": barker, "upwards": upwards}


class Places(NamedTuple):
    """Where each chain is, by the number of the state."""

    where: tuple[int, ...]


class Passed(NamedTuple):
    """The record of a step of all chains, one entry each.

    Attributes
    ----------
    proposed : tuple of int
        The proposals.
    chances : tuple of float
        The probability of moving.
    darts : tuple of float
        A chain moves if its dart, in [0, 1), is below this probability.
    """

    proposed: tuple[int, ...]
    chances: tuple[float, ...]
    darts: tuple[float, ...]


class Relay(Kernel[Places, Passed]):
    """Chains that begin at draws from the target, and do a step each.

    Parameters
    ----------
    weights : array_like
        Of the states, above 0, shape (states,).
    rules : sequence of str
        A name in `ACCEPTANCE` for each group of chains.
    chains : int
        In each group.
    """

    def __init__(self, weights: ArrayLike, rules: Sequence[str], chains: int) -> None:
        self.weights, self.rules, self.chains = np.asarray(weights, float), tuple(rules), chains

    def init(self, rng: np.random.Generator) -> Places:
        """Return the starts."""
        return Places(tuple(int(one) for _ in self.rules for one in dealt(self.weights, self.chains, rng)))

    def step(self, state: Places, rng: np.random.Generator) -> tuple[Places, Passed]:
        """Return where each chain is after a proposal and a dart of its own, and these."""
        here = np.array(state.where)
        there = other_than(here, rng.random(len(here)), len(self.weights))
        darts = rng.random(len(here))
        groups = zip(np.split(here, len(self.rules)), np.split(there, len(self.rules)), self.rules, strict=True)
        chances = np.concatenate([ACCEPTANCE[rule](self.weights[a], self.weights[b]) for a, b, rule in groups])
        after = np.where(darts < chances, there, here)
        record = Passed(*(tuple(each.tolist()) for each in (there, chances, darts)))
        return Places(tuple(after.tolist())), record


def dealt(weights: ArrayLike, chains: int, rng: np.random.Generator) -> np.ndarray:
    """Return a state for each chain: each alone is a draw from the target, together they are spread evenly over it."""
    ends = np.cumsum(weights) / np.sum(weights)
    places = (rng.permutation(chains) + rng.random()) / chains
    return np.minimum(np.searchsorted(ends, places, side="right"), len(ends) - 1)


def other_than(here: ArrayLike, uniform: ArrayLike, states: int) -> np.ndarray:
    """Return another state than the present one, each as probable, for numbers in [0, 1)."""
    return (np.asarray(here) + 1 + np.floor(np.multiply(uniform, states - 1)).astype(int)) % states


def matrix(weights: ArrayLike, rule: str) -> np.ndarray:
    """Return the transition matrix of a step, shape (states, states)."""
    each = np.asarray(weights, float)
    found = ACCEPTANCE[rule](each[:, None], each[None, :]) / (len(each) - 1)
    np.fill_diagonal(found, 0.0)
    np.fill_diagonal(found, 1 - found.sum(axis=1))
    return found


def distance(counts: ArrayLike, weights: ArrayLike) -> float:
    """Return the total variation distance of visits from the target; 1 without visits."""
    total, target = np.sum(counts), np.divide(weights, np.sum(weights))
    return float(np.abs(np.divide(counts, total) - target).sum() / 2) if total else 1.0


def distances(weights: ArrayLike, steps: Sequence[int], groups: int, rng: np.random.Generator) -> np.ndarray:
    """Return the distance of the visits of simulated groups of chains that all follow the right rule, shape (groups,).

    Parameters
    ----------
    weights : array_like
        Of the states.
    steps : sequence of int
        How many steps each chain of a group does; at least one does any.
    groups : int
        How many groups to simulate.
    rng : numpy.random.Generator
        For all draws.
    """
    *_, counts = _visits(np.asarray(weights, float), np.asarray(steps), groups, rng)
    return np.array([distance(one, weights) for one in counts])


def expected_distances(
    weights: ArrayLike, chains: int, steps: int, groups: int, rng: np.random.Generator
) -> np.ndarray:
    """Return the mean distance of simulated groups that follow the right rule, after 1, 2, ... steps of each chain."""
    visits = _visits(np.asarray(weights, float), np.full(chains, steps), groups, rng)
    return np.array([np.mean([distance(one, weights) for one in counts]) for counts in visits])


def _visits(weights: np.ndarray, steps: np.ndarray, groups: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield the visits of simulated groups of chains after 1, 2, ... steps, shape (groups, states)."""
    where = np.array([dealt(weights, len(steps), rng) for _ in range(groups)])
    counts = np.zeros((groups, len(weights)), int)
    for step in range(int(steps.max())):
        there = other_than(where, rng.random(where.shape), len(weights))
        moves = rng.random(where.shape) < metropolis(weights[where], weights[there])
        where = np.where(moves, there, where)
        walks = np.broadcast_to(step < steps, where.shape)
        np.add.at(counts, (np.nonzero(walks)[0], where[walks]), 1)
        yield counts
