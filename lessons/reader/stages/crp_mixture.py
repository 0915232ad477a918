"""What the stage of clusters without a number can be set to."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from pydantic import Field

from lessons.reader.settings import StageSettings
from samplers.crp_mixture import CRPMixture
from samplers.datasets import DATASETS, Dataset
from samplers.families import Family, NormalInverseGamma, NormalInverseWishart, NormalKnownVariance
from samplers.wrong import WRONG_RULES

BY_HAND = ("three_points", "uneven_points", "wide_points", "seven_points")  # few enough to list every seating
SWEEPS = 2_000  # of the longest run
CONCENTRATION_PRIOR = (1.0, 1.0)  # shape and rate of its Gamma prior, where it is learned


class CRPMixtureSettings(StageSettings):
    """Points that sit down at tables by the Chinese restaurant process and by how well they fit, swept again and again.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep.
    """

    views = ("update", "clusters", "chains", "truth")
    unit = "sweeps"
    measured = ("tables", "largest", "alone")
    charts = ("points", "second", "trace", "many", "tables")
    controls = (
        "data",
        "points",
        "family",
        "concentration",
        "learning",
        "start",
        "rule",
        "second",
        "second_concentration",
        "second_start",
    )

    data: Literal[
        "three_points",
        "uneven_points",
        "wide_points",
        "seven_points",
        "four_blobs",
        "three_blobs",
        "overlapping",
        "anisotropic",
        "response_times",
        "own",
    ] = Field(default="three_blobs", title="Data", description="Where the points come from.")
    points: int = Field(
        default=60,
        ge=3,
        le=500,
        title="Points",
        description="How many points are drawn. Sets of three or seven points have that many, whatever stands here.",
        json_schema_extra={"step": 1},
    )
    data_seed: int = Field(
        default=1,
        ge=0,
        le=999,
        title="Data seed",
        description="Another number draws other points of the same kind.",
        json_schema_extra={"step": 1},
    )
    family: Literal["known", "unknown"] = Field(
        default="unknown",
        title="Spread of a cluster",
        description="Whether the spread within a cluster is known in advance, or learned with its mean.",
    )
    concentration: float = Field(
        default=1.0,
        ge=0.02,
        le=20,
        allow_inf_nan=False,
        title="Concentration α",
        description="The weight of a new table; where it is learned, the value that it starts from.",
        json_schema_extra={"step": 0.01},
    )
    learning: Literal["fixed", "learned"] = Field(
        default="fixed",
        title="Concentration is",
        description="Fixed, or redrawn at the end of each sweep with a Gamma(1, 1) prior.",
    )
    start: Literal["together", "apart", "prior"] = Field(
        default="together",
        title="Start",
        description="All points at one table, each at its own, or seated without a look at the data.",
    )
    rule: Literal[
        "right",
        "point not removed",
        "counts include the point",
        "data include the point",
        "emptied table offered too",
        "counts forgotten",
        "new table too sure",
        "all labels at once",
    ] = Field(
        default="right", title="Rule", description="The right update, or one of the errors that people make with it."
    )
    second: Literal["none", "seed", "concentration", "start", "branch"] = Field(
        default="none",
        title="Second chain",
        description="Beside the first: with the next seed, another concentration or start, or branched off.",
    )
    second_concentration: float = Field(
        default=5.0,
        ge=0.05,
        le=20,
        allow_inf_nan=False,
        title="Its concentration",
        description="The weight of a new table in the second chain.",
        json_schema_extra={"step": 0.05},
    )
    second_start: Literal["together", "apart", "prior"] = Field(
        default="apart", title="Its start", description="How the points of the second chain sit at first."
    )
    branch_at: int = Field(
        default=0,
        ge=0,
        le=SWEEPS,
        title="Branched at",
        description="The sweep after which the second chain draws other numbers.",
        json_schema_extra={"step": 1},
    )
    step_by: Literal["sweep", "update"] = Field(
        default="sweep", title="Step by", description="Whether a step is a whole sweep or one beat of one update."
    )
    sweep: int = Field(
        default=1,
        ge=1,
        le=SWEEPS,
        title="Sweep",
        description="The sweep that is looked at update by update.",
        json_schema_extra={"step": 1},
    )
    point: int = Field(
        default=1,
        ge=1,
        le=500,
        title="Point",
        description="The point whose update the inspector opens when a step is a whole sweep.",
        json_schema_extra={"step": 1},
    )

    @property
    def iterations(self) -> int:
        """Sweeps of a run, or the four beats of each of a sweep's updates."""
        return SWEEPS if self.step_by == "sweep" else 4 * self.sites(self.size)

    @property
    def size(self) -> int:
        """How many points there are; of the learner's own data, the most that there can be."""
        return 500 if self.data == "own" else len(self.dataset().data)

    def sites(self, points: int) -> int:
        """Return how many updates a sweep of so many points has."""
        return points + (self.learning == "learned")

    def dataset(self) -> Dataset:
        """Draw the points.

        Raises
        ------
        KeyError
            For the learner's own data, which these settings do not hold.
        """
        return DATASETS[self.data](self.points, self.data_seed)

    def sampler(self) -> CRPMixture:
        """Build the first chain's sampler."""
        return self.sampler_of(self.dataset().data)

    def sampler_of(self, data: np.ndarray, *, second: bool = False) -> CRPMixture:
        """Build the sampler of the first or the second chain for these points, shape (N, D)."""
        rule = CRPMixture if self.rule == "right" else WRONG_RULES[self.rule]
        other = self.second if second else "none"
        return rule(
            data,
            self.prior(data),
            self.second_concentration if other == "concentration" else self.concentration,
            start=self.second_start if other == "start" else self.start,
            concentration_prior=CONCENTRATION_PRIOR if self.learning == "learned" else None,
        )

    def prior(self, data: np.ndarray) -> Family:
        """Return the prior of a cluster's parameters: fixed for the sets that are listed exactly, else a weak one."""
        known = self.family == "known"
        if self.data in BY_HAND:
            return NormalKnownVariance(0.0, 4.0, 0.5) if known else NormalInverseGamma(0.0, 0.125, 2.0, 0.5)
        return weak_prior(data, known=known)

    def measure(self, state: Any) -> dict[str, int]:
        """Count the tables, the points at the largest, and the tables with one point."""
        return {"tables": len(state.counts), "largest": max(state.counts), "alone": state.counts.count(1)}

    def matters(self, name: str) -> bool:
        """Hide what belongs to a second chain that is not there, and the size of sets that have only one."""
        if name.startswith("second_"):
            return name == f"second_{self.second}"
        return name != "points" or self.data not in (*BY_HAND, "own")

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the sweep after or before the one that is looked at update by update."""
        sweep = self.sweep + by
        if self.step_by == "sweep" or not 1 <= sweep <= SWEEPS:
            return None
        return self.model_copy(update={"sweep": sweep})


def weak_prior(data: np.ndarray, *, known: bool) -> Family:
    """Return a prior that fits any data: centred at their mean, clusters' means as widely spread as the data.

    Within a cluster a tenth of the data's variance is expected. It is exact Bayes for a prior that has looked at the
    data's mean and variance, which a lesson should say.

    Parameters
    ----------
    data : numpy.ndarray
        Shape (N, D).
    known : bool
        Whether the variance within a cluster is that tenth for certain.
    """
    centre, spread = data.mean(axis=0), float(data.var(axis=0).mean()) or 1.0
    within, dimension = spread / 10, data.shape[1]
    if known:
        return NormalKnownVariance(centre, spread, within)
    if dimension == 1:
        return NormalInverseGamma(float(centre[0]), 0.1, 2.0, within)
    df = dimension + 3
    return NormalInverseWishart(centre, 0.1, df, within * (df - dimension - 1) * np.eye(dimension))
