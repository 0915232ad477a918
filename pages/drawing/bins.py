"""The bins of a heap: where each of many runs or answers has its place, and how many are to be expected there."""

from dataclasses import dataclass

import numpy as np

from lessons.settings.law import Law

MOST_BINS = 30
LIKELY = 5e-4  # the share from which on a value is within the axis
LEAST_PLACES = 4  # from which on values may say on which lattice they lie
SAME, OFF = 1e-7, 0.02  # of the range: what rounding does; of a step: how far a value may lie beside the lattice
EARLY = 40  # of the iterations the first 40th does not decide where the axis ends, unless values lie on a lattice


@dataclass(frozen=True)
class Bins:
    """The bins of a heap."""

    # low, width: where the first begins, and how wide each is
    low: float
    width: float
    number: int  # how many there are
    # whole, lawful: whether all values are whole numbers, and whether their distribution is known exactly
    whole: bool
    lawful: bool

    @classmethod
    def of(cls, values: np.ndarray, law: Law | None = None, step: float = 0.0) -> "Bins":
        """Return bins for values, of shape (n,) or (iterations, n), and for what is likely.

        Values on a lattice have bins of whole steps, so that as many values are possible in each but the last; `step`
        is the lattice's, if it is known. Other values by iterations spread most in the first few, which count less.
        """
        likely = [value for value, share in zip(law.values, law.shares, strict=True) if share > LIKELY] if law else []
        every = np.concatenate([values[np.isfinite(values)], likely])
        whole = bool((every % 1 == 0).all())
        step = step or _lattice(every) or (1.0 if whole else _step(law))
        if values.ndim > 1 and not step:
            late = values[len(values) // EARLY :]
            every = np.concatenate([late[np.isfinite(late)], likely])
        low, high = float(every.min()), float(every.max())
        width = step * max(1.0, np.ceil(((high - low) / step + 1) / MOST_BINS)) if step else (high - low) / MOST_BINS
        width = float(width) or 1.0
        start = low - (step or width) / 2
        return cls(start, width, int(np.floor((high - start) / width)) + 1, whole, bool(likely))

    @property
    def middles(self) -> np.ndarray:
        """The middle of each bin."""
        return self.low + self.width * (np.arange(self.number) + 0.5)

    @property
    def span(self) -> tuple[float, float]:
        """The end of the axis."""
        return self.low, self.low + self.width * self.number

    def bin_of(self, values: np.ndarray) -> np.ndarray:
        """Return the bin of each value; -1 where there is none, or outside."""
        found = np.full(len(values), -1)
        there = np.isfinite(values)
        found[there] = np.floor((values[there] - self.low) / self.width)
        return np.where((found >= 0) & (found < self.number), found, -1)

    def piled(self, values: np.ndarray) -> np.ndarray:
        """Return where each run's dot is, the middle of its bin and its place from below: shape (2, runs)."""
        found, order = self.bin_of(values), np.argsort(self.bin_of(values), kind="stable")
        place = np.empty(len(values))
        place[order] = np.arange(len(values)) - np.searchsorted(found[order], found[order])
        there = found >= 0
        return np.array([np.where(there, self.middles[found], np.nan), np.where(there, place + 0.5, np.nan)])

    def counts(self, values: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Return how many values lie in each bin, each with its weight."""
        found = self.bin_of(values)
        return np.bincount(found[found >= 0], times[found >= 0], self.number)

    def highest(self, values: np.ndarray) -> int:
        """Return the height of the highest pile of all iterations."""
        return max((int(np.bincount(self.bin_of(now) + 1)[1:].max(initial=0)) for now in values), default=0)

    def shares(self, law: Law | None) -> np.ndarray:
        """Return the probability of each bin; NaN where it is not known."""
        if law is None or not law.values:
            return np.full(self.number, np.nan)
        return self.counts(np.array(law.values), np.array(law.shares))


def _step(law: Law | None) -> float:
    """Return the distance between the values of a distribution, if it is the same between all; else 0."""
    apart = np.diff(law.values) if law and len(law.values) > 1 else np.array([0.0])
    return float(apart.mean()) if np.allclose(apart, apart[0], rtol=1e-3) else 0.0


def _lattice(values: np.ndarray) -> float:
    """Return the distance of which all distances between values are multiples, as of shares of 20; else 0.

    Two values alone say nothing of it.
    """
    places = np.unique(values)
    if len(places) < LEAST_PLACES:
        return 0.0
    apart = np.diff(places) / (places[-1] - places[0])
    step = apart[apart > SAME].min()
    times = np.cumsum(apart) / step
    return float(step * (places[-1] - places[0])) if np.allclose(times, times.round(), rtol=0, atol=OFF) else 0.0
