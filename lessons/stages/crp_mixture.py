"""Settings of the stage of clusters without a number."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from lessons.stages.calls import Call, Entry, call
from lessons.stages.fields import SWEEPS, choice, quantity
from lessons.stages.points import PointsSettings, by_hand_prior, weak_prior
from samplers import Chain
from samplers.conjugate import Family
from samplers.crp.mixture import CRPMixture
from samplers.crp.wrong import WRONG_RULES

BY_HAND = ("three_points", "uneven_points", "wide_points", "seven_points")  # few enough to list every seating
CONCENTRATION_PRIOR = (1.0, 1.0)  # shape and rate of its Gamma prior, where it is learned


class CRPMixtureSettings(PointsSettings):
    """Points that sit down at tables by the Chinese restaurant process and by how well they fit, swept again and again.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep.
    """

    views: ClassVar = {
        "update": "This update",
        "code": "Code",
        "model": "Model",
        "clusters": "Clusters",
        "summaries": "Summaries",
        "prediction": "Prediction",
        "chains": "Chains",
        "truth": "Truth",
    }
    measured: ClassVar = {
        "tables": "tables that have points",
        "largest": "points at the largest table",
        "alone": "tables with a single point",
    }
    folds: ClassVar = {
        "Data and clusters": ("points", "family", "learning"),
        "Sampler": ("start", "rule"),
        "Prediction": ("prediction", "replica"),
        "A second chain": ("second", "second_concentration", "second_start"),
    }
    charts = ("points", "replica", "second", "trace", "many", "alpha", "tables")
    marks = ("point-N", "drawn-N", "table-N", "new", "dart", "count-N")

    data: Literal[
        "three_points",
        "uneven_points",
        "wide_points",
        "seven_points",
        "four_blobs",
        "three_blobs",
        "overlapping",
        "anisotropic",
        "far_point",
        "response_times",
        "one_skewed",
        "own",
    ] = choice(
        "three_blobs",
        "Data",
        "Where the points come from.",
        {
            "anisotropic": "Stretched blobs",
            "far_point": "Three blobs and a far point",
            "one_skewed": "One skewed process",
            "own": "My own points",
        },
    )
    family: Literal["known", "unknown"] = choice(
        "unknown",
        "Spread of a cluster",
        "Whether a cluster's standard deviation is given, or learned from its points like the mean.",
    )
    concentration: float = quantity(
        1.0,
        (0.02, 20, 0.01),
        "Concentration α",
        "The weight of a new table: the larger, the more clusters. If α is learned, this is where it starts.",
    )
    learning: Literal["fixed", "learned"] = choice(
        "fixed",
        "Learn α from the data",
        "On: it is redrawn at the end of each sweep, with a Gamma(1, 1) prior.",
        {"fixed": "Off", "learned": "On"},
    )
    start: Literal["together", "apart", "prior"] = choice(
        "together",
        "Start",
        "All points at one table, each at its own, or seated by the prior, without a look at the data.",
        {"together": "One table for all", "apart": "A table each", "prior": "Drawn from the prior"},
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
    ] = choice(
        "right", "Sampler", "The correct one, or one of seven broken ones that people write.", {"right": "Correct"}
    )
    second: Literal["none", "seed", "concentration", "start", "branch"] = choice(
        "none",
        "Compare with",
        "A second chain beside the first: with another seed, another α or another start, or branched off from it.",
        {
            "none": "Nothing",
            "seed": "Another seed",
            "concentration": "Another α",
            "start": "Another start",
            "branch": "A branch",
        },
    )
    second_concentration: float = quantity(
        5.0, (0.05, 20, 0.05), "Its α", "The weight of a new table in the second chain."
    )
    second_start: Literal["together", "apart", "prior"] = choice(
        "apart",
        "Its start",
        "How the points of the second chain sit at first.",
        {"together": "One table for all", "apart": "A table each", "prior": "Drawn from the prior"},
    )
    branch_at: int = quantity(
        0, (0, SWEEPS, 1), "Branched at", "The sweep after which the second chain draws other numbers.", control=False
    )

    prediction: Literal["sweep", "average"] = choice(
        "sweep",
        "Prediction",
        "Where the next point is expected: as this sweep's tables foretell it, or averaged over the second half of all "
        "sweeps so far. It is drawn while the player rests.",
        {"sweep": "Of this sweep", "average": "Averaged over sweeps"},
        look=True,
    )
    replica: Literal["hidden", "shown"] = choice(
        "hidden",
        "Points from the model",
        "Beside the data, as many new points as there are, drawn from what this sweep's tables foretell.",
        {"hidden": "Not shown", "shown": "Beside the data"},
        look=True,
    )

    @property
    def replicated(self) -> bool:
        """Whether points from the model stand beside the data: not where a second chain stands there."""
        return self.replica == "shown" and not self.compared

    def sites(self, labels: int) -> int:
        """Return how many updates a sweep of so many labels has."""
        return labels + (self.learning == "learned")

    def drawing(self) -> Call:
        """Return the call that draws the points."""
        return call(Entry("samplers.data.blobs", "DATASETS", self.data), self.points, self.data_seed)

    def sampler_of(self, data: np.ndarray, *, second: bool = False) -> CRPMixture:
        """Build the sampler of the first or the second chain for these points, shape (N, D)."""
        rule = WRONG_RULES.get(self.rule, CRPMixture)
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

    def measure(self, chain: Chain[Any], t: int) -> dict[str, int]:
        """Count the tables, the points at the largest, and the tables with one point."""
        counts = chain[t].counts
        return {"tables": len(counts), "largest": max(counts), "alone": counts.count(1)}

    def matters(self, name: str) -> bool:
        """Hide what belongs to a second chain that is not there, and the size of sets that have only one."""
        if name == "replica":
            return not self.compared
        if name.startswith("second_"):
            return name == f"second_{self.second}"
        return name != "points" or self.data not in (*BY_HAND, "own")
