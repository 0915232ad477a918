"""The models of points: what draws the labels, what can be listed, and the controls that only this model has."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from samplers.conjugate import Family
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.diagnostics.label_switching import without_names
from samplers.mixtures.exact_labellings import MOST_LABELLINGS, exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.how_many import exact_unknown_number
from samplers.mixtures.unknown_number import UnknownNumber

if TYPE_CHECKING:
    from lessons.topics.gibbs_blobs import GibbsBlobsSettings

MOST_COMPONENTS = 8
NUMBER_PRIOR = (1 / MOST_COMPONENTS,) * MOST_COMPONENTS


class PointsModel:
    """A model of points, by what sets it apart from the others.

    Attributes
    ----------
    controls : tuple of str
        Its controls, of those that other models do without.
    """

    controls: ClassVar[tuple[str, ...]]

    def ruled(self, settings: "GibbsBlobsSettings") -> tuple[str, ...]:
        """Return the ids of the judge's problems whose rules can move its chain."""
        return ()

    def blocks(self, settings: "GibbsBlobsSettings") -> int:
        """Return how many updates a sweep has beside those of labels."""
        return 0

    @abstractmethod
    def sampler(self, settings: "GibbsBlobsSettings", data: np.ndarray, prior: Family) -> Any:
        """Build the sampler for points, shape (N, D), given the prior of a component's parameters."""

    @abstractmethod
    def exact(self, sampler: Any) -> ExactPosterior | None:
        """Return the posterior of who is with whom, of few points; None where it cannot be listed."""


class FixedNumber(PointsModel):
    """A mixture of a fixed number of components."""

    controls = ("number", "blocks", "start", "class_prior")

    def ruled(self, settings: "GibbsBlobsSettings") -> tuple[str, ...]:
        return ("finite-mixture",) if settings.blocks == "collapsed" else ()

    def blocks(self, settings: "GibbsBlobsSettings") -> int:
        return 2 if settings.blocks == "uncollapsed" else 0

    def sampler(self, settings: "GibbsBlobsSettings", data: np.ndarray, prior: Family) -> Any:
        collapsed, number = settings.blocks == "collapsed", settings.number
        return settings.by_rule(
            FiniteMixture(data, prior, number, settings.class_prior, collapsed, start=settings.start)
        )

    def exact(self, sampler: Any) -> ExactPosterior | None:
        if sampler.classes ** len(sampler.data) > MOST_LABELLINGS:
            return None
        return without_names(exact_finite_mixture(sampler.data, sampler.family, sampler.classes, sampler.class_prior))


class Restaurant(PointsModel):
    """A CRP mixture, in which points open components."""

    controls = ("concentration",)

    def sampler(self, settings: "GibbsBlobsSettings", data: np.ndarray, prior: Family) -> Any:
        return CRPMixture(data, prior, settings.concentration)

    def exact(self, sampler: Any) -> ExactPosterior | None:
        return exact_posterior(sampler.data, sampler.family, sampler.concentration)


class UnknownK(PointsModel):
    """A mixture whose number of components has a prior."""

    controls = ("class_prior",)

    def sampler(self, settings: "GibbsBlobsSettings", data: np.ndarray, prior: Family) -> Any:
        return UnknownNumber(data, prior, NUMBER_PRIOR, settings.class_prior)

    def exact(self, sampler: Any) -> ExactPosterior | None:
        return exact_unknown_number(sampler.data, sampler.family, sampler.number_prior, sampler.concentration)


MODELS: Mapping[str, PointsModel] = {"finite": FixedNumber(), "CRP": Restaurant(), "MFM": UnknownK()}
