"""The goals of a step: which of them the learner has reached, and which are left."""

from collections.abc import Mapping, Sequence

import streamlit as st

from lessons.flow import goals_near, tick_of
from lessons.format.lesson import Lesson, Step
from pages.contract.waiting import NotYet
from pages.lesson.answers import answered, give, known
from pages.lesson.language import spoken
from pages.lesson.lessons import prose
from pages.lesson.state import Visit
from pages.player.kept import RUNS
from pages.player.turns import SlicedWork, session, time_slice
from samplers import Chain

KEPT = 40  # states to keep of the measured run
TICKED, OPEN = ":green[:material/check_box:]", ":material/check_box_outline_blank:"


def meter(lesson: Lesson, step: Step, reached: Sequence[int]) -> None:
    """Draw the goals, with a box for each time that the learner must reach one."""
    with st.container(border=True, key="goals"):
        for goal, ticks in zip(step.goals, reached, strict=True):
            boxes = TICKED * ticks + OPEN * (goal.keys.seeds - ticks)
            said = f"\n\n{goal.reason}" if goal.reason and ticks == goal.keys.seeds else ""
            with spoken(lesson, f"goal-{goal.id}"):
                st.markdown(prose(lesson, f"{boxes} {goal.text}{said}"))


def look(place: Visit) -> bool:
    """Tick the goals that hold at the learner's iteration, and return whether any tick is new.

    While something is dragged, none is reached: it counts where it is let go. It may raise `NotYet` while it measures
    the run.
    """
    current, here = place.current(), place.here()
    near = [] if place.held else goals_near(here, known())
    outcomes = _outcomes(place) if any(goal.keys.reach for goal in near) else {}
    news = tuple(tick_of(goal, here) for goal in near if goal.is_reached_by(outcomes))
    if news and current:
        give(*current, (*(answered(*current) or ()), *news))
    return bool(news)


def _outcomes(place: Visit) -> Mapping[str, float]:
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
