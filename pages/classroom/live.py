"""A room as one process holds it: who listens there, what all of them know, and what is sent to them next."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from pages.classroom import reports
from pages.classroom.hands import MOST_RUNS, HandsRound, number_of
from pages.classroom.listener import Here, Listener, as_text
from pages.classroom.messages import NotSaidError
from pages.classroom.news import Hand, OwnRun, Result, State, Table, Watch
from pages.classroom.room import Round, core_of
from pages.classroom.store import FORGOTTEN, Answer, Answers, Kept, Member

BEAT, CALM = 0.05, 0.25  # seconds between two states, and until a change of counts alone is sent
WATCH = 0.2  # seconds between two reports to the instructor


class Beat:
    """Does something soon, at least `least` seconds after the last time, and once for any number of requests."""

    def __init__(self, do: Callable[[], None], least: float) -> None:
        self._do, self._least = do, least
        self._last = self._due = 0.0
        self._timer: asyncio.Handle | None = None

    def soon(self, after: float = 0.0) -> None:
        """Do it, at the earliest in `after` seconds."""
        loop = asyncio.get_running_loop()
        due = max(loop.time() + after, self._last + self._least)
        if self._timer and self._due <= due:
            return
        if self._timer:
            self._timer.cancel()
        self._timer, self._due = loop.call_at(due, self._now), due  # uvloop's handle may not know when

    def _now(self) -> None:
        self._timer, self._last = None, asyncio.get_running_loop().time()
        self._do()


class Live:
    """A room in this process.

    Parameters
    ----------
    code : str
        Its code.
    kept : Kept
        Its state in the store.
    trouble : callable
        Returns a sentence on what is wrong with the store; "" if it answers.

    Attributes
    ----------
    members : dict of str to Member
        Everyone who ever joined.
    given : dict of int to dict of str to Answer
        All answers, by round and member.
    listeners : set of Listener
        The browsers that are here now, the instructor's included.
    elsewhere : dict of int to Here
        Who is here through other processes, by the members' indices.
    behind : bool
        Whether the store lacks something of the room.
    due : float, optional
        When the timer that has been set closes the open question.
    lock : asyncio.Lock
        Held while the state changes.
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
        self.left = time.monotonic()  # when the last one left
        self._said, self._hands_on = "", self.core.hands_on
        self._state, self._report = Beat(self._tell, BEAT), Beat(self._watch, WATCH)

    # ---- what comes in -----------------------------------------------------------------------------------------------

    def take(self, kept: Kept) -> None:
        """Take over another state."""
        self.kept, self.core = kept, core_of(kept)

    def merge(self, members: dict[str, Member], answers: Answers) -> None:
        """Merge in what the store has; an answer that came here after it was read stays."""
        gone = {member: known for member, known in self.members.items() if self.has_forgotten(member)}
        self.members = {**self.members, **members, **gone}
        for number, by_member in answers.items():
            here = self.given.setdefault(number, {})
            for member, given in by_member.items():
                if member not in here or here[member].at <= given.at:
                    here[member] = given
        self._drop_forgotten()

    def forget(self, member: str) -> None:
        """Delete a member's answers and name."""
        self.members[member] = Member(self.members[member].index, FORGOTTEN)
        self._drop_forgotten()

    def has_forgotten(self, member: str) -> bool:
        """Return whether a member had her answers deleted."""
        return member in self.members and self.members[member].name == FORGOTTEN

    def _drop_forgotten(self) -> None:
        for by_member in self.given.values():
            for member in filter(self.has_forgotten, list(by_member)):
                del by_member[member]

    def count(self, given: Answer) -> None:
        """Count an answer."""
        self.given.setdefault(given.round, {})[given.member] = given

    def name(self, member: str, index: int, name: str | None) -> None:
        """Add a member, or a new name; a name that is left out stays as it was."""
        known = self.members.get(member)
        self.members[member] = Member(index, name if name is not None else known.name if known else "")

    # ---- what goes out -----------------------------------------------------------------------------------------------

    def stir(self, after: float = 0.0) -> None:
        """Send the state, and the report to instructors, soon."""
        self._state.soon(after)
        self._report.soon(after)

    def here(self) -> dict[int, Here]:
        """Return the members whose browsers are connected to this process, by index."""
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
        """Return who leaves a full room for a newcomer: the latest from the address that has most learners here.

        Learners without a page go first. None if the newcomer's own address has as many here as any other.
        """
        here = [one for one in self.listeners if one.learns]
        mute = [one for one in here if not one.page]
        pool = mute if mute or not page else here
        ((most, many), *_) = (of := Counter(one.address for one in pool)).most_common(1) or [("", 0)]
        if many <= (1 + of[address] if page == (pool is here) else 0):
            return None
        return max((one for one in pool if one.address == most), key=lambda one: one.came)

    def people(self) -> dict[int, Here]:
        """Return all members who are here, through any process."""
        return {**self.elsewhere, **self.here()}

    def state(self) -> State:
        """Return the state that all browsers get."""
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
            "round": reports.round_for_all(now, *self._answers(now)) if now else None,
            "hands": reports.hands_for_all(hands, self.points(hands)) if (hands := self._hands) else None,
            "relay": reports.relay_for_all(core.relay) if core.relay else None,
        }

    def _answers(self, now: Round) -> tuple[reports.Given, reports.Given]:
        """Return the answers to a round, and those of the first vote on the same question."""
        return self.given.get(now.id, {}), self.given.get(now.first, {})

    @property
    def _hands(self) -> HandsRound | None:
        """The round of runs that is on the screens."""
        return self.core.hands_of(self.core.hands_on)

    def points(self, hands: HandsRound) -> list[tuple[int, float]]:
        """Return the outcomes of learners' runs, with the learners' indices."""
        return [(index, value) for index, _, value in self._runs(hands)]

    def _runs(self, hands: HandsRound) -> list[tuple[int, int, float]]:
        """Return the runs that have an outcome: the learner's index, the number of her run, and the outcome."""
        given = [(self.members.get(name), one.keys) for name, one in self.given.get(hands.id, {}).items()]
        found = [(who.index, run, number_of(key)) for who, keys in given if who for run, key in enumerate(keys)]
        return sorted((index, run, value) for index, run, value in found if value is not None)

    def report(self) -> Watch:
        """Return the report that only instructors get, without the notice, which each has of her own."""
        core, people = self.core, self.people()
        names = {one.index: one.name for one in self.members.values() if one.name != FORGOTTEN}
        now = core.round
        return {
            "people": len(people),
            "follow": sum(here.follows for here in people.values()),
            "lost": sum(here.lost for here in people.values()),
            "names": [(index, names.get(index, ""), *people[index]) for index in sorted(people)],
            "round": reports.round_for_instructor(now, *self._answers(now)) if now else None,
            "rounds": reports.list_for_instructor(core, self.given),
            "hands": [
                {"index": index, "name": names.get(index, ""), "value": value, "set": hands.own_values(index, run)}
                for index, run, value in self._runs(hands)
            ]
            if (hands := self._hands)
            else None,
            "relay": reports.relay_for_instructor(core.relay) if core.relay else None,
            "links": [{"id": one.id, "used": bool(one.member)} for one in core.links],
            "notice": "",
        }

    def table(self) -> Table:
        """Return learners against questions, for the instructor alone."""
        people = {index: here.follows for index, here in self.people().items()}
        return reports.table(self.core, self.members, self.given, people)

    def result(self, number: int) -> Result:
        """Return the result of an earlier round, for an instructor to look at; a class that is over knows the answer.

        Raises
        ------
        NotSaidError
            If there is no such round.
        """
        if asked := self.core.round_of(number):
            seen = asked.model_copy(update={"shown": True, "revealed": asked.revealed or self.core.ended})
            return {"round": reports.round_for_all(seen, *self._answers(asked)), "hands": None, "relay": None}
        if hands := self.core.hands_of(number):
            return {"round": None, "hands": reports.hands_for_all(hands, self.points(hands)), "relay": None}
        if relay := self.core.relay_of(number):
            return {"round": None, "hands": None, "relay": reports.relay_for_all(relay)}
        raise NotSaidError("This class has no such question.")

    def you(self, who: Listener, number: int | None = None, *, late: bool = False) -> None:
        """Send a learner what the room holds of her."""
        number = self.core.asked if number is None else number
        given = self.given.get(number, {}).get(who.member)
        known = self.members[who.member]
        who.hand = self._hand(known.index)
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
                    "hand": who.hand,
                }
            ),
        )

    def _hand(self, index: int) -> Hand | None:
        """Return the chain of a relay that a learner holds."""
        return self.core.relay.hand(index) if self.core.relay else None

    def waiting(self) -> list[int]:
        """Return the learners who wait for a chain, by index, the one who waits longest first."""
        queue = sorted((one for one in self.listeners if one.waits), key=lambda one: one.waits)
        return [self.members[one.member].index for one in queue if one.member in self.members]

    def hand_out(self) -> None:
        """Tell each learner who holds another chain than she knows of, or none."""
        for one in self.listeners:
            if one.learns and one.member in self.members:
                hand = self._hand(self.members[one.member].index)
                if hand:
                    one.waits = 0.0
                if hand != one.hand:
                    self.you(one)

    def _own_run(self, who: Listener, index: int) -> OwnRun | None:
        hands = self._hands
        if hands is None:
            return None
        given = self.given.get(hands.id, {}).get(who.member)
        values = [number_of(key) for key in given.keys] if given else []
        sets = [hands.own_values(index, run) for run in range(min(len(values) + 1, MOST_RUNS))]
        return {"id": hands.id, "sets": sets, "values": values}

    def state_text(self) -> str:
        """Return the state as text to send."""
        return as_text(state=self.state())

    def _tell(self) -> None:
        text = self.state_text()
        if text != self._said:
            self._said = text
            for one in self.listeners:
                one.tell("state", text)
        self.hand_out()
        if self._hands_on != self.core.hands_on:  # each learner learns which run is hers
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


def presence(here: Mapping[int, Here]) -> str:
    """Return who is here, as text for other processes."""
    return json.dumps([(index, *how) for index, how in sorted(here.items())], separators=(",", ":"))


def read_presence(texts: Iterable[str]) -> dict[int, Here]:
    """Return who is in a room through other processes, from their texts."""
    return {index: Here(*how) for text in texts for index, *how in json.loads(text)}
