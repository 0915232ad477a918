"""A run of parallel tempering, whose cold level is the chain on the charts, and one of its steps, opened."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lessons.kept import weight
from lessons.settings.fields import OF_A_SWAP
from pages.contract.film import Film
from pages.player.run import Run
from samplers.tempering import LadderState, LadderStep, ParallelTempering, Swap

SWEPT = 1  # the frame of an opened step in which all levels have made theirs; after it come the swaps


def begun_at(t: int) -> int:
    """Return how many swaps of an opened step have begun by frame t, from the hottest pair of levels on."""
    return (t - SWEPT + OF_A_SWAP - 1) // OF_A_SWAP if t > SWEPT else 0


class LadderRun(Run[Any]):
    """Base class of runs of a ladder, whatever its levels are; a topic's own run is the second base class.

    Attributes
    ----------
    swapping : ParallelTempering
        The ladder.
    walkers : numpy.ndarray
        The numbers of each walker that pictures show, after each step, shape (steps + 1, levels): records whose first
        field is its level, from 0, and whose other fields are those of `carries`.
    """

    swapping: ParallelTempering[Any]
    walkers: np.ndarray

    @abstractmethod
    def carries(self, state: Any) -> tuple[Any, ...]:
        """Return the numbers of a level's state that its pictures show: the fields of `walkers` after the level."""

    def carried(self, ladder: LadderState[Any]) -> np.ndarray:
        """Return a row of `walkers`."""
        found = np.empty(len(ladder.levels), self.walkers.dtype)
        for level, (walker, state) in enumerate(zip(ladder.walkers, ladder.levels, strict=True)):
            found[walker] = (level, *self.carries(state))
        return found

    def ladder(self, t: int) -> LadderState[Any]:
        """Return the states of all levels after t steps; errors as in `state`."""
        return super().state(t)

    def state(self, t: int) -> Any:
        """Return the state of the cold level after t steps."""
        return self.ladder(t).cold

    def record(self, t: int) -> Any:
        return self.chain.sampler.step(self.ladder(t - 1), self.chain.rng(t))[1]

    def close_up(self, step: int) -> Any:
        """Return a step, from 1, opened."""
        return OpenedLadder(self.swapping, step, self.record(step), self.ladder(step - 1))


@dataclass
class OpenedLadder:
    """A step of a ladder, opened.

    Its frames are the state before it, the own steps of all levels, and of each swap the pair, the ratio and the dart.
    """

    sampler: ParallelTempering[Any]  # the ladder
    number: int  # the step's number, from 1
    step: LadderStep[Any]  # its record
    before: LadderState[Any]  # the states before it
    film: Film | None = None  # the film, once it has been made

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
        return self.step.swaps[begun_at(t) - 1] if t > SWEPT else None

    def carried_by(self, run: LadderRun) -> np.ndarray:
        """Return the records of all walkers in each frame, as those of the `run`, shape (frames, levels)."""
        return np.array([run.carried(self.at(t)) for t in range(self.total + 1)])

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
