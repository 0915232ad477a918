"""Covers of topics, and what an instructor sees."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.lesson.lessons import library
from tests.pages.visits import app

ROOT = Path(__file__).parents[3]
TOPIC = "crp_seating.py"
LESSONS = library().for_stage("crp_seating")


def cover(topic: str = TOPIC) -> AppTest:
    """Return the app at a topic's cover."""
    test = app()
    test.switch_page(topic).run()
    assert not test.exception
    return test


def listed(test: AppTest) -> dict[str, str]:
    """Return the lessons that a cover lists: label by id."""
    return {button.key.removeprefix("lesson "): button.label for button in test.button if "lesson " in str(button.key)}


def instructors(test: AppTest) -> AppTest:
    """Have the instructor's notes shown."""
    return next(switch for switch in test.toggle if switch.label == "Instructor's notes").set_value(True).run()
