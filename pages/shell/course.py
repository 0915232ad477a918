"""The course map: topics, their lessons, how far the learner is, and files that are broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from lessons.reader import Lesson
from lessons.reader.glossary import Term
from lessons.reader.problems import Problem
from pages.shell.answers import answered
from pages.shell.lessons import FOLDER, library
from pages.shell.page import begin, plain, view_options, wants
from pages.topics import TOPICS, TopicInfo

ACROSS = 3  # cards in a row


def show() -> None:
    """Draw the course map."""
    begin()
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title("See samplers work", anchor=False, width="content")
        view_options()
    st.markdown(
        "One update at a time, forwards and backwards, with the numbers inside the formula and the exact truth beside "
        "the chain."
    )
    course = library()
    for topic in TOPICS:
        _topic(topic, course.for_stage(topic.stage))
    _glossary(course.terms)
    if course.problems:
        _broken(course.problems)


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
            st.markdown(f"**{plain(track[0].upper() + track[1:])}**")
        _cards(topic, lessons, [lesson for lesson in lessons if lesson.track == track])
    st.page_link(topic.page, label="Play freely, without a lesson", icon=":material/tune:")


def _cards(topic: TopicInfo, lessons: Sequence[Lesson], shown: Sequence[Lesson]) -> None:
    for start in range(0, len(shown), ACROSS):
        for column, lesson in zip(st.columns(ACROSS), shown[start : start + ACROSS], strict=False):
            with column.container(border=True, height="stretch"):
                _card(topic, lessons.index(lesson) + 1, lesson)


def _card(topic: TopicInfo, number: int, lesson: Lesson) -> None:
    st.page_link(topic.page, label=f"**{number} · {plain(lesson.title)}**", query_params={"lesson": lesson.id})
    objectives = "\n".join(f"- {objective}" for objective in lesson.objectives)
    st.caption(f"{lesson.minutes} minutes{_progress(lesson)}\n{objectives}")


def _progress(lesson: Lesson) -> str:
    questions = [step for step in lesson.steps if step.choices]
    done = sum(answered(lesson, step) is not None for step in questions)
    return f" · {done} of {len(questions)} questions answered" if done else ""


def _broken(files: Mapping[Path, Sequence[Problem]]) -> None:
    """Say that lessons are being edited; list the problems by file to instructors alone."""
    some = "A lesson is" if len(files) == 1 else f"{len(files)} lessons are"
    st.caption(f"{some} being edited just now; the rest of the course works.")
    if wants("instructor"):
        for path, problems in files.items():
            short = path.relative_to(FOLDER.parent)
            lines = [str(replace(problem, path=short)) for problem in problems]
            st.code("\n".join(lines), language=None, wrap_lines=True)
