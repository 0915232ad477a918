"""A run of parallel tempering, whose cold level is the chain on the charts, and one of its sweeps, opened."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lessons.stages.fields import SWEEPS
from lessons.stages.jumps import OF_A_SWAP
from pages.player.kept import weight
from pages.stages.jumps.run import JumpRun
from pages.stages.points.model import Model
from samplers.jumps.split_merge import evaluations
from samplers.jumps.tempering import MixtureLadder
from samplers.tempering import LadderState, LadderStep, Swap

SWEPT = 1  # the frame of an opened sweep in which all levels have made theirs; after it come the swaps


class LadderRun(JumpRun):
    """The sweeps of a ladder. What a `JumpRun` has is that of the cold level.

    Attributes
    ----------
    places : numpy.ndarray
        The level of each walker, from 0, after each sweep, shape (SWEEPS + 1, levels).
    labels_of : numpy.ndarray
        The labels that each walker carries, shape (SWEEPS + 1, levels, N).
    swapping : MixtureLadder
        The ladder; `sampler` is the mixture.
    tables_of, joints_of : numpy.ndarray
        How many clusters these are, and the log joint, shape (SWEEPS + 1, levels).
    """

    def __init__(self, sampler: MixtureLadder, model: Model, seed: int) -> None:
        self.swapping = sampler
        shape = SWEEPS + 1, len(sampler.levels)
        self.places = np.empty(shape, np.uint8)
        self.labels_of = np.empty((*shape, len(sampler.mixture.data)), np.int16)
        self.tables_of = np.empty(shape, np.int16)
        self.joints_of = np.empty(shape, np.float32)
        super().__init__(sampler, model, seed)

    def _note(self, t: int, record: LadderStep[Any]) -> None:
        """Keep what step t has cost, on all levels."""
        self.evaluations[t] = sum(map(evaluations, record.own))
        self.moved[t] = record.swaps[-1].accepted

    def add(self, t: int, state: LadderState[Any]) -> None:
        """Keep what the charts need of sweep t."""
        super().add(t, state.cold)
        for level, (walker, now) in enumerate(zip(state.walkers, state.levels, strict=True)):
            self.places[t, walker] = level
            self.labels_of[t, walker] = now.labels
            self.tables_of[t, walker] = len(now.clusters)
            self.joints_of[t, walker] = self.sampler.log_joint(now)

    def ladder(self, t: int) -> LadderState[Any]:
        """Return the states of all levels after t sweeps; errors as in `state`."""
        found: LadderState[Any] = super().state(t)
        return found

    def state(self, t: int) -> Any:
        """Return the state of the cold level after t sweeps."""
        return self.ladder(t).cold

    def record(self, t: int) -> Any:
        """Replay step t, from 1, and return its record; errors as in `state`."""
        return self.chain.sampler.step(self.ladder(t - 1), self.chain.rng(t))[1]

    def close_up(self, sweep: int) -> Any:
        """Return a sweep, from 1, opened."""
        return OpenedLadder(self.swapping, sweep, self.record(sweep), self.ladder(sweep - 1))


@dataclass
class OpenedLadder:
    """A sweep of a ladder, opened.

    Its frames are the state before it, the Gibbs sweeps of all levels, and of each swap the pair, the ratio and the
    dart.

    Attributes
    ----------
    sampler : MixtureLadder
        The ladder.
    sweep : int
        Its number, from 1.
    step : LadderStep
        Its record.
    before : LadderState
        The states before it.
    film : object
        The film, once it has been made.
    """

    sampler: MixtureLadder
    sweep: int
    step: LadderStep[Any]
    before: LadderState[Any]
    film: Any = None

    @cached_property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        return weight(self.step, set()) + 4_000 * self.total

    @property
    def total(self) -> int:
        """The last frame, in which the last swap is decided."""
        return SWEPT + OF_A_SWAP * len(self.step.swaps)

    def swap(self, t: int) -> Swap | None:
        """Return the swap that frame t shows; None before the first."""
        return self.step.swaps[(t - SWEPT - 1) // OF_A_SWAP] if t > SWEPT else None

    def at(self, t: int) -> LadderState[Any]:
        """Return the states of all levels in frame t."""
        if t < SWEPT:
            return self.before
        states, walkers = list(self.step.between), list(self.before.walkers)
        for swap in self.step.swaps[: (t - SWEPT) // OF_A_SWAP]:
            pair = slice(swap.level, swap.level + 2)
            if swap.accepted:
                states[pair], walkers[pair] = states[pair][::-1], walkers[pair][::-1]
        return LadderState(tuple(states), tuple(walkers))
