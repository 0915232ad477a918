"""The protocol of a conjugate family, and the checks of data and settings that families share.

A family is a prior for the parameters of one cluster. Its clusters hold the posterior given their points, so one more
point always costs the same, however many there are. A new family is one file with these methods; samplers, wrong rules
and pages need nothing else from it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from samplers.conjugate.parameters import Parameters


class Cluster(Protocol):
    """The sufficient statistics of one cluster's points.

    An observation ``x`` is one entry of the list that the family's ``observations`` makes from the data.
    """

    count: int

    def add(self, x: Any) -> None:
        """Add an observation."""

    def remove(self, x: Any) -> None:
        """Remove an observation that was added before."""

    def log_predictive(self, x: Any) -> float:
        """Return the log predictive density of one more observation."""

    def log_marginal(self) -> float:
        """Return the log marginal density of all observations, with the parameters integrated out and all constants."""

    def posterior(self) -> "Family":
        """Return the posterior of the parameters: the same family with updated hyperparameters."""

    def copy(self) -> Self:
        """Return an independent copy of the cluster."""


C = TypeVar("C", bound=Cluster)


class Sums(NamedTuple):
    """The sufficient statistics of many observations at once, which are all that a posterior needs."""

    size: float  # their number; negative to remove them
    total: np.ndarray  # their sum, shape (dimension,)
    scatter: np.ndarray  # the sum of products of their deviations from their mean, shape (dimension, dimension)


class Family(Protocol):
    """A conjugate prior for the parameters of a cluster."""

    @property
    def dimension(self) -> int:
        """The number of columns that an observation has."""

    @property
    def of_counts(self) -> bool:
        """Whether observations are counts, and not points."""

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Check data of shape (n, dimension), or (n,) if there is one column, and return them in rows."""

    def observations(self, data: ArrayLike) -> list[Any]:
        """Check the data in the same way, and return them in the form that clusters use."""

    def cluster(self, data: ArrayLike = (), *, capacity: int = 0) -> Cluster:
        """Return a cluster of these data, with tables of all terms of the count alone, up to the capacity."""

    def given(self, sums: Sums) -> Self:
        """Return the posterior given many observations at once."""

    def to_the_power(self, times: float) -> Self:
        """Return the family whose density is this one's density to a power from 0.

        To the power 0 it is flat: not a distribution, but the mode of its posterior is the maximum of the likelihood.
        """

    def marginal(self, columns: Sequence[int]) -> "Family | None":
        """Return the family of some of the columns; None if they have no distribution without the others."""

    def draw(self, rng: np.random.Generator) -> Parameters:
        """Draw parameters."""

    def mode(self) -> Parameters:
        """Return the parameters at which `log_density_of` is highest.

        Raises
        ------
        NoMode
            If there is no highest density, or if it is not unique.
        """

    def typical(self) -> Parameters:
        """Return one typical set of parameters, for a picture."""

    def log_density(self, data: ArrayLike) -> np.ndarray:
        """Return the log predictive density of a single observation at each row, shape (n,)."""

    def log_density_of(self, parameters: Any) -> float:
        """Return the log density of a cluster's parameters.

        It is the density of the mean and of the covariance's entries on and below the diagonal; of the mean only, if
        the covariance is known; or of all probabilities except the last.
        """

    def with_certain_centre(self, points: float) -> Self:
        """Return the family with its centre (mean, or probabilities) as certain as after a number of points."""

    def summary(self) -> Mapping[str, Any]:
        """Return the numbers that describe the family, by name.

        They are ``"pseudo-counts"``; or ``"mean"`` with ``"deviation"``, the standard deviation of a mean whose
        covariance is known, or with ``"points"`` and ``"df"``, the points that mean and covariance are worth.
        """


class AveragedFamily(Family, Protocol):
    """A family over which log densities can be averaged, as variational Bayes does."""

    def expected_log_density(self, rows: np.ndarray) -> np.ndarray:
        """Return the expected log density of points, shape (n, D), over the parameters; shape (n,).

        It is below the log predictive density: the mean of a logarithm is below the logarithm of the mean.
        """

    def divergence(self, other: Self) -> float:
        """Return KL(this‖other) in nats, of distributions of the parameters."""


class SlottedCluster:
    """Base class of clusters whose slots hold numbers, or objects that are replaced but never changed."""

    __slots__: tuple[str, ...] = ()

    def copy(self) -> Self:
        """Return an independent copy of the cluster."""
        other = type(self).__new__(type(self))
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other


class Changeable:
    """Base class of families that make others of their kind, with other hyperparameters."""

    def _with(self, **hyperparameters: Any) -> Self:
        """Return the family with other hyperparameters, which are not checked again."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, **hyperparameters)
        for value in hyperparameters.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        return other


def as_table(*columns: np.ndarray) -> list[tuple[float, ...]]:
    """Return columns of equal length as a list of rows of plain floats."""
    return list(zip(*(column.tolist() for column in columns), strict=True))


def filled(cluster: C, observations: Iterable[Any]) -> C:
    """Put observations into a cluster and return it."""
    for x in observations:
        cluster.add(x)
    return cluster


def as_rows(data: ArrayLike, dimension: int) -> np.ndarray:
    """Return the data as an array of floats of shape (n, dimension).

    Raises
    ------
    ValueError
        If the data are not numbers, have another shape, or are not finite; the message names the first such row.
    """
    try:
        rows = np.array(data, float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"data must be numbers in rows of {dimension}: {error}") from None
    if rows.size == 0:
        return rows.reshape(0, dimension)
    if rows.ndim == 1 and dimension == 1:
        rows = rows[:, None]
    if rows.ndim != 2 or rows.shape[1] != dimension:
        raise ValueError(f"data must have the shape (n, {dimension}), got {rows.shape}")
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if bad.size:
        raise ValueError(f"data must be finite, got {rows[bad[0]].tolist()} in row {bad[0]}")
    return rows


def as_counts(data: ArrayLike, dimension: int) -> np.ndarray:
    """Return whole numbers from 0, as floats of shape (n, dimension); others raise ValueError, as in `as_rows`."""
    rows = as_rows(data, dimension)
    bad = np.flatnonzero(((rows < 0) | (rows != np.floor(rows))).any(axis=1))
    if bad.size:
        raise ValueError(f"data must be whole numbers from 0, got {rows[bad[0]].tolist()} in row {bad[0]}")
    return rows


def as_vector(name: str, value: ArrayLike) -> np.ndarray:
    """Return a read-only array of finite floats, shape (D,); a single number becomes one entry.

    Raises
    ------
    ValueError
        With the name, if the value is something else.
    """
    try:
        vector = np.atleast_1d(np.array(value, float))
    except (TypeError, ValueError):
        vector = np.empty((0, 0))
    if vector.ndim != 1 or vector.size == 0 or not np.isfinite(vector).all():
        raise ValueError(f"{name} must be a finite number or a list of them, got {value!r}")
    vector.flags.writeable = False
    return vector
