"""Learners' answers, kept in their browser by lesson, step and choice, so that they outlive session and server.

Beside them it keeps the step at which each lesson was left, and the moments that a learner kept.

The browser is not trusted: its report is checked when it comes, and each answer again when it is used, since
the question may have changed. A browser that leads a class, or shows one on a projector, has the answers of the class:
they are neither read from nor written to what it keeps of the learner's own.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import streamlit as st

from lessons.reader import Lesson, Step
from lessons.reader.work import MOMENTS, WHEN, Tries
from pages.shell.lessons import carried, library
from pages.shell.page import READ, page_drawn, stay
from pages.web.paths import news_path

STORE = "answers store"  # the key of the component
MOST, MOST_CHOICES, LONGEST = 2_000, 45, 2_000  # answers, choices of one, characters of a choice
SHELF, CODE = ".class", "class/code"  # in the browser's report: the code of the class whose answers it has
LEFT, MOMENT = ".left/", ".moment/"  # before a lesson's id, and before a moment's: no lesson's id has a dot
TRIES = ".tries/"  # before an answer's name: how often, when, and what was answered first
NAME = re.compile(
    rf"(?:{re.escape(LEFT)}|{re.escape(MOMENT)}|(?:{re.escape(TRIES)})?[a-z0-9-]{{1,100}}/)[a-z0-9-]{{1,100}}"
)

Keys = tuple[str, ...]  # of the choices that were ticked

_store = st.components.v2.component("samplescope_store", js=(Path(__file__).parent / "store.js").read_text())


@dataclass
class Answers:
    """The answers that a session knows.

    Attributes
    ----------
    kept : dict of str to tuple of str
        What the browser had when it was last heard: keys of choices by ``lesson/step``.
    own : dict of str to (int, tuple of str or None)
        What was answered in this session, or taken back, with a number that grows: the browser writes each once.
    heard : bool
        Whether the browser has said what it kept.
    awaited : bool
        Whether the page is to be drawn anew then.
    shelf : str
        The code of the class whose answers these are; "" if they are the learner's own.
    session : str
        Lets the browser distinguish one session's numbers from another's.
    """

    kept: dict[str, Keys] = field(default_factory=dict)
    own: dict[str, tuple[int, Keys | None]] = field(default_factory=dict)
    heard: bool = False
    awaited: bool = False
    shelf: str = ""
    session: str = field(default_factory=lambda: uuid.uuid4().hex)

    def get(self, name: str) -> Keys | None:
        """Return the keys of the choices that were made; None if none were."""
        return self.own[name][1] if name in self.own else self.kept.get(name)

    def all(self) -> dict[str, Keys]:
        """Return all that is kept."""
        own = {name: keys for name, (_, keys) in self.own.items()}
        return {name: keys for name, keys in {**self.kept, **own}.items() if keys is not None}

    def put(self, name: str, keys: Keys | None) -> None:
        """Take in an answer, or that it was taken back."""
        latest = max((number for number, _ in self.own.values()), default=0)
        self.own[name] = (latest + 1, keys)


def checked(told: Any) -> dict[str, Keys]:
    """Return the valid answers in the browser's report, whatever it holds."""
    if not isinstance(told, Mapping):
        return {}
    pairs = list(told.items())[:MOST]
    return {name: tuple(keys) for name, keys in pairs if _is_name(name) and _is_answer(keys)}


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and NAME.fullmatch(name) is not None


def _is_answer(keys: Any) -> bool:
    if not isinstance(keys, list | tuple) or not 0 < len(keys) <= MOST_CHOICES:
        return False
    return all(isinstance(key, str) and len(key) <= LONGEST for key in keys)


def answers() -> Answers:
    """Return this session's answers."""
    known: Answers = st.session_state.setdefault("answers", Answers())
    return known


def of_a_class() -> bool:
    """Return whether the answers are those of a class that this browser leads or shows, not a learner's own."""
    return bool(answers().shelf)


def answered(lesson: Lesson, step: Step) -> Keys | None:
    """Return the learner's answer, as keys of choices or a number; None if there is none that the question can have."""
    given = answers().get(name_of(lesson, step))
    return given if given is not None and step.can_have(given) else None


def finished(lesson: Lesson) -> bool:
    """Return whether the learner has answered all questions of a lesson or, where it asks none, been at its end."""
    questions = [step for step in lesson.steps if step.choices]
    if not questions:
        return answers().get(LEFT + lesson.id) == (lesson.steps[-1].id,)
    return all(answered(lesson, step) is not None for step in questions)


def left_at(lesson: Lesson) -> Step:
    """Return the step at which a learner who is not through with a lesson left it; else the first one."""
    name = (answers().get(LEFT + lesson.id) or ("",))[0]
    first = lesson.steps[0]
    return first if finished(lesson) else next((step for step in lesson.steps if step.id == name), first)


def leave_at(lesson: Lesson, step: Step) -> None:
    """Keep at which step of a lesson a learner is."""
    name = LEFT + lesson.id
    if answers().get(name) != (step.id,):
        answers().put(name, (step.id,))


def outdated(lesson: Lesson, step: Step) -> bool:
    """Return whether the learner has answered, but the question has changed since."""
    return answers().get(name_of(lesson, step)) is not None and answered(lesson, step) is None


def give(lesson: Lesson, step: Step, keys: Keys) -> None:
    """Take in an answer, and count it among its question's tries."""
    name = name_of(lesson, step)
    before, now = tries_of(name), f"{datetime.now(UTC):{WHEN}}"
    if before is None:
        put_tries(name, Tries(1, now, now, keys))
    else:
        put_tries(name, replace(before, many=before.many + 1, at=now))
    answers().put(name, keys)


def tries_of(name: str) -> Tries | None:
    """Return what is kept of the tries at a question; None if nothing is, or nothing that can be read."""
    many, began, at, *first = (answers().get(TRIES + name) or ()) + ("",) * 3
    known = re.fullmatch("[0-9]{1,5}", many) and MOMENTS.fullmatch(began) and MOMENTS.fullmatch(at)
    return Tries(int(many), began, at, tuple(first[:-3])) if known and len(first) > 3 else None


def put_tries(name: str, tries: Tries) -> None:
    """Keep how often a question was answered, when, and what first."""
    first = tries.first[: MOST_CHOICES - 3]
    answers().put(TRIES + name, (str(tries.many), tries.began, tries.at, *first))


def take_back(lesson: Lesson, step: Step) -> None:
    """Ask again."""
    answers().put(name_of(lesson, step), None)


def name_of(lesson: Lesson, step: Step) -> str:
    """Return the name under which an answer is kept."""
    return f"{lesson.id}/{step.id}"


@st.fragment(key="answers")
def store() -> None:
    """Mount the component that reads and writes the browser's memory; its report starts pages with answers.

    It also listens for news of the lessons, and asks for the page anew when it was drawn with others than there are.
    """
    stay()
    here = answers()
    changes = {name: [number, keys] for name, (number, keys) in here.own.items()}
    data = {"session": here.session, "heard": here.heard, "changes": changes, "course": carried(), "page": page_drawn()}
    data |= {"shelf": here.shelf, "listen": news_path(), "lessons": st.session_state[READ]}
    unsaid = {"kept": None, "asked": None}
    with st.container(key="store"):
        _store(key=STORE, data=[data], default=unsaid, on_kept_change=_nothing, on_asked_change=_nothing)
    here = _heard(here, st.session_state[STORE].kept)
    if here.heard and here.awaited:
        here.awaited = False
        st.rerun("app")
    if st.session_state[READ] != library().token and st.session_state[STORE].asked:
        st.rerun("app")


def _nothing() -> None:
    """Take note of a report, which is read when the component has been drawn."""


def hear_first() -> None:
    """End the run here if the browser has not been heard; its report starts the next one."""
    here = answers()
    if not here.heard:
        here.awaited = True
        st.stop()


def _heard(here: Answers, told: Any) -> Answers:
    """Take in the browser's report, and return the answers that the session has from now on."""
    if told is None:
        return here
    (shelf, *_) = (isinstance(told, Mapping) and checked({CODE: told.get(SHELF)}).get(CODE)) or ("",)
    if here.heard and shelf != here.shelf:  # it has begun to lead a class, or to be its own again
        here = st.session_state["answers"] = Answers(awaited=True)
    here.kept, here.shelf = checked(told), shelf
    here.awaited |= bool(here.kept) and not here.heard
    here.heard = True
    return here
