"""Base class of generalised linear models: features, a Normal prior, and the log joint with its derivatives.

A model is linear in its weights w before a link is applied: logistic and softmax regression, and least squares. Each
says what its data are worth given the weights; the prior is the same for all.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from math import log, pi
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

BLOCK = 2**13  # numbers at a time: they stay in the processor's cache, and no memory is asked of the system for them
LARGEST = 1e100  # feature: its square is still far from overflow


class LinearModel(ABC):
    """Weights with a Normal prior of mean 0, and data that depend on features times weights.

    Attributes
    ----------
    features : numpy.ndarray
        One row for each observation, shape (N, D), read-only.
    precisions : numpy.ndarray
        Prior precision of each weight, shape (M,), read-only.
    parameter : str
        The name of a position.
    """

    parameter: ClassVar[str] = "weights"

    features: np.ndarray
    precisions: np.ndarray
    _log_normaliser: float

    def _set_prior(self, precisions: np.ndarray) -> None:
        """Set the prior of a model that is frozen otherwise."""
        informative = precisions[precisions > 0]
        object.__setattr__(self, "precisions", precisions)
        object.__setattr__(self, "_log_normaliser", 0.5 * (np.log(informative).sum() - informative.size * log(2 * pi)))

    @property
    def dimension(self) -> int:
        """M, the number of weights."""
        return self.precisions.size

    def log_density(self, position: ArrayLike) -> np.ndarray:
        """Return the log joint, log p(data, weights), with all constants.

        Parameters
        ----------
        position : array_like
            Shape (..., M): any number of weight vectors.

        Returns
        -------
        numpy.ndarray
            Shape (...). A weight of prior precision 0 has a flat prior, which has no density: it counts as 1.

        Raises
        ------
        ValueError
            If the last axis is not M long.
        """
        vectors = self._checked(position)
        rows = vectors.reshape(-1, self.dimension)
        fits = in_blocks(self._log_likelihood, rows, self._cells)
        return (fits + self.log_prior(rows)).reshape(vectors.shape[:-1])

    def log_prior(self, weights: ArrayLike) -> np.ndarray:
        """Return the log density of the prior: shapes as for `log_density`."""
        vectors = self._checked(weights)
        return self._log_normaliser - 0.5 * np.square(vectors) @ self.precisions

    def gradient_and_hessian(self, position: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return gradient and Hessian of the log joint, shapes (M,) and (M, M): one look at the data for both.

        Parameters
        ----------
        position : array_like
            One weight vector, shape (M,).

        Raises
        ------
        ValueError
            If it is not one vector of M weights.
        """
        vector = self._checked(position)
        if vector.ndim != 1:
            raise ValueError(f"weights must be one vector of {self.dimension} numbers, got the shape {vector.shape}")
        gradient, hessian = self._minus_likelihood_derivatives(vector)
        gradient += self.precisions * vector
        hessian.flat[:: self.dimension + 1] += self.precisions
        return -gradient, -hessian

    def _checked(self, weights: ArrayLike) -> np.ndarray:
        vectors = np.asarray(weights, float)
        if vectors.shape[-1:] != (self.dimension,):
            raise ValueError(
                f"weights must have {self.dimension} numbers on their last axis, got the shape {vectors.shape}"
            )
        return vectors

    @property
    def _cells(self) -> int:
        """Return how many activations one weight vector makes."""
        return len(self.features)

    @abstractmethod
    def _log_likelihood(self, weights: np.ndarray) -> np.ndarray:
        """Return log p(data | weights), shape (S,), of weights of shape (S, M)."""

    @abstractmethod
    def _minus_likelihood_derivatives(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return gradient and Hessian of -log p(data | weights) in new arrays, shapes (M,) and (M, M)."""


def in_blocks(function: Callable[[np.ndarray], np.ndarray], rows: np.ndarray, cells: int) -> np.ndarray:
    """Return a function of rows, shape (rows, ...), worked out some rows at a time so that memory stays small.

    Parameters
    ----------
    function : callable
        From rows to a result for each of them, in order.
    rows : numpy.ndarray
        Shape (rows, ...).
    cells : int
        How many numbers the function needs at a time for each row.
    """
    step = max(1, BLOCK // max(1, cells))
    if len(rows) <= step:
        return function(rows)
    return np.concatenate([function(rows[start : start + step]) for start in range(0, len(rows), step)])


def as_features(value: ArrayLike) -> np.ndarray:
    """Return features as floats of shape (N, D) that cannot change.

    Raises
    ------
    ValueError
        Unless they are finite numbers in rows of at least one.
    """
    try:
        features = np.array(value, float)
    except (TypeError, ValueError):
        raise ValueError(f"features must be numbers of shape (N, D), got {value!r}") from None
    if features.ndim != 2 or not features.shape[1]:
        raise ValueError(f"features must be numbers of shape (N, D) with D >= 1, got the shape {features.shape}")
    usable = np.abs(features) <= LARGEST
    if not usable.all():
        row, column = np.argwhere(~usable)[0]
        raise ValueError(
            f"features must be within ±{LARGEST:g}, got {features[row, column]} in row {row}, column {column}"
        )
    features.flags.writeable = False
    return features


def as_classes(value: ArrayLike, observations: int, classes: int) -> np.ndarray:
    """Return labels as integers of shape (N,) that cannot change.

    Raises
    ------
    ValueError
        Unless there is one whole number for each observation, from 0 and below the number of classes.
    """
    given = np.asarray(value)
    if given.shape != (observations,):
        raise ValueError(f"labels must be one for each of {observations} rows of features, got the shape {given.shape}")
    allowed = np.isin(given, np.arange(classes))
    if not allowed.all():
        among = "0 or 1" if classes == 2 else f"0 to {classes - 1}"
        raise ValueError(f"labels must be {among}, got {given[~allowed][0]} in row {np.flatnonzero(~allowed)[0]}")
    labels = given.astype(np.int64)
    labels.flags.writeable = False
    return labels
