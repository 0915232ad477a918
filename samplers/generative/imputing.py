"""Imputing: what is missing in a row is drawn together with its class, in turn.

A feature that is missing can be left out of the product, or drawn as one more unknown beside the class. Both give the
same probabilities of the classes (Little & Rubin 2019, Statistical Analysis with Missing Data, chapter 10); drawing
also gives the distribution of the missing values.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from samplers.conjugate import DirichletMultinomial, GammaPoisson, Multinomial, Poisson, Product
from samplers.generative.classifier import Classifier
from samplers.recipe import Conditional, Distribution, GibbsSampler, Site

CLASS = "class"  # the site of the row's class
START = 0.0  # of a number that is missing, until it is drawn


class ImputedRow:
    """A class, and a complete row: observed and imputed values.

    Attributes
    ----------
    label : int
        The class.
    row : numpy.ndarray
        Shape (D,).
    """

    __slots__ = ("label", "row")

    def __init__(self, label: int, row: np.ndarray) -> None:
        self.label, self.row = label, row

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        return type(self)(self.label, self.row.copy())


class StudentT:
    """The predictive distribution of one number.

    Parameters
    ----------
    mean, scale, df : float
        Its location, its scale and its degrees of freedom; infinity makes it Normal.
    """

    def __init__(self, mean: float, scale: float, df: float) -> None:
        self.mean, self.scale, self.df = mean, scale, df

    def draw(self, rng: np.random.Generator) -> float:
        """Draw a number."""
        standard = rng.standard_normal() if np.isinf(self.df) else rng.standard_t(self.df)
        return float(self.mean + self.scale * standard)

    def log_density(self, value: float) -> float:
        """Return its log density."""
        squared = ((value - self.mean) / self.scale) ** 2
        if np.isinf(self.df):
            return float(-0.5 * (squared + np.log(2 * np.pi)) - np.log(self.scale))
        constant = gammaln((self.df + 1) / 2) - gammaln(self.df / 2) - 0.5 * np.log(self.df * np.pi)
        return float(constant - (self.df + 1) / 2 * np.log1p(squared / self.df) - np.log(self.scale))


class CountOf:
    """The predictive distribution of one count.

    Parameters
    ----------
    part : GammaPoisson or Poisson
        The posterior of its rate, or the distribution with a rate that is plugged in.
    """

    def __init__(self, part: GammaPoisson | Poisson) -> None:
        self.part = part

    def draw(self, rng: np.random.Generator) -> float:
        """Draw a count: a rate, and then a count given the rate."""
        given = self.part.draw(rng) if isinstance(self.part, GammaPoisson) else self.part
        return float(given.points(1, rng)[0, 0])

    def log_density(self, value: float) -> float:
        """Return its log probability."""
        return float(self.part.log_density(np.array([[value]]))[0])


class Imputation(GibbsSampler[ImputedRow]):
    """The class and the missing features of one row, drawn in turn.

    Parameters
    ----------
    classifier : Classifier
        The weights of the classes, and the distribution of the features in each.
    row : array_like
        Shape (D,), with NaN where a number is missing, or in all columns of a category that is.

    Raises
    ------
    ValueError
        If the shape does not fit, or if a number is missing of a group that has others: its distribution is not that of
        the group.
    """

    of_a_posterior = True

    def __init__(self, classifier: Classifier, row: ArrayLike) -> None:
        self.classifier, self.row = classifier, np.array(row, float)
        self.row.flags.writeable = False
        first = classifier.conditionals[0]
        if self.row.shape != (first.dimension,):
            raise ValueError(f"row must have the shape ({first.dimension},), got {self.row.shape}")
        self.places = first.places
        self._classes = len(classifier.conditionals)
        self.missing = [group for group, place in enumerate(self.places) if np.isnan(self.row[place]).any()]
        for group in self.missing:
            if not self._levels(group) and self.places[group].stop - self.places[group].start > 1:
                raise ValueError("row must not lack a number that is grouped with others")

    def _part(self, group: int, label: int) -> Any:
        """Return the distribution of a group in a class, or the posterior of its parameters."""
        one: Any = self.classifier.conditionals[label]
        return (one.families if isinstance(one, Product) else one.groups)[group]

    def _levels(self, group: int) -> int:
        """Return how many categories a group has; 0 of numbers."""
        part = self._part(group, 0)
        return self._chances(group, 0).size if isinstance(part, DirichletMultinomial | Multinomial) else 0

    def _chances(self, group: int, label: int) -> np.ndarray:
        """Return the probability of each category in a class, shape (levels,)."""
        return self.means(range(*self.places[group].indices(self.row.size)))[label]

    def means(self, columns: Sequence[int]) -> np.ndarray:
        """Return the expected values of some columns in each class, shape (K, columns)."""
        parts = ([self._part(group, label) for group in range(len(self.places))] for label in range(self._classes))
        typical = ([part.typical() if hasattr(part, "typical") else part for part in own] for own in parts)
        return np.array([np.concatenate([part.mean for part in own])[list(columns)] for own in typical])

    def init(self, rng: np.random.Generator) -> ImputedRow:
        """Return a first state: a class drawn by the weights; the first category, or 0, where something is missing."""
        weights = np.exp(self.classifier.log_weights)
        row = self.row.copy()
        for group in self.missing:
            row[self.places[group]] = np.eye(self._levels(group))[0] if self._levels(group) else START
        return ImputedRow(int(rng.choice(len(weights), p=weights / weights.sum())), row)

    def variables(self, state: ImputedRow) -> dict[str, Any]:
        """Return the class and the row."""
        return {"label": state.label, "row": state.row.copy()}

    def sites(self, state: ImputedRow) -> Iterator[Site]:
        """Yield the class, and then each group that is missing."""
        yield CLASS
        yield from self.missing

    def forget(self, state: ImputedRow, site: Site) -> None:
        """Nothing has to be taken out: no counts depend on the row."""

    def score(self, state: ImputedRow, site: Site) -> Distribution:
        """Return the distribution of the class given the whole row, or of a missing feature given the class."""
        if site == CLASS:
            terms = self.classifier.terms(state.row[None])[0]
            return Conditional({"weight": terms[0].tolist(), "features": terms[1:].sum(axis=0).tolist()})
        group = int(site)
        if self._levels(group):
            with np.errstate(divide="ignore"):  # a category that a plugged-in estimate rules out
                return Conditional({"chance": np.log(self._chances(group, state.label)).tolist()})
        part = self._part(group, state.label)
        if isinstance(part, GammaPoisson | Poisson):
            return CountOf(part)
        mean, scale, df = part.student_t()
        return StudentT(float(mean[0]), float(np.sqrt(scale[0, 0])), float(df))

    def remember(self, state: ImputedRow, site: Site, value: Any) -> None:
        """Set the class, or what is missing."""
        if site == CLASS:
            state.label = int(value)
        else:
            levels = self._levels(int(site))
            state.row[self.places[int(site)]] = np.eye(levels)[int(value)] if levels else value

    def log_joint(self, state: ImputedRow) -> float:
        """Return log p(class, row)."""
        return float(self.classifier.terms(state.row[None])[0, :, state.label].sum())
