"""A chain that can go forwards, backwards and branch off, because each step can be replayed exactly."""

from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from samplers.checks import whole_from
from samplers.datatree import to_datatree
from samplers.recipe import Kernel, T, drained

if TYPE_CHECKING:
    from xarray import DataTree


class Chain(Generic[T]):
    """The states of one run, computed on demand.

    Step t draws from ``np.random.default_rng((seed, t))``, so state t depends on state t - 1, the seed and t alone. The
    first state (t = 0) draws from ``default_rng((seed, 0))``.

    Parameters
    ----------
    sampler : Kernel
        The kernel that makes the steps; see `samplers.recipe`.
    seed : int
        An integer from 0.
    keep : int, optional
        The number of states to keep in memory. When there are more, every second one is dropped; a dropped state is
        replayed from the last stored one before it.
    on_step : callable, optional
        Called with t and the record of step t each time that the step is computed, also when it is replayed; use it to
        keep part of a record. A branch does not call it.

    Raises
    ------
    TypeError
        If seed or keep is not an integer.
    ValueError
        If the seed is negative, or keep is below 2.

    Examples
    --------
    >>> from samplers.crp.seating import CRPSeating
    >>> chain = Chain(CRPSeating(concentration=1.0), seed=7)
    >>> len(chain[12].assignments)
    12
    >>> other = chain.branch(8, seed=8)
    >>> (other[8].assignments == chain[8].assignments).all()
    np.True_
    """

    def __init__(
        self,
        sampler: Kernel[T, Any],
        seed: int,
        *,
        keep: int = 2_000,
        on_step: Callable[[int, Any], None] | None = None,
    ) -> None:
        self.sampler = sampler
        self._on_step = on_step
        self._seeds = [(0, whole_from("seed", seed, 0))]  # pairs of a first step and the seed from there on
        self._keep = whole_from("keep", keep, 2)
        self._stride = 1
        # The last made, the one before it, from which a record of the last step starts, and the last asked for.
        self._latest = self._previous = self._visited = (0, sampler.init(self.rng(0)))
        self._states = {0: sampler.packed(self._latest[1])}

    @property
    def seed(self) -> int:
        """The chain's seed; for a branch, the seed after it branches off."""
        return self._seeds[-1][1]

    @property
    def kept(self) -> Mapping[int, Any]:
        """The states in memory by their iterations, each in the form in which it is kept."""
        return self._states

    def __getitem__(self, t: int) -> T:
        """Return the state after t steps, computing missing ones. Do not change it: the chain owns it."""
        return drained(self.towards(t))

    def towards(self, t: int) -> Generator[None, None, T]:
        """Compute the state after t steps with a pause after every piece of a step, and return that state at the end.

        A caller that stops early loses only the unfinished step.
        """
        if t < 0:
            raise IndexError(f"a chain starts at iteration 0, got {t}")
        start, state = self._nearest(t)
        for now in range(start + 1, t + 1):
            state, record = yield from self.sampler.pieces(state, self.rng(now), recorded=self._on_step is not None)
            self._store(now, state)
            if self._on_step:
                self._on_step(now, record)
        self._visited = (t, state)
        return state

    def _nearest(self, t: int) -> tuple[int, T]:
        """Return the number of the last iteration up to t whose state is in memory, and that state."""
        kept = t - t % self._stride
        while kept not in self._states:
            kept -= self._stride
        for now, state in sorted((self._latest, self._previous, self._visited), key=lambda pair: -pair[0]):
            if kept <= now <= t:
                return now, state
        return kept, self.sampler.unpacked(self._states[kept])

    def record(self, t: int) -> Any:
        """Replay step t, from iteration t - 1 to t, and return its record.

        Raises
        ------
        IndexError
            If t is below 1.
        """
        if t < 1:
            raise IndexError(f"steps are numbered from 1, got {t}")
        state, record = self.sampler.step(self[t - 1], self.rng(t))
        if t == self._latest[0] + 1 and not self._on_step:  # nobody has made it yet
            self._store(t, state)
        return record

    def branch(self, t: int, seed: int) -> "Chain[T]":
        """Return a chain that is the same up to iteration t and draws from another seed after that.

        Nothing is computed now: the branch computes missing states itself when it needs them.
        """
        if t < 0:
            raise IndexError(f"a chain starts at iteration 0, got {t}")
        other = Chain(self.sampler, seed, keep=self._keep)
        other._seeds = [entry for entry in self._seeds if entry[0] <= t] + [(t + 1, seed)]
        other._stride = self._stride
        other._states = {now: state for now, state in self._states.items() if now <= t}
        other._latest = other._previous = other._visited = self._nearest(t)
        return other

    def to_datatree(self, draws: int) -> "DataTree":
        """Return the draws of iterations 1 to `draws` as ArviZ reads them; see `samplers.datatree.to_datatree`."""
        return to_datatree([self], draws)

    def rng(self, t: int) -> np.random.Generator:
        """Return a new copy of the generator that step t draws from, to look into that step again."""
        seed = self._seeds[-1][1]
        if t < self._seeds[-1][0]:  # before the last branch
            seed = next(seed for start, seed in reversed(self._seeds) if start <= t)
        if seed < 2**32 and t < 2**32:  # the same numbers as from the tuple, made three times as fast
            return np.random.default_rng(np.array([seed, t], np.uint32))
        return np.random.default_rng((seed, t))

    def _store(self, t: int, state: T) -> None:
        if t > self._latest[0]:
            self._previous, self._latest = self._latest, (t, state)
        if t % self._stride:
            return
        self._states[t] = self.sampler.packed(state)
        if len(self._states) > self._keep:
            self._stride *= 2
            self._states = {now: kept for now, kept in self._states.items() if now % self._stride == 0}
