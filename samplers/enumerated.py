"""Base class of posteriors found by listing every state, and the stationary distribution of a transition matrix."""

from __future__ import annotations

import numpy as np
from scipy import special


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
