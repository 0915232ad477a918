"""What the stage of Gibbs on Gaussian blobs can be set to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from pydantic import Field

from lessons.reader.stages.points import PointsSettings, by_hand_prior, weak_prior
from samplers.count_blobs import as_counts, two_directions, two_humps
from samplers.crp_mixture import CRPMixture
from samplers.datasets import DATASETS, Dataset
from samplers.families import DirichletMultinomial, Family, NormalInverseGamma, NormalKnownVariance
from samplers.finite_mixture import FiniteMixture

BY_HAND = ("three_points", "seven_points")
ON_A_LINE = (*BY_HAND, "two_humps")
SOURCES: dict[str, Callable[[int, int], Dataset]] = {
    "two_directions": two_directions,
    "two_humps": two_humps,
    **{name: DATASETS[name] for name in ("three_blobs", "four_blobs", "overlapping", "anisotropic", *BY_HAND)},
}
SECOND_COMPONENTS = ("multinomial", "gaussian")


class GibbsBlobsSettings(PointsSettings):
    """Points from Gaussian blobs, and a mixture that tries to find them: of a fixed number of components, or a CRP.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep. Multinomial components take
    counts: an axis that goes below 0 is shifted to begin there, and all axes are stretched alike to end at 50.
    """

    views = ("update", "components", "switching", "truth")
    measured = ("occupied", "largest")
    charts = ("points", "second", "means", "trace", "many", "tables")
    controls = (
        "data",
        "points",
        "model",
        "components",
        "number",
        "blocks",
        "start",
        "class_prior",
        "concentration",
        "family",
        "second",
        "relabel",
        "seed",
    )

    data: Literal[
        "two_directions",
        "two_humps",
        "three_blobs",
        "four_blobs",
        "overlapping",
        "anisotropic",
        "three_points",
        "seven_points",
        "own",
    ] = Field(default="two_directions", title="Data", description="Where the points come from.")
    model: Literal["finite", "CRP"] = Field(
        default="finite",
        title="Model",
        description="A fixed number of components, or as many as the points open by the Chinese restaurant process.",
    )
    components: Literal["multinomial", "gaussian"] = Field(
        default="gaussian",
        title="Components",
        description="Multinomial ones see the direction from the origin alone. They take counts: an axis that goes "
        "below 0 is shifted to begin there, all are stretched alike to end at 50, and rounded. On a line, Gaussian.",
    )
    number: int = Field(
        default=3, ge=1, le=6, title="How many, K", description="How many components.", json_schema_extra={"step": 1}
    )
    blocks: Literal["collapsed", "uncollapsed"] = Field(
        default="collapsed",
        title="Weights and parameters",
        description="Collapsed: integrated out. Uncollapsed: drawn once a sweep, after the labels, as two blocks.",
    )
    start: Literal["random", "together", "k-means++", "prior"] = Field(
        default="random",
        title="Start",
        description="Labels by chance, all in one component, by the nearest of K points far apart; or labels, weights "
        "and parameters from the prior, before any point is looked at.",
    )
    class_prior: float = Field(
        default=1.0,
        ge=0.1,
        le=20,
        allow_inf_nan=False,
        title="Class prior a",
        description="As many points as each component is thought to have before any is seen.",
        json_schema_extra={"step": 0.1},
    )
    concentration: float = Field(
        default=0.2,
        ge=0.02,
        le=20,
        allow_inf_nan=False,
        title="Concentration α",
        description="The weight of a component that nobody is in yet.",
        json_schema_extra={"step": 0.01},
    )
    family: Literal["known", "unknown"] = Field(
        default="unknown",
        title="Spread of a component",
        description="Whether the spread within a Gaussian component is known in advance, or learned with its mean.",
    )
    second: Literal["none", "seed", "multinomial", "gaussian", "CRP"] = Field(
        default="none",
        title="Beside it",
        description="On the same points: the same model with the next seed, or with the same seed another model, "
        "multinomial or Gaussian components or a CRP with Gaussian ones.",
    )
    relabel: Literal["off", "by mean", "by overlap"] = Field(
        default="off",
        title="Relabel",
        description="After each sweep: not at all, by the order of the means, or so that most points keep the label "
        "that they have in one good early sweep. It changes names alone.",
    )

    @property
    def in_counts(self) -> bool:
        """Whether the points are shown and taken as counts."""
        return self.data == "two_directions" or "multinomial" in (self.components, self.second)

    def sites(self, points: int) -> int:
        """Return how many updates a sweep of so many points has."""
        return points + (2 if self.model == "finite" and self.blocks == "uncollapsed" else 0)

    def dataset(self) -> Dataset:
        """Draw the points, as counts where a multinomial component wants them.

        Raises
        ------
        KeyError
            For the learner's own data, which these settings do not hold.
        """
        drawn = SOURCES[self.data](self.points, self.data_seed)
        return Dataset(self.taken(drawn.data), drawn.labels, drawn.columns, drawn.title)

    def taken(self, data: np.ndarray) -> np.ndarray:
        """Return points, shape (N, D), in the units in which the samplers take them."""
        return as_counts(data) if self.in_counts and data.shape[1] > 1 else data

    def sampler_of(self, data: np.ndarray, *, second: bool = False) -> FiniteMixture | CRPMixture:
        """Build the sampler of the first or the second chain for these points, shape (N, D)."""
        other = self.second if second and self.second not in ("none", "seed") else None
        components = "gaussian" if other == "CRP" else other or self.components
        prior = self.prior(data, components)
        if other == "CRP" or (other is None and self.model == "CRP"):
            return CRPMixture(data, prior, self.concentration)
        return FiniteMixture(data, prior, self.number, self.class_prior, self.blocks == "collapsed", start=self.start)

    def prior(self, data: np.ndarray, components: str) -> Family:
        """Return the prior of a component's parameters; points on a line have Gaussian ones in any case."""
        known = self.family == "known"
        if components == "multinomial" and data.shape[1] > 1:
            return DirichletMultinomial(np.ones(data.shape[1]))
        if self.data == "two_humps":
            return NormalKnownVariance(0.0, 9.0, 1.0) if known else NormalInverseGamma(0.0, 0.1, 3.0, 2.0)
        return by_hand_prior(known=known) if self.data in BY_HAND else weak_prior(data, known=known)

    def measure(self, state: Any) -> dict[str, int]:
        """Count the components that have points, and the points of the largest."""
        sizes = [size for size in state.counts if size]
        return {"occupied": len(sizes), "largest": max(sizes)}

    def matters(self, name: str) -> bool:
        """Hide what the model that is chosen does not have."""
        finite = self.model == "finite" or self.second in SECOND_COMPONENTS
        match name:
            case "points":
                return self.data not in (*BY_HAND, "own")
            case "components":
                return self.data not in ON_A_LINE
            case "number" | "blocks" | "start" | "class_prior":
                return finite
            case "concentration":
                return "CRP" in (self.model, self.second)
            case "family":
                return self.data in ON_A_LINE or "gaussian" in (self.components, self.second) or self.second == "CRP"
            case "relabel":
                return self.model == "finite" and self.step_by == "sweep"
        return True
