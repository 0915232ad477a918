"""Learners' answers: their browser keeps them by lesson, step and choice, so they outlive session and server.

The browser also keeps the step at which the learner left each lesson, and the moments that they kept.

The app does not trust the browser: it checks the report when it comes, and each answer again when it is used, since the
question may have changed. A browser that leads a class, or shows one on a projector, works with the answers of the
class, and neither reads nor changes the learner's own.
"""

import re
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import streamlit as st

from lessons import flow
from lessons.course.work import MOMENTS, WHEN, Tries
from lessons.flow import name_of
from lessons.format.lesson import Lesson, Step
from lessons.format.questions.answers import Keys
from lessons.review import BEFORE, HIT, IDEA, LEVELS, MISS, OFF, SURE, TRIES, Returning, reviewed, slug
from pages.http.paths import news_path
from pages.lesson.lessons import carried, library
from pages.lesson.page import READ, page_drawn, stay

STORE = "answers store"  # the key of the component
MOST, MOST_CHOICES, LONGEST = 2_000, 45, 2_000  # answers, choices per answer, characters per choice
SURE_KEY = "sure "  # in the session: prefix of a question's name, for how sure the learner is before the answer
SHELF, CODE = ".class", "class/code"  # in the browser's report: the code of the class whose answers it holds
LEFT, MOMENT = ".left/", ".moment/"  # prefixes of a lesson's id and of a moment's; no lesson's id has a dot
_ONE = "|".join(map(re.escape, (LEFT, MOMENT, IDEA, BEFORE)))  # prefixes of one name
NAME = re.compile(
    rf"(?:{_ONE}|(?:{re.escape(TRIES)}|{re.escape(SURE)})?[a-z0-9-]{{1,100}}/)[a-z0-9-]{{1,200}}|{re.escape(OFF)}"
)

_store = st.components.v2.component("samplescope_store", js=(Path(__file__).parent / "store.js").read_text())


@dataclass
class Answers(Mapping[str, Keys]):
    """The answers that a session knows, by ``lesson/step``: the keys of the chosen choices.

    Each answer of this session has a number that grows, so the browser writes it once; None is one that was taken back.
    """

    kept: dict[str, Keys] = field(default_factory=dict)  # in the browser's last report
    own: dict[str, tuple[int, Keys | None]] = field(default_factory=dict)  # of this session
    heard: bool = False  # whether the browser has reported its answers
    awaited: bool = False  # whether the page must be drawn again after that report
    shelf: str = ""  # the code of the class whose answers these are; "" for the learner's own
    session: str = field(default_factory=lambda: uuid.uuid4().hex)  # whose numbers these are, for the browser

    def __getitem__(self, name: str) -> Keys:
        keys = self.own[name][1] if name in self.own else self.kept[name]
        if keys is None:
            raise KeyError(name)
        return keys

    def __iter__(self) -> Iterator[str]:
        return (name for name in {**self.kept, **self.own} if name not in self.own or self.own[name][1] is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def put(self, name: str, keys: Keys | None) -> None:
        """Store an answer; None takes it back."""
        latest = max((number for number, _ in self.own.values()), default=0)
        self.own[name] = (latest + 1, keys)


def checked(told: Any) -> dict[str, Keys]:
    """Return the valid answers in the browser's report, which may hold anything."""
    if not isinstance(told, Mapping):
        return {}
    pairs = list(told.items())[:MOST]
    named = [(name, keys) for name, keys in pairs if isinstance(name, str) and NAME.fullmatch(name)]
    return {name: tuple(keys) for name, keys in named if _is_answer(keys)}


def _is_answer(keys: Any) -> bool:
    if not isinstance(keys, list | tuple) or not 0 < len(keys) <= MOST_CHOICES:
        return False
    return all(isinstance(key, str) and len(key) <= LONGEST for key in keys)


def answers() -> Answers:
    """Return this session's answers."""
    return st.session_state.setdefault("answers", Answers())


def of_a_class() -> bool:
    """Return whether the answers belong to a class that this browser leads or shows, not to a learner."""
    return bool(answers().shelf)


def misses() -> dict[str, int]:
    """Return the number of wrong answers to each question in this session."""
    return st.session_state.setdefault("misses", {})


def known() -> flow.Answers:
    """Return the answers as a value, from which the screen follows."""
    return flow.Answers(answers(), misses(), of_a_class())


def answered(lesson: Lesson, step: Step) -> Keys | None:
    """Return the learner's answer, as keys of choices or a number; None if there is none, or none that is valid."""
    return known().to(lesson, step)


def finished(lesson: Lesson) -> bool:
    """Return whether the learner has answered all questions of a lesson or, if it has none, reached its end."""
    questions = [step for step in lesson.steps if step.choices]
    if not questions:
        return answers().get(LEFT + lesson.id) == (lesson.steps[-1].id,)
    return all(answered(lesson, step) is not None for step in questions)


def left_at(lesson: Lesson) -> Step:
    """Return the step at which the learner left an unfinished lesson; else the first step."""
    name = (answers().get(LEFT + lesson.id) or ("",))[0]
    first = lesson.steps[0]
    return first if finished(lesson) else next((step for step in lesson.steps if step.id == name), first)


def leave_at(lesson: Lesson, step: Step) -> None:
    """Store the step of a lesson at which the learner is."""
    name = LEFT + lesson.id
    if not lesson.again_of and answers().get(name) != (step.id,):
        answers().put(name, (step.id,))


def give(lesson: Lesson, step: Step, keys: Keys) -> None:
    """Store an answer, and count it as one more try at its question."""
    name = name_of(lesson, step)
    misses().update(known().with_one(lesson, step, keys).misses)
    before, now = tries_of(name), f"{datetime.now(UTC):{WHEN}}"
    if before is None:
        put_tries(name, Tries(1, now, now, keys))
        _review(lesson, step, keys)
        if (sure := st.session_state.get(SURE_KEY + name)) in LEVELS:
            answers().put(SURE + name, (sure, HIT if step.is_right(keys) else MISS))
    else:
        put_tries(name, replace(before, many=before.many + 1, at=now))
    answers().put(name, keys)


def _review(lesson: Lesson, step: Step, keys: Keys) -> None:
    """Store when the idea of a question that came back is due again."""
    if lesson.again_of:
        asked = Returning(slug(step.idea), lesson.again_of, step.id)
        answers().put(IDEA + asked.idea, reviewed(asked, answers(), time.time(), right=step.is_right(keys)))


def tries_of(name: str) -> Tries | None:
    """Return the stored tries at a question; None if there are none, or none that can be read."""
    many, began, at, *first = (answers().get(TRIES + name) or ()) + ("",) * 3
    known = re.fullmatch("[0-9]{1,5}", many) and MOMENTS.fullmatch(began) and MOMENTS.fullmatch(at)
    return Tries(int(many), began, at, tuple(first[:-3])) if known and len(first) > 3 else None


def put_tries(name: str, tries: Tries) -> None:
    """Store how often the learner answered a question, when, and the first answer."""
    first = tries.first[: MOST_CHOICES - 3]
    answers().put(TRIES + name, (str(tries.many), tries.began, tries.at, *first))


def take_back(lesson: Lesson, step: Step) -> None:
    """Take an answer back, so that the question is asked again."""
    answers().put(name_of(lesson, step), None)


@st.fragment(key="answers")
def store() -> None:
    """Mount the component that reads and writes the browser's memory; pages with answers wait for its report.

    It also listens for news of the lessons, and asks for the page again when lessons have changed since it was drawn.
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
    """Do nothing: the report is read after the component has been drawn."""


def hear_first() -> None:
    """Stop the script here if the browser has not reported yet; its report starts the next run."""
    here = answers()
    if not here.heard:
        here.awaited = True
        st.stop()


def _heard(here: Answers, told: Any) -> Answers:
    """Read the browser's report, and return the session's answers from now on."""
    if told is None:
        return here
    (shelf, *_) = (isinstance(told, Mapping) and checked({CODE: told.get(SHELF)}).get(CODE)) or ("",)
    if here.heard and shelf != here.shelf:  # the browser has begun or stopped leading a class
        here = st.session_state["answers"] = Answers(awaited=True)
    here.kept, here.shelf = checked(told), shelf
    here.awaited |= bool(here.kept) and not here.heard
    here.heard = True
    return here
