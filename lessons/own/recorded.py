"""Own draws as they are looked at: some chains, one draw in a few, the elements of a vector in order or not."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lessons.own.draws import OwnDraws
from samplers.diagnostics.convergence import Diagnosis, diagnose
from samplers.recorded import Recorded


@dataclass(frozen=True, eq=False)
class Shown:
    """Own draws as settings show them.

    Parameters
    ----------
    data : OwnDraws
        The draws.
    chain : int
        The chain that is shown, from 1; 0 for all.
    thin : int
        One draw in `thin` is shown.
    sorts : bool
        Whether the elements of the first parameter's vector are named anew in each draw, the smallest first.
    """

    data: OwnDraws
    chain: int
    thin: int
    sorts: bool

    @cached_property
    def chains(self) -> tuple[int, ...]:
        """The numbers of the chains that are shown, from 0."""
        every = range(self.data.chains)
        return (self.chain - 1,) if 1 <= self.chain <= self.data.chains else tuple(every)

    @cached_property
    def _rows(self) -> slice:
        return slice(self.thin - 1, None, self.thin)

    @property
    def total(self) -> int:
        """The number of draws of a chain, with those of the warm-up."""
        return self.data.divergent.shape[1] // self.thin

    @property
    def warmup(self) -> int:
        """How many of them are warm-up."""
        return min(self.data.warmup // self.thin, self.total)

    @cached_property
    def values(self) -> np.ndarray:
        """The draws, shape (chains, draws, parameters)."""
        found = self.data.values[list(self.chains)][:, self._rows]
        if self.sorts and len(own := list(self.data.family)) > 1:
            found = found.copy()
            found[:, :, own] = np.sort(found[:, :, own], axis=2)
        return found

    @cached_property
    def divergent(self) -> np.ndarray:
        """Whether the trajectory diverged, shape (chains, draws)."""
        return self.data.divergent[list(self.chains)][:, self._rows].astype(bool)

    def drawn(self, t: int) -> np.ndarray:
        """Return the draws up to t, without the warm-up, shape (chains, draws, parameters)."""
        return self.values[:, self.warmup : max(t, self.warmup)]

    def diagnosed(self, t: int, place: int) -> Diagnosis:
        """Return the diagnostics of a parameter after t draws."""
        return diagnose(self.drawn(t)[:, :, place])

    def switches(self, t: int) -> int:
        """Return how often the order of the elements of the first parameter's vector changed within a chain.

        0 if there are not two of them.
        """
        own = list(self.data.family)
        if len(own) < 2:
            return 0
        order = np.argsort(self.drawn(t)[:, :, own], axis=2, kind="stable")
        return int((order[:, 1:] != order[:, :-1]).any(axis=2).sum())

    def sampler(self, place: int) -> Recorded:
        """Return one of the chains that are shown as a sampler that makes it again."""
        return Recorded(self.values[place], self.data.names, self.warmup)
