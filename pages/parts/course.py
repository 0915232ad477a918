"""The course map: topics, their lessons, how far the learner is, and files that are broken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from lessons.reader import Lesson
from lessons.reader.glossary import Term
from pages.parts.lessons import FOLDER, library
from pages.parts.page import begin, plain
from pages.parts.state import answers
from pages.topics import TOPICS, TopicInfo

ACROSS = 3  # cards in a row


def show() -> None:
    """Draw the course map."""
    begin()
    st.title("See samplers work", anchor=False)
    st.markdown(
        "One update at a time, forwards and backwards, with the numbers inside the formula and the exact truth beside "
        "the chain."
    )
    course = library()
    for topic in TOPICS:
        _topic(topic, course.for_stage(topic.stage))
    _glossary(course.terms)
    for path, problems in course.problems.items():
        _broken(path, [str(problem) for problem in problems])


def _glossary(terms: Sequence[Term]) -> None:
    if not terms:
        return
    with st.expander("Glossary", icon=":material/book_2:"):
        ordered = sorted(terms, key=lambda term: term.forms[0].lower())
        st.markdown("\n\n".join(f"**{plain(term.forms[0])}** · {plain(term.meaning)}" for term in ordered))


def _topic(topic: TopicInfo, lessons: Sequence[Lesson]) -> None:
    st.subheader(topic.title, anchor=False)
    st.markdown(topic.about)
    tracks = dict.fromkeys(lesson.track for lesson in lessons)
    for track in tracks:
        if len(tracks) > 1:
            st.markdown(f"**{track.capitalize()}**")
        _cards(topic, lessons, [lesson for lesson in lessons if lesson.track == track])
    st.page_link(topic.page, label="Play freely, without a lesson", icon=":material/tune:")


def _cards(topic: TopicInfo, lessons: Sequence[Lesson], shown: Sequence[Lesson]) -> None:
    for start in range(0, len(shown), ACROSS):
        for column, lesson in zip(st.columns(ACROSS), shown[start : start + ACROSS], strict=False):
            with column.container(border=True, height="stretch"):
                _card(topic, lessons.index(lesson) + 1, lesson)


def _card(topic: TopicInfo, number: int, lesson: Lesson) -> None:
    st.page_link(topic.page, label=f"**{number} · {lesson.title}**", query_params={"lesson": lesson.id})
    objectives = "\n".join(f"- {objective}" for objective in lesson.objectives)
    st.caption(f"{lesson.minutes} minutes{_progress(lesson)}\n{objectives}")


def _progress(lesson: Lesson) -> str:
    questions = [step.id for step in lesson.steps if step.choices]
    done = sum((lesson.id, step) in answers() for step in questions)
    return f" · {done} of {len(questions)} questions answered" if done else ""


def _broken(path: Path, problems: list[str]) -> None:
    with st.container(border=True):
        st.markdown(f"**{path.relative_to(FOLDER.parent)}** has a problem; the rest of the course works.")
        st.code("\n".join(problems), language=None, wrap_lines=True)
