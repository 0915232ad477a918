"""A run of a hidden Markov model: states and parameters after each sweep, from which all charts are made."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from lessons.settings.fields import SWEEPS
from lessons.topics.hidden_chain import HiddenChainSettings, changes_of
from pages.drawing.palette import color
from pages.player.run import KEPT, Run
from pages.scenes.close_up import CloseUp
from pages.scenes.scene import RunScene
from pages.topics.hidden_chain.methods import LARGEST, METHODS, SUMMED, Method, Way
from samplers import Chain
from samplers.hmm.exact import Truth
from samplers.hmm.exact_sticky import ExactStates
from samplers.hmm.model import ChainState, HiddenMarkov
from samplers.hmm.sticky import StickyState
from samplers.hmm.wrong import LargestNotSum

R = TypeVar("R", bound="ChainRun")


class ChainRun(Run[ChainState]):
    """The sweeps of one chain.

    Parameters
    ----------
    sampler : HiddenMarkov
        With a rule that is right or wrong.
    seed : int
        Of the chain.

    Attributes
    ----------
    labels : numpy.ndarray
        State of each hour after each sweep, uint8 of shape (sweeps + 1, T).
    means : numpy.ndarray
        Mean of each state, shape (sweeps + 1, K).
    moves : numpy.ndarray
        Transition probabilities, by rows, shape (sweeps + 1, K * K).
    totals : numpy.ndarray
        How often since sweep 1 each of what is `counted` has been so, shape (sweeps + 1, …).
    changes, high, used : numpy.ndarray
        Changes of state, hours in the last state, and states in use, shape (sweeps + 1,).
    """

    judged: ClassVar[str]  # the column by which chains are judged

    def __init__(self, sampler: HiddenMarkov, seed: int) -> None:
        self.sampler = sampler
        rows, hours, states = SWEEPS + 1, sampler.hours, sampler.states
        self.labels = np.empty((rows, hours), np.uint8)
        self.means = np.empty((rows, states), np.float32)
        self.moves = np.empty((rows, states * states), np.float32)
        self.totals = np.empty((rows, len(self.counted(np.zeros(hours)))), np.uint16)
        self.changes, self.high, self.used = (np.empty(rows, np.int16) for _ in range(3))
        super().__init__(Chain(sampler, seed, keep=KEPT))

    @abstractmethod
    def counted(self, labels: np.ndarray) -> np.ndarray:
        """Return the facts about these labels, shape (T,), that are counted along the run."""

    def add(self, t: int, state: ChainState) -> None:
        labels = np.array(state.labels)
        self.labels[t], self.means[t] = labels, state.means
        self.moves[t] = np.ravel(state.transitions)
        self.changes[t], self.high[t] = changes_of(labels), np.count_nonzero(labels == self.sampler.states - 1)
        self.used[t] = len(set(state.labels))
        here = self.counted(labels)
        self.totals[t] = self.totals[t - 1] + here if t > 1 else here

    def close_up(self, sweep: int) -> CloseUp[ChainState]:
        """Return one sweep, from 1, update by update; see `state` for what this raises."""
        return CloseUp(self.chain, sweep, self.state(sweep - 1))


class StatesRun(ChainRun):
    """The sweeps of a chain over states that keep their names: it counts each hour's states."""

    judged = "high"

    def counted(self, labels: np.ndarray) -> np.ndarray:
        """Return whether each hour has each state, shape (T * K,)."""
        here: np.ndarray = (labels[:, None] == np.arange(self.sampler.states)).ravel()
        return here

    def shares(self, start: int, stop: int) -> np.ndarray:
        """Return the share of sweeps in which each hour has had each state, shape (stop - start, T, K)."""
        sweeps = np.maximum(np.arange(start, stop), 1)[:, None, None]
        totals = self.totals[start:stop].reshape(stop - start, self.sampler.hours, self.sampler.states)
        return totals / sweeps


class StickyRun(ChainRun):
    """The sweeps of a chain that learns how many states there are: it counts the changes before each hour.

    Attributes
    ----------
    concentrations : numpy.ndarray
        α, γ and κ, shape (sweeps + 1, 3).
    """

    judged = "changes"

    def __init__(self, sampler: HiddenMarkov, seed: int) -> None:
        self.concentrations = np.empty((SWEEPS + 1, 3), np.float32)
        super().__init__(sampler, seed)

    def counted(self, labels: np.ndarray) -> np.ndarray:
        """Return whether each hour but the first has another state than the one before, shape (T - 1,)."""
        return np.diff(labels) != 0

    def add(self, t: int, state: ChainState) -> None:
        super().add(t, state)
        assert isinstance(state, StickyState)
        self.concentrations[t] = state.concentration, state.top_concentration, state.stickiness

    def moved(self, start: int, stop: int) -> np.ndarray:
        """Return the share of sweeps in which each hour but the first had changed, shape (stop - start, T - 1)."""
        return self.totals[start:stop] / np.maximum(np.arange(start, stop), 1)[:, None]


@dataclass(frozen=True)
class HiddenScene(RunScene[HiddenChainSettings, R], Generic[R]):
    """The parts of a film."""

    kind: ClassVar[type[ChainRun]]  # of its runs
    first: ClassVar[str]  # the probability of a state in the first hour

    values: np.ndarray  # the series, shape (T,)

    @property
    def hour(self) -> int:
        """The hour that the cards describe, from 0."""
        return min(self.settings.hour, self.run.sampler.hours) - 1

    @property
    def method(self) -> Method:
        """The way of the first chain."""
        return METHODS[self.settings.method]

    @property
    def other(self) -> Method:
        """The way of the second chain, if there is one."""
        return METHODS[self.settings.other]

    @property
    def way(self) -> Way:
        """The sum over all ways into a state, or what the rule has in its place."""
        return LARGEST if isinstance(self.run.sampler, LargestNotSum) else SUMMED

    def update_of(self, hour: int) -> int:
        """Return the number of the update that draws an hour's state, both counted from 0."""
        return self.method.update(len(self.values), hour)

    @abstractmethod
    def listed(self, state: Any) -> Sequence[int]:
        """Return the states whose parameters cards list."""

    @abstractmethod
    def begins(self, probability: float) -> str:
        """Return the probability of a state in the first hour as a card has it."""

    @property
    def marginals(self) -> np.ndarray | None:
        """The exact probability of each state in each hour, shape (T, K), where it is known and states have names."""
        return None

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The colours of the states, if they have names."""
        return []

    @property
    @abstractmethod
    def judged_by(self) -> str:
        """The count by which chains are judged, in words."""


@dataclass(frozen=True)
class StatesScene(HiddenScene[StatesRun]):
    """Chains over states that keep their names, with the exact posterior where it is known."""

    kind = StatesRun
    first = "1/K"

    exact: Truth | None

    @property
    def marginals(self) -> np.ndarray | None:
        return self.exact.marginals if self.exact else None

    @property
    def legend(self) -> list[tuple[str, str]]:
        return [(f"{color(k)} solid", f"state {k + 1}") for k in range(self.run.sampler.states)]

    @property
    def judged_by(self) -> str:
        return f"hours in state {self.run.sampler.states}"

    def listed(self, state: ChainState) -> Sequence[int]:
        return range(self.run.sampler.states)

    def begins(self, probability: float) -> str:
        return f"1/{self.run.sampler.states}"


@dataclass(frozen=True)
class StickyScene(HiddenScene[StickyRun]):
    """Chains that learn how many states there are, with the exact posterior where it is known."""

    kind = StickyRun
    first = "base weight"

    exact: ExactStates | None

    @property
    def judged_by(self) -> str:
        return "changes of state"

    def listed(self, state: StickyState) -> Sequence[int]:
        """Return the states in use."""
        return state.used

    def begins(self, probability: float) -> str:
        return f"{probability:.3f}"
