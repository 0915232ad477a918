"""The left side of a topic's page: the open step of a lesson, or free play with all controls."""

import re
from contextlib import nullcontext

import streamlit as st

from lessons.catalogue import topic_info
from lessons.course.plan import moment
from lessons.flow import Screen
from lessons.format.lesson import Lesson, Step
from pages.contract.stage import stage_of
from pages.drawing.markdown import plain
from pages.lesson import goals, quiz, review, sure, tools
from pages.lesson.controls import controls
from pages.lesson.ending import ending
from pages.lesson.gate import way_in
from pages.lesson.language import spoken
from pages.lesson.lessons import body, library, plan, prose, titled
from pages.lesson.options import wants
from pages.lesson.page import view_options
from pages.lesson.state import Visit
from pages.lesson.widgets import bound_choice

FREE = "Free play"
TITLE = re.compile(r"\*([^*]+)\*")  # of a source, in italics: their font alone would be a twelfth of a first page


def text(place: Visit) -> None:
    """Draw the step's text, its question and its controls, with what the stage adds to them.

    The first page of a topic after the start of the server loads the stage when the text and the controls are on their
    way to the browser, which draws them meanwhile.
    """
    if place.notes:
        st.warning("\n\n".join(["**The link was not quite right.**", *(plain(note) for note in place.notes)]))
    if place.gone:
        st.warning(place.gone)
    current = place.current()
    with st.container(horizontal=True, vertical_alignment="center"):
        _choose(place, current)
        view_options()
    if current:
        _step(place, *current, place.screen())
    else:
        _free_play(place)


def _choose(place: Visit, current: tuple[Lesson, Step] | None) -> None:
    course = plan()
    titles = {one.id: f"{course.number(one)} · {titled(one)}" for one in course.for_stage(place.stage)}
    if current:
        titles.setdefault(current[0].id, titled(current[0]))  # a link can lead to a lesson outside the course

    def chosen(name: str) -> None:
        lesson = library().lesson(name)
        if lesson:
            place.open(lesson, lesson.steps[0])
        else:
            place.leave_lesson()

    with spoken(current[0], "chosen") if current else nullcontext():
        st.selectbox(
            "Lesson",
            format_func=lambda name: titles.get(name, name),
            label_visibility="collapsed",
            **bound_choice(place, "lesson", [*titles, FREE], current[0].id if current else FREE, chosen),
        )


def _step(place: Visit, lesson: Lesson, step: Step, seen: Screen) -> None:
    if wants("instructor") and (opens := plan().seen_from(lesson)):
        st.caption(f"Learners see this lesson from {moment(opens)} on.")
    if lesson.draft:
        st.caption("This is a draft: learners do not see it until its front matter has `draft: false`.")
    if step is lesson.steps[0]:
        review.before_you_go_on(lesson)
    if step.kind == "end":
        st.markdown(f"## {step.title}")
        ending(place, lesson)
    else:
        with spoken(lesson, "body"):
            st.markdown(f"## {step.title}")
            st.markdown(body(lesson, step))
    if seen.question:
        if seen.question.given is None:
            sure.ask(lesson, step)
        quiz.ask(place, seen.question)
    if step.goals:
        goals.meter(lesson, step, seen.ticks)
    for number, hint in enumerate(() if seen.question and seen.question.settled else step.hints):
        with st.expander("Hint"), spoken(lesson, f"hint{number}"):
            st.markdown(prose(lesson, hint))
    if step.until is not None:
        _goal(place, step.until, done=seen.done)
    controls(place)
    tools.draw(place, stage_of(place.stage).extra(place))
    if step.instructor and wants("instructor"):
        with spoken(lesson, "instructor"):
            st.info(prose(lesson, step.instructor), icon=":material/school:")
    if lesson.again_of:
        if seen.question and seen.question.settled:
            review.then(lesson, step)
        review.onward(lesson, done=seen.done)
        return
    way_in(lesson.path, step.id)
    _steps(place, lesson, step, done=seen.done)


def _goal(place: Visit, until: int, *, done: bool) -> None:
    goal = f"{place.settings.counted_as} {until}"
    if done:
        st.success(f"Done: {goal} is reached.", icon=":material/check:")
    else:
        st.info(f"Play to {goal}, or press **Run to {until}**.", icon=":material/play_arrow:")


def _steps(place: Visit, lesson: Lesson, step: Step, *, done: bool) -> None:
    """Draw the learner's place among the steps, with *Back* and *Next*; the lesson's end has its own links instead."""
    pages = lesson.pages
    number, last = pages.index(step), len(lesson.steps)
    looks = ["done"] * number + ["now"] + [""] * (last - number)
    dots = "".join(f'<i class="{look}"></i>' for look in looks)
    lit = " lit" * done  # a new type would replace the button, and lose a click
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="steps"):
        st.button("Back", disabled=number == 0, on_click=place.open, args=(lesson, pages[number - 1]), key="back")
        place_in = f"Step {number + 1} of {last + 1}{', the end' * (number == last)}"
        st.html(f'<div class="dots{lit}" role="img" aria-label="{place_in}">{dots}</div>', width="content")
        if number < last:
            label = "Next" if number + 1 < last else "Finish"
            st.button(label, on_click=place.open, args=(lesson, pages[number + 1]), key="next")


def _free_play(place: Visit) -> None:
    info = topic_info(place.stage)
    st.markdown(f"## {info.title}")
    st.markdown(info.about)
    above = st.container()
    with st.container(key="settings"):  # on a phone they come after the stage
        controls(place)
        stage = stage_of(place.stage)
        tools.draw(place, stage.extra(place))
        st.caption(TITLE.sub(r"“\1”", info.source))
    with above:
        tools.draw(place, stage.opening(place))
