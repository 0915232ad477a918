"""The modes in which an optimiser makes the steps, and what all modes of this topic share."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from math import nan, pi, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from lessons.settings.modes import Mode
from samplers import Chain
from samplers.log_density import NoMode
from samplers.recipe import Kernel
from samplers.regression.laplace import Laplace, spread
from samplers.regression.linear import LinearModel
from samplers.regression.optimise import GradientDescent, Newton, Optimiser

if TYPE_CHECKING:
    from lessons.topics.logistic import LogisticSettings

ACTIVATIONS = np.linspace(-10, 10, 2001)  # where σ and Φ are compared


class RegressionMode(Mode["LogisticSettings"]):
    """A mode of this topic."""

    @abstractmethod
    def steps(self, points: int) -> int:
        """Return the number of steps for a number of points."""

    @abstractmethod
    def kernel(self, settings: "LogisticSettings", model: LinearModel) -> Kernel[Any, Any]:
        """Build what makes the steps for a model; all begin at 0."""

    def seen(self, state: Any, points: int) -> int:
        """Return how many of the points a state has learned from."""
        return points

    def iterations(self, settings: "LogisticSettings") -> int:
        return self.steps(settings.size)

    def sampler(self, settings: "LogisticSettings") -> Kernel[Any, Any]:
        return self.kernel(settings, settings.model(*settings.dataset()))

    def measure(self, settings: "LogisticSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Return outcomes of Laplace's Normal of the points so far; NaN without a mode.

        ``slope`` is that of Φ(t·a) at 0, if the data have no line of their own; ``gap`` is how far it is from σ(a) at
        most.
        """
        points, labels = settings.dataset()
        seen = self.seen(chain[t], len(labels))
        found = _found(settings, points[:seen], labels[:seen])
        return {
            "width": spread(found) if found else nan,
            "mode": int(found is not None),
            "evidence": found.log_evidence if found else nan,
            "slope": settings.squeeze / sqrt(2 * pi),
            "gap": float(np.abs(special.ndtr(settings.squeeze * ACTIVATIONS) - special.expit(ACTIVATIONS)).max()),
            **dict.fromkeys(("probability", "scatter", "error"), nan),
            **(settings.of_data.outcomes(settings, found) if found else {}),
        }


def _found(settings: "LogisticSettings", points: np.ndarray, labels: np.ndarray) -> Laplace | None:
    try:
        return settings.approximation(settings.model(points, labels))
    except NoMode:
        return None


class Climb(RegressionMode):
    """Steps of an optimiser towards the mode.

    Parameters
    ----------
    total : int
        The number of steps.
    optimiser : callable
        Builds what makes them, of a model and a step length.
    """

    def __init__(self, total: int, optimiser: Callable[[LinearModel, float], Optimiser]) -> None:
        self.total, self.optimiser = total, optimiser

    def steps(self, points: int) -> int:
        return self.total

    def kernel(self, settings: "LogisticSettings", model: LinearModel) -> Kernel[Any, Any]:
        return self.optimiser(model, settings.step_length)

    def measure(self, settings: "LogisticSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        steps = [chain.record(now) for now in range(1, t + 1)]
        return {
            **super().measure(settings, chain, t),
            "setbacks": sum(step.setback for step in steps),
            "diverged": int(any(step.diverged for step in steps)),
        }


OPTIMISERS = {"newton": Climb(30, Newton), "gradient": Climb(300, GradientDescent)}
