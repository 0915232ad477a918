"""What the stage of clusters without a number can be set to."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from lessons.reader.stages.fields import SWEEPS
from lessons.reader.stages.points import PointsSettings, by_hand_prior, weak_prior
from samplers.crp_mixture import CRPMixture
from samplers.datasets import DATASETS, Dataset
from samplers.families import Family
from samplers.wrong import WRONG_RULES

BY_HAND = ("three_points", "uneven_points", "wide_points", "seven_points")  # few enough to list every seating
CONCENTRATION_PRIOR = (1.0, 1.0)  # shape and rate of its Gamma prior, where it is learned


class CRPMixtureSettings(PointsSettings):
    """Points that sit down at tables by the Chinese restaurant process and by how well they fit, swept again and again.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep.
    """

    views = ("update", "clusters", "chains", "truth")
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
        "seed",
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
        return by_hand_prior(known=known) if self.data in BY_HAND else weak_prior(data, known=known)

    def measure(self, state: Any) -> dict[str, int]:
        """Count the tables, the points at the largest, and the tables with one point."""
        return {"tables": len(state.counts), "largest": max(state.counts), "alone": state.counts.count(1)}

    def matters(self, name: str) -> bool:
        """Hide what belongs to a second chain that is not there, and the size of sets that have only one."""
        if name.startswith("second_"):
            return name == f"second_{self.second}"
        return name != "points" or self.data not in (*BY_HAND, "own")
