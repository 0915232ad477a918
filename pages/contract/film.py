"""A run as the player shows it: charts that are described once, and the columns of numbers that change."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypedDict

import numpy as np

from pages.contract.charts import Chart, DrawnChart, Trail, plain
from pages.contract.columns import (
    PAST,
    SAY,
    Column,
    Columns,
    Name,
    UndeclaredError,
    declared,
    frames_of,
    staying,
)
from pages.contract.waiting import NotYet
from pages.contract.wire import pack
from pages.drawing.reads import reads

ALWAYS = ("i",)  # the number of a row, which the player adds
KNOWN = {(PAST, "t"), (SAY, "t"), (SAY, "total")}  # of any film

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
        In reading order: the first that is shown is the main picture, the others form a strip beside it.
    data : mapping of str to mapping of str to sequence or Column
        The data sets, {data set: {field: one value a row}}; a field that changes with the frame is a `Column` instead.
        Two sets have columns alone: ``"say"`` fills captions, and ``"past"`` adds a row a frame, with its ``t``. What
        charts and captions read is declared here, or the film is rejected.
    columns : mapping or callable
        The values of the columns that are declared: {(data set, field): array} of all frames, or ``columns(start,
        stop)``, which returns those of frames from `start` and below `stop`. An array has the shape (frames, rows);
        one of shape (frames,), or a single number, is that of all rows.
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

    Raises
    ------
    UndeclaredError
        If a chart, a caption, a legend or a trail reads what is not declared; it says which name is the nearest.
    """

    key: str
    charts: Sequence[Chart]
    data: Mapping[str, Mapping[str, Any]]
    columns: Columns | Callable[[int, int], Columns]
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

    def __post_init__(self) -> None:
        """Hold what is read against what is declared."""
        known = {(name, field) for name, fields in self.data.items() for field in (*fields, *ALWAYS)} | KNOWN
        asked = [("the label", (SAY, name)) for name in re.findall(r"\{(\w+)", self.label)]
        for chart in self.charts:
            found = getattr(chart.spec, "reads", None) or reads(chart.spec)
            asked += [(f"the chart {chart.name}", name) for name in (*found, *((SAY, name) for name in chart.said))]
            asked += [(f"the list {chart.name}", (name, "i")) for name in (chart.listed.sets if chart.listed else ())]
        for trail in self.trails:
            asked += [("a trail", trail.of), ("a trail", (trail.set, trail.field))]
        for who, name in asked:
            if name not in known:
                raise UndeclaredError.of(f"{who} reads", name, known)

    @cached_property
    def declared(self) -> dict[Name, Column]:
        """The columns, by data set and field."""
        return declared(self.data)

    @cached_property
    def staying(self) -> dict[str, dict[str, Sequence[Any]]]:
        """The data sets as the browser has them before there are frames."""
        return staying(self.data, self.declared)

    def frames(self, start: int, stop: int) -> dict[Name, np.ndarray]:
        """Return what frames from `start` and below `stop` have, all of which are made: as it is sent."""
        return frames_of(self.declared, self.columns, start, stop)

    @property
    def chain(self) -> str:
        """The key in a few characters, which the browser sends back with all that it reports."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:16]

    def described(self) -> Described:
        """Return what does not change while it plays, as JSON can hold it."""
        return {
            "chain": self.chain,
            "charts": [chart.as_dict() for chart in self.charts],
            "data": self.staying,
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
