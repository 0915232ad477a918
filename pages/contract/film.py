"""A run as the player shows it: charts, each described once, and columns of numbers that change."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypedDict

import numpy as np

from pages.contract.charts import Chart, DrawnChart, Trail, plain
from pages.contract.columns import PAST, SAY, Column, Columns, Name, UndeclaredError, declared
from pages.contract.waiting import NotYet
from pages.contract.wire import pack
from pages.drawing.reads import reads

ALWAYS = ("i",)  # the number of a row, which the player adds
KNOWN = {(PAST, "t"), (SAY, "t"), (SAY, "total")}  # in every film

Sets = Mapping[str, Mapping[str, Sequence[Any]]]  # data sets by name; each field has one value per row
Params = Mapping[str, float | tuple[float, float]]


class Described(TypedDict):
    """The parts of a film that stay the same while it plays, as the browser reads them; see `Film`."""

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
        Names the chain. The same key always has the same frames; with a new key the browser starts again.
    charts : sequence of Chart
        In reading order: the first in view is the main picture, and the others form a strip beside it.
    data : mapping of str to mapping of str to sequence or Column
        The data sets, {data set: {field: one value per row}}; a field that changes with the frame is a `Column`
        instead. Two sets hold columns only: ``"say"`` fills captions, and ``"past"`` gains a row per frame, with its
        ``t``. Charts and captions can read only fields that are declared here.
    total : int
        The last iteration.
    label : str
        The name of an iteration, with ``{t}``, ``{total}`` and fields of ``"say"``: ``"customer {t} of {total}"``.
    columns : mapping or callable, optional
        The values of the columns that `data` declares without them: {(data set, field): array} of all frames, or
        ``columns(start, stop)``, which returns those of the frames from `start` up to and without `stop`. An array has
        shape (frames, rows); an array of shape (frames,), or a single number, holds for all rows.
    strides : sequence of (str, int)
        The numbers of frames that *Step* can go by, each after its name; a film opens with the first.
    before, after : bool
        Whether the run goes on before the first frame or after the last one, in another film: another chapter.
    still : callable, optional
        The data that is drawn only at rest: ``still(t)`` returns data sets like `data` with a field ``t`` in every row;
        it may raise `NotYet`.
    grow : callable, optional
        For frames that take time to compute: ``grow(t)`` makes missing frames up to iteration t, stops after a short
        time, and returns the last frame that exists. The browser asks again for the rest, and learners can stop it.
    params : mapping of str to float or (float, float), optional
        Parameters of the charts' specifications, with their current values: ends of axes, or places that learners move.
    stilled_by : str, optional
        What the drawing at rest depends on besides the iteration: when it changes, the player asks for `still` again.
    trails : sequence of Trail
        Columns that show the last frames of other columns.
    ahead : sequence of str
        Data sets that, during a movement, already belong to the frame that it ends at.
    lasts : float
        The seconds that a step takes.

    Raises
    ------
    UndeclaredError
        If a chart, a caption, a legend or a trail reads an undeclared name; the message suggests the nearest.
    """

    key: str
    charts: Sequence[Chart]
    data: Mapping[str, Mapping[str, Any]]
    total: int
    label: str
    columns: Columns | Callable[[int, int], Columns] = field(default_factory=dict)
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
        """Check that every name that is read is declared."""
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
        """The declared columns, by data set and field."""
        return declared(self.data)

    @cached_property
    def staying(self) -> dict[str, dict[str, Sequence[Any]]]:
        """The data sets as the browser has them before any frame: the constant fields, and room for the others."""
        return {
            name: {
                field: [None] * self.declared[name, field].rows if isinstance(values, Column) else values
                for field, values in fields.items()
            }
            for name, fields in self.data.items()
            if name not in (SAY, PAST)
        }

    def frames(self, start: int, stop: int) -> dict[Name, np.ndarray]:
        """Return the frames from `start` up to and without `stop`, which must exist, each column as it is sent.

        Raises
        ------
        UndeclaredError
            If the columns made are not the columns declared.
        """
        columns, make = self.declared, self.columns
        whole = {name: column.values for name, column in columns.items() if column.values is not None}
        whole |= {} if callable(make) else make
        found = make(start, stop) if callable(make) else {}
        found = found | {name: np.asarray(of)[start:stop] if np.ndim(of) else of for name, of in whole.items()}
        for name in found.keys() - columns.keys():
            raise UndeclaredError.of("frames have the column", name, columns)
        if len(found) < len(columns):
            raise UndeclaredError(f"frames lack {', '.join('.'.join(name) for name in columns if name not in found)}")
        return {name: columns[name].sent(values, stop - start) for name, values in found.items()}

    @property
    def chain(self) -> str:
        """A short digest of the key, which the browser sends back with every report."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:16]

    def described(self) -> Described:
        """Return the parts that stay the same while the film plays, as values for JSON."""
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
        """Make missing frames up to t, for one slice of time, and return the last one that exists, t at most."""
        t = min(t, self.total)
        return min(self.grow(t), t) if self.grow else t

    def reach(self, t: int) -> None:
        """Make the frames up to t; raise `NotYet` if that takes longer than a slice of time."""
        made = self.made(t)
        if made < t:
            raise NotYet(f"Computing: {made:,} of {t:,}", made / t, lambda: self.reach(t), made)

    def packed(self, start: int, stop: int) -> bytes:
        """Return frames in the browser's format; all of them must exist."""
        return pack({"chain": self.chain, "start": start, "count": stop - start}, self.frames(start, stop))
