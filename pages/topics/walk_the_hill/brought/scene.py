"""The scene behind the charts of own chains: draws to scale, and diagnostics at some places along the run."""

import threading
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from lessons.data.columns import Column
from lessons.own.recorded import Shown
from lessons.topics.walk_the_hill import WalkTheHillSettings
from pages.contract.waiting import NotYet
from pages.drawing.charts import Domain
from pages.player.turns import time_slice
from pages.scenes.scene import RunScene
from samplers.diagnostics.convergence import Diagnosis

BINS = 32  # of each margin's histogram, within the window
RANK_BINS = 20  # of a rank plot, as in Vehtari et al. (2021)
PLACES = 50  # along the run at which diagnostics are computed
EARLY = (10, 20, 30, 40, 60, 80)  # draws after which there are some as well
CORE = (0.5, 99.5)  # percentiles of the draws that the window must show
ROOM = 0.12  # beside them, as a share of what lies between
SPREAD = 1.349  # standard deviations between a Normal's quartiles


@dataclass(frozen=True)
class Told:
    """The diagnostics of both parameters after some draws, and the counts of the rank plots."""

    each: tuple[Diagnosis, Diagnosis]
    ranks: np.ndarray  # draws in each bin, by parameter and part, as a share of the expected: shape (2, parts, bins)


@dataclass(frozen=True)
class BroughtScene(RunScene[WalkTheHillSettings, Any]):
    """Own chains as they are looked at; nothing runs here.

    Parameters
    ----------
    shown : lessons.own.recorded.Shown
        The draws.
    """

    shown: Shown
    _told: dict[int, Told] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def total(self) -> int:
        """The number of draws of a chain."""
        return self.shown.total

    @property
    def chains(self) -> tuple[int, ...]:
        """The numbers of the chains that are shown, from 0."""
        return self.shown.chains

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        return self.places.nbytes + self.counts.nbytes + 2 * self.shown.values.nbytes + 4_000 * PLACES

    @property
    def family(self) -> tuple[int, ...]:
        """The places of the elements of the first parameter's vector."""
        return self.shown.data.family

    # ---- to scale ----------------------------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> tuple[Column, Column]:
        """Both parameters: they are drawn to scale, and axes have their own units."""
        return self._column(0), self._column(1)

    @cached_property
    def places(self) -> np.ndarray:
        """Where the draws are, to scale, shape (chains, draws, 2)."""
        return np.stack([self.to_scale(place, place) for place in (0, 1)], axis=2)

    @cached_property
    def window(self) -> tuple[Domain, Domain]:
        """The ends of the part that is drawn, to scale."""
        return self._window(0), self._window(1)

    @cached_property
    def ends(self) -> tuple[Domain, Domain]:
        """The ends of axes that hold every draw after the warm-up, to scale."""
        return self._ends(0), self._ends(1)

    def _ends(self, along: int) -> Domain:
        of = self.places[:, self.shown.warmup :, along]
        of, (low, high) = of[np.isfinite(of)], self.window[along]
        return min(low, float(of.min())), max(high, float(of.max()))

    def _column(self, place: int) -> Column:
        """Return a parameter with its median as 0 and its spread as 1."""
        of = self.shown.values[:, :, place]
        of = of[np.isfinite(of)]
        low, middle, high = np.percentile(of, (25, 50, 75)).tolist()
        spread = (high - low) / SPREAD or float(np.ptp(of))
        return Column(self.shown.data.names[place], middle, spread if np.isfinite(spread) and spread > 0 else 1.0)

    def to_scale(self, place: int, along: int) -> np.ndarray:
        """Return the draws of a parameter on the scale of x (0) or y (1), shape (chains, draws)."""
        column = self.columns[along]
        with np.errstate(all="ignore"):
            return (self.shown.values[:, :, place] - column.shift) / column.scale

    def _window(self, along: int) -> Domain:
        of = self.places[:, self.shown.warmup :, along]
        of = of[np.isfinite(of)]
        low, high = np.percentile(of, CORE).tolist()
        room = ROOM * (high - low) or 1.0
        return max(low - room, of.min() - room / 2), min(high + room, of.max() + room / 2)

    @cached_property
    def counts(self) -> np.ndarray:
        """Draws of all chains so far in each bin of both margins, without the warm-up, shape (T + 1, 2, bins)."""
        found = np.zeros((self.total + 1, 2, BINS), np.int32)
        for along, ends in enumerate(self.window):
            edges = np.linspace(*ends, BINS + 1)
            number = np.searchsorted(edges, self.places[:, :, along], "right") - 1
            within = (number >= 0) & (number < BINS)
            within[:, : self.shown.warmup] = False
            chain, draw = np.nonzero(within)
            np.add.at(found[:, along], (draw + 1, number[chain, draw]), 1)
        return found.cumsum(axis=0, dtype=np.int32)

    @cached_property
    def elements(self) -> np.ndarray:
        """The elements of the first parameter's vector in the first chain, on the scale of x, shape (draws, K)."""
        return np.stack([self.to_scale(place, 0)[0] for place in self.family], axis=1)

    @cached_property
    def reach(self) -> Domain:
        """The ends of an axis for all elements of the vector."""
        of = self.elements[np.isfinite(self.elements)]
        low, high = np.percentile(of, CORE).tolist()
        room = ROOM * (high - low) or 1.0
        return low - room, high + room

    @cached_property
    def diagonal(self) -> tuple[float, ...] | None:
        """The ends of the line on which both parameters are equal; None unless they are elements of one vector."""
        if not {0, 1} <= {*self.family}:
            return None
        across, up = self.columns
        ends = [*map(across.own, self.window[0]), *map(up.own, self.window[1])]
        low, high = min(ends), max(ends)
        return tuple((end - of.shift) / of.scale for end in (low, high) for of in self.columns)

    # ---- what is counted along the run -------------------------------------------------------------------------------

    @cached_property
    def diverged(self) -> np.ndarray:
        """Which chains diverged at a draw, a bit for each, shape (draws,)."""
        bits = 1 << np.array(self.chains)
        return (self.shown.divergent * bits[:, None]).sum(axis=0)

    @cached_property
    def divergences(self) -> np.ndarray:
        """How many draws have diverged so far, without the warm-up, shape (T + 1,)."""
        each = self.shown.divergent.sum(axis=0)
        each[: self.shown.warmup] = 0
        return np.concatenate([[0], each.cumsum()])

    @cached_property
    def switches(self) -> np.ndarray:
        """How often the order of the vector's elements has changed so far, shape (T + 1,)."""
        found = np.zeros(self.total + 1, int)
        if len(self.family) > 1:
            order = np.argsort(self.shown.drawn(self.total)[:, :, list(self.family)], axis=2, kind="stable")
            changed = (order[:, 1:] != order[:, :-1]).any(axis=2).sum(axis=0)
            found[self.shown.warmup + 2 :] = changed
        return found.cumsum()

    # ---- diagnostics -------------------------------------------------------------------------------------------------

    @cached_property
    def marks(self) -> np.ndarray:
        """The draws, from 1, after which diagnostics are computed."""
        draws = self.total - self.shown.warmup
        even = np.linspace(0, draws, PLACES + 1)[1:].round().astype(int)
        early = [many for many in EARLY if many <= draws]
        return self.shown.warmup + np.unique([*early, *even[even >= min(EARLY)]]).astype(int)

    def mark(self, t: int) -> int:
        """Return the last draw up to t after which there are diagnostics; 0 if there is none."""
        before = int(np.searchsorted(self.marks, t, "right"))
        return int(self.marks[before - 1]) if before else 0

    def told(self, t: int) -> Told | None:
        """Return the diagnostics at the last of these places up to t; None before the first."""
        at = self.mark(t)
        if not at:
            return None
        if at not in self._told:
            first, second = (self.shown.diagnosed(at, place) for place in (0, 1))
            self._told[at] = Told((first, second), self._ranks(at))
        return self._told[at]

    @property
    def parts(self) -> int:
        """The number of parts that a rank plot compares: the chains, or of one chain the halves."""
        return len(self.chains) if len(self.chains) > 1 else 2

    def _ranks(self, t: int) -> np.ndarray:
        drawn = self.shown.drawn(t)[:, :, :2]
        if len(drawn) == 1:
            half = drawn.shape[1] // 2
            drawn = drawn[0, : 2 * half].reshape(2, half, 2)
        parts, many, _ = drawn.shape
        flat = drawn.reshape(parts * many, 2)
        ranks = np.empty(flat.shape, int)
        order = flat.argsort(axis=0, kind="stable")
        np.put_along_axis(ranks, order, np.arange(len(flat))[:, None], axis=0)
        bins = (ranks * RANK_BINS // max(len(flat), 1)).reshape(parts, many, 2)
        found = np.array(
            [[np.bincount(bins[part, :, axis], minlength=RANK_BINS) for part in range(parts)] for axis in (0, 1)]
        )
        return found / max(many / RANK_BINS, 1e-9)

    def grow(self, t: int) -> int:
        """Compute diagnostics up to draw t, for a slice of time; return the last draw for which they are there."""
        with self._lock, time_slice() as over:
            for at in self.marks[self.marks <= t].tolist():
                if at not in self._told:
                    if over():
                        return at - 1
                    self.told(at)
        return t

    def ready(self, t: int) -> None:
        """Compute diagnostics up to draw t, or raise `NotYet`."""
        made = self.grow(t)
        if made < t:
            raise NotYet(f"Comparing chains: {made:,} of {t:,} draws", made / t, lambda: self.ready(t), made)
