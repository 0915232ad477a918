"""The player: charts are described once, frames are fetched ahead and played by the browser on views that stay alive.

It knows charts and frames, never a topic. What it needs to know is a `Film`; a page mounts it with `play`.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.player.events import Event, heard
from pages.player.turns import NotYet, session
from pages.player.wire import pack
from pages.server.modules import VEGA, loader

KEY = "player"  # of the component; its reports are read under it


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
        Data sets with so many rows an item, in the order of the items.
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
        Whether it is as large as the main picture, and stands beside it.
    share : float, optional
        Of the strip's height, beside 1 for each other chart.
    tall : float, optional
        Of a main picture's usual height: less for a list that is short, where no more than one chart stands beside it.
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

    def as_dict(self) -> dict[str, Any]:
        """Return the fields that the browser reads; the parameters come with each message."""
        legend = [dict(zip(("mark", "text", "when"), key, strict=False)) for key in self.legend]
        found = {name: value for name, value in vars(self).items() if name != "params"}
        return found | {"legend": legend, "listed": asdict(self.listed) if self.listed else None}


@dataclass(frozen=True)
class Dial:
    """A number that learners turn beside the charts, which follow while it is dragged; or words to choose from.

    Attributes
    ----------
    name : str
        What is reported when it is turned.
    title, help : str
        What learners read, and what they read when they wonder.
    low, high, step, value : float
        Its limits, its steps, and where it stands.
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
    data: Mapping[str, Mapping[str, Sequence[Any]]]
    frames: Callable[[int, int], Mapping[tuple[str, str], np.ndarray]]
    total: int
    label: str
    strides: Sequence[tuple[str, int]] = (("1", 1),)
    before: bool = False
    after: bool = False
    still: Callable[[int], Mapping[str, Mapping[str, Sequence[Any]]]] | None = None
    grow: Callable[[int], int] | None = None
    params: Mapping[str, float | tuple[float, float]] = field(default_factory=dict)
    stilled_by: str = ""
    trails: Sequence[Trail] = ()
    ahead: Sequence[str] = ()
    lasts: float = 0.5

    @property
    def chain(self) -> str:
        """The key in a few characters, which the browser sends back with all that it reports."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:16]

    def described(self) -> dict[str, Any]:
        """Return what does not change while it plays, as JSON can hold it."""
        charts = [chart.as_dict() for chart in self.charts]
        return {
            "chain": self.chain,
            "charts": charts,
            "data": self.data,
            "strides": self.strides,
            "params": self.params,
            "trails": [asdict(trail) for trail in self.trails],
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


@dataclass
class Reel:
    """The iteration to which Python last sent the browser, and the report that was heard last.

    A lost report is no harm: the browser tells all of them again until a message says which one was heard last.
    """

    go: dict[str, Any] | None = None
    heard: int = 0

    def news(self, reports: Sequence[Mapping[str, Any]], chain: str) -> Iterator[Event]:
        """Yield those of the browser's reports that have not been heard yet and are not of another film."""
        for report in reports:
            if report["number"] > self.heard:
                self.heard = report["number"]
                event = heard(report, chain)
                if event:
                    yield event

    def go_to(self, t: int, *, walk: bool = False) -> None:
        """Send the learner to an iteration, at once or step by step."""
        self.go = {"token": uuid.uuid4().hex, "t": t, "walk": walk}


def message(
    film: Film,
    reel: Reel,
    *,
    at: int,
    source: str,
    link: str,
    covered: bool = False,
    until: int | None = None,
    lock: Sequence[str] = (),
    charts: Sequence[str] = (),
    hide: Sequence[str] = (),
    quiet: bool = False,
    dials: Sequence[Dial] = (),
    levels: Sequence[str] = (),
    opens: Sequence[str] = (),
    follows: bool = False,
    ask: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the browser's next message: which film, where it opens, and what the learner can do there.

    Parameters
    ----------
    film : Film
        What to show.
    reel : Reel
        What the browser is told and has been heard to say.
    at : int
        The iteration at which a new film opens.
    source : str
        Topic, settings and seed, from which the routes make the same film: ``"coin?method=draws&seed=7"``.
    link : str
        The query string that reproduces this page, without the iteration.
    covered : bool
        Whether the learner came here by a cover, to which Back leads.
    until : int, optional
        Where Play and Last stop on their way to the end.
    lock : sequence of str
        What the learner can't do yet: ``play``, ``step``, ``back``, ``scrub``; ``controls`` are dials and hands.
    charts : sequence of str
        Names of the charts that are wanted, the main picture first; all of the film's if there are none.
    hide : sequence of str
        Names of charts that the learner can't see yet; the others have their room.
    quiet : bool
        Whether captions are hidden.
    dials : sequence of Dial
        What the learner can turn.
    levels : sequence of str
        What Step can go by, from far to near: strides of this film, and of others that show the same run. If left out,
        this film's alone.
    opens : sequence of str
        Kinds of marks that a click opens: the word before the dash in their names.
    follows : bool
        Whether places that learners move are told while they are dragged, and not only when they are let go.
    ask : mapping, optional
        The guess that a question asks for on a chart; see `pages.shell.guess.asked`.
    """
    return {
        "chain": film.chain,
        "source": source,
        "total": film.total,
        "label": film.label,
        "before": film.before,
        "after": film.after,
        "at": at,
        "link": link,
        "covered": covered,
        "until": until,
        "lock": list(lock),
        "wanted": list(charts),
        "hide": list(hide),
        "quiet": quiet,
        "go": reel.go,
        "params": {name: value for chart in film.charts for name, value in chart.params.items()} | {**film.params},
        "still": f"{film.chain} {film.stilled_by}" if film.still else None,
        "dials": [asdict(dial) for dial in dials],
        "levels": list(levels),
        "opens": list(opens),
        "follows": follows,
        "ask": ask,
        "heard": reel.heard,
        "session": session(),
    }


def poster(source: str, charts: Sequence[str], frames: int, pace: float, page: str) -> None:
    """Mount a player without a bar, which plays a film by itself, again and again; if motion is unwelcome, its end.

    Parameters
    ----------
    source : str
        See `message`; the browser fetches everything by it, and no film is made here.
    charts : sequence of str
        Those that are shown.
    frames : int
        How many are played.
    pace : float
        Of them in a second.
    page : str
        Whose cover it is, "" for the course map.
    """
    nothing: dict[str, Any] = dict.fromkeys(("until", "go", "still"))
    nothing |= {name: [] for name in ("lock", "hide", "dials", "levels", "opens")}
    data = {"chain": source, "source": source, "wanted": list(charts), "total": frames, "poster": pace, "page": page}
    data |= {"label": "", "link": "", "at": 0, "heard": 0, "params": {}, "session": session()}
    data |= dict.fromkeys(("before", "after", "quiet", "follows", "covered"), False)
    _player(key="poster", data=[nothing | data])


# All of ours are sent a list: a dictionary Streamlit searches for data frames, and loads pandas to do so.
_player = st.components.v2.component("samplescope_player", js=loader("player/player.js", VEGA))


def draw_again(parts: str | Sequence[str]) -> None:
    """Have parts of the page drawn again, or ``"app"``, after what a learner did with one of them.

    If the whole page is about to be drawn, it has what they did as well: they had clicked on something else by then, or
    gone to another page, and drawing parts would take its place.
    """
    run = get_script_run_ctx()
    if run is not None and run.fragment_ids_this_run:
        with suppress(StreamlitAPIException):  # they are gone with the page that had them
            st.rerun(parts)


def play(data: Mapping[str, Any], film: Film, reel: Reel, hear: Callable[[Event], Sequence[str]]) -> None:
    """Mount the player with a message.

    Parameters
    ----------
    data : mapping
        See `message`.
    film : Film
        Reports of another one are dropped.
    reel : Reel
        Brought up to date.
    hear : callable
        Takes in what the learner did, and returns the names of the fragments that run again, or ``("app",)``.
    """

    def told() -> None:
        here = st.session_state.get(KEY)
        if here is None:  # the learner is on the way to another page
            return
        again = {part for event in reel.news(here.told, film.chain) for part in hear(event)}
        if again - {"stage"}:  # where the player is: that one runs anyway
            draw_again("app" if "app" in again else sorted(again))

    _player(key=KEY, data=[data], on_told_change=told)
