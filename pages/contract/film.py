"""A run as the player shows it: charts that are described once, and the columns of numbers that change."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

import numpy as np

from pages.contract.charts import Chart, DrawnChart, Trail, plain
from pages.contract.waiting import NotYet
from pages.contract.wire import pack

Sets = Mapping[str, Mapping[str, Sequence[Any]]]  # data sets by name, each with one value a row of every field
Params = Mapping[str, float | tuple[float, float]]


class Described(TypedDict):
    """What does not change while a film plays, as the browser reads it; see `Film`."""

    chain: str
    charts: list[DrawnChart]
    data: Sets
    strides: Sequence[tuple[str, int]]
    params: Params
    trails: list[Trail]
    ahead: list[str]
    lasts: float


@dataclass(frozen=True)
class Film:
    """A run as the player shows it.

    Parameters
    ----------
    key : str
        Which chain this is, for the same key always the same frames: with a new key the browser starts over.
    charts : sequence of Chart
        In reading order: the first that is shown is the main picture, the others stand in a strip beside it.
    data : mapping of str to mapping of str to sequence
        Data sets that do not change: {data set: {field: one value a row}}.
    frames : callable
        ``frames(start, stop)`` returns {(data set, field): array of shape (stop - start, rows)}, what changes.
        Two sets are special: ``"say"`` fills captions, and ``"past"`` adds a row a frame, with its ``t``.
    total : int
        The last iteration.
    label : str
        What an iteration is called, with ``{t}``, ``{total}`` and names of ``"say"``: ``"customer {t} of {total}"``.
    strides : sequence of (str, int)
        By how many frames Step can go, with a name each; the first holds when the film opens.
    before, after : bool
        Whether the run goes on before the first and after the last frame, in another film: a chapter of its own.
    still : callable, optional
        For what is drawn at rest alone: ``still(t)`` returns data sets like `data` with a field ``t`` in every row; it
        may raise `NotYet`.
    grow : callable, optional
        For frames that take time: ``grow(t)`` makes what is missing up to iteration t, stops after a moment, and
        returns up to where there are frames now. The browser asks again for the rest, and learners can stop it.
    params : mapping of str to float or (float, float), optional
        Parameters of the charts' specs, with their values now: where axes end, or places that learners move.
    stilled_by : str, optional
        What else than the iteration decides what is drawn at rest: when it changes, `still` is asked again.
    trails : sequence of Trail
        Columns that look back.
    ahead : sequence of str
        Data sets of the frame that is being moved to, while something moves.
    lasts : float
        Seconds that a step takes.
    """

    key: str
    charts: Sequence[Chart]
    data: Sets
    frames: Callable[[int, int], Mapping[tuple[str, str], np.ndarray]]
    total: int
    label: str
    strides: Sequence[tuple[str, int]] = (("1", 1),)
    before: bool = False
    after: bool = False
    still: Callable[[int], Sets] | None = None
    grow: Callable[[int], int] | None = None
    params: Params = field(default_factory=dict)
    stilled_by: str = ""
    trails: Sequence[Trail] = ()
    ahead: Sequence[str] = ()
    lasts: float = 0.5

    @property
    def chain(self) -> str:
        """The key in a few characters, which the browser sends back with all that it reports."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:16]

    def described(self) -> Described:
        """Return what does not change while it plays, as JSON can hold it."""
        return {
            "chain": self.chain,
            "charts": [chart.as_dict() for chart in self.charts],
            "data": self.data,
            "strides": self.strides,
            "params": self.params,
            "trails": [plain(trail) for trail in self.trails],
            "ahead": list(self.ahead),
            "lasts": self.lasts,
        }

    def made(self, t: int) -> int:
        """Return up to where there are frames, t at most; those that are missing are made, for a slice of time."""
        t = min(t, self.total)
        return min(self.grow(t), t) if self.grow else t

    def reach(self, t: int) -> None:
        """Have frames up to t, or raise `NotYet` after a slice of making them."""
        made = self.made(t)
        if made < t:
            raise NotYet(f"Computing: {made:,} of {t:,}", made / t, lambda: self.reach(t), made)

    def packed(self, start: int, stop: int) -> bytes:
        """Return frames as the browser reads them; all of them are made."""
        return pack({"chain": self.chain, "start": start, "count": stop - start}, self.frames(start, stop))
