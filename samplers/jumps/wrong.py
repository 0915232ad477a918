"""Wrong rules for the moves that jump, each one method away from the right one: what the lessons ask learners to find.

All of them run, and look plausible. `WRONG_MOVES` has those of split–merge by name, `WRONG_AUXILIARY` those of
auxiliary tables, `WRONG_KEPT` those of tables that keep their means, and `WRONG_SWAPS` those of parallel tempering.
"""

from collections.abc import Sequence

import numpy as np

from samplers.crp.mixture import MixtureState
from samplers.jumps.auxiliary import AuxiliaryTables
from samplers.jumps.kept_means import KeptMeans
from samplers.jumps.laplace_means import Mean
from samplers.jumps.split_merge import PROPOSAL, SEATING, RestrictedScan, SplitMerge
from samplers.jumps.tables import TablesState
from samplers.jumps.tempering import MixtureLadder
from samplers.recipe import Update, updates
from samplers.tempering import COLDER, HOTTER


class ProposalLeftOut(SplitMerge):
    """The acceptance ratio lacks the proposals: a split is as hard to find as a merge, which can be made in one way."""

    def terms(
        self, state: MixtureState, proposed: MixtureState, last: Sequence[Update], splits: bool
    ) -> dict[str, float]:
        """Return the factors of the joint alone."""
        return super().terms(state, proposed, last, splits) | {PROPOSAL: 0.0}


class SeatingLeftOut(SplitMerge):
    """The acceptance ratio lacks the seating: a new cluster costs nothing, whatever the concentration."""

    def terms(
        self, state: MixtureState, proposed: MixtureState, last: Sequence[Update], splits: bool
    ) -> dict[str, float]:
        """Return the factors without the seating's."""
        return super().terms(state, proposed, last, splits) | {SEATING: 0.0}


class ScansDrawnAfresh(SplitMerge):
    """The probability of a split is taken from scans that are drawn afresh, and not from those that proposed it."""

    def last_scan(
        self, state: MixtureState, launch: MixtureState, scan: RestrictedScan, splits: bool, rng: np.random.Generator
    ) -> list[Update]:
        """Draw a split, and score it from a launch state of its own."""
        again = launch.copy()
        found = super().last_scan(state, launch, scan, splits, rng)
        if not splits:
            return found
        for point, side in zip(scan.points, self.toss(state, (0, 1), scan.points, rng), strict=True):
            scan.forget(again, point)
            scan.remember(again, point, side)
        for _ in range(self.scans):
            list(updates(scan, again, rng))
        return list(scan.towards(again, launch.labels))


class LaunchedFromThePresent(SplitMerge):
    """A merge's scans set out from the present clusters, and not from coins: they seem to be easy to find again."""

    def toss(
        self, state: MixtureState, tables: tuple[int, int], points: Sequence[int], rng: np.random.Generator
    ) -> list[int]:
        """Return the side where each point is; of one cluster that splits, a coin's."""
        if tables[0] not in state.clusters:
            return super().toss(state, tables, points, rng)
        return [tables.index(state.labels[point]) for point in points]


class FreshForALonePoint(AuxiliaryTables):
    """A point that sat alone is offered fresh means only: the mean that it had is thrown away."""

    def offered(self, state: TablesState, point: int) -> list[Mean]:
        """Return the fresh means."""
        return state.auxiliary[point]


class MeanFromThePrior(KeptMeans):
    """A new table's mean is drawn from the prior, as if its point had not been seen."""

    def offered(self, state: TablesState, point: int) -> list[Mean]:
        """Return a draw of the prior."""
        return [self.mean_of(self.family.prior, state.auxiliary[point][0])]


class RatioLeftOut(MixtureLadder):
    """Every swap is accepted: states of hot levels come down, whatever the cold level's distribution says."""

    def terms(self, exponents: tuple[float, float], here: float, there: float) -> dict[str, float]:
        """Return a ratio of 1."""
        return {COLDER: 0.0, HOTTER: 0.0}


class HotterLeftOut(MixtureLadder):
    """The acceptance ratio has the colder level alone, as if the other state were any proposal."""

    def terms(self, exponents: tuple[float, float], here: float, there: float) -> dict[str, float]:
        """Return the ratio of the colder level's densities."""
        return super().terms(exponents, here, there) | {HOTTER: 0.0}


class SignReversed(MixtureLadder):
    """The acceptance ratio is upside down: a swap that makes the cold state better is rejected."""

    def terms(self, exponents: tuple[float, float], here: float, there: float) -> dict[str, float]:
        """Return the factors with their logs negated."""
        return super().terms(exponents, there, here)


WRONG_MOVES: dict[str, type[SplitMerge]] = {
    "proposal left out": ProposalLeftOut,
    "seating left out": SeatingLeftOut,
    "scans drawn afresh": ScansDrawnAfresh,
    "launched from the present": LaunchedFromThePresent,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""

WRONG_AUXILIARY: dict[str, type[AuxiliaryTables]] = {"fresh for a lone point": FreshForALonePoint}
"""The wrong rule for auxiliary tables, likewise."""

WRONG_KEPT: dict[str, type[KeptMeans]] = {"mean from the prior": MeanFromThePrior}
"""The wrong rule for tables that keep their means, likewise."""

WRONG_SWAPS: dict[str, type[MixtureLadder]] = {
    "ratio left out": RatioLeftOut,
    "hotter level left out": HotterLeftOut,
    "sign reversed": SignReversed,
}
"""The wrong rules of a swap, likewise."""
