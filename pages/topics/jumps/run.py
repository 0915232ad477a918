"""A run whose sweeps begin with a move that jumps, and one such move, opened."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from lessons.kept import weight
from lessons.settings.fields import SWEEPS
from pages.contract.film import Film
from pages.player.run import KEPT
from pages.scenes.close_up import Beat, CloseUp
from pages.scenes.points.crp import Tables
from pages.scenes.points.model import Model
from pages.scenes.points.run import PointsRun
from samplers import Chain, Update
from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.jumps.split_merge import Move, SplitMerge, evaluations

PAIR, TOSSED = 1, 2  # frames of an opened move; after them come its scans


class Clusters(Tables):
    """A CRP mixture whose tables are called clusters."""

    one, many = "cluster", "clusters"
    formula = "p(cluster | the rest) ∝ points there / (N − 1 + α) · fit"


class JumpRun(PointsRun):
    """The sweeps of one chain, with or without moves.

    Attributes
    ----------
    evaluations : numpy.ndarray
        How many predictive densities each sweep has evaluated, with its move, shape (SWEEPS + 1,).
    moved : numpy.ndarray
        Whether its move was accepted, shape (SWEEPS + 1,).
    """

    def __init__(self, sampler: Any, model: Model, seed: int) -> None:
        self.evaluations = np.zeros(SWEEPS + 1, np.int32)
        self.moved = np.zeros(SWEEPS + 1, bool)
        super().__init__(Chain(sampler, seed, keep=KEPT, on_step=self._note), model)

    def _note(self, t: int, record: Any) -> None:
        """Keep what step t has cost."""
        is_move = isinstance(record, Move)
        self.evaluations[t] = record.evaluations if is_move else evaluations(record)
        self.moved[t] = is_move and record.accepted

    @property
    def jumps(self) -> bool:
        """Whether its sweeps begin with moves."""
        return isinstance(self.chain.sampler, SplitMerge)

    def close_up(self, sweep: int) -> Any:
        """Return the move of a sweep, from 1, opened; of a chain without moves the sweep."""
        if not self.jumps:
            return CloseUp(self.chain, sweep, self.state(sweep - 1))
        return OpenedMove(self.model.sampler, sweep, self.record(sweep), self.state(sweep - 1), self.state(sweep))


@dataclass
class OpenedMove:
    """One move, opened.

    Its frames are the state before it, the pair, the coins, each scan, each point of the last scan, the ratio, the
    dart, and the Gibbs sweep.
    """

    mixture: CRPMixture  # the model
    sweep: int  # the sweep that begins with it, from 1
    move: Move  # its record
    # before, after: the state before the move, and after the Gibbs sweep
    before: MixtureState
    after: MixtureState
    film: Film | None = None  # the film, once it has been made

    @cached_property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        return weight(self.move, set()) + 4_000 * self.total

    @property
    def first(self) -> int:
        """The frame in which the first point of the last scan is in hand."""
        return TOSSED + len(self.move.scans) + 1

    @property
    def ratio(self) -> int:
        """The frame that shows the ratio."""
        return self.first + len(self.move.points)

    @property
    def total(self) -> int:
        """The last frame, after the Gibbs sweep."""
        return self.ratio + 2

    def in_hand(self, t: int) -> int | None:
        """Return the number of the point of the last scan, from 0, that is in hand in frame t; None if none is."""
        number = t - self.first
        return number if 0 <= number < len(self.move.points) else None

    def labels(self, t: int) -> tuple[int, ...]:
        """Return the cluster of each point in frame t; those of the last scan are where they have been put."""
        move = self.move
        if t < TOSSED:
            return move.before
        if t == TOSSED:
            return move.tossed
        if t < self.first:
            return self._after(move.tossed, chain.from_iterable(move.scans[: t - TOSSED]))
        if t < self.ratio:
            return self.placed(t - self.first)
        if t == self.ratio:
            return move.proposed
        if t == self.ratio + 1:
            return move.proposed if move.accepted else move.before
        return tuple(self.after.labels)

    def placed(self, many: int) -> tuple[int, ...]:
        """Return the labels after some points of the last scan."""
        return self._after(self.move.launch, self.move.last[:many])

    def _after(self, labels: Sequence[int], updates: Iterable[Update]) -> tuple[int, ...]:
        found = list(labels)
        for update in updates:
            found[int(update.site)] = self.move.tables[update.value]
        return tuple(found)

    def beat(self, number: int) -> Beat[Any]:
        """Return an update of the last scan, from 0, with the states around it."""
        before, after = (self._two(self.placed(many)) for many in (number, number + 1))
        lifted, update = before.copy(), self.move.last[number]
        self.mixture.forget(lifted, update.site)
        return Beat(update, before, lifted, after)

    def _two(self, labels: Sequence[int]) -> MixtureState:
        clusters = self.mixture.state(labels).clusters
        return MixtureState(list(labels), {table: clusters[table] for table in self.move.tables}, 1.0)

    def log_q(self, many: int) -> float:
        """Return the log probability of what the last scan has drawn of its first points."""
        chances = [update.conditional.probabilities[update.value] for update in self.move.last[:many]]
        return float(np.log(chances).sum())
