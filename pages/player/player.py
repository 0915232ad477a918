"""The player: it gets charts once, fetches frames ahead, and plays them in the browser without rebuilding a chart.

It knows charts and frames, but no topic. A page mounts it with `play` for a `Film`.
"""

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, NotRequired, TypedDict

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lessons.flow import AskedGuess, Screen
from pages.contract.charts import Dial, plain
from pages.contract.events import Event, heard
from pages.contract.film import Film, Params
from pages.player.modules import VEGA, loader
from pages.player.turns import session

KEY = "player"  # the component's key, under which its reports are read


class Go(TypedDict):
    """A move of the player by Python, at once or step by step; each token is followed once."""

    token: str
    t: int
    walk: bool


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
    address: str
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


class Offers(NamedTuple):
    """The ways to act on the charts of a film, besides playing it."""

    dials: Sequence[Dial] = ()  # beside the charts
    # what *Step* can go by, from coarse to fine: strides of this film, and of others that show the same run; if there
    # are none, only those of this film
    levels: Sequence[str] = ()
    opens: Sequence[str] = ()  # the kinds of marks that a press opens: the word before the dash in their names
    follows: bool = False  # whether a place is reported while a learner drags it, and not only at the end of the drag


NOTHING = Offers()


@dataclass
class Reel:
    """The iteration to which Python last sent the browser, and the last report that arrived.

    A lost report does no harm: the browser repeats its reports until a message confirms the last one.
    """

    go: Go | None = None
    heard: int = 0

    def news(self, reports: Sequence[Mapping[str, Any]], chain: str) -> Iterator[Event]:
        """Yield the browser's new reports as events, without those about another film."""
        for report in reports:
            if report["number"] > self.heard:
                self.heard = report["number"]
                event = heard(report, chain)
                if event:
                    yield event

    def go_to(self, t: int, *, walk: bool = False) -> None:
        """Send the player to an iteration, at once or step by step."""
        self.go = {"token": uuid.uuid4().hex, "t": t, "walk": walk}


def message(
    film: Film,
    reel: Reel,
    seen: Screen,
    *,
    at: int,
    source: str,
    link: str,
    address: str,
    covered: bool = False,
    offers: Offers = NOTHING,
) -> Message:
    """Return the browser's next message: which film, where it opens, and what the learner can do there.

    Parameters
    ----------
    film : Film
        The film to show.
    reel : Reel
        The last move that was sent to the browser, and the last report that arrived.
    seen : Screen
        What the learner sees and can do.
    at : int
        The iteration at which a new film opens.
    source : str
        Topic, settings and seed, from which the routes make the same film: ``"draws?seed=7"``.
    link, address : str
        The query string that names all of this place but the iteration, and the short one for the address bar.
    covered : bool
        Whether the learner came from the topic's cover, to which the browser's Back leads.
    offers : Offers
        What else there is to do on the charts.
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
        "address": address,
        "covered": covered,
        "until": seen.until,
        "lock": list(seen.lock),
        "wanted": list(seen.charts),
        "hide": list(seen.hidden),
        "quiet": not seen.captions,
        "go": reel.go,
        "params": {name: value for chart in film.charts for name, value in chart.params.items()} | {**film.params},
        "still": f"{film.chain} {film.stilled_by}" if film.still else None,
        "dials": [plain(dial) for dial in offers.dials],
        "levels": list(offers.levels),
        "opens": list(offers.opens),
        "follows": offers.follows,
        "ask": seen.guess,
        "heard": reel.heard,
        "session": session(),
    }


def poster(source: str, charts: Sequence[str], frames: int, pace: float, page: str) -> None:
    """Mount a player without a bar that plays a film again and again, or shows its end if motion is unwelcome.

    Parameters
    ----------
    source : str
        See `message`; the browser fetches the film with it, and none is made here.
    charts : sequence of str
        The charts to show.
    frames : int
        The number of frames to play.
    pace : float
        Frames per second.
    page : str
        The topic whose cover this is; "" for the course map.
    """
    none = Film(source, charts=(), data={}, total=frames, label="")
    told = message(none, Reel(), Screen(charts=tuple(charts)), at=0, source=source, link="", address="")
    data: Message = {**told, "chain": source, "poster": pace, "page": page}
    _player(key="poster", data=[data])


# Our components get a list: Streamlit would search a dictionary for data frames, and load pandas to do so.
_player = st.components.v2.component("samplescope_player", js=loader("player/player.js", VEGA))


def draw_again(parts: str | Sequence[str]) -> None:
    """Draw parts of the page again, or all of it (``"app"``), after a learner did something with one of them.

    If the whole page is about to be drawn, this does nothing: that run includes the change, and a run of parts would
    replace it. It happens when a learner presses something else at once, or goes to another page.
    """
    run = get_script_run_ctx()
    if run is not None and run.fragment_ids_this_run:
        with suppress(StreamlitAPIException):  # the parts are gone with their page
            st.rerun(parts)


def play(data: Message, chain: str, reel: Reel, hear: Callable[[Event], Sequence[str]]) -> None:
    """Mount the player with a message.

    Parameters
    ----------
    data : mapping
        See `message`.
    chain : str
        The film's `chain`; reports about another film are dropped.
    reel : Reel
        Updated with the reports.
    hear : callable
        Handles an event, and returns the names of the fragments that must run again, or ``("app",)``.
    """

    def told() -> None:
        here = st.session_state.get(KEY)
        if here is None:  # the learner is on the way to another page
            return
        again = {part for event in reel.news(here.told, chain) for part in hear(event)}
        if again - {"stage"}:  # the player's own fragment runs anyway
            draw_again("app" if "app" in again else sorted(again))

    _player(key=KEY, data=[data], on_told_change=told)
