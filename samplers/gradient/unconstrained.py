"""Transforms from the reals to simplexes and ordered vectors, with log-Jacobians.

Each class takes the unconstrained numbers, and has the values, the logarithm of how much the transform stretches space
(the log-Jacobian), and a way back for gradients. They are those of the Stan reference manual, chapter "Constraint
transforms". Its simplex was made by breaking a stick until version 2.36, as here; later versions take a softmax of
numbers that sum to zero, whose log-Jacobian differs from this one by a constant when written in the probabilities.
"""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers import portable

CLOSE = 1e-8  # by how much probabilities that were rounded may miss the sum of 1


class Simplexes:
    """Probabilities that sum to 1, from one unconstrained number less: one simplex for each row.

    Parameters
    ----------
    free : array_like
        Unconstrained numbers, shape (..., K - 1). All 0 gives K equal probabilities.

    Attributes
    ----------
    log_probs : numpy.ndarray
        Logarithms of the probabilities, shape (..., K); finite as long as ``free`` is, however far out.
    breaks : numpy.ndarray
        Which part of what is left of the stick each option but the last takes, shape (..., K - 1).

    Notes
    -----
    The k-th break takes the part σ(y_k - log(K - k)) of what is left. Each break multiplies the volume by its part, by
    the other part and by what was left before, and all of that multiplied together is the product of the K
    probabilities. With the log-Jacobian included, the exponents α - 1 of a Dirichlet density become α.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(Simplexes([[0.0, 0.0], [1.0, 0.0]]).log_probs).round(3)
    array([[0.333, 0.333, 0.333],
           [0.576, 0.212, 0.212]])
    """

    def __init__(self, free: ArrayLike) -> None:
        numbers = np.asarray(free, float)
        odds = numbers - _log_options_left(numbers.shape[-1])
        log_breaks = special.log_expit(odds)
        log_left = np.cumsum(log_breaks - odds, axis=-1)  # log(1 - break) is log(break) - odds
        self.log_probs = np.empty((*numbers.shape[:-1], numbers.shape[-1] + 1))
        self.log_probs[..., :-1] = log_breaks
        self.log_probs[..., 1:-1] += log_left[..., :-1]
        self.log_probs[..., -1] = log_left[..., -1] if numbers.shape[-1] else 0.0
        self.breaks: np.ndarray = special.expit(odds)

    @property
    def log_jacobian(self) -> np.ndarray:
        """Log of the volume that a unit of the unconstrained numbers fills in the first K - 1 probabilities: (...)."""
        return self.log_probs.sum(axis=-1)

    def pull_back(self, slopes: np.ndarray) -> np.ndarray:
        """Return the gradient in the unconstrained numbers of a function of the log probabilities, shape (..., K - 1).

        It is each number's own slope, less the part broken off times the slopes from there to the end.

        Parameters
        ----------
        slopes : numpy.ndarray
            Its derivative in each log probability, the others held fixed: shape (..., K).
        """
        to_the_end = np.cumsum(slopes[..., ::-1], axis=-1)[..., :0:-1]
        return slopes[..., :-1] - self.breaks * to_the_end

    @staticmethod
    def unconstrain(log_probs: ArrayLike) -> np.ndarray:
        """Return the unconstrained numbers of probabilities, shape (..., K - 1).

        Parameters
        ----------
        log_probs : array_like
            Logarithms of probabilities, finite, shape (..., K).

        Raises
        ------
        ValueError
            If a probability is 0, or if they do not sum to 1.
        """
        logs = np.asarray(log_probs, float)
        left = np.logaddexp.accumulate(logs[..., ::-1], axis=-1)[..., ::-1]
        if not np.isfinite(logs).all() or not (np.abs(left[..., 0]) < CLOSE).all():
            raise ValueError("probabilities must be above 0 and sum to 1 to be unconstrained")
        return logs[..., :-1] - left[..., 1:] + _log_options_left(logs.shape[-1] - 1)


class Ordered:
    """Ascending numbers, from as many unconstrained ones: the first is itself, the others are logarithms of steps.

    Parameters
    ----------
    free : array_like
        Unconstrained numbers, shape (..., K) with K from 1.

    Attributes
    ----------
    values : numpy.ndarray
        Shape (..., K), each at least the one before.

    Examples
    --------
    >>> Ordered([-1.0, 0.0, 0.0]).values
    array([-1.,  0.,  1.])
    """

    def __init__(self, free: ArrayLike) -> None:
        self._free = np.asarray(free, float)
        self._steps = portable.exp(self._free[..., 1:])
        self.values: np.ndarray = np.cumsum(np.concatenate([self._free[..., :1], self._steps], axis=-1), axis=-1)

    @property
    def log_jacobian(self) -> np.ndarray:
        """Log of the volume that a unit of the unconstrained numbers fills: the sum of the logs of the steps, (...)."""
        return self._free[..., 1:].sum(axis=-1)

    def pull_back(self, slopes: np.ndarray) -> np.ndarray:
        """Return the gradient in the unconstrained numbers of a function of the values, without the log-Jacobian.

        Parameters
        ----------
        slopes : numpy.ndarray
            Its derivative in each value, of the shape of the values; a step moves all values after it.
        """
        gradient: np.ndarray = np.cumsum(slopes[..., ::-1], axis=-1)[..., ::-1]
        gradient[..., 1:] *= self._steps
        return gradient


@cache
def _log_options_left(breaks: int) -> np.ndarray:
    """Return log(K - k) for the breaks k = 1..K - 1: how many options share what each break leaves."""
    logs = portable.log(np.arange(breaks, 0.0, -1.0))
    logs.flags.writeable = False
    return logs
