"""A chain that can go forwards, backwards and sideways, because each of its steps can be replayed exactly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, cast

import numpy as np

from samplers.checks import whole_from
from samplers.recipe import GibbsSampler, S, Stepper, Update, step, updates


class Chain(Generic[S]):
    """The states of one run, made when they are asked for.

    Step t draws from ``np.random.default_rng((seed, t))``, so state t depends on state t - 1, the seed and t alone. The
    first state (t = 0) draws from ``default_rng((seed, 0))``.

    Parameters
    ----------
    sampler : GibbsSampler or Stepper
        The model and its rules, run by `samplers.recipe.step`, or what advances by a rule of its own.
    seed : int
        From 0.
    keep : int, optional
        How many states stay in memory. When there are more, every second one is dropped; a state that was dropped is
        replayed from the last one before it.

    Raises
    ------
    TypeError
        If seed or keep is no integer.
    ValueError
        If the seed is negative or fewer than two states are to be kept.

    Examples
    --------
    >>> from samplers.crp import CRPSeating
    >>> chain = Chain(CRPSeating(concentration=1.0), seed=7)
    >>> len(chain[12].assignments)
    12
    >>> other = chain.branch(8, seed=8)
    >>> (other[8].assignments == chain[8].assignments).all()
    np.True_
    """

    def __init__(self, sampler: GibbsSampler[S] | Stepper[S], seed: int, *, keep: int = 2_000) -> None:
        self.sampler = sampler
        self._stepper = sampler if isinstance(sampler, Stepper) else None
        self._seeds = [(0, whole_from("seed", seed, 0))]  # from which step on which seed counts
        self._keep = whole_from("keep", keep, 2)
        self._stride = 1
        self._states: dict[int, S] = {0: sampler.init(self.rng(0))}
        self._latest = self._visited = (0, self._states[0])  # the last one made, and the last one asked for

    @property
    def seed(self) -> int:
        """The seed that the chain draws from now: after a branch, the branch's."""
        return self._seeds[-1][1]

    def __getitem__(self, t: int) -> S:
        """Return the state after t steps, making those that are not there yet. Leave it as it is: the chain owns it."""
        if t < 0:
            raise IndexError(f"a chain starts at iteration 0, got {t}")
        state = self._states.get(t)
        if state is None:
            start, state = self._nearest(t)
            for now in range(start + 1, t + 1):
                state = self._advance(state, self.rng(now))
                self._store(now, state)
        self._visited = (t, state)
        return state

    def _nearest(self, t: int) -> tuple[int, S]:
        """Return the last state in memory up to iteration t, with its number."""
        kept = t - t % self._stride
        while kept not in self._states:
            kept -= self._stride
        known = [(kept, self._states[kept]), self._latest, self._visited]
        return max((pair for pair in known if pair[0] <= t), key=lambda pair: pair[0])

    def updates(self, t: int) -> list[Update]:
        """Return the updates of step t, replayed: what led from iteration t - 1 to iteration t."""
        return [update for update, _ in self.replay(t)]

    def replay(self, t: int) -> Iterator[tuple[Update, S]]:
        """Yield the updates of step t, each with the state after it, which goes on changing: copy it to keep it."""
        if t < 1:
            raise IndexError(f"steps are numbered from 1, got {t}")
        sampler = self._gibbs()
        state = self[t - 1].copy()
        for update in updates(sampler, state, self.rng(t)):
            yield update, state

    def branch(self, t: int, seed: int) -> Chain[S]:
        """Return a chain that is the same up to iteration t and draws from another seed after it."""
        self[t]
        other = Chain(self.sampler, seed, keep=self._keep)
        other._seeds = [entry for entry in self._seeds if entry[0] <= t] + [(t + 1, seed)]
        other._stride = self._stride
        other._states = {now: state for now, state in self._states.items() if now <= t}
        other._latest = other._visited = (t, self[t])
        return other

    def _gibbs(self) -> GibbsSampler[S]:
        if self._stepper:
            raise TypeError(f"{type(self.sampler).__name__} has no updates: it advances by a rule of its own")
        return cast(GibbsSampler[S], self.sampler)

    def _advance(self, state: S, rng: np.random.Generator) -> S:
        return self._stepper.advance(state, rng) if self._stepper else step(self._gibbs(), state, rng)

    def rng(self, t: int) -> np.random.Generator:
        """Return the generator that step t draws from, as new: for a second look into that step."""
        seed = self._seeds[-1][1]
        if t < self._seeds[-1][0]:  # before the last branch
            seed = next(seed for start, seed in reversed(self._seeds) if start <= t)
        if seed < 2**32 and t < 2**32:  # the same numbers as from the tuple, made three times as fast
            return np.random.default_rng(np.array([seed, t], np.uint32))
        return np.random.default_rng((seed, t))

    def _store(self, t: int, state: S) -> None:
        if t > self._latest[0]:
            self._latest = (t, state)
        if t % self._stride:
            return
        self._states[t] = state
        if len(self._states) > self._keep:
            self._stride *= 2
            self._states = {now: kept for now, kept in self._states.items() if now % self._stride == 0}
