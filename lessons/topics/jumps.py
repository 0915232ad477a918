"""Settings of the stage of moves that jump."""

from math import nan
from typing import Any, ClassVar, Literal

import numpy as np

from lessons.own.points import IN_A_PLANE
from lessons.settings.calls import Call, Entry, call
from lessons.settings.fields import OF_A_SWAP, UPDATES, Hottest, Levels, choice, one_or_many, quantity
from lessons.settings.law import LATER, Law, counted
from lessons.settings.points import PointsSettings, weak_prior
from samplers import Chain
from samplers.conjugate import Family, NormalKnownVariance
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.jumps import laplace_means
from samplers.jumps.auxiliary import AuxiliaryTables
from samplers.jumps.kept_means import KeptMeans, NormalMeans
from samplers.jumps.laplace_means import LaplaceMeans
from samplers.jumps.split_merge import SplitMerge
from samplers.jumps.tables import TablesWithMeans
from samplers.jumps.tempering import MixtureLadder
from samplers.jumps.wrong import WRONG_AUXILIARY, WRONG_KEPT, WRONG_MOVES, WRONG_SWAPS
from samplers.partitions import MOST_POINTS
from samplers.tempering import geometric

FEW = "two_fours"  # few enough to list every clustering
WIDE = NormalKnownVariance([0.0, 0.0], 25.0, 0.5)  # the prior there: a new cluster may lie anywhere
WITHIN = 0.25  # variance within a cluster, as a share of the data's, where the prior is not conjugate
AFTER = 3  # frames of a move beyond one for each point and each scan


class JumpsSettings(PointsSettings):
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

    takes: ClassVar = IN_A_PLANE
    needs: ClassVar = {
        "runs": lambda own: own.walled,
        "points": lambda own: own.data not in (FEW, "own"),
        **dict.fromkeys(("scans", "rule"), lambda own: own.jumps),
        **dict.fromkeys(("levels", "hottest", "swap_rule"), lambda own: own.tempered),
        "second": lambda own: own.moves,
        **dict.fromkeys(("ghosts", "lone"), lambda own: own.auxiliary),
        "first": lambda own: own.method == "means",
    }

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
    def jumps(self) -> bool:
        """Whether there are split–merge moves."""
        return self.method == "split-merge"

    @property
    def auxiliary(self) -> bool:
        """Whether the prior is not conjugate, so that auxiliary clusters are offered."""
        return self.method == "auxiliary"

    @property
    def kept(self) -> bool:
        """Whether each cluster has a mean, which a sweep redraws."""
        return self.method in ("means", "auxiliary")

    @property
    def tempered(self) -> bool:
        """Whether there is a ladder of levels."""
        return self.method == "tempering"

    @property
    def moves(self) -> bool:
        """Whether a sweep has moves that are accepted or rejected: a split or merge, or swaps."""
        return self.jumps or self.tempered

    @property
    def compared(self) -> bool:
        """Whether Gibbs alone runs beside the chain."""
        return self.moves and self.second != "none"

    @property
    def iterations(self) -> int:
        """Sweeps of a run; of an opened move, its frames at most; of a sweep of a ladder, its frames."""
        if self.opened is not None and self.tempered:
            return 1 + OF_A_SWAP * (self.levels - 1)
        if self.many and self.tempered:
            return min(super().iterations, max(5, UPDATES // (self.wall * self.size * self.levels)))
        if self.opened is None or not self.jumps:
            return super().iterations
        return self.size + self.scans + AFTER

    def sites(self, labels: int) -> int:
        return labels + 2 * self.kept

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

    def known(self, data: np.ndarray) -> NormalKnownVariance:
        """Return the prior of a cluster's mean where means are kept: conjugate, with a known variance of the points."""
        if self.data == FEW:
            return WIDE
        spread = float(data.var(axis=0).mean()) or 1.0
        return NormalKnownVariance(data.mean(axis=0), spread, WITHIN * spread)

    def laplace(self, data: np.ndarray) -> LaplaceMeans:
        """Return the prior of a cluster's mean that is not conjugate, as wide as the one that is."""
        same = self.known(data)
        return LaplaceMeans(same.mean, (same.prior_variance / 2) ** 0.5, same.variance)

    def sampler_of(
        self, data: np.ndarray, *, second: bool = False
    ) -> CRPMixture | SplitMerge | MixtureLadder | TablesWithMeans:
        if self.auxiliary:
            kind = WRONG_AUXILIARY["fresh for a lone point"] if self.lone == "fresh" else AuxiliaryTables
            return kind(data, self.laplace(data), self.concentration, self.ghosts, start=self.start)
        if self.kept:
            means = WRONG_KEPT["mean from the prior"] if self.first == "prior" else KeptMeans
            return means(data, NormalMeans(self.known(data)), self.concentration, start=self.start)
        mixture = self.mixture(data)
        if self.tempered and not second:
            ladder = WRONG_SWAPS.get(self.swap_rule, MixtureLadder)
            return ladder(mixture, geometric(self.levels, self.hottest))
        if second or not self.jumps:
            return mixture
        return WRONG_MOVES.get(self.rule, SplitMerge)(mixture, scans=self.scans)

    def exact(self, data: np.ndarray) -> ExactPosterior | None:
        """Return the posterior of all clusterings, where they can be listed."""
        if len(data) > MOST_POINTS:
            return None
        if self.auxiliary:
            return laplace_means.exact_posterior(data, self.laplace(data), self.concentration)
        return exact_posterior(data, self.known(data) if self.kept else self.prior(data), self.concentration)

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count the clusters and the points of the largest, and look at the sweep's move, or at its walkers."""
        before, now = chain[max(t - 1, 0)], chain[t]
        levels = now.levels if self.tempered else (now,)
        walkers = zip(before.walkers, now.walkers, strict=True) if self.tempered else ()
        move = chain.record(t) if t and self.jumps else None
        return {
            "tables": len(levels[0].counts),
            "largest": max(levels[0].counts),
            "accepted": int(move.accepted) if move else 0,
            "log_ratio": move.log_ratio if move else nan,
            "moved": sum(one != other for one, other in walkers),
            "hot_tables": len(levels[-1].counts),
            "walker": now.walkers[0] + 1 if self.tempered else 1,
        }

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of clusters, where every clustering can be listed."""
        if outcome != "tables":
            return None
        exact = self.exact(self.dataset().data)
        return counted(LATER, exact.table_counts) if exact else None
