"""Adapter from a sampler's states to charts and cards: the one thing in which the stages of points differ."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from lessons.data.columns import AXES, Column
from pages.drawing.cards import Option, badge, pointing
from pages.drawing.numbers import of_its_log, to_scale
from samplers.conjugate import Parameters

SHOWN = 16  # components that get an ellipse, a curve or a ray: the largest
NEW = -1  # the option of a component that nobody has opened; a wrong rule may offer it twice
PARAMETERS = 7  # of a component: id, share of the points, mean (2), and three numbers of its shape


class Model(ABC):
    """A sampler, and what pages say of its states.

    A label is the id of a component. Options of an update are the ids of `options` in order; a sampler that can open a
    component has one option more, or options with ids below 0, each of them a component that could be opened.

    Parameters
    ----------
    sampler : GibbsSampler
        Whose states they are.
    columns : sequence of Column, optional
        Of its data.

    Attributes
    ----------
    one, many : str
        What a component is called.
    formula : str
        What the probability of an option is made of, in words.
    blocks : tuple of str
        What a sweep redraws after the labels.
    opens : bool
        Whether a point can open a component.
    joins : str
        The word for what a point does that becomes one of a component's.
    """

    one: ClassVar[str]
    many: ClassVar[str]
    formula: str
    blocks: tuple[str, ...] = ()
    opens: ClassVar[bool] = False
    joins: ClassVar[str] = "joins"

    def __init__(self, sampler: Any, columns: Sequence[Column] = AXES) -> None:
        self.sampler, self.columns = sampler, columns

    # ---- states ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def sizes(self, state: Any) -> Mapping[int, int]:
        """Return how many points each component has, by id."""

    @abstractmethod
    def parameters_of(self, state: Any, component: int) -> Parameters:
        """Return a component's parameters, typical ones if they are integrated out."""

    @abstractmethod
    def log_weight(self, state: Any, component: int) -> float:
        """Return the logarithm of the weight with which one more point would join, up to a constant."""

    @abstractmethod
    def density(self, state: Any, places: np.ndarray) -> np.ndarray:
        """Return the density of one more point at these places, shape (places, D)."""

    @abstractmethod
    def predictive(self, state: Any, component: int) -> Any:
        """Return the predictive of a component, or of a `NEW` one, for one more point, as a family or as parameters."""

    def place(self, state: Any, component: int) -> tuple[float, float]:
        """Return where a component is: its mean; of a multinomial, the counts that it expects."""
        parameters = self.parameters_of(state, component)
        if self.counts:
            return self._tip(parameters)
        x, *y = parameters.mean.tolist()
        return x, y[0] if y else 0.0

    def options(self, state: Any) -> list[int]:
        """Return the ids of the options of a point that has been taken out."""
        return list(self.sizes(state))

    def option(self, state: Any, place: int) -> int:
        """Return the id of the option in a place; below 0 if it is not opened yet."""
        ids = self.options(state)
        return ids[place] if place < len(ids) else NEW

    def occupied(self, state: Any) -> int:
        """Return how many components have points."""
        return sum(size > 0 for size in self.sizes(state).values())

    @property
    def dimension(self) -> int:
        """The number of coordinates of a point."""
        return int(self.sampler.data.shape[1])

    @property
    def counts(self) -> bool:
        """Whether components are multinomial, and points counts."""
        return bool(self.sampler.family.of_counts)

    def parameters(self, state: Any) -> np.ndarray:
        """Return the parameters of the largest components, shape (SHOWN, PARAMETERS), filled up with NaN.

        They are the id, the share of the points, the mean, and three numbers. Of a Normal these are the entries of L,
        which is lower triangular, by rows, where L Lᵀ is the covariance; on a line the second coordinate and what
        belongs to it are 0. Of a multinomial they are a place and an angle: of the line beyond which the component that
        comes next, as seen from the origin, is the more likely one.
        """
        sizes = self.sizes(state)
        points, shown = max(1, sum(sizes.values())), {each: self.parameters_of(state, each) for each in largest(sizes)}
        if not self.counts:
            return rows_of(shown, sizes, points)
        rows = np.full((SHOWN, PARAMETERS), np.nan, np.float32)
        for row, (component, parameters) in enumerate(shown.items()):
            rows[row, :4] = (component, sizes[component] / points, *self._tip(parameters))
        self._draw_borders(rows, state, shown)
        return rows

    def _tip(self, parameters: Parameters) -> tuple[float, float]:
        """Return the counts that a component expects of a point of the usual total."""
        total = float(self.sampler.data.sum(axis=1).mean())
        x, y = (parameters.mean * total).tolist()
        return x, y

    def _draw_borders(self, rows: np.ndarray, state: Any, shown: Mapping[int, Any]) -> None:
        sizes, row_of = self.sizes(state), {component: row for row, component in enumerate(shown)}
        probabilities = {component: shown[component].probabilities for component in shown if sizes[component]}
        for component, after in pairwise(sorted(probabilities, key=lambda component: probabilities[component][1])):
            here, there = (np.maximum(probabilities[each], 1e-12) for each in (component, after))
            slope = np.log(here / there)
            offset = self.log_weight(state, after) - self.log_weight(state, component)
            x, y = slope * offset / max(float(slope @ slope), 1e-12)
            rows[row_of[component], 4:] = (x, y, math.atan2(slope[0], -slope[1]))

    # ---- words -------------------------------------------------------------------------------------------------------

    def terms(self, beat: Any) -> list[str]:
        """Return the numbers in the formula for each option of a beat, as HTML."""
        fit = beat.update.conditional.terms[self.sampler.fit]
        return [f"{weight} · {of_its_log(fits)}" for weight, fits in zip(self.weights(beat), fit, strict=True)]

    @abstractmethod
    def weights(self, beat: Any) -> list[str]:
        """Return the part of these numbers without the fit."""

    @abstractmethod
    def forgotten(self, beat: Any) -> str:
        """Return a sentence on the other changes that lifting the point out brings."""

    @abstractmethod
    def block(self, beat: Any) -> tuple[str, str, str, str]:
        """Return the four beats of a block's update, as HTML."""

    @abstractmethod
    def note(self, state: Any) -> str:
        """Return the line on the whole state below the list of components, as HTML."""

    def places(self, values: np.ndarray) -> list[str]:
        """Return the coordinates of a place in the columns' own units; of counts, shares."""
        digits = 3 if self.counts else 2
        pairs = zip(self.columns, values.tolist(), strict=False)
        return [to_scale(column.own(value), column.scale, digits) for column, value in pairs]

    def spreads(self, values: np.ndarray) -> list[str]:
        """Return standard deviations along the columns in their own units."""
        pairs = zip(self.columns, values.tolist(), strict=False)
        return [to_scale(column.scale * value, column.scale) for column, value in pairs]

    @property
    def heading(self) -> str:
        """The head of an update's numbers: the formula, and in which units its densities are."""
        if any(column.standardised for column in self.columns):
            return f"{self.formula}, in units of the columns’ standard deviations"
        return self.formula

    def opened(self, point: str, mark: str) -> str:
        """Return that a point has opened a component, as HTML; `mark` is the component's."""
        return f"{point} opens {self.one} {mark}."

    def joined(self, point: str, mark: str, count: int) -> str:
        """Return that a point has joined a component, as HTML; `mark` is the component's."""
        return f"{point} {self.joins} {self.one} {mark}, which has {count} now."

    def mark_of(self, component: int) -> str:
        """Return a component's name as a mark of the charts."""
        return f"{self.one}-{component + 1}"

    def mark(self, component: int) -> str:
        """Return a component's badge, as HTML."""
        return pointing(self.mark_of(component), badge(str(component + 1), component))


def option_of(one: str, component: int | None, terms: str, probability: float) -> Option:
    """Return a component as an option, or a new one; `one` is what it is called."""
    if component is None:
        return Option(f"a new {one}", "+", None, terms, probability, "new")
    number = component + 1
    return Option(f"{one} {number}", f"{number}", component, terms, probability, f"{one}-{number}")


def largest(sizes: Mapping[int, int]) -> list[int]:
    """Return the ids of the components that are shown, the largest first."""
    return sorted(sizes, key=lambda component: -sizes[component])[:SHOWN]


def rows_of(normals: Mapping[int, Any], sizes: Mapping[int, int], points: int) -> np.ndarray:
    """Return the rows of the largest Normals, as `Model.parameters` has them, from their sizes among all points."""
    rows = np.full((SHOWN, PARAMETERS), np.nan, np.float32)
    for row, component in enumerate(largest(sizes)):
        normal = normals[component]
        rows[row] = (component, sizes[component] / points, *factor(normal.mean, normal.covariance))
    return rows


def factor(mean: np.ndarray, covariance: np.ndarray) -> tuple[float, float, float, float, float]:
    """Return a mean and L by rows, (x, y, a, b, c), where L Lᵀ is the covariance; on a line y, b and c are 0."""
    a = float(covariance[0, 0]) ** 0.5
    if mean.size == 1:
        return float(mean[0]), 0.0, a, 0.0, 0.0
    b = float(covariance[1, 0]) / a
    c = max(float(covariance[1, 1]) - b * b, 0.0) ** 0.5
    return float(mean[0]), float(mean[1]), a, b, c
