"""A room as one process has it: who listens there, what all of them know, and what they are told next."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from typing import Unpack

from pydantic import BaseModel
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.classroom import questions
from pages.classroom.hands import HandsRound, number_of
from pages.classroom.messages import OwnRun, Run, State, Told, Watch
from pages.classroom.room import core_of, hands_for_all, round_for_all, rounds_for_instructor
from pages.classroom.store import FORGOTTEN, Answer, Answers, Kept, Member
from pages.web.clients import address_of

BEAT, CALM = 0.05, 0.25  # seconds between two states, and until counts alone are told
WATCH = 0.2  # seconds between two reports to the instructor

_comers = count()


class Listener:
    """A browser in a room. It is told the latest of each kind of news, however slow it is.

    Parameters
    ----------
    socket : WebSocket
        Its connection, accepted.
    member : str
        Its name for itself.
    instructor : bool
        Whether it drives the room.
    page : str, optional
        By which name a page of this server is open in it; "" if none is, as in a script that makes learners up.
    """

    def __init__(self, socket: WebSocket, member: str, *, instructor: bool, page: str = "") -> None:
        self.socket, self.member, self.instructor = socket, member, instructor
        self.address, self.page = address_of(socket.scope), page
        self.follows, self.came = True, next(_comers)
        self.notice = ""  # what the instructor has to know of the store
        self._news: dict[str, str] = {}
        self._closed = 0
        self._there_is = asyncio.Event()

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
                await self._there_is.wait()
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
    elsewhere : list of (int, bool)
        Who is here by way of other processes: the member's index, and whether she follows.
    behind : bool
        Whether the store has not been told all that is here.
    lock : asyncio.Lock
        Held by who changes the state.
    """

    def __init__(self, code: str, kept: Kept, trouble: Callable[[], str]) -> None:
        self.code, self.kept, self.core, self._trouble = code, kept, core_of(kept), trouble
        self.members: dict[str, Member] = {}
        self.given: dict[int, dict[str, Answer]] = {}
        self.listeners: set[Listener] = set()
        self.elsewhere: list[tuple[int, bool]] = []
        self.behind = False
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

    def here(self) -> dict[int, bool]:
        """Return the members whose browsers listen here, by index, and whether each follows."""
        found: dict[int, bool] = {}
        for one in self.listeners:
            if not one.instructor and one.member in self.members:
                index = self.members[one.member].index
                found[index] = found.get(index, False) or one.follows
        return found

    def has_room(self, member: str, most: int, tabs: int) -> bool:
        """Return whether there is room for a learner, or for one more connection of hers."""
        hers = self.tabs(member)
        return hers < tabs if hers else len(self.people()) < most

    def tabs(self, member: str) -> int:
        """Return how many connections a learner has."""
        return sum(one.member == member for one in self.listeners)

    def gives_way(self, address: str, *, page: bool) -> Listener | None:
        """Return who has to leave a full room for a newcomer: the last of those who are most from one address.

        Learners without a page go first. None if nobody has to: the newcomer's address has as many here as any.
        """
        here = [one for one in self.listeners if not one.instructor]
        mute = [one for one in here if not one.page]
        pool = mute if mute or not page else here
        ((most, many), *_) = (of := Counter(one.address for one in pool)).most_common(1) or [("", 0)]
        if many <= (1 + of[address] if page == (pool is here) else 0):
            return None
        return max((one for one in pool if one.address == most), key=lambda one: one.came)

    def people(self) -> dict[int, bool]:
        """Return all members who are here, by way of any process."""
        return {**dict(self.elsewhere), **self.here()}

    def state(self) -> State:
        """Return the state that all browsers know."""
        core, now = self.core, self.core.round
        return {
            "number": self.kept.number,
            "code": self.code,
            "show": core.show,
            "paused": core.paused,
            "ended": core.ended,
            "people": len(self.people()),
            "trouble": self._trouble(),
            "round": round_for_all(now, self.given.get(now.id, {})) if now else None,
            "hands": hands_for_all(hands, self.values(hands)) if (hands := core.hands_of(core.hands_on)) else None,
        }

    def values(self, hands: HandsRound) -> dict[int, float]:
        """Return the values that the learners' runs found, by their indices."""
        given = [(self.members.get(name), one.keys[0]) for name, one in self.given.get(hands.id, {}).items()]
        found = {member.index: number_of(key) for member, key in given if member}
        return {index: value for index, value in found.items() if value is not None}

    def report(self) -> Watch:
        """Return the report that instructors alone get, without the notice that each has of her own."""
        core, people = self.core, self.people()
        names = {member.index: member.name for member in self.members.values()}
        given = self.given.get(core.asked, {})
        return {
            "people": len(people),
            "follow": sum(people.values()),
            "names": [(names.get(index, ""), follows) for index, follows in sorted(people.items())],
            "tally": questions.tally(one.keys for one in given.values()) if core.round else None,
            "rounds": rounds_for_instructor(core, self.given),
            "hands": self._runs(names),
            "notice": "",
        }

    def _runs(self, names: dict[int, str]) -> list[Run] | None:
        hands = self.core.hands_of(self.core.hands_on)
        if hands is None:
            return None
        found = sorted(self.values(hands).items())
        return [
            {"index": index, "name": names.get(index, ""), "value": value, "set": hands.told(index)}
            for index, value in found
        ]

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
                    "follows": who.follows,
                    "round": number or None,
                    "keys": list(given.keys) if given else None,
                    "counted": given is not None,
                    "late": late,
                    "hands": self._own_run(who, known.index),
                }
            ),
        )

    def _own_run(self, who: Listener, index: int) -> OwnRun | None:
        hands = self.core.hands_of(self.core.hands_on)
        if hands is None:
            return None
        given = self.given.get(hands.id, {}).get(who.member)
        value = number_of(given.keys[0]) if given else None
        return {"id": hands.id, "set": hands.told(index), "value": value, "done": given is not None}

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
                if not one.instructor and one.member in self.members:
                    self.you(one)

    def _watch(self) -> None:
        instructors = [one for one in self.listeners if one.instructor]
        if instructors:
            report = self.report()
            for one in instructors:
                one.tell("watch", as_text(watch={**report, "notice": one.notice}))


def as_text(**told: Unpack[Told]) -> str:
    """Return a message as it is sent."""
    return json.dumps(told, separators=(",", ":"), allow_nan=False, default=BaseModel.model_dump)


def presence(here: dict[int, bool]) -> str:
    """Return who is here, as other processes read it."""
    return json.dumps(sorted(here.items()), separators=(",", ":"))


def read_presence(texts: Iterable[str]) -> list[tuple[int, bool]]:
    """Return who is in a room by way of other processes."""
    return [(index, follows) for text in texts for index, follows in json.loads(text)]
