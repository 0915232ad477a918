"""Posteriors by enumeration of every state, transition matrices of sweeps, and their stationary distributions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from scipy import special

from samplers.recipe import Site, outcomes

Labels = tuple[int, ...]


class Enumerated:
    """The posterior over a finite set of states.

    Attributes
    ----------
    log_joint : numpy.ndarray
        log p(data, state) of each state, with all constants.
    """

    log_joint: np.ndarray

    @property
    def log_evidence(self) -> float:
        """The log evidence, log p(data)."""
        return float(special.logsumexp(self.log_joint))

    @property
    def probabilities(self) -> np.ndarray:
        """The posterior probability of each state."""
        return special.softmax(self.log_joint)


def transitions(
    sampler: Any,
    states: Iterable[Labels],
    listed_as: Callable[[Labels], Labels] = tuple,
    sites: Sequence[Site] | None = None,
) -> np.ndarray:
    """Return the transition matrix of updates, shape (states, states), from every option of every update.

    The sampler's ``state`` makes a state from labels, and ``listed_as`` maps labels to their entry in ``states``. The
    updates are those of ``sites``, in order; by default, those of a sweep.
    """
    place = {labels: index for index, labels in enumerate(states)}
    matrix = np.zeros((len(place), len(place)))
    for labels, start in place.items():
        state = sampler.state(labels)
        for reached, (probability, _) in outcomes(
            sampler, state, list(sampler.sites(state)) if sites is None else sites
        ).items():
            matrix[start, place[listed_as(reached)]] += probability
    return matrix


def stationary(matrix: np.ndarray) -> np.ndarray:
    """Return the stationary distribution of a transition matrix, shape (states,), which a step leaves unchanged.

    Parameters
    ----------
    matrix : numpy.ndarray
        Shape (states, states), with rows that sum to 1; every state must lead to every other, in one step or more.
    """
    size = len(matrix)
    balance = np.vstack([matrix.T - np.eye(size), np.ones(size)])
    return np.linalg.lstsq(balance, np.append(np.zeros(size), 1.0))[0]
