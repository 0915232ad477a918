"""The studio's first page: an instructor's files with their problems, and what a folder can have besides."""

from pathlib import Path

import streamlit as st

from lessons.catalogue import topic_info
from lessons.check.files import lesson_files
from lessons.check.unread import passed_over
from lessons.course.saving import course_parts, deleted, digest_of, read_anyhow, writable
from lessons.course.template import GLOSSARY, course_from
from lessons.format.lesson import Lesson
from lessons.format.problems import Problem
from pages.drawing.markdown import plain
from pages.drawing.numbers import counted
from pages.lesson.course import wrong_runs
from pages.lesson.lessons import library, titled
from pages.studio.desk import Desk

SHOWN = 5  # problems of a file


def draw(here: Desk) -> None:
    """Draw the files of each folder that may be written to."""
    if here.said:
        st.info(here.said, icon=":material/edit_note:")
    if not (folders := writable()):
        st.info("Choose a lesson to read it. To write lessons, name a folder in `SAMPLESCOPE_LESSONS`.")
    by_path = {lesson.path: lesson for lesson in library().lessons}
    for folder in folders:
        st.header(folder.name, anchor=False)
        files = lesson_files(folder)
        with st.spinner("Repeating the runs of your lessons"):
            for path in files:
                _file(here, path, by_path.get(path))
        for unread in passed_over(folder):
            st.caption(f"{plain(unread.path.relative_to(folder).as_posix())}: {plain(unread.message)}.")
        if not files:
            st.caption("There are no lessons yet. Press **New** to begin one.")
        _more(here, folder)


def _file(here: Desk, path: Path, lesson: Lesson | None) -> None:
    """Draw a file: its title, which opens it, and its state with its problems."""
    runs = wrong_runs(path, digest_of(path)) if lesson else ()
    problems = [*library().problems.get(path, []), *runs]
    with st.container(border=True, key=f"file {path}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            title = plain(titled(lesson)) if lesson else path.name
            st.button(f"**{title}**", key=f"open {path}", type="tertiary", on_click=here.open, args=(path,))
            st.caption(_state(path, lesson, problems), width="stretch")
        for number, problem in enumerate(problems[:SHOWN]):
            said = f"Line {problem.line}: {plain(problem.message)}"
            st.button(said, key=f"{path} {number}", icon=":material/error:", on_click=_to, args=(here, problem))


def _state(path: Path, lesson: Lesson | None, problems: list[Problem]) -> str:
    told = counted(len(problems), "problem") if problems else "no problems"
    if lesson is None:
        return told
    return f"{path.name} · {topic_info(lesson.stage).title} · {lesson.minutes} min · {told}"


def _to(here: Desk, problem: Problem) -> None:
    """Open a file at the line of a problem."""
    here.open(problem.path)
    here.line = here.jump = problem.line


def _more(here: Desk, folder: Path) -> None:
    """Offer to begin the folder's course and glossary, and to bring back what was deleted."""
    with st.container(horizontal=True):
        for what, path in course_parts(folder).items():
            label = f"Begin a {what}"
            st.button(label, key=f"{label} {folder}", icon=":material/add:", on_click=_begin, args=(here, path))
        for path, version in deleted(folder).items():
            label = f"Bring back {path.name}"
            st.button(
                label, key=f"{label} {folder}", icon=":material/undo:", on_click=_again, args=(here, path, version)
            )


def _begin(here: Desk, path: Path) -> None:
    here.begin(path, begun(path))


def begun(path: Path) -> str:
    """Return the text with which a course or a glossary begins."""
    own = [lesson.id for lesson in library().lessons if lesson.path.parent == path.parent]
    return GLOSSARY if path.suffix == ".md" else course_from(own or [library().lessons[0].id])


def _again(here: Desk, path: Path, version: Path) -> None:
    here.begin(path, read_anyhow(version))
