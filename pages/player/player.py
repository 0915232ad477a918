"""The player: charts are described once, frames are fetched ahead and played by the browser on views that stay alive.

It knows charts and frames, never a topic. What it needs to know is a `Film`; a page mounts it with `play`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lessons.reader.questions.kind import Drawn
from pages.contract.charts import Dial, plain
from pages.contract.events import Event, heard
from pages.contract.film import Film, Params
from pages.player.modules import VEGA, loader
from pages.player.turns import session

KEY = "player"  # of the component; its reports are read under it


class Go(TypedDict):
    """Where Python moves the player, once a token: at once, or step by step."""

    token: str
    t: int
    walk: bool


class AskedGuess(Drawn):
    """A guess that is asked for on a chart; see `pages.shell.guess.asked`."""

    chart: str
    guess: str | None
    outcome: str | None
    reveal: int
    hand: bool
    veil: bool


class Message(TypedDict):
    """The message to the browser: which film, where it opens, and what the learner can do there; see `message`."""

    chain: str
    source: str
    total: int
    label: str
    before: bool
    after: bool
    at: int
    link: str
    covered: bool
    until: int | None
    lock: list[str]
    wanted: list[str]
    hide: list[str]
    quiet: bool
    go: Go | None
    params: Params
    still: str | None
    dials: list[Dial]
    levels: list[str]
    opens: list[str]
    follows: bool
    ask: AskedGuess | None
    heard: int
    session: str
    poster: NotRequired[float]
    page: NotRequired[str]


@dataclass
class Reel:
    """The iteration to which Python last sent the browser, and the report that was heard last.

    A lost report is no harm: the browser sends all of them again until a message says which one was heard last.
    """

    go: Go | None = None
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
    ask: AskedGuess | None = None,
) -> Message:
    """Return the browser's next message: which film, where it opens, and what the learner can do there.

    Parameters
    ----------
    film : Film
        What to show.
    reel : Reel
        What was last sent to the browser, and last acknowledged by it.
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
        Whether places that learners move are reported while they are dragged, and not only when they are let go.
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
        "dials": [plain(dial) for dial in dials],
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
    data: Message = {
        "chain": source,
        "source": source,
        "total": frames,
        "label": "",
        "before": False,
        "after": False,
        "at": 0,
        "link": "",
        "covered": False,
        "until": None,
        "lock": [],
        "wanted": list(charts),
        "hide": [],
        "quiet": False,
        "go": None,
        "params": {},
        "still": None,
        "dials": [],
        "levels": [],
        "opens": [],
        "follows": False,
        "ask": None,
        "heard": 0,
        "session": session(),
        "poster": pace,
        "page": page,
    }
    _player(key="poster", data=[data])


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


def play(data: Message, chain: str, reel: Reel, hear: Callable[[Event], Sequence[str]]) -> None:
    """Mount the player with a message.

    Parameters
    ----------
    data : mapping
        See `message`.
    chain : str
        The film's; reports of another one are dropped.
    reel : Reel
        Brought up to date.
    hear : callable
        Takes in what the learner did, and returns the names of the fragments that run again, or ``("app",)``.
    """

    def told() -> None:
        here = st.session_state.get(KEY)
        if here is None:  # the learner is on the way to another page
            return
        again = {part for event in reel.news(here.told, chain) for part in hear(event)}
        if again - {"stage"}:  # where the player is: that one runs anyway
            draw_again("app" if "app" in again else sorted(again))

    _player(key=KEY, data=[data], on_told_change=told)
