"""The course map: topics, their lessons, how far the learner is, and files that are broken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import streamlit as st

from lessons.reader import Lesson
from lessons.reader.glossary import Term
from lessons.reader.problems import Problem
from pages.drawing.numbers import counted
from pages.shell.answers import finished
from pages.shell.cover import next_of, perform
from pages.shell.lessons import FOLDER, library
from pages.shell.page import begin, plain, view_options, wants
from pages.shell.state import arrive
from pages.topics import HERO, TOPICS, TopicInfo

ACROSS = 4  # cards in a row
THUMBNAILS = {path.stem: quote(path.read_text()) for path in (Path(__file__).parent / "thumbnails").glob("*.svg")}


def show() -> None:
    """Draw the course map."""
    begin()
    arrive("map")
    course = library()
    lessons = {topic.stage: course.for_stage(topic.stage) for topic in TOPICS}
    here = next((topic for topic in TOPICS if next_of(lessons[topic.stage])), TOPICS[0])
    _hero(here, lessons[here.stage])
    for start in range(0, len(TOPICS), ACROSS):
        for column, topic in zip(st.columns(ACROSS), TOPICS[start : start + ACROSS], strict=False):
            with column.container(border=True, height="stretch", key=f"card {topic.stage}"):
                _card(topic, lessons[topic.stage], here=topic is here)
    _glossary(course.terms)
    if course.problems:
        _broken(course.problems)


def _hero(here: TopicInfo, lessons: Sequence[Lesson]) -> None:
    """Draw the beginning of the map: what this is, where to start, and a sampler at work."""
    right, left = st.columns([0.6, 0.4], gap="large", vertical_alignment="center")
    with left, st.container(key="hero"):
        st.title("See samplers work", anchor=False)
        st.markdown(
            "One update at a time, forwards and backwards: what it looks at, what it draws, and the exact answer "
            "beside the chain."
        )
        following = next_of(lessons)
        with st.container(horizontal=True, vertical_alignment="center"):
            if following:
                way = "Start" if (here, following) == (TOPICS[0], lessons[0]) else "Go on"
                label = f"**{way} here · {following.minutes} min**"
                st.page_link(here.page, label=label, query_params={"lesson": following.id})
            view_options()
    with right, st.container(key="heroics"):
        perform("crp_mixture", HERO)


def _glossary(terms: Sequence[Term]) -> None:
    if not terms:
        return
    with st.expander("Glossary", icon=":material/book_2:"):
        ordered = sorted(terms, key=lambda term: term.forms[0].lower())
        st.markdown("\n\n".join(f"**{plain(term.forms[0])}** · {plain(term.meaning)}" for term in ordered))


def _card(topic: TopicInfo, lessons: Sequence[Lesson], *, here: bool) -> None:
    """Draw a topic: its picture, its name, what it is about, and how far the learner is."""
    st.html(f'<img class="thumbnail" alt="" src="data:image/svg+xml,{THUMBNAILS[topic.stage]}">')
    st.page_link(topic.page, label=f"**{TOPICS.index(topic) + 1} · {topic.title}**")
    done, minutes = sum(map(finished, lessons)), sum(lesson.minutes for lesson in lessons)
    many = counted(len(lessons), "lesson")
    progress = "✓ done" if done == len(lessons) > 0 else f"{done} of {many} done" if done else f"{many} · {minutes} min"
    st.caption(f"{topic.line}\n\n{f'**Start here** · {progress}' if here else progress}")


def _broken(files: Mapping[Path, Sequence[Problem]]) -> None:
    """Say that lessons are being edited; list the problems by file to instructors alone."""
    some = "A lesson is" if len(files) == 1 else f"{len(files)} lessons are"
    st.caption(f"{some} being edited just now; the rest of the course works.")
    if wants("instructor"):
        for path, problems in files.items():
            short = path.relative_to(FOLDER.parent)
            lines = [str(replace(problem, path=short)) for problem in problems]
            st.code("\n".join(lines), language=None, wrap_lines=True)
