"""A topic's cover: a run that plays by itself, and links to the lessons."""

from collections.abc import Sequence

import streamlit as st

from lessons.catalogue import Cover, topic_info
from lessons.flow import source_of
from lessons.format.lesson import Lesson
from lessons.topics import STAGES
from pages.drawing.markdown import plain
from pages.lesson.answers import finished, left_at
from pages.lesson.frame import frame
from pages.lesson.language import aside, spoken
from pages.lesson.lessons import plan
from pages.lesson.page import class_doors, view_options
from pages.lesson.state import Visit
from pages.player.player import poster


def cover(place: Visit) -> None:
    """Draw the cover: title, description, links, and the run."""
    info = topic_info(place.stage)
    lessons = plan().for_stage(place.stage)
    right, left = st.columns([0.66, 0.34], gap="large")
    with left, st.container(key="cover"):
        st.markdown(f"# {info.title}")
        st.markdown(info.about)
        _ways_in(place, lessons)
        _list(place, lessons)
        with st.expander("Read on"):
            st.markdown("\n".join(f"- {entry}" for entry in info.read_on))
        with st.container(horizontal=True, vertical_alignment="center"):
            view_options()
            class_doors()
    with right, st.container(key="stage"):
        frame(info.cover.charts, cards=False)
        perform(place.stage, info.cover, page=place.stage)


def perform(stage: str, shown: Cover, page: str = "") -> None:
    """Draw a run that plays by itself, on a topic's cover or on the course map."""
    settings = STAGES[stage](**shown.settings)
    poster(source_of(stage, settings, shown.seed), shown.charts, shown.frames, shown.pace, page)


def next_of(lessons: Sequence[Lesson]) -> Lesson | None:
    """Return the first lesson that is not finished; None if all of them are."""
    return next((lesson for lesson in lessons if not finished(lesson)), None)


def _ways_in(place: Visit, lessons: Sequence[Lesson]) -> None:
    following = next_of(lessons)
    with st.container(horizontal=True):
        if following:
            first = following is lessons[0] and left_at(following) is following.steps[0]
            way = "Start the lessons" if first else f"Continue with {plan().number(following)}"
            st.button(
                f"{way} · {following.minutes} min", type="primary", on_click=_open, args=(place, following), key="start"
            )
        st.button("Play freely", on_click=place.leave_lesson, key="free")


def _list(place: Visit, lessons: Sequence[Lesson]) -> None:
    """List the lessons, with a tick at finished ones; by track, if there are several."""
    tracks, course = {lesson.track for lesson in lessons}, plan()
    for before, lesson in zip([None, *lessons], lessons, strict=False):
        if len(tracks) > 1 and (before is None or lesson.track != before.track):
            st.caption(plain(lesson.track[0].upper() + lesson.track[1:]))
        mark = ":material/check: " if finished(lesson) else ""
        step = lesson.steps.index(left_at(lesson))
        how_far = f"step {step + 1} of {len(lesson.steps)}" if step else f"{lesson.minutes} min"
        label = f"{mark}{course.number(lesson)} · {plain(lesson.title)} · {aside(how_far, lesson)}"
        aims = "\n".join(f"- {plain(aim)}" for aim in lesson.objectives)
        with spoken(lesson, lesson.id):
            st.button(
                label, type="tertiary", on_click=_open, args=(place, lesson), key=f"lesson {lesson.id}", help=aims
            )


def _open(place: Visit, lesson: Lesson) -> None:
    place.open(lesson, left_at(lesson))
