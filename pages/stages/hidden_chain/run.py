"""A run of a hidden Markov model: states and parameters after each sweep, from which all charts are made."""

from dataclasses import dataclass

import numpy as np

from lessons.stages.fields import SWEEPS
from lessons.stages.hidden_chain import HiddenChainSettings, changes_of
from pages.player.run import KEPT, Run
from pages.stages.close_up import CloseUp
from pages.stages.scene import RunScene
from samplers import Chain
from samplers.hmm.exact import Truth
from samplers.hmm.exact_sticky import ExactStates
from samplers.hmm.model import ChainState, HiddenMarkov
from samplers.hmm.sticky import Sticky, StickyState


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
        How often each hour has had each state since sweep 1, shape (sweeps + 1, T * K); if the number of states is
        learned, how often each hour but the first has had another state than the one before, shape (sweeps + 1, T - 1).
    concentrations : numpy.ndarray
        α, γ and κ, if the number of states is learned, shape (sweeps + 1, 3).
    changes, high, used : numpy.ndarray
        Changes of state, hours in the last state, and states in use, shape (sweeps + 1,).
    """

    def __init__(self, sampler: HiddenMarkov, seed: int) -> None:
        self.sampler, self.sticky = sampler, isinstance(sampler, Sticky)
        rows, hours, states = SWEEPS + 1, sampler.hours, sampler.states
        self.labels = np.empty((rows, hours), np.uint8)
        self.means = np.empty((rows, states), np.float32)
        self.moves = np.empty((rows, states * states), np.float32)
        self.totals = np.empty((rows, hours - 1 if self.sticky else hours * states), np.uint16)
        self.concentrations = np.empty((rows, 3) if self.sticky else 0, np.float32)
        self.changes, self.high, self.used = (np.empty(rows, np.int16) for _ in range(3))
        super().__init__(Chain(sampler, seed, keep=KEPT))

    def add(self, t: int, state: ChainState) -> None:
        """Keep what the charts need of sweep t; the start is no draw."""
        labels, states = np.array(state.labels), self.sampler.states
        self.labels[t], self.means[t] = labels, state.means
        self.moves[t] = np.ravel(state.transitions)
        self.changes[t], self.high[t] = changes_of(labels), np.count_nonzero(labels == states - 1)
        self.used[t] = len(set(state.labels))
        if isinstance(state, StickyState):
            self.concentrations[t] = state.concentration, state.top_concentration, state.stickiness
        here = np.diff(labels) != 0 if self.sticky else (labels[:, None] == np.arange(states)).ravel()
        self.totals[t] = self.totals[t - 1] + here if t > 1 else here

    def shares(self, start: int, stop: int) -> np.ndarray:
        """Return the share of sweeps in which each hour has had each state, shape (stop - start, T, K)."""
        sweeps = np.maximum(np.arange(start, stop), 1)[:, None, None]
        totals = self.totals[start:stop].reshape(stop - start, self.sampler.hours, self.sampler.states)
        return totals / sweeps

    def moved(self, start: int, stop: int) -> np.ndarray:
        """Return the share of sweeps in which each hour but the first had changed, shape (stop - start, T - 1)."""
        return self.totals[start:stop] / np.maximum(np.arange(start, stop), 1)[:, None]

    def close_up(self, sweep: int) -> CloseUp[ChainState]:
        """Return one sweep, from 1, update by update; see `state` for what this raises."""
        return CloseUp(self.chain, sweep, self.state(sweep - 1))


@dataclass(frozen=True)
class Scene(RunScene[HiddenChainSettings, ChainRun]):
    """The parts of a film.

    Attributes
    ----------
    values : numpy.ndarray
        The series, shape (T,).
    exact : Truth or ExactStates or None
        The exact posterior of the states, where it is known; the latter if their number is learned.
    """

    values: np.ndarray
    exact: Truth | ExactStates | None

    @property
    def marginals(self) -> np.ndarray | None:
        """The exact probability of each state in each hour, shape (T, K), where it is known and states have names."""
        return self.exact.marginals if isinstance(self.exact, Truth) else None

    @property
    def hour(self) -> int:
        """The hour that the cards describe, from 0."""
        return min(self.settings.hour, self.run.sampler.hours) - 1
