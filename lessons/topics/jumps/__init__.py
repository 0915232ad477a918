"""Settings of the stage of moves that jump."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.own.points import IN_A_PLANE
from lessons.settings.calls import Call, Entry, call
from lessons.settings.fields import Hottest, Levels, choice, one_or_many, quantity
from lessons.settings.law import LATER, Law, counted
from lessons.settings.modes import ModeSettings
from lessons.settings.points import PointsSettings, weak_prior
from lessons.topics.jumps.gibbs import FEW, WIDE, GibbsAlone
from lessons.topics.jumps.means import Auxiliary, Means
from lessons.topics.jumps.moves import SplitsAndMerges
from lessons.topics.jumps.tempering import Tempering
from samplers.conjugate import Family
from samplers.crp.exact_partitions import ExactPosterior
from samplers.crp.mixture import CRPMixture
from samplers.partitions import MOST_POINTS
from samplers.recipe import Kernel


class JumpsSettings(ModeSettings, PointsSettings):
    """Points in clusters whose number is unknown, and a chain that splits and merges whole clusters.

    A sweep is a split–merge move and then one Gibbs sweep, or a Gibbs sweep alone. Looked at closely, it is the move,
    beat by beat. With parallel tempering, each level of a ladder makes a Gibbs sweep, and then neighbours may swap.
    Without conjugacy, a Gibbs sweep offers auxiliary clusters to each point.
    """

    lawful = ("tables",)
    charts = ("points", "second", "ladder", "walkers", "trace", "many", "tables", "ratio", "accept")
    marks = (
        *("point-N", "cluster-N", "new", "dart", "count-N", "level-N"),
        *("seating", "fit", "proposal", "colder", "hotter", "sum", "probability"),
    )
    picks: ClassVar = {
        **dict.fromkeys(("points", "second"), ("name", "table")),
        "many": ("k",),
        "ratio": ("term",),
        "ladder": ("rung",),
    }

    modes: ClassVar[Mapping[str, GibbsAlone]] = {
        "split-merge": SplitsAndMerges(),
        "gibbs": GibbsAlone(),
        "tempering": Tempering(),
        "means": Means(),
        "auxiliary": Auxiliary(),
    }
    takes: ClassVar = IN_A_PLANE
    needs: ClassVar = {"runs": lambda own: own.walled, "points": lambda own: own.data not in (FEW, "own")}

    data: Literal["two_fours", "two_blobs", "three_blobs", "overlapping", "own"] = choice(FEW)
    concentration: float = quantity(0.02, (0.01, 5, 0.01))
    method: Literal["split-merge", "gibbs", "tempering", "means", "auxiliary"] = choice("split-merge")
    ghosts: int = quantity(3, (1, 5, 1))
    lone: Literal["kept", "fresh"] = choice("kept")
    first: Literal["posterior", "prior"] = choice("posterior")
    scans: int = quantity(2, (0, 8, 1))
    start: Literal["together", "apart", "prior"] = choice("together")
    rule: Literal[
        "right",
        "proposal left out",
        "seating left out",
        "scans drawn afresh",
        "launched from the present",
    ] = choice("right")
    levels: Levels = 4
    hottest: Hottest = 0.3
    swap_rule: Literal["right", "ratio left out", "hotter level left out", "sign reversed"] = choice("right")
    second: Literal["none", "gibbs"] = choice("gibbs")
    runs: Literal["one", "tables"] = one_or_many()

    @property
    def mode(self) -> str:
        """The method."""
        return self.method

    @property
    def now(self) -> GibbsAlone:
        return self.modes[self.mode]

    @property
    def compared(self) -> bool:
        """Whether Gibbs alone runs beside the chain."""
        return "second" in self.now.controls and self.second != "none"

    def sites(self, labels: int) -> int:
        return labels + self.now.blocks

    def drawing(self) -> Call:
        return call(Entry("samplers.data.blobs", "DATASETS", self.data), self.points, self.data_seed)

    def prior(self, data: np.ndarray) -> Family:
        """Return the prior of a cluster's parameters: a weak one, but for the set that is listed exactly."""
        return WIDE if self.data == FEW else weak_prior(data, known=False)

    def lacking(self) -> str:
        """Say so if somebody's own points are on a line."""
        if not self.mine or self.dataset().data.shape[1] > 1:
            return ""
        return "Two columns are needed: this topic shows points in a plane. Choose another one as well."

    def mixture(self, data: np.ndarray) -> CRPMixture:
        """Build the model of these points, shape (N, D), with its Gibbs sweeps."""
        return CRPMixture(data, self.prior(data), self.concentration, start=self.start)

    def replicate(self, sampler: Any, labels: np.ndarray, seed: tuple[int, int]) -> np.ndarray:
        """Draw a replicate of the data given labels of a draw, by the mixture that a move or a ladder samples."""
        return super().replicate(self.mixture(sampler.data), labels, seed)

    def sampler_of(self, data: np.ndarray, *, second: bool = False) -> Kernel[Any, Any]:
        return self.mixture(data) if second else self.now.kernel(self, data)

    def exact(self, data: np.ndarray) -> ExactPosterior | None:
        """Return the posterior of all clusterings, where they can be listed."""
        return None if len(data) > MOST_POINTS else self.now.listed(self, data)

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of clusters, where every clustering can be listed."""
        if outcome != "tables":
            return None
        exact = self.exact(self.dataset().data)
        return counted(LATER, exact.table_counts) if exact else None
