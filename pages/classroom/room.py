"""The state of a room, and its changes: pure functions, which neither wait nor store anything."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict

from lessons.format.lesson import Lesson, Step
from pages.classroom import questions
from pages.classroom.hands import HandsRound
from pages.classroom.messages import Acted, Asked, Before, Made, NotSaidError, Shown, Unmasked
from pages.classroom.news import Question
from pages.classroom.relay import RelayRound
from pages.classroom.store import Kept

MOST_ROUNDS = 200  # of a room
MOST_LINKS = 8  # by which others lead


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Round(_Part):
    """A question that was asked: from a lesson's step, or made on the spot.

    Attributes
    ----------
    open : bool
        Whether answers count.
    shown, revealed : bool
        Whether everyone sees the tally and the right answer, once the question is closed. Rooms that were stored before
        these were two settings show both.
    before : dict of str to int, optional
        The tally of an earlier class.
    first : int
        The round of the first vote on the same question; 0 if there is none.
    until : float, optional
        When a timer closes it, in seconds since 1970.
    picked : tuple of str
        The answers in words that everyone may see.
    """

    id: int
    lesson: str = ""
    step: str = ""
    made: Made | None = None
    open: bool = True
    shown: bool = True
    revealed: bool = True
    before: dict[str, int] | None = None
    first: int = 0
    until: float | None = None
    picked: tuple[str, ...] = ()

    @property
    def found(self) -> tuple[Lesson, Step] | None:
        """The lesson and its step with the question; None if it was made on the spot, or is no longer there."""
        return questions.question(self.lesson, self.step)

    def asks_the_same(self, other: "Round") -> bool:
        """Return whether another round has the same question."""
        return (self.lesson, self.step, self.made) == (other.lesson, other.step, other.made)

    @property
    def described(self) -> Question:
        """The question as learners see it."""
        if self.made:
            return questions.described_made(self.made)
        return questions.described(self.lesson, self.step) or questions.forgotten()

    @property
    def title(self) -> str:
        """The question's title as HTML; the step's name if it is no longer there."""
        return self.described["title"] if self.made or self.found else self.step

    def as_answer(self, keys: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return the form in which an answer is counted; None if it is no possible answer, or the question is gone."""
        if self.made:
            return questions.as_answer_made(self.made, keys)
        return self.found[1].answers.counted(keys) if self.found else None

    def in_words(self, keys: tuple[str, ...]) -> str:
        """Return an answer in words."""
        made, choices = self.made, self.found[1].choices if self.found else ()
        if made:
            return "; ".join(made.choices[int(key) - 1] if made.kind == "choices" else key for key in keys)
        texts = {choice.key: choice.text for choice in choices}
        return "; ".join(texts.get(key, key) for key in keys)


class Link(_Part):
    """A link by which another browser leads: the seal of its secret, and the first browser that used it."""

    id: int
    seal: str
    member: str = ""


class Core(_Part):
    """All of a room that is stored, except its members and their answers.

    Attributes
    ----------
    last : int
        The last round's number, of either kind.
    asked, hands_on, relay_on : int
        The question, the round of runs and the relay that are on the screens; 0 for none.
    locked : bool
        Whether the room is closed to new learners.
    removed : tuple of int
        The indices of members whom the instructor has removed.
    links : tuple of Link
        By which other browsers lead.
    """

    show: Shown | None = None
    paused: bool = False
    ended: bool = False
    last: int = 0
    asked: int = 0
    rounds: tuple[Round, ...] = ()
    hands_on: int = 0
    hands: tuple[HandsRound, ...] = ()
    relay_on: int = 0
    relays: tuple[RelayRound, ...] = ()
    locked: bool = False
    removed: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def round(self) -> Round | None:
        """The round that is on the screens."""
        return self.round_of(self.asked)

    def round_of(self, number: int) -> Round | None:
        """Return the round with a number; None if there is none."""
        return next((one for one in self.rounds if one.id == number), None)

    def hands_of(self, number: int) -> HandsRound | None:
        """Return the round of runs with a number; None if there is none."""
        return next((one for one in self.hands if one.id == number), None)

    def relay_of(self, number: int) -> RelayRound | None:
        """Return the relay with a number; None if there is none."""
        return next((one for one in self.relays if one.id == number), None)

    @property
    def relay(self) -> RelayRound | None:
        """The relay that is on the screens."""
        return self.relay_of(self.relay_on)

    @property
    def open(self) -> tuple[int, ...]:
        """The rounds in which answers count."""
        asked = [one.id for one in self.rounds if one.open]
        return (*asked, *(one.id for one in self.hands if one.open))

    @property
    def free(self) -> bool:
        """Whether followers may answer the shown step on their own pages, since its answer has been revealed."""
        place = _step_of(self.show)
        return any((one.lesson, one.step) == place and one.revealed and not one.open for one in self.rounds)

    def is_open(self, number: int) -> bool:
        """Return whether answers count in a round."""
        return number in self.open

    # ---- what changes it ---------------------------------------------------------------------------------------------

    def showing(self, shown: Shown) -> "Core":
        """Return the state with the instructor somewhere else; a revealed question stays behind at its step."""
        over = self.round and self.round.revealed and self.round.made is None
        moves = shown.query and _step_of(shown) != _step_of(self.show)
        return self._but(show=shown, asked=0 if over and moves else self.asked)

    def pausing(self, paused: bool) -> "Core":
        """Return the state with learners' screens paused, or not."""
        return self._but(paused=paused)

    def asking(self, asked: Asked) -> "Core":
        """Return the state with a step's question asked; one that is open is closed."""
        if questions.question(asked.lesson, asked.step) is None:
            raise NotSaidError("This step has no question.")
        return self._asking(Round(id=0, lesson=asked.lesson, step=asked.step))

    def making(self, made: Made) -> "Core":
        """Return the state with a question asked that was made on the spot."""
        return self._asking(Round(id=0, made=made))

    def asking_again(self, number: int) -> "Core":
        """Return the state with the question of a round asked again: the second vote."""
        asked = self._known(number)
        if asked.made is None:
            return self.asking(Asked(lesson=asked.lesson, step=asked.step))
        return self.making(asked.made)

    def _asking(self, new: Round) -> "Core":
        self._has_room()
        first = next((one.id for one in reversed(self.rounds) if one.asks_the_same(new)), 0)
        new = new.model_copy(update={"id": self.last + 1, "shown": False, "revealed": False, "first": first})
        runs = self.hands_on if self.is_open(self.hands_on) else 0  # a result gives way to what comes next
        return self._but(rounds=(*self.closing().rounds, new), last=new.id, asked=new.id, hands_on=runs)

    def timing(self, seconds: int, now: float) -> "Core":
        """Return the state with a timer that closes the open question, in seconds; 0 for no timer."""
        if not self.is_open(self.asked):
            raise NotSaidError("No question is open.")
        return self._with(until=now + seconds if seconds else None)

    def timed(self, now: float) -> "Core":
        """Return the state with the open question closed, if its time is up."""
        over = [one for one in self.rounds if one.open and one.until is not None and one.until <= now]
        return self.closing() if over and not self.ended else self

    def showing_answers(self, shown: bool) -> "Core":
        """Return the state with the tally of the closed question on all screens, or not."""
        if self.is_open(self.asked):
            raise NotSaidError("Close the question first: learners would copy each other's answers.")
        return self._with(shown=shown)

    def revealing(self) -> "Core":
        """Return the state with the question closed, and its tally and right answer on all screens."""
        if (now := self.round) and now.made:
            raise NotSaidError("This question has no right answer: show the answers instead.")
        return self.closing()._with(shown=True, revealed=True)

    def unmasking(self, said: Unmasked) -> "Core":
        """Return the state with some answers in words on all screens."""
        if said.round != self.asked:
            raise NotSaidError("This question is no longer on the screens.")
        return self._with(picked=said.texts)

    def put_away(self) -> "Core":
        """Return the state with no question on the screens."""
        return self.closing()._but(asked=0)

    def recalling(self, number: int) -> "Core":
        """Return the state with an earlier question, round of runs or relay on the screens again."""
        if self.relay_of(number):
            return self._stopped().closing()._but(relay_on=number, hands_on=0, asked=0)
        if self.hands_of(number):
            return self._stopped().closing()._but(hands_on=number, asked=0).folding(False)
        return self.closing()._but(asked=self._known(number).id)

    def comparing(self, before: Before) -> "Core":
        """Return the state with an earlier class's tally beside the question on the screens."""
        return self._with(before=before.tally)

    def handing(self, hands: HandsRound) -> "Core":
        """Return the state with a round of runs opened; one that is open is closed."""
        self._has_room()
        new = hands.model_copy(update={"id": self.last + 1})
        asked = self.asked if self.is_open(self.asked) else 0
        other = self.relay_on if self.relay and self.relay.open else 0
        runs = (*self._stopped().hands, new)
        return self._but(hands=runs, last=new.id, hands_on=new.id, asked=asked, relay_on=other)

    def relaying(self, relay: RelayRound) -> "Core":
        """Return the state with a relay opened; one that is open is closed."""
        self._has_room()
        new = relay.model_copy(update={"id": self.last + 1})
        runs, asked = (one if self.is_open(one) else 0 for one in (self.hands_on, self.asked))
        relays = (*self._halted().relays, new)
        return self._but(relays=relays, last=new.id, relay_on=new.id, hands_on=runs, asked=asked)

    def halting(self) -> "Core":
        """Return the state with the relay closed, or with the closed one off the screens."""
        return self._halted() if self.relay and self.relay.open else self._but(relay_on=0)

    def acting(self, said: Acted, index: int, now: float) -> "Core":
        """Return the state after a learner's step of a chain."""
        if self.relay is None or self.relay.id != said.relay:
            raise NotSaidError("This class passes no such chain on.")
        return self._passed(self.relay.acted(said, index, now))

    def dealing(self, waiting: Sequence[int], now: float) -> "Core":
        """Return the state with chains given to learners who wait for one."""
        return self._passed(self.relay.dealt(waiting, now)) if self.relay else self

    def stopping(self) -> "Core":
        """Return the state with the round of runs closed, or with the closed one off the screens."""
        return self._stopped() if self.is_open(self.hands_on) else self._but(hands_on=0)

    def folding(self, folded: bool) -> "Core":
        """Return the state with the runs left out on projectors, or not."""
        hands = self.hands_of(self.hands_on)
        if hands is None:
            raise NotSaidError("No runs are on the screens.")
        changed = hands.model_copy(update={"folded": folded})
        return self._but(hands=tuple(changed if one is hands else one for one in self.hands))

    def locking(self, locked: bool) -> "Core":
        """Return the state with the room locked to new learners, or not."""
        return self._but(locked=locked)

    def removing(self, index: int) -> "Core":
        """Return the state with a member removed for good."""
        return self._but(removed=tuple({*self.removed, index}))

    def linking(self, seal: str) -> "Core":
        """Return the state with one more link by which another browser leads."""
        if len(self.links) >= MOST_LINKS:
            raise NotSaidError(f"There are {MOST_LINKS} links: revoke one first.")
        number = max((one.id for one in self.links), default=0) + 1
        return self._but(links=(*self.links, Link(id=number, seal=seal)))

    def bound(self, number: int, member: str) -> "Core":
        """Return the state with a link bound to one browser; no other browser can use it."""
        return self._but(
            links=tuple(
                one.model_copy(update={"member": member}) if one.id == number and not one.member else one
                for one in self.links
            )
        )

    def revoking(self, number: int) -> "Core":
        """Return the state without a link."""
        return self._but(links=tuple(one for one in self.links if one.id != number))

    def ending(self) -> "Core":
        """Return the state with everything over."""
        return self.closing()._stopped()._halted()._but(ended=True, paused=False)

    def _has_room(self) -> None:
        if len(self.rounds) + len(self.hands) + len(self.relays) >= MOST_ROUNDS:
            raise NotSaidError(f"A class has at most {MOST_ROUNDS} questions: open a new one.")

    def _stopped(self) -> "Core":
        return self._but(hands=tuple(one.model_copy(update={"open": False}) for one in self.hands))

    def _halted(self) -> "Core":
        return self._but(relays=tuple(one.closed() if one.open else one for one in self.relays))

    def _passed(self, changed: RelayRound) -> "Core":
        """Return the state with the relay that is on the screens changed; the same state if nothing is."""
        if changed is self.relay:
            return self
        return self._but(relays=tuple(changed if one.id == changed.id else one for one in self.relays))

    def closing(self) -> "Core":
        """Return the state with the open question closed."""
        shut = {"open": False, "until": None}
        return self._but(rounds=tuple(one.model_copy(update=shut) if one.open else one for one in self.rounds))

    def _with(self, **changes: Any) -> "Core":
        """Return the state with the question that is on the screens changed."""
        if self.round is None:
            raise NotSaidError("Ask a question first.")
        changed = self.round.model_copy(update=changes)
        return self._but(rounds=tuple(changed if one.id == changed.id else one for one in self.rounds))

    def _known(self, number: int) -> Round:
        found = self.round_of(number)
        if found is None:
            raise NotSaidError("This class has no such question.")
        return found

    def _but(self, **changes: Any) -> "Core":
        if self.ended:
            raise NotSaidError("This class has ended: open a new one.")
        return self.model_copy(update=changes)

    # ---- how it is kept ----------------------------------------------------------------------------------------------

    def as_kept(self, seal: str, number: int) -> Kept:
        """Return the state as it is stored."""
        return Kept(seal, number, self.open, self.ended, self.model_dump_json())


def _step_of(shown: Shown | None) -> tuple[str | None, str | None]:
    """Return the lesson and the step that are shown."""
    names = dict(parse_qsl(shown.query)) if shown else {}
    return names.get("lesson"), names.get("step")


def core_of(kept: Kept) -> Core:
    """Return a room's state from its stored form."""
    return Core.model_validate_json(kept.body)
