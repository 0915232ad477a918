"""A learner's confidence in a prediction: one tap before the answer, and its curve in *My work*."""

import streamlit as st

from lessons.flow import name_of
from lessons.format.lesson import Lesson, Step
from lessons.review import ASKED, LEVELS, calibration
from pages.drawing.calibration import curve
from pages.lesson.answers import SURE_KEY, answers, of_a_class

SAID = (
    "A dot is the share of your first answers that were right, and the line its 95 % interval. If you are well "
    "calibrated, *I know* is near 100 % and *A guess* near what guessing gives."
)


def ask(lesson: Lesson, step: Step) -> None:
    """Draw the three levels beside an open prediction whose author wants to know; a class answers without them."""
    if lesson.asks_sure(step) and not of_a_class():
        with st.container(key="sure"):
            st.segmented_control(ASKED, LEVELS, format_func=LEVELS.__getitem__, key=SURE_KEY + name_of(lesson, step))


def curve_of_mine() -> None:
    """Draw how often the learner was right, by how sure; nothing without such an answer."""
    if rows := calibration(answers()):
        with st.expander("How sure you were, and how often right", icon=":material/target:"):
            st.html(curve(rows))
            st.caption(SAID)
