"""Groups of columns that are independent within a cluster, each with a family of its own: what naive Bayes assumes.

With a family for each column nothing is said of how columns go together; with one family for all of them it is no
product at all. Between the two, columns that belong together share a family. Columns may be of different types.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from samplers.conjugate.family import Changeable, Cluster, Family, Sums, filled
from samplers.conjugate.parameters import Parameters


class _Group(Protocol):
    """A family, or the parameters of one."""

    def log_density(self, data: np.ndarray) -> np.ndarray: ...

    def marginal(self, columns: Sequence[int]) -> Any: ...


G = TypeVar("G", bound=_Group)
V = TypeVar("V")


@dataclass(frozen=True, eq=False, init=False)
class Grouped:
    """Base class of what has one part for each group of columns, in order."""

    places: tuple[slice, ...]  # which columns each group has

    def _set_places(self, widths: Sequence[int]) -> None:
        ends = np.cumsum([0, *widths]).tolist()
        object.__setattr__(self, "places", tuple(slice(*pair) for pair in pairwise(ends)))

    @property
    def dimension(self) -> int:
        """The number of columns of all groups."""
        return self.places[-1].stop if self.places else 0

    def _terms(self, groups: Sequence[_Group], rows: np.ndarray) -> np.ndarray:
        """Return the log density of each row in each group, shape (n, groups); 0 where a number is missing."""
        terms = np.zeros((len(groups), len(rows)))
        holes = np.isnan(rows)
        complete = not holes.any()
        for own, group, place in zip(terms, groups, self.places, strict=True):
            there = slice(None) if complete else ~holes[:, place].any(axis=1)
            own[there] = group.log_density(rows[there, place])
        return terms.T

    def _kept(self, groups: Sequence[G], left_out: Collection[int]) -> Iterator[G]:
        """Yield the groups without some columns."""
        for group, place in zip(groups, self.places, strict=True):
            columns = range(place.start, place.stop)
            kept = [column - place.start for column in columns if column not in left_out]
            less = group if len(kept) == len(columns) else group.marginal(kept) if kept else None
            if less is not None:
                yield less


@dataclass(frozen=True, eq=False, init=False)
class ProductParameters(Grouped):
    """The distribution of a cluster's rows, independent from group to group.

    Parameters
    ----------
    groups : sequence of Parameters
        One for each group, in the order of the columns.
    """

    groups: tuple[Parameters, ...]

    def __init__(self, groups: Sequence[Parameters]) -> None:
        object.__setattr__(self, "groups", tuple(groups))
        self._set_places([group.mean.size for group in groups])

    @property
    def mean(self) -> np.ndarray:
        """Expected row, shape (D,)."""
        return np.concatenate([group.mean for group in self.groups])

    @property
    def deviations(self) -> np.ndarray:
        """Standard deviation of each coordinate, shape (D,), of which counts have none."""
        return np.concatenate([group.deviations for group in self.groups])

    def terms(self, data: np.ndarray) -> np.ndarray:
        """Return the log density of each row in each group, shape (n, groups); 0 where a number is missing."""
        return self._terms(self.groups, data)

    def log_density(self, data: np.ndarray) -> np.ndarray:
        """Return the log density of each row, shape (n,), without groups in which a number is missing."""
        return self.terms(data).sum(axis=1)

    def marginal(self, columns: Sequence[int]) -> "ProductParameters":
        """Return the distribution of some of the columns."""
        return ProductParameters(list(self._kept(self.groups, {*range(self.dimension)} - {*columns})))

    def points(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw rows, shape (count, D)."""
        return np.hstack([group.points(count, rng) for group in self.groups])


@dataclass(frozen=True, eq=False, init=False)
class Product(Grouped, Changeable):
    """Rows whose groups of columns are independent given the cluster, each from a family of its own.

    A number that is missing is NaN. For that row its whole group is left out of the product: what a cluster learns of
    the group, it learns from rows that are complete there. In a group of one column nothing is lost by that.

    Parameters
    ----------
    families : sequence of Family
        One for each group, in the order of the columns.
    """

    families: tuple[Family, ...]
    of_counts: ClassVar[bool] = False

    def __init__(self, families: Sequence[Family]) -> None:
        object.__setattr__(self, "families", tuple(families))
        self._set_places([family.dimension for family in families])

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Return rows, shape (n, D), with NaN in all columns of a group in which a number is missing.

        Raises
        ------
        ValueError
            If the data have another shape, or if a group's columns are not what its family takes.
        """
        try:
            rows = np.array(data, float)
        except (TypeError, ValueError) as error:
            raise ValueError(f"data must be numbers in rows of {self.dimension}: {error}") from None
        if rows.size == 0 and rows.ndim < 2:
            rows = rows.reshape(0, self.dimension)
        if rows.ndim != 2 or rows.shape[1] != self.dimension:
            raise ValueError(f"data must have the shape (n, {self.dimension}), got {rows.shape}")
        for family, place in zip(self.families, self.places, strict=True):
            block = rows[:, place]
            hole = np.isnan(block).any(axis=1)
            harmless = np.zeros(family.dimension) if family.of_counts else family.typical().mean
            family.rows(np.where(hole[:, None], harmless, block))  # so that its messages count all rows
            block[hole] = np.nan
        return rows

    def observations(self, data: ArrayLike) -> list[tuple[Any, ...]]:
        """Return for each row what each group's clusters work with, None where it is missing. Errors as `rows`."""
        rows = self.rows(data)
        parts = []
        for family, place in zip(self.families, self.places, strict=True):
            there = ~np.isnan(rows[:, place]).any(axis=1)
            seen = iter(family.observations(rows[there, place]))
            parts.append([next(seen) if here else None for here in there.tolist()])
        return list(zip(*parts, strict=True)) if parts else [()] * len(rows)

    def cluster(self, data: ArrayLike = (), *, capacity: int = 0) -> "ProductCluster":
        """Return a cluster of these rows, shape (n, D), with tables up to the capacity."""
        observations = self.observations(data)
        clusters = [family.cluster(capacity=max(capacity, len(observations))) for family in self.families]
        return filled(ProductCluster(clusters), observations)

    def given(self, sums: Sums | Sequence[Sums]) -> Self:
        """Return the posterior given many rows at once: the sums of all columns, or of each group where rows differ."""
        if isinstance(sums, Sums):
            size, total, scatter = sums
            sums = [Sums(size, total[place], scatter[place, place]) for place in self.places]
        return self._each(lambda family, own: family.given(own), sums)

    def given_labels(self, rows: np.ndarray, labels: np.ndarray, classes: int) -> list[Self]:
        """Return the posterior of each class given its rows: all are looked at once, however many classes there are.

        Parameters
        ----------
        rows : numpy.ndarray
            As `rows` returns them, shape (n, D).
        labels : numpy.ndarray
            Class of each row, 0 to classes - 1, shape (n,).
        """
        members, counts, totals, away = _by_class(rows, labels, classes)
        scatters = [_scatters(away[labels == label], self._wide) for label in range(classes)] if self._wide else []
        squares = members @ np.square(away, out=away)  # in place: new memory costs more than the sums

        def sums(label: int, place: slice) -> Sums:
            alone = squares[label, place, None]
            scatter = scatters[label].get(place.start, alone) if scatters else alone
            return Sums(float(counts[label, place.start]), totals[label, place], scatter)

        return [self.given([sums(label, place) for place in self.places]) for label in range(classes)]

    @property
    def _wide(self) -> list[slice]:
        """The places of groups that need to know how their columns go together."""
        groups = zip(self.families, self.places, strict=True)
        return [place for family, place in groups if family.dimension > 1 and not family.of_counts]

    def to_the_power(self, times: float) -> Self:
        """Return the product of the families to that power."""
        return self._each(lambda family, _: family.to_the_power(times), self.families)

    def marginal(self, columns: Sequence[int]) -> "Product":
        """Return the product for some of the columns: the others are integrated out, in groups that have some left."""
        return Product(list(self._kept(self.families, {*range(self.dimension)} - {*columns})))

    def mode(self) -> ProductParameters:
        """Return the most probable parameters; errors as in `Family`."""
        return ProductParameters([family.mode() for family in self.families])

    def draw(self, rng: np.random.Generator) -> ProductParameters:
        """Draw the parameters of every group."""
        return ProductParameters([family.draw(rng) for family in self.families])

    def typical(self) -> ProductParameters:
        """Return the parameters of every group, or a substitute for them."""
        return ProductParameters([family.typical() for family in self.families])

    def terms(self, data: np.ndarray) -> np.ndarray:
        """Return the log density of single rows in each group, shape (n, groups); 0 where a number is missing."""
        return self._terms(self.families, data)

    def log_density(self, data: ArrayLike) -> np.ndarray:
        """Return the log density of single rows, shape (n,), without groups in which a number is missing."""
        return self.terms(np.asarray(data, float)).sum(axis=1)

    def log_density_of(self, parameters: ProductParameters) -> float:
        """Return the log density of a cluster's parameters, those of all groups together."""
        return math.fsum(f.log_density_of(p) for f, p in zip(self.families, parameters.groups, strict=True))

    def with_certain_centre(self, points: float) -> Self:
        """Return the product of the families with their centres as certain as after a number of points."""
        return self._each(lambda family, _: family.with_certain_centre(points), self.families)

    def summary(self) -> Mapping[str, Any]:
        """Return the parameters of each group as its family describes them."""
        return {f"group {number}": family.summary() for number, family in enumerate(self.families, 1)}

    def _each(self, change: Callable[[Family, V], Family], values: Sequence[V]) -> Self:
        """Return the product of families that have been changed, each with a value of its own."""
        return self._with(families=tuple(change(*pair) for pair in zip(self.families, values, strict=True)))


class ProductCluster:
    """Rows of a `Product` cluster: for each group a cluster of those that are complete there."""

    __slots__ = ("clusters", "count")

    def __init__(self, clusters: Sequence[Cluster], count: int = 0) -> None:
        self.clusters = tuple(clusters)
        self.count = count

    def add(self, x: Sequence[Any]) -> None:
        """Add a row."""
        for cluster, part in self._groups(x):
            cluster.add(part)
        self.count += 1

    def remove(self, x: Sequence[Any]) -> None:
        """Remove a row that was added before."""
        for cluster, part in self._groups(x):
            cluster.remove(part)
        self.count -= 1

    def _groups(self, x: Sequence[Any]) -> Iterator[tuple[Cluster, Any]]:
        return ((cluster, part) for cluster, part in zip(self.clusters, x, strict=True) if part is not None)

    def log_predictive(self, x: Sequence[Any]) -> float:
        """Return the log density of one more row, without groups in which a number is missing."""
        return math.fsum(cluster.log_predictive(part) for cluster, part in self._groups(x))

    def log_marginal(self) -> float:
        """Return the log density of all the rows, with the parameters integrated out."""
        return math.fsum(cluster.log_marginal() for cluster in self.clusters)

    def posterior(self) -> Product:
        """Return the posterior of the parameters of every group."""
        return Product([cluster.posterior() for cluster in self.clusters])

    def copy(self) -> Self:
        """Return an independent copy of the cluster."""
        return type(self)([cluster.copy() for cluster in self.clusters], self.count)


def _by_class(
    rows: np.ndarray, labels: np.ndarray, classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the matrix that adds up rows by class, shape (K, n); counts and sums of columns in classes, shape (K, D).

    And deviations from the classes' means, shape (n, D), 0 where a number is missing.
    """
    members = (labels == np.arange(classes)[:, None]).astype(float)
    holes = np.isnan(rows)
    there = (~holes).astype(float) if holes.any() else None
    if there is None:
        counts = np.repeat(members.sum(axis=1)[:, None], rows.shape[1], axis=1)
    else:
        counts, rows = members @ there, np.where(holes, 0.0, rows)
    totals = members @ rows
    away = (totals / np.maximum(counts, 1)).take(labels, axis=0)
    np.subtract(rows, away, out=away)
    if there is not None:
        away *= there
    return members, counts, totals, away


def _scatters(away: np.ndarray, places: Sequence[slice]) -> dict[int, np.ndarray]:
    """Return the products of deviations, summed, of groups of columns, by the column where each begins."""
    return {place.start: away[:, place].T @ away[:, place] for place in places}
