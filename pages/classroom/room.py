"""The state of a room: what happens in it, and what each side is told of it. Nothing here waits or keeps anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel, ConfigDict

from pages.classroom import questions
from pages.classroom.hands import HandsRound
from pages.classroom.messages import (
    Asked,
    Before,
    Exact,
    HandsTold,
    NotSaidError,
    RoundListed,
    RoundTold,
    Shown,
)
from pages.classroom.store import Answer, Kept

MOST_ROUNDS = 200  # of a room
Given = Mapping[str, Answer]  # the answers to a round, by member


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Round(_Part):
    """A question that was asked.

    Attributes
    ----------
    before : dict of str to int, optional
        How another class answered it.
    """

    id: int
    lesson: str
    step: str
    open: bool = True
    before: dict[str, int] | None = None


class Core(_Part):
    """All of a room that is kept, but for its members and their answers.

    Attributes
    ----------
    last : int
        The last round's number, of either kind.
    asked, hands_on : int
        The question and the round of runs that are on the screens; 0 if there is none.
    """

    show: Shown | None = None
    paused: bool = False
    ended: bool = False
    last: int = 0
    asked: int = 0
    rounds: tuple[Round, ...] = ()
    hands_on: int = 0
    hands: tuple[HandsRound, ...] = ()

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

    @property
    def open(self) -> tuple[int, ...]:
        """The rounds in which answers count."""
        asked = [one.id for one in self.rounds if one.open]
        return (*asked, *(one.id for one in self.hands if one.open))

    def is_open(self, number: int) -> bool:
        """Return whether answers count in a round."""
        return number in self.open

    # ---- what changes it ---------------------------------------------------------------------------------------------

    def showing(self, shown: Shown) -> Core:
        """Return the state with the instructor somewhere else."""
        return self._but(show=shown)

    def pausing(self, paused: bool) -> Core:
        """Return the state with learners' screens held still, or not."""
        return self._but(paused=paused)

    def asking(self, asked: Asked) -> Core:
        """Return the state with a question asked; one that is open is closed."""
        if questions.question(asked.lesson, asked.step) is None:
            raise NotSaidError("This step asks nothing.")
        self._has_room()
        new = Round(id=self.last + 1, lesson=asked.lesson, step=asked.step)
        return self._but(rounds=(*self._closed().rounds, new), last=new.id, asked=new.id)

    def closing(self) -> Core:
        """Return the state with the open question closed, or with the closed one put away."""
        now = self.round
        return self._closed() if now and now.open else self._but(asked=0)

    def comparing(self, before: Before) -> Core:
        """Return the state with what another class answered to the question on the screens."""
        now = self.round
        if now is None:
            raise NotSaidError("Ask a question first: then you can show what was answered before.")
        return self._with(now.model_copy(update={"before": before.tally}))

    def handing(self, hands: HandsRound) -> Core:
        """Return the state with a round of runs opened; one that is open is closed."""
        self._has_room()
        new = hands.model_copy(update={"id": self.last + 1})
        return self._but(hands=(*self._stopped().hands, new), last=new.id, hands_on=new.id)

    def stopping(self) -> Core:
        """Return the state with the round of runs closed, or with the closed one put away."""
        return self._stopped() if self.is_open(self.hands_on) else self._but(hands_on=0)

    def ending(self) -> Core:
        """Return the state with everything over."""
        return self._closed()._stopped()._but(ended=True, paused=False)

    def _has_room(self) -> None:
        if len(self.rounds) + len(self.hands) >= MOST_ROUNDS:
            raise NotSaidError(f"A room has {MOST_ROUNDS} questions at most: open a new one.")

    def _stopped(self) -> Core:
        return self._but(hands=tuple(one.model_copy(update={"open": False}) for one in self.hands))

    def _closed(self) -> Core:
        return self._but(rounds=tuple(one.model_copy(update={"open": False}) for one in self.rounds))

    def _with(self, changed: Round) -> Core:
        return self._but(rounds=tuple(changed if one.id == changed.id else one for one in self.rounds))

    def _but(self, **changes: Any) -> Core:
        if self.ended:
            raise NotSaidError("This class is over: open a new room.")
        return self.model_copy(update=changes)

    # ---- how it is kept ----------------------------------------------------------------------------------------------

    def as_kept(self, seal: str, number: int) -> Kept:
        """Return the state as the store has it."""
        return Kept(seal, number, self.open, self.ended, self.model_dump_json())


def core_of(kept: Kept) -> Core:
    """Return a room's state from what was kept of it."""
    return Core.model_validate_json(kept.body)


# ---- what is told ----------------------------------------------------------------------------------------------------


def round_for_all(asked: Round, given: Given) -> RoundTold:
    """Return a round as all browsers hear of it: with its outcome only once it is closed."""
    told: RoundTold = {
        "id": asked.id,
        "lesson": asked.lesson,
        "step": asked.step,
        "open": asked.open,
        "answers": len(given),
        **(questions.described(asked.lesson, asked.step) or questions.forgotten()),  # type: ignore[typeddict-item]
    }
    if not asked.open:
        found = questions.question(asked.lesson, asked.step)
        told["tally"] = questions.tally(one.keys for one in given.values())
        told["right"] = questions.right(found[1]) if found else []
        told["before"] = asked.before
    return told


def hands_for_all(hands: HandsRound, values: Mapping[int, float]) -> HandsTold:
    """Return a round of runs as all browsers hear of it, with the values that were found, by the learners' indices."""
    return {
        "id": hands.id,
        "page": hands.page,
        "vary": hands.vary,
        "outcome": hands.outcome,
        "label": hands.label,
        "t": hands.t,
        "open": hands.open,
        "exact": cast("Exact | None", hands.exact),
        "n": len(values),
        "points": sorted(values.items()),
    }


def rounds_for_instructor(core: Core, given: Mapping[int, Given]) -> list[RoundListed]:
    """Return the list of a room's questions."""
    return [
        {
            "id": one.id,
            "lesson": one.lesson,
            "step": one.step,
            "title": asked["title"] if (asked := questions.described(one.lesson, one.step)) else one.step,
            "answers": len(given.get(one.id, {})),
            "open": one.open,
        }
        for one in core.rounds
    ]
