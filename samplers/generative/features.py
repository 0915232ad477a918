"""Features of different types, how they are written as columns of numbers, and the weak prior that suits them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above
from samplers.conjugate import DirichletMultinomial, Family, GammaPoisson, NormalInverseWishart, Product

SPREAD = 1.5  # of numbers within a class, as the prior has it
MOST_SHOWN = 7  # of a count
Grouping = Literal["naive", "pairs", "whole"]


@dataclass(frozen=True)
class Feature:
    """A feature of an example.

    Parameters
    ----------
    name : str
        What it is called.
    levels : tuple of str, optional
        The categories that it can have, ``("no", "yes")`` say; none of a number.
    counted : bool, optional
        Whether it is a count: a whole number from 0.
    """

    name: str
    levels: tuple[str, ...] = ()
    counted: bool = False

    @property
    def bars(self) -> tuple[str, ...]:
        """The bars of its picture: categories, or counts of which the last includes all larger ones."""
        return (*map(str, range(MOST_SHOWN)), f"{MOST_SHOWN}+") if self.counted else self.levels

    @property
    def width(self) -> int:
        """The number of its columns."""
        return len(self.levels) or 1


@dataclass(frozen=True)
class Encoding:
    """A coding of features as columns: a number as it is, a category as a 1 in its own column; missing as NaN.

    Parameters
    ----------
    features : tuple of Feature
        In the order of the values.
    grouping : {"naive", "pairs", "whole"}, optional
        Which features are taken together: each alone, numbers two by two, or all numbers. Categories and counts stay
        alone.

    Raises
    ------
    ValueError
        If there is no such grouping.
    """

    features: tuple[Feature, ...]
    grouping: Grouping = "naive"

    def __post_init__(self) -> None:
        if self.grouping not in get_args(Grouping):
            raise ValueError(f"grouping must be one of {', '.join(get_args(Grouping))}, got {self.grouping!r}")

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The features of each group, by their numbers from 0."""
        numbers = [place for place, feature in enumerate(self.features) if not feature.bars]
        size = {"naive": 1, "pairs": 2, "whole": max(1, len(numbers))}[self.grouping]
        others = [(place,) for place, feature in enumerate(self.features) if feature.bars]
        return (*(tuple(numbers[start : start + size]) for start in range(0, len(numbers), size)), *others)

    @property
    def order(self) -> list[int]:
        """The features in the order of their columns."""
        return [place for group in self.groups for place in group]

    def columns(self, features: Iterable[int]) -> list[int]:
        """Return the columns of some features."""
        feature_of = np.repeat(self.order, [self.features[place].width for place in self.order])
        return np.flatnonzero(np.isin(feature_of, [*features])).tolist()

    def rows(self, values: ArrayLike) -> np.ndarray:
        """Return values, shape (n, features), as rows, shape (n, D): a category is its number from 0, NaN is missing.

        Raises
        ------
        ValueError
            If the shape does not fit, or a category is none of its feature's.
        """
        given = np.asarray(values, float)
        if given.ndim != 2 or given.shape[1] != len(self.features):
            raise ValueError(f"values must have the shape (n, {len(self.features)}), got {given.shape}")
        return np.hstack(
            [np.empty((len(given), 0)), *(self._columns_of(place, given[:, place]) for place in self.order)]
        )

    def _columns_of(self, place: int, values: np.ndarray) -> np.ndarray:
        feature = self.features[place]
        if not feature.levels:
            return values[:, None]
        missing = np.isnan(values)
        bad = np.flatnonzero(~missing & ~np.isin(values, range(feature.width)))
        if bad.size:
            raise ValueError(f"{feature.name} must be a category below {feature.width}, got {values[bad[0]]:g}")
        columns = np.eye(feature.width)[np.where(missing, 0, values).astype(int)]
        columns[missing] = np.nan
        return columns

    def values(self, rows: np.ndarray) -> np.ndarray:
        """Return rows, shape (n, D), as values, shape (n, features): the other way round."""
        values = np.empty((len(rows), len(self.features)))
        for place, feature in enumerate(self.features):
            own = rows[:, self.columns([place])]
            values[:, place] = (
                np.where(np.isnan(own[:, 0]), np.nan, own.argmax(axis=1)) if feature.levels else own[:, 0]
            )
        return values

    def prior(self, points: float, pseudo_count: float) -> Product:
        """Return a weak prior: numbers lie around 0, 1.5 or so away, and no category comes more often than another.

        Parameters
        ----------
        points : float
            How many points mean and covariance of the numbers are worth, above 0. Whatever the grouping, each number
            alone has the same prior.
        pseudo_count : float
            Of each category, above 0; of a count, the number of examples with a mean of 1 that its prior is worth.
        """
        finite_above("points", points, 0)

        def family(group: Sequence[int]) -> Family:
            width = self.features[group[0]].width
            if self.features[group[0]].levels:
                return DirichletMultinomial(np.full(width, finite_above("pseudo_count", pseudo_count, 0)))
            if self.features[group[0]].counted:
                return GammaPoisson(finite_above("pseudo_count", pseudo_count, 0), pseudo_count)
            size = len(group)
            return NormalInverseWishart(np.zeros(size), points, points + size - 1, SPREAD**2 * points * np.eye(size))

        return Product([family(group) for group in self.groups])
