"""What posteriors have in common of which every state is listed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

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
        probabilities: np.ndarray = special.softmax(self.log_joint)
        return probabilities


def shares(visited: Iterable[Hashable], states: Iterable[Hashable]) -> np.ndarray:
    """Return how often each state occurs in a run, summing to 1, in the order of `states`.

    Raises
    ------
    KeyError
        If a state was visited that is not listed.
    """
    place = {state: index for index, state in enumerate(states)}
    found = [place[state] for state in visited]
    frequencies: np.ndarray = np.bincount(found, minlength=len(place)) / len(found)
    return frequencies
