"""The parts that both modes share: a mixture whose labels are summed out, and a sampler that follows the gradient."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from lessons.settings.modes import Mode
from samplers import Chain
from samplers.gradient.hmc import HMC, Trajectory
from samplers.gradient.naive_bayes_marginal import LogSumExp, MarginalModel
from samplers.gradient.nuts import NUTS
from samplers.mixtures.exact_labellings import ExactLabels
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.marginalise import MarginaliseSettings

ITERATIONS = 2_000  # of the longest run, warm-up included
MAX_DEPTH = 8  # doublings of an iteration of NUTS


class Method(NamedTuple):
    """A sampler that follows the gradient of a density."""

    kernel: Callable[["MarginaliseSettings", Any], Kernel[Any, Any]]
    points: Callable[["MarginaliseSettings"], int]  # of the longest path


METHODS = {
    "NUTS": Method(
        lambda settings, target: NUTS(target, MAX_DEPTH, warmup=settings.warmup),
        lambda _: 2**MAX_DEPTH,
    ),
    "HMC": Method(
        lambda settings, target: HMC(target, settings.step_size, settings.leapfrog_steps),
        lambda settings: settings.leapfrog_steps + 1,
    ),
}


class Mixture(Mode["MarginaliseSettings"]):
    """A model whose labels are summed out.

    Attributes
    ----------
    close_ups : tuple of str
        What a step can be, where an iteration is looked at closely.
    named : str
        The parameters that have a name in each class and may change it, "weights" or "means".
    """

    close_ups: ClassVar[tuple[str, ...]] = ("leapfrog",)
    named: ClassVar[str] = "weights"

    def comparable(self, settings: "MarginaliseSettings") -> bool:
        """Return whether Gibbs samples the same posterior."""
        return True

    @abstractmethod
    def classes(self, settings: "MarginaliseSettings") -> int:
        """Return K."""

    @abstractmethod
    def labels(self, settings: "MarginaliseSettings") -> np.ndarray:
        """Return the labels that the program sees, -1 where it does not, shape (M,)."""

    @abstractmethod
    def target(self, settings: "MarginaliseSettings") -> MarginalModel:
        """Build the density."""

    @abstractmethod
    def gibbs(self, settings: "MarginaliseSettings") -> FiniteMixture | NaiveBayes:
        """Build the Gibbs sampler of the same model, with the labels in plain sight."""

    @abstractmethod
    def listed(self, settings: "MarginaliseSettings") -> ExactLabels:
        """List every labelling and its probability."""

    @abstractmethod
    def gamma(
        self, settings: "MarginaliseSettings", target: Any, position: np.ndarray, item: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the terms of γ of an item, and their sum with its words as often as the document is repeated.

        Returns
        -------
        terms : numpy.ndarray
            Log weights, and then each word's log probabilities, shape (1 + words, K); of a point, its log density.
        gamma : numpy.ndarray
            Shape (K,).
        """

    def steps(self, settings: "MarginaliseSettings") -> int:
        """Return the steps of a close-up, at most."""
        return METHODS[settings.method].points(settings)

    def iterations(self, settings: "MarginaliseSettings") -> int:
        return ITERATIONS if settings.opened is None else self.steps(settings)

    def sampler(self, settings: "MarginaliseSettings") -> Kernel[Any, Any]:
        return METHODS[settings.method].kernel(settings, self.target(settings))

    def measure(self, settings: "MarginaliseSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Return facts of the last iteration, whether the first class, or mean, is the largest, and γ's of the item."""
        target: Any = self.target(settings)
        position, path = chain[t].position, chain.record(t) if t else None
        sizes = getattr(target.constrain(position), self.named)
        _, gamma = self.gamma(settings, target, position, min(settings.document, settings.size) - 1)
        return {
            **(_of_path(path) if path else {}),
            "first_larger": int(sizes[0] > sizes[1:].max()),
            "score": float(LogSumExp(gamma).values),
            "lost": int((np.exp(gamma) == 0).sum()),
        }


def _of_path(path: Trajectory) -> Mapping[str, float]:
    return {"leapfrogs": path.leapfrogs, "depth": path.depth, "divergent": int(path.divergent is not None)}
