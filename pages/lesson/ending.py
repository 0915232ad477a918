"""The end of a lesson: its summary, the learner's answers, and links to what comes next."""

import streamlit as st

from lessons.catalogue import TOPICS, topic_info
from lessons.course.plan import Plan, moment
from lessons.format.lesson import Lesson, Step
from pages.drawing.markdown import plain
from pages.lesson.answers import answered
from pages.lesson.language import aside, spoken
from pages.lesson.lessons import carried, plan
from pages.lesson.state import Visit

RIGHT, WRONG, NONE = ":green[:material/check:]", ":orange[:material/close:]", ":material/remove:"
PART = ":orange[:material/contrast:]"  # some of the goals


def ending(place: Visit, lesson: Lesson) -> None:
    """Draw the lesson's summary, the learner's answers, and links to what comes next."""
    with spoken(lesson, "summary"):
        st.markdown("\n".join(f"- {plain(line)}" for line in lesson.summary))
    questions = [step for step in lesson.steps if step.choices]
    right = sum((given := answered(lesson, step)) is not None and step.is_right(given) for step in questions)
    with st.container(border=True, key="answered"):
        st.markdown(f"**Your answers** · {right} of {len(questions)} right")
        with spoken(lesson, "told"):
            for step in questions:
                st.markdown(_told(lesson, step))
    _ways_on(place, lesson)


def _told(lesson: Lesson, step: Step) -> str:
    """Return a line for a question: its title, the learner's answer and, if that is wrong, the right one."""
    given = answered(lesson, step)
    if given is None:
        return f"{NONE} {step.title} · *{aside('not answered', lesson)}*"
    said, told = (step.answers.in_words(keys) for keys in (given, step.answers.right_keys))
    mark = RIGHT if step.is_right(given) else WRONG
    right = f"; {aside('right:', lesson)} **{told}**" if said != told else ""
    return f"{mark} {step.title} · **{said}**{right}"


def _ways_on(place: Visit, lesson: Lesson) -> None:
    """Draw links to the next lesson or, at the end of a topic, to the next topic; and back to the map."""
    with st.container(key="onward"):
        _onward(place, lesson, plan())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("home.py", label="Course map", icon=":material/map:", query_params=carried())
        st.page_link("work.py", label="My work", icon=":material/assignment_ind:", query_params=carried())
        st.button("Play freely", type="tertiary", on_click=place.leave_lesson, key="free")


def _onward(place: Visit, lesson: Lesson, course: Plan) -> None:
    after = course.after(lesson)
    if after is None:
        topics = [topic for topic in TOPICS[TOPICS.index(topic_info(lesson.stage)) + 1 :] if course.shows(topic.stage)]
        if course.parts and course.number(lesson):
            st.markdown(f"This was the last lesson of **{plain(course.title)}**.")
        elif topics:
            st.page_link(topics[0].page, label=f"**Next topic: {topics[0].title}**", query_params=carried())
        return
    title = aside(plain(after.title), after)
    label = f"Next lesson: {title} · {after.minutes} min"
    if opens := course.opens(after):
        st.markdown(f"The next lesson, **{title}**, opens on {moment(opens)}.")
    elif after.stage == lesson.stage:
        st.button(label, type="primary", on_click=place.open, args=(after, after.steps[0]), key="next")
    else:
        st.page_link(topic_info(after.stage).page, label=f"**{label}**", query_params=carried(lesson=after.id))
