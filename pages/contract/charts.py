"""Charts as topics describe them, the places that learners drag on them, and the dials beside them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NotRequired, TypedDict, TypeVar, cast

T = TypeVar("T")
MARKS = {  # of a legend, each with its colour and how it is drawn; see `Chart`
    "accent": "accent solid",
    "ink": "ink solid",
    **{kind: f"ink {kind}" for kind in ("dashed", "dotted", "ring", "sign")},
    **{kind: f"accent {kind}" for kind in ("dot", "disc", "triangle", "block")},
}
KINDS = {"solid", "dashed", "dotted", "thick", "ring", "dot", "block", "ramp"}  # of a mark with a colour of its own
TOLD = "told"  # the player's parameter; see `Chart.spec`


def plain(one: T) -> T:
    """Return a dataclass as a dict for JSON, under its own type, from which the browser's type is generated."""
    return cast("T", asdict(one))  # type: ignore[call-overload]


@dataclass(frozen=True)
class Listed:
    """A list of items that a chart scrolls through, some at a time.

    The chart's parameter ``scrolled`` is the number of the first item in view. The chart keeps one item in view: the
    film's parameter ``current``, or the frames' column ``("say", "current")``, names it; below 0 there is none.
    """

    # items, shown: the number of items, and how many the chart shows at a time
    items: int
    shown: int
    # data sets, each with its number of rows per item; their rows are in the order of the items
    sets: Mapping[str, int]


@dataclass(frozen=True)
class Trail:
    """A column that the browser makes from the last frames of another: row by row, the oldest frame first."""

    # set, field: the data set and the field of the new column
    set: str
    field: str
    of: tuple[str, str]  # the column that it copies, of type uint8
    # many, empty: the number of frames, and the value for frames before the first
    many: int
    empty: int


class Key(TypedDict):
    """A part of a legend, as the browser reads it; see `Chart`."""

    mark: str
    text: str
    when: NotRequired[str]


class DrawnChart(TypedDict):
    """A chart as the browser reads it; see `Chart`."""

    name: str
    title: str
    caption: str
    alt: str
    spec: Mapping[str, Any]
    legend: list[Key]
    aspect: str
    beside: bool
    share: float
    tall: float
    hand: str
    lines: bool
    rows: float
    listed: Listed | None


@dataclass(frozen=True)
class Chart:
    """One picture of a film.

    Parameters
    ----------
    name : str
        The name that lessons use.
    title : str
        A few words.
    caption : str
        One sentence that describes what the chart shows now. ``{name}`` is filled from the frames' column
        ``("say", name)``; ``{name:no words|a word|words}`` picks the word at that number, counted from 0, and the last
        word for every larger number.
    alt : str
        A description of the chart for people who cannot see it.
    spec : dict
        A Vega-Lite specification with named data sets. A horizontal axis of the field ``t`` counts iterations, and a
        press on it goes there. The player sets these parameters where the specification has them: ``frame``, the
        iteration, with a fraction while something moves; ``ink``, ``soft``, ``paper`` and ``accent``, the theme's
        colours; ``told``, false while a question withholds captions, for whatever else would give the answer away;
        ``lit``, the name of the mark that the learner points at in any chart, on the cards or in a lesson. The field
        ``mark`` of a row names its mark.
    legend : sequence of (str, str) or (str, str, str)
        Pairs of a mark and its meaning. A mark is one of `MARKS`, a colour with one of `KINDS`, such as
        ``#2E8B57 dashed`` or ``ink dot``, or two colours that fade into the paper between them, such as
        ``#D1495B ramp #3B6FB6``. It looks as what the chart draws; a ``thick`` line is faint, as is a ``disc``, and
        a ``sign`` begins the words. A mark that is not always drawn has a third part: the name of a column
        ``("say", name)`` that is 0 in frames without the mark, ``told`` for a mark that a question withholds with
        the captions, or a parameter that the specification reckons from its size, for a mark that needs room.
    aspect : str, optional
        Width to height, such as ``"4 / 3"``, where a circle must stay a circle.
    beside : bool, optional
        Whether the chart is beside the main picture, and as large.
    share : float, optional
        Its share of the strip's height; every other chart has 1.
    tall : float, optional
        Its height as a share of a main picture's usual height: below 1 for a short list with at most one chart beside
        it.
    hand : str, optional
        One of the film's parameters: a place (x, y) that learners move by pressing and dragging on this chart. A mark
        can have a field ``row`` in its data, which says which mark was pressed. Several names are separated by spaces:
        a press moves the one that the mark names in its field ``hand``, or the nearest; else the first.
    params : mapping, optional
        Some of the film's parameters, as `Film` has them: all those by which the charts of two seeds differ, so that
        the browser need not rebuild the others.
    lines : bool, optional
        Whether it has lines of text or of small pictures, for which a phone has room only if no chart is below it.
    rows : float, optional
        The number of its rows of text, if they are to keep apart where there is little room.
    listed : Listed, optional
        The list that the chart scrolls through.
    """

    name: str
    title: str
    caption: str
    alt: str
    spec: Mapping[str, Any]
    legend: Sequence[tuple[str, str] | tuple[str, str, str]] = ()
    aspect: str = ""
    beside: bool = False
    share: float = 1
    tall: float = 1
    hand: str = ""
    params: Mapping[str, float | tuple[float, float]] = field(default_factory=dict)
    lines: bool = False
    rows: float = 0
    listed: Listed | None = None

    @property
    def said(self) -> set[str]:
        """The fields of the frames' set ``"say"`` that the caption and the legend read."""
        when = {key[2] for key in self.legend if len(key) == 3} - {TOLD}
        return {*re.findall(r"\{(\w+)", self.caption), *when} - self.reckoned

    @property
    def reckoned(self) -> set[str]:
        """The parameters that the specification reckons itself."""
        return {param["name"] for param in self.spec.get("params", ()) if "expr" in param}

    def as_dict(self) -> DrawnChart:
        """Return the fields that the browser reads; the parameters come with each message."""
        return {
            "name": self.name,
            "title": self.title,
            "caption": self.caption,
            "alt": self.alt,
            "spec": self.spec,
            "legend": [_as_key(*key) for key in self.legend],
            "aspect": self.aspect,
            "beside": self.beside,
            "share": self.share,
            "tall": self.tall,
            "hand": self.hand,
            "lines": self.lines or self.listed is not None,
            "rows": self.rows,
            "listed": plain(self.listed) if self.listed else None,
        }


def _as_key(mark: str, text: str, when: str = "") -> Key:
    if mark not in MARKS and not {*mark.split()[1:2]} & KINDS:
        raise ValueError(f"a legend has no mark {mark!r}")
    return {"mark": mark, "text": text, "when": when} if when else {"mark": mark, "text": text}


@dataclass(frozen=True)
class Dial:
    """A number that learners turn beside the charts, which follow while they drag; or a choice of words."""

    name: str  # the name in the player's report of a turn
    # title, help: the label, and the help behind the question mark
    title: str
    help: str
    # low, high, step, value: the limits, the step, and the value
    low: float
    high: float
    step: float
    value: float
    options: tuple[str, ...] = ()  # the words to choose from, whose numbers from 0 are the values; empty for a number
