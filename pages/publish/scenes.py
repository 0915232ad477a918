"""The stage of every step as the live page would draw it: its own functions go through the lesson, and are recorded.

Nothing here decides what a learner sees. `Topic`, `withheld` and `screen` are those of the page, and hear of an answer
as they do there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from lessons.reader import Lesson, Step
from lessons.stages.settings import StageSettings, flags_of
from pages.contract.film import Film
from pages.contract.stage import Stage
from pages.contract.waiting import NotYet
from pages.publish.messages import Scene
from pages.shell import quiz
from pages.shell.answers import Answers, give, name_of
from pages.shell.controls import words
from pages.shell.state import Topic
from pages.shell.topic import screen, views_open
from pages.shell.withheld import about_rule, withheld

T = TypeVar("T")
SHORT = 40  # iterations that every run has, if it is as long
ELSEWHERE = ("controls",)  # what the player locks: handles on charts change settings, and need a server


class Needed(NamedTuple):
    """A run that a lesson shows: its settings and seed, and the iterations at which a step rests, by view."""

    settings: StageSettings
    seed: int
    rests: set[tuple[str, int]]

    @property
    def last(self) -> int:
        """The last iteration that any step needs; a few more, if they come to no more than SHORT."""
        return max(t for _, t in self.rests)


class Stagehand:
    """Goes through a lesson on its stage as its learner does, and notes which runs it needs.

    Attributes
    ----------
    runs : dict of str to Needed
        The runs that were shown so far, by their sources.
    spare : set of str
        The sources of those that no step needs: a step can do without them.
    """

    def __init__(self, lesson: Lesson, stage: Stage[Any]) -> None:
        self.lesson, self.stage = lesson, stage
        self.runs: dict[str, Needed] = {}
        self.spare: set[str] = set()

    def opened(self, step: Step, *, spare: bool = False, **changes: Any) -> Scene:
        """Return the stage as a step opens; `changes` are other settings or another seed that its controls set."""
        known = {*self.runs}
        with _nothing_answered():
            scene = self._scene(self._at(step, **changes))
        source = scene["message"]["source"]
        if not spare:
            self.spare.discard(source)
        elif source not in known:
            self.spare.add(source)
        return scene

    def answered(self, step: Step) -> Scene:
        """Return the stage as a step opens once its question has been answered."""
        with _nothing_answered():
            place = self._at(step)
            give(self.lesson, step, step.answers.right_keys)
            return self._scene(place)

    def then(self, step: Step) -> Scene:
        """Return the stage right after the answer."""
        with _nothing_answered():
            place = self._at(step)
            quiz.take(place, self.lesson, step, step.answers.right_keys)
            return self._scene(place)

    def _at(self, step: Step, seed: int | None = None, **changes: Any) -> Topic:
        lesson = self.lesson
        place = Topic(lesson.stage, lesson.settings_for(step))
        place.open(lesson, step)
        place.move(step.at or 0)
        if changes:
            place.change(**changes)
        if seed is not None:
            place.seed = seed
        return place

    def _scene(self, place: Topic) -> Scene:
        current = place.current()
        assert current is not None  # the lesson is in the library
        film = patiently(lambda: self.stage.film(place.settings, place.seed))
        views = views_open(place, withheld(place))
        hidden = [name_of(self.lesson, step) for step in about_rule(place.settings, self.lesson)]
        shown = [*views, *(["code"] if hidden and "code" in place.settings.views and views else [])]
        view = place.view if place.view in shown or not views else views[0]
        place.t = min(place.t, film.total)
        self._needs(place, film, view, current[1])
        data = screen(self.stage, place, film, place.source())
        data |= {"before": False, "after": False, "dials": [], "levels": [], "opens": [], "follows": False, "go": None}
        data |= {"lock": [*dict.fromkeys((*data["lock"], *ELSEWHERE))], "covered": False, "heard": 0, "session": ""}
        titles = [(name, place.settings.views[name]) for name in place.settings.views if name in shown]
        return {"values": {}, "message": data, "view": view, "views": titles, "code": hidden}

    def _needs(self, place: Topic, film: Film, view: str, step: Step) -> None:
        source = place.source()
        run = self.runs.setdefault(source, Needed(place.settings, place.seed, {(view, min(SHORT, film.total))}))
        goals = [int(goal.way(place.settings, place.t, place.seed)[1]) for goal in step.goals]
        for t in (place.t, step.until or 0, *goals):
            run.rests.add((view, min(t, film.total)))


def patiently(make: Callable[[], T]) -> T:
    """Return what a function makes, however long it takes; raise `NotYet` if that is too long to wait for."""
    while True:
        try:
            return make()
        except NotYet as wait:
            if wait.endless:
                raise
            wait.more()


@contextmanager
def _nothing_answered() -> Iterator[None]:
    """Let the page's functions find a browser that keeps no answers."""
    st.session_state["answers"] = Answers(heard=True)
    yield
    del st.session_state["answers"]


def in_words(settings: StageSettings, seed: int) -> dict[str, str]:
    """Return the values of all controls as learners read them, by name."""
    found = {"seed": str(seed)}
    for name, field in type(settings).model_fields.items():
        value, said = getattr(settings, name), flags_of(field).get("words", {})
        found[name] = f"{value:g}" if isinstance(value, float) else str(said.get(value, words(str(value))))
    return found
