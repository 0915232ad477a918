"""A scene of a climb: what all methods show, and where each has words and formulas of its own."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from lessons.data.columns import Column
from lessons.topics.climb_mixture import ClimbMixtureSettings
from lessons.topics.climb_mixture.means import of_posterior
from pages.drawing.cards import quiet
from pages.drawing.numbers import multiplied
from pages.scenes.scene import RunScene
from pages.topics.climb_mixture.run import ClimbRun, density
from samplers.climb.halves import ClimbState, HalfStep
from samplers.mixtures.exact_labellings import ExactLabels


@dataclass(frozen=True)
class ClimbScene(RunScene[ClimbMixtureSettings, Any], ABC):
    """A climb, the other methods if they are beside it, and the Gibbs sampler last.

    Attributes
    ----------
    title, level : str
        Of the chart of the bound, and what the bound touches after each E; "" if there is no such thing.
    mean : str
        How a component's mean is set.
    details : mapping
        What is said of a component after its mean: columns of a table, each with a function that writes a cell from the
        scene, the parts and the component's number.
    weighed : str
        How the weights are set; "" if there are none.
    borders : bool
        Whether components are means with borders between them, and have no densities.
    """

    title: ClassVar[str]
    level: ClassVar[str] = ""
    mean: ClassVar[str] = "mean"
    details: ClassVar[Mapping[str, Callable[[Any, Any, int], str]]] = {}
    weighed: ClassVar[str] = ""
    borders: ClassVar[bool] = False

    grid: np.ndarray  # places of the first coordinate
    columns: Sequence[Column]  # the data's columns

    @property
    def climbs(self) -> list[ClimbRun]:
        """The climbs: the chosen one, and those beside it."""
        return list(self.runs[:-1])

    @property
    def ladder(self) -> list[ClimbRun]:
        """The climbs in the order in which they keep more and more of the posterior."""
        return sorted(self.climbs, key=lambda climb: [*self.settings.modes].index(climb.method))

    @property
    def data(self) -> np.ndarray:
        """The points, shape (N, D)."""
        return self.run.chain.sampler.data

    @property
    def flat(self) -> bool:
        """Whether the points lie on a line."""
        return bool(self.data.shape[1] == 1)

    @property
    def evidence(self) -> float | None:
        """The exact log evidence, if it is listed and the bound is one of it; by default it is none of it."""
        return None

    @abstractmethod
    def term(self, weight: float, fit: float) -> str:
        """Return a component's product for a point, from the logarithms of its weight and of its fit."""

    @abstractmethod
    def rule(self) -> str:
        """Return how the responsibilities follow from these terms, as HTML."""

    def share(self, k: int, counts: Sequence[float], parts: Any) -> str:
        """Return the formula of a component's weight with its numbers; by default there are no weights."""
        return ""

    def beside_bound(self, record: HalfStep, after: float) -> str:
        """Return the number beside the bound after a half-step, as HTML; by default nothing."""
        return ""

    def of_mean(self, state: ClimbState, named: str) -> str:
        """Return the method's words on the mean of the named point's component, as HTML: by default one number."""
        return quiet(f"The mean of the component of {named} is a single number here: it has no distribution.")

    @cached_property
    def posterior(self) -> ExactLabels | None:
        """The exact posterior over all labellings; None if these are not listed."""
        return self.settings.exact(self.data)

    @cached_property
    def exact(self) -> tuple[float, np.ndarray] | None:
        """The log evidence, and the density of the mean of the chosen point's component; None if not listed."""
        found = self.posterior
        if found is None:
            return None
        return found.log_evidence, density(of_posterior(found, self.run.chain.sampler, self.run.point), self.grid)


@dataclass(frozen=True)
class SoftScene(ClimbScene):
    """A climb whose components share each point.

    Attributes
    ----------
    kinds : (str, str)
        What a component has for a point: of its weight, and of its fit.
    """

    kinds: ClassVar[tuple[str, str]]

    def term(self, weight: float, fit: float) -> str:
        return multiplied(weight, fit)

    def rule(self) -> str:
        return f"{' · '.join(self.kinds)}, divided by the sum, is the <b>responsibility</b> r."
