"""What a session knows: one typed object a topic, its answers and its guesses."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from lessons.reader import STAGES, Lesson, StageSettings, Step, read_int, read_text
from lessons.reader.settings import SEED_HIGH, SEED_LOW
from pages.parts.lessons import library
from pages.parts.player import Reel

PLAYER = "player"  # the key of the player component; its triggers are read under it
OWN_KEYS = ("lesson", "step", "seed", "view", "t")


@dataclass
class Topic:
    """Where a learner is in one topic: what the address bar reproduces, and a little that it does not.

    Attributes
    ----------
    stage : str
        The topic's stage.
    settings : StageSettings
        What it is set to.
    seed, t : int
        Of the chain; the iteration at which the player rests.
    lesson, step : str or None
        Ids; without a lesson the learner plays freely.
    view : str
        The inspector's view.
    notes : list of str
        What was not taken from a link as it came; shown until the learner goes on.
    reel : Reel
        How far the browser is.
    """

    stage: str
    settings: StageSettings
    seed: int = 7
    t: int = 0
    lesson: str | None = None
    step: str | None = None
    view: str = ""
    notes: list[str] = field(default_factory=list)
    reel: Reel = field(default_factory=Reel)
    links: deque[str] = field(default_factory=lambda: deque(maxlen=200))  # those this page wrote itself
    followed: str | None = None  # the link that was followed last, until the player has written its own

    # ---- lessons ---------------------------------------------------------------------------------------------------

    def current(self) -> tuple[Lesson, Step] | None:
        """Return the lesson and the step that are open, or None in free play."""
        lesson = library().lesson(self.lesson) if self.lesson else None
        if lesson is None or lesson.stage != self.stage:
            return None
        step = next((step for step in lesson.steps if step.id == self.step), lesson.steps[0])
        return lesson, step

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the controls that the step shows; in free play all of them."""
        current = self.current()
        return current[0].show_for(current[1]) if current else self.settings.controls

    def open(self, lesson: Lesson, step: Step) -> None:
        """Go to a step of a lesson: its settings, its seed, its iteration."""
        settings, seed = lesson.settings_for(step), lesson.seed_for(step)
        moved = (settings, seed) != (self.settings, self.seed)
        self.lesson, self.step, self.settings, self.seed = lesson.id, step.id, settings, seed
        self.view = step.open or settings.views[0]
        self.notes = []
        if moved or step.at is not None:
            self.move(step.at or 0)

    def leave_lesson(self) -> None:
        """Play freely from here."""
        self.lesson = self.step = None
        self.notes = []

    # ---- changes ---------------------------------------------------------------------------------------------------

    def move(self, t: int, *, walk: bool = False) -> None:
        """Send the player to an iteration."""
        self.t = max(0, min(t, self.settings.iterations))
        self.reel.go_to(self.t, walk=walk)

    def change(self, **changes: Any) -> None:
        """Change settings; the iteration stays where it is, as far as there is one."""
        self.settings = self.settings.model_validate({**self.settings.model_dump(), **changes})
        self.notes = []
        if self.t > self.settings.iterations:
            self.move(self.settings.iterations)

    def turn(self, by: int) -> None:
        """Go to the next chapter of a run, or to the end of the one before."""
        settings = self.settings.chapter(by)
        if settings is not None:
            self.settings, self.t = settings, 0 if by > 0 else settings.iterations

    # ---- the address bar -------------------------------------------------------------------------------------------

    def link(self) -> str:
        """Return the query string that reproduces all but the iteration, which the player adds."""
        own = {
            "lesson": self.lesson,
            "step": self.step,
            **self.settings.model_dump(),
            "seed": self.seed,
            "view": self.view,
        }
        link = urlencode({name: value for name, value in own.items() if value is not None})
        if link not in self.links:
            self.links.append(link)
        return link

    def follow(self, values: dict[str, str]) -> None:
        """Go where the address bar says, unless this page has written it there itself."""
        asked = urlencode({name: value for name, value in values.items() if name != "t"})
        if not values or asked in self.links or asked == self.followed:
            self.followed = asked if asked == self.followed else None
            return
        self.followed = asked
        notes = self._follow_lesson(values)
        self.settings, more = read_text(type(self.settings), values, self.settings)
        notes += more
        self.t = min(self.t, self.settings.iterations)
        for name, low, high in (("seed", SEED_LOW, SEED_HIGH), ("t", 0, self.settings.iterations)):
            number, note = read_int(name, values.get(name, str(getattr(self, name))), low, high, getattr(self, name))
            setattr(self, name, number)
            notes += [note] if note else []
        view = values.get("view", self.view)
        if view in self.settings.views:
            self.view = view
        elif "view" in values:
            notes.append("The inspector has no view of that name.")
        if set(values) - set(OWN_KEYS) - set(type(self.settings).model_fields):
            notes.append("The link has parts that mean nothing here; they were left out.")
        self.move(self.t)
        self.notes = notes

    def _follow_lesson(self, values: dict[str, str]) -> list[str]:
        """Open the lesson and the step that are asked for, free play if there are none; return what was not found."""
        lesson = library().lesson(values["lesson"]) if "lesson" in values else None
        if lesson is None or lesson.stage != self.stage:
            self.leave_lesson()
            self.settings, self.t = type(self.settings)(), 0
            if "lesson" in values:
                return ["There is no lesson of that name here; this is free play."]
            return ["The link names a step, but no lesson; this is free play."] if "step" in values else []
        asked = values.get("step", lesson.steps[0].id)
        step = next((step for step in lesson.steps if step.id == asked), lesson.steps[0])
        self.open(lesson, step)
        self.t = step.at or 0
        return [] if step.id == asked else [f"This lesson has no step of that name; it opens at “{step.title}”."]


def topic(stage: str) -> Topic:
    """Return this session's place in a topic, as the address bar asks for it."""
    key = f"topic {stage}"
    if key not in st.session_state:
        settings = STAGES[stage]()
        st.session_state[key] = Topic(stage, settings, view=settings.views[0])
    place: Topic = st.session_state[key]
    place.follow(st.query_params.to_dict())
    return place


def answers() -> dict[tuple[str, str], tuple[int, ...]]:
    """Return what was answered in this session: the choices by (lesson, step)."""
    return st.session_state.setdefault("answers", {})


def guesses() -> dict[str, int | None]:
    """Return what the learner guessed in the inspector, by update."""
    return st.session_state.setdefault("guesses", {})
