"""A chart as a topic describes it, and what can be moved on it or turned beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NotRequired, TypedDict, TypeVar, cast

T = TypeVar("T")


def plain(one: T) -> T:
    """Return a dataclass as JSON can hold it; its type stays, of which the browser's is made."""
    return cast("T", asdict(one))  # type: ignore[call-overload]


@dataclass(frozen=True)
class Listed:
    """Items of which a chart shows some at a time: it scrolls through all of them.

    The chart's parameter ``scrolled`` is the first that is shown. The film's parameter ``current``, or the frames'
    column ``("say", "current")``, is the one that is kept in sight; below 0 there is none.

    Attributes
    ----------
    items, shown : int
        How many there are, and how many are shown.
    sets : mapping of str to int
        Data sets with this number of rows an item, in the order of the items.
    """

    items: int
    shown: int
    sets: Mapping[str, int]


@dataclass(frozen=True)
class Trail:
    """A column that the browser makes of another one's last frames: of each of its rows in turn, the oldest first.

    Attributes
    ----------
    set, field : str
        What is made.
    of : (str, str)
        The column of which it is made, of type uint8.
    many, empty : int
        How many frames, and what stands for those before the first.
    """

    set: str
    field: str
    of: tuple[str, str]
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
    listed: Listed | None


@dataclass(frozen=True)
class Chart:
    """One picture of a film.

    Parameters
    ----------
    name : str
        Lessons name it so.
    title : str
        A few words.
    caption : str
        One sentence that says what the chart shows now; ``{name}`` is filled from the frames' column ``("say", name)``,
        and ``{name:no words|a word|words}`` by the word of that number, or by the last one for all that is more.
    alt : str
        What the chart shows, for those who cannot see it.
    spec : dict
        Vega-Lite; its data sets are named, a horizontal axis of the field ``t`` is one of iterations, to which a click
        leads, its parameter ``frame`` (if any) is the iteration, with a fraction while
        something moves, and its parameters ``ink``, ``soft``, ``paper``, ``accent`` are the theme's colours. Its
        parameter ``told`` is false while a question withholds captions, and what says as much. Its parameter ``lit`` is
        the name of the mark that is pointed at, in any chart, on the cards or in a lesson; a row says by its field
        ``mark`` which mark it is.
    legend : sequence of (str, str) or (str, str, str)
        Pairs of a mark (``accent``, ``ink``, ``dashed``, ``dotted``, ``block``, or a colour and a kind of
        line as ``#2E8B57 dashed``, or two as ``#D1495B ramp #3B6FB6`` with the paper between) and its meaning. What is
        not always drawn has a third part: the name of a column ``("say", name)`` that is 0 where it is not.
    aspect : str, optional
        Width to height, say ``"4 / 3"``, where a circle must stay a circle.
    beside : bool, optional
        Whether it is as large as the main picture, and is beside it.
    share : float, optional
        Of the strip's height, beside 1 for each other chart.
    tall : float, optional
        Of a main picture's usual height: less for a list that is short, where no more than one chart is beside it.
    hand : str, optional
        One of the film's parameters, a place (x, y) that learners move by pressing and dragging on this chart. A mark
        that is pressed may say which it is by the field ``row`` of its data. Of several names, with spaces between,
        the one is moved that a mark names by its field ``hand``, or the nearest; else the first.
    params : mapping, optional
        Some of the film's parameters, as `Film` has them: all in which the charts of two seeds differ, so that the
        browser need not build the other ones.
    listed : Listed, optional
        What it scrolls through.
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
    listed: Listed | None = None

    @property
    def said(self) -> set[str]:
        """What of the frames' set ``"say"`` the caption and the legend read."""
        return {*re.findall(r"\{(\w+)", self.caption), *(key[2] for key in self.legend if len(key) == 3)}

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
            "listed": plain(self.listed) if self.listed else None,
        }


def _as_key(mark: str, text: str, when: str = "") -> Key:
    return {"mark": mark, "text": text, "when": when} if when else {"mark": mark, "text": text}


@dataclass(frozen=True)
class Dial:
    """A number that learners turn beside the charts, which follow while it is dragged; or words to choose from.

    Attributes
    ----------
    name : str
        What is reported when it is turned.
    title, help : str
        Its label, and the help behind its question mark.
    low, high, step, value : float
        Its limits, its steps, and its value.
    options : tuple of str
        The words, of which the value is the number, from 0; none of a number.
    """

    name: str
    title: str
    help: str
    low: float
    high: float
    step: float
    value: float
    options: tuple[str, ...] = ()
