"""A room as one process has it: who listens there, what all of them know, and what they are told next."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import count
from typing import NamedTuple, Unpack

from pydantic import BaseModel
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.classroom import told as telling
from pages.classroom.hands import MOST_RUNS, HandsRound, number_of
from pages.classroom.messages import OwnRun, State, Table, Told, Watch
from pages.classroom.room import Round, core_of
from pages.classroom.store import FORGOTTEN, Answer, Answers, Kept, Member
from pages.web.clients import address_of

BEAT, CALM = 0.05, 0.25  # seconds between two states, and until counts alone are told
WATCH = 0.2  # seconds between two reports to the instructor
HEART = 10.0  # seconds of silence after which a browser hears that the line is there

_comers = count()


class Here(NamedTuple):
    """How a learner is here: whether she follows, and whether she says that she is lost."""

    follows: bool = True
    lost: bool = False


class Listener:
    """A browser in a room. It is told the latest of each kind of news, however slow it is.

    Parameters
    ----------
    socket : WebSocket
        Its connection, accepted.
    member : str
        Its name for itself.
    leads : bool
        Whether it drives the room.
    screen : bool, optional
        Whether it is a projector window: it has no member, drives nothing, and receives no names.
    link : int, optional
        The number of the link by which it leads; 0 if by the secret of whoever opened the room.
    page : str, optional
        By which name a page of this server is open in it; "" if none is, as in a script that makes learners up.
    """

    def __init__(
        self, socket: WebSocket, member: str, *, leads: bool, screen: bool = False, link: int = 0, page: str = ""
    ) -> None:
        self.socket, self.member, self.leads, self.screen, self.link = socket, member, leads, screen, link
        self.address, self.page = address_of(socket.scope), page
        self.is_here, self.came = Here(), next(_comers)
        self.notice = ""  # what the instructor has to know of the store
        self._news: dict[str, str] = {}
        self._closed = 0
        self._there_is = asyncio.Event()

    @property
    def learns(self) -> bool:
        """Whether it is a learner's."""
        return not (self.leads or self.screen)

    def tell(self, kind: str, text: str) -> None:
        """Tell something, in place of news of the same kind that has not been sent yet."""
        self._news.pop(kind, None)
        self._news[kind] = text
        self._there_is.set()

    def send_away(self, code: int) -> None:
        """Close the connection, soon."""
        self._closed = code
        self._there_is.set()

    async def write(self) -> None:
        """Send what there is to tell. A browser that takes nothing holds up itself alone, until the server drops it."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._there_is.wait(), HEART)
                if not self._there_is.is_set():
                    self.tell("beat", as_text(beat=True))
                self._there_is.clear()
                if self._closed:
                    await self.socket.close(self._closed)
                    return
                news, self._news = self._news, {}
                for text in news.values():
                    await self.socket.send_text(text)


class Beat:
    """Does something soon, but so many seconds after the last time at least, and once however often it is asked for."""

    def __init__(self, do: Callable[[], None], least: float) -> None:
        self._do, self._least = do, least
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def soon(self, after: float = 0.0) -> None:
        """Do it, after so many seconds at the earliest."""
        loop = asyncio.get_running_loop()
        due = max(loop.time() + after, self._last + self._least)
        if self._timer and self._timer.when() <= due:
            return
        if self._timer:
            self._timer.cancel()
        self._timer = loop.call_at(due, self._now)

    def _now(self) -> None:
        self._timer, self._last = None, asyncio.get_running_loop().time()
        self._do()


class Live:
    """A room in this process.

    Parameters
    ----------
    code : str
        Under which it is found.
    kept : Kept
        As the store has it.
    trouble : callable
        Returns a sentence on what is wrong with the store; "" if nothing is.

    Attributes
    ----------
    members : dict of str to Member
        All who ever came.
    given : dict of int to dict of str to Answer
        All answers, by round and member.
    listeners : set of Listener
        Who is here now, the instructor included.
    elsewhere : dict of int to Here
        Who is here by way of other processes, by the members' indices.
    behind : bool
        Whether the store has not been told all that is here.
    due : float, optional
        When the open question is to be closed, if it has been seen to.
    lock : asyncio.Lock
        Held by who changes the state.
    """

    def __init__(self, code: str, kept: Kept, trouble: Callable[[], str]) -> None:
        self.code, self.kept, self.core, self._trouble = code, kept, core_of(kept), trouble
        self.members: dict[str, Member] = {}
        self.given: dict[int, dict[str, Answer]] = {}
        self.listeners: set[Listener] = set()
        self.elsewhere: dict[int, Here] = {}
        self.behind = False
        self.due: float | None = None
        self.lock = asyncio.Lock()
        self.left = time.monotonic()  # when the last one went
        self._said, self._hands_on = "", self.core.hands_on
        self._state, self._report = Beat(self._tell, BEAT), Beat(self._watch, WATCH)

    # ---- what comes in -----------------------------------------------------------------------------------------------

    def take(self, kept: Kept) -> None:
        """Have another state."""
        self.kept, self.core = kept, core_of(kept)

    def merge(self, members: dict[str, Member], answers: Answers) -> None:
        """Take in what the store has; an answer that came here after it was read stays."""
        gone = {member: known for member, known in self.members.items() if self.has_forgotten(member)}
        self.members = {**self.members, **members, **gone}
        for number, by_member in answers.items():
            here = self.given.setdefault(number, {})
            for member, given in by_member.items():
                if member not in here or here[member].at <= given.at:
                    here[member] = given
        self._drop_forgotten()

    def forget(self, member: str) -> None:
        """Forget somebody's answers and name."""
        self.members[member] = Member(self.members[member].index, FORGOTTEN)
        self._drop_forgotten()

    def has_forgotten(self, member: str) -> bool:
        """Return whether somebody had her answers deleted."""
        return member in self.members and self.members[member].name == FORGOTTEN

    def _drop_forgotten(self) -> None:
        for by_member in self.given.values():
            for member in filter(self.has_forgotten, list(by_member)):
                del by_member[member]

    def count(self, given: Answer) -> None:
        """Take in an answer."""
        self.given.setdefault(given.round, {})[given.member] = given

    def name(self, member: str, index: int, name: str | None) -> None:
        """Take in who came in; a name that is not given stays as it was."""
        known = self.members.get(member)
        self.members[member] = Member(index, name if name is not None else known.name if known else "")

    # ---- what goes out -----------------------------------------------------------------------------------------------

    def stir(self, after: float = 0.0) -> None:
        """Have all of them told what is so now."""
        self._state.soon(after)
        self._report.soon(after)

    def here(self) -> dict[int, Here]:
        """Return the members whose browsers listen here, by index."""
        found: dict[int, Here] = {}
        for one in self.listeners:
            if one.learns and one.member in self.members:
                index, (follows, lost) = self.members[one.member].index, one.is_here
                also = found.get(index, Here(follows=False))
                found[index] = Here(also.follows or follows, also.lost or lost)
        return found

    def has_room(self, member: str, most: int, tabs: int) -> bool:
        """Return whether there is room for a learner, or for one more connection of hers."""
        hers = self.tabs(member)
        coming = {one.member for one in self.listeners if one.learns and one.member not in self.members}
        return hers < tabs if hers else len(self.people()) + len(coming) < most

    def tabs(self, member: str) -> int:
        """Return how many connections a learner has."""
        return sum(one.member == member for one in self.listeners)

    def gives_way(self, address: str, *, page: bool) -> Listener | None:
        """Return who has to leave a full room for a newcomer: the last of those who are most from one address.

        Learners without a page go first. None if nobody has to: the newcomer's address has as many here as any.
        """
        here = [one for one in self.listeners if one.learns]
        mute = [one for one in here if not one.page]
        pool = mute if mute or not page else here
        ((most, many), *_) = (of := Counter(one.address for one in pool)).most_common(1) or [("", 0)]
        if many <= (1 + of[address] if page == (pool is here) else 0):
            return None
        return max((one for one in pool if one.address == most), key=lambda one: one.came)

    def people(self) -> dict[int, Here]:
        """Return all members who are here, by way of any process."""
        return {**self.elsewhere, **self.here()}

    def state(self) -> State:
        """Return the state that all browsers know."""
        core, now = self.core, self.core.round
        return {
            "number": self.kept.number,
            "code": self.code,
            "show": core.show,
            "free": core.free,
            "paused": core.paused,
            "locked": core.locked,
            "ended": core.ended,
            "people": len(self.people()),
            "trouble": self._trouble(),
            "round": telling.round_for_all(now, *self._answers(now)) if now else None,
            "hands": telling.hands_for_all(hands, self.points(hands)) if (hands := self._hands) else None,
        }

    def _answers(self, now: Round) -> tuple[telling.Given, telling.Given]:
        """Return the answers to a round, and those of the time before."""
        return self.given.get(now.id, {}), self.given.get(now.first, {})

    @property
    def _hands(self) -> HandsRound | None:
        """The round of runs that is on the screens."""
        return self.core.hands_of(self.core.hands_on)

    def points(self, hands: HandsRound) -> list[tuple[int, float]]:
        """Return the values that the learners' runs found, with the learners' indices."""
        return [(index, value) for index, _, value in self._runs(hands)]

    def _runs(self, hands: HandsRound) -> list[tuple[int, int, float]]:
        """Return the learners' runs that found something: the learner's index, which run of hers, and what it found."""
        given = [(self.members.get(name), one.keys) for name, one in self.given.get(hands.id, {}).items()]
        found = [(who.index, run, number_of(key)) for who, keys in given if who for run, key in enumerate(keys)]
        return sorted((index, run, value) for index, run, value in found if value is not None)

    def report(self) -> Watch:
        """Return the report that instructors alone get, without the notice that each has of her own."""
        core, people = self.core, self.people()
        names, now = self._names(), core.round
        return {
            "people": len(people),
            "follow": sum(here.follows for here in people.values()),
            "lost": sum(here.lost for here in people.values()),
            "names": [(index, names.get(index, ""), *people[index]) for index in sorted(people)],
            "round": telling.round_for_instructor(now, *self._answers(now)) if now else None,
            "rounds": telling.list_for_instructor(core, self.given),
            "hands": [
                {"index": index, "name": names.get(index, ""), "value": value, "set": hands.told(index, run)}
                for index, run, value in self._runs(hands)
            ]
            if (hands := self._hands)
            else None,
            "links": [{"id": one.id, "used": bool(one.member)} for one in core.links],
            "notice": "",
        }

    def _names(self) -> dict[int, str]:
        return {one.index: one.name for one in self.members.values() if one.name != FORGOTTEN}

    def table(self) -> Table:
        """Return learners against questions, for the instructor alone."""
        people = {index: here.follows for index, here in self.people().items()}
        return telling.table(self.core, self.members, self.given, people)

    def you(self, who: Listener, number: int | None = None, *, late: bool = False) -> None:
        """Tell a learner what is on record of her."""
        number = self.core.asked if number is None else number
        given = self.given.get(number, {}).get(who.member)
        known = self.members[who.member]
        who.tell(
            f"you {number}",
            as_text(
                you={
                    "index": known.index,
                    "name": known.name,
                    "follows": who.is_here.follows,
                    "round": number or None,
                    "keys": list(given.keys) if given else None,
                    "counted": given is not None,
                    "late": late,
                    "hands": self._own_run(who, known.index),
                }
            ),
        )

    def _own_run(self, who: Listener, index: int) -> OwnRun | None:
        hands = self._hands
        if hands is None:
            return None
        given = self.given.get(hands.id, {}).get(who.member)
        values = [number_of(key) for key in given.keys] if given else []
        sets = [hands.told(index, run) for run in range(min(len(values) + 1, MOST_RUNS))]
        return {"id": hands.id, "sets": sets, "values": values}

    def state_text(self) -> str:
        """Return the state as it is sent."""
        return as_text(state=self.state())

    def _tell(self) -> None:
        text = self.state_text()
        if text != self._said:
            self._said = text
            for one in self.listeners:
                one.tell("state", text)
        if self._hands_on != self.core.hands_on:  # each learner hears which run is hers
            self._hands_on = self.core.hands_on
            for one in self.listeners:
                if one.learns and one.member in self.members:
                    self.you(one)

    def _watch(self) -> None:
        instructors = [one for one in self.listeners if one.leads]
        if instructors:
            report = self.report()
            for one in instructors:
                one.tell("watch", as_text(watch={**report, "notice": one.notice}))


def as_text(**told: Unpack[Told]) -> str:
    """Return a message as it is sent."""
    return json.dumps(told, separators=(",", ":"), allow_nan=False, default=BaseModel.model_dump)


def presence(here: Mapping[int, Here]) -> str:
    """Return who is here, as other processes read it."""
    return json.dumps([(index, *how) for index, how in sorted(here.items())], separators=(",", ":"))


def read_presence(texts: Iterable[str]) -> dict[int, Here]:
    """Return who is in a room by way of other processes."""
    return {index: Here(*how) for text in texts for index, *how in json.loads(text)}
