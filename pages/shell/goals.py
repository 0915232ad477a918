"""The goals of a step: which of them the learner has reached, and which are left."""

from collections.abc import Mapping

import streamlit as st

from lessons.reader import Lesson, Step
from lessons.reader.goals import Goal
from pages.contract.waiting import NotYet
from pages.player.kept import RUNS
from pages.player.turns import SlicedWork, session, time_slice
from pages.shell.answers import answered, give
from pages.shell.language import spoken
from pages.shell.lessons import prose
from pages.shell.state import Topic
from samplers import Chain

KEPT = 40  # states to keep of the measured run
TICKED, OPEN = ":green[:material/check_box:]", ":material/check_box_outline_blank:"


def is_done(place: Topic, lesson: Lesson, step: Step) -> bool:
    """Return whether the step is done: the question is answered, the run is at its end, all goals are reached."""
    if step.until is not None:
        return place.t >= step.until
    if step.choices and answered(lesson, step) is None:
        return False
    return all(_ticks(lesson, step, goal) == goal.keys.seeds for goal in step.goals)


def meter(lesson: Lesson, step: Step) -> None:
    """Draw the goals, with a box for each time that the learner must reach one."""
    with st.container(border=True, key="goals"):
        for goal in step.goals:
            ticks = _ticks(lesson, step, goal)
            boxes = TICKED * ticks + OPEN * (goal.keys.seeds - ticks)
            said = f"\n\n{goal.reason}" if goal.reason and ticks == goal.keys.seeds else ""
            with spoken(lesson, f"goal-{goal.id}"):
                st.markdown(prose(lesson, f"{boxes} {goal.text}{said}"))


def look(place: Topic) -> bool:
    """Tick the goals that hold at the learner's iteration, and return whether any tick is new.

    It may raise `NotYet` while it measures the run.
    """
    current = place.current()
    if current is None or not current[1].goals:
        return False
    lesson, step = current
    known = answered(lesson, step) or ()
    near = [
        goal
        for goal in step.goals
        if _ticks(lesson, step, goal) < goal.keys.seeds
        and _key(goal, place) not in known
        and goal.is_near(place.settings, place.t, place.view)
    ]
    outcomes = _outcomes(place) if any(goal.keys.reach for goal in near) else {}
    news = tuple(_key(goal, place) for goal in near if goal.is_reached_by(outcomes))
    if news:
        give(lesson, step, (*known, *news))
    return bool(news)


def _key(goal: Goal, place: Topic) -> str:
    return f"{goal.id} {place.seed}"


def _ticks(lesson: Lesson, step: Step, goal: Goal) -> int:
    """Return with how many seeds the learner has reached a goal."""
    known = answered(lesson, step) or ()
    return min(goal.keys.seeds, sum(key.partition(" ")[0] == goal.id for key in known))


def _outcomes(place: Topic) -> Mapping[str, float]:
    """Return the outcomes of the run at the learner's iteration; empty in a close-up, which has no outcomes."""
    settings = place.settings
    if settings.opened is not None:
        return {}
    key = f"goals of {session()}: {place.source()}"
    chain = RUNS.shared(key, lambda: Chain(settings.sampler(), place.seed, keep=KEPT))
    with time_slice() as over:
        if not SlicedWork(chain.towards(place.t)).until(over):
            raise NotYet("Looking for your goal in the run", 0.0, lambda: _outcomes(place), 0)
    return settings.measure(chain, place.t)
