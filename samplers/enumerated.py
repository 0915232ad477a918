"""Posteriors found by listing every state; where a sweep leads from each, and what distribution it leaves as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from scipy import special

from samplers.recipe import Site, outcomes

Labels = tuple[int, ...]


class Enumerated:
    """The posterior over all states of something finite.

    Attributes
    ----------
    log_joint : numpy.ndarray
        log p(data, state) of each state, with nothing dropped.
    """

    log_joint: np.ndarray

    @property
    def log_evidence(self) -> float:
        """The log probability of all that is given, log p(data)."""
        return float(special.logsumexp(self.log_joint))

    @property
    def probabilities(self) -> np.ndarray:
        """Posterior probability of each state."""
        return special.softmax(self.log_joint)


def transitions(
    sampler: Any,
    states: Iterable[Labels],
    listed_as: Callable[[Labels], Labels] = tuple,
    sites: Sequence[Site] | None = None,
) -> np.ndarray:
    """Return where updates lead from each state, shape (states, states): every option of every update is tried.

    A state is made from labels by the sampler's ``state``, and ``listed_as`` says which of the states labels are. The
    updates are those of these ``sites``, in order; left out, those of a sweep.
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
    """Return the stationary distribution of a transition matrix, shape (states,): the one that a step leaves as it is.

    Parameters
    ----------
    matrix : numpy.ndarray
        Shape (states, states), rows summing to 1, from every state to every other in the end.
    """
    size = len(matrix)
    balance = np.vstack([matrix.T - np.eye(size), np.ones(size)])
    return np.linalg.lstsq(balance, np.append(np.zeros(size), 1.0))[0]
