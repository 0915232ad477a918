"""The page *Museum of errors*: the known errors of a rule, each with its smallest counterexample."""

import streamlit as st

from lessons.format.lesson import Lesson, Step
from pages.judge.museum import exhibition
from pages.lesson.address import parameters
from pages.lesson.lessons import carried, library
from pages.lesson.page import begin, title
from pages.lesson.state import arrive
from samplers.judge.bank import PROBLEMS

PROBLEM = "problem"  # its name in the address


def show() -> None:
    """Draw the page."""
    begin()
    arrive("museum")
    title("Museum of errors")
    st.markdown(
        "Each of these rules is wrong, and most of them run without complaint. The distance is that of the chain's "
        "long run from the exact posterior, computed and not sampled."
    )
    problems = [*PROBLEMS]
    asked = parameters().get(PROBLEM, "")
    chosen = st.selectbox(
        "The rule of",
        problems,
        problems.index(asked) if asked in problems else 0,
        lambda name: f"{PROBLEMS[name].title} · {len(PROBLEMS[name].wrong)} errors",
    )
    for lesson, step in _asked_in(chosen):
        st.page_link(
            f"{lesson.stage}.py",
            label=f"Write it yourself: {step.title}",
            icon=":material/edit:",
            query_params=carried(lesson=lesson.id, step=step.id),
        )
    st.html(exhibition(PROBLEMS[chosen]))


def _asked_in(problem: str) -> list[tuple[Lesson, Step]]:
    """Return the steps that ask for the rule of a problem."""
    steps = ((lesson, step) for lesson in library().lessons for step in lesson.steps)
    return [(lesson, step) for lesson, step in steps if step.choices and step.form.problem == problem]
