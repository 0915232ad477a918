"""The parts of a page that are there before the code of its topic is loaded."""

import pytest
import streamlit as st

from pages.lesson.lessons import library
from tests.pages.visits import app, buttons

TOPIC = "crp_seating.py"


@pytest.fixture
def no_topic(monkeypatch):
    """End each run where it needs the code of a topic."""
    for module in ("text", "topic"):
        monkeypatch.setattr(f"pages.lesson.{module}.stage_of", lambda _: st.stop())


def parts(test):
    """Return the names of the components, and whether there is a frame in the place of the charts."""
    frame = any("Preparing the charts" in html.proto.body for html in test.get("html"))
    return {component.key for component in test.get("bidi_component")}, frame


def test_a_page_has_its_player_once_the_topic_is_loaded():
    names, frame = parts(app(TOPIC))
    assert "player" in names
    assert frame


def test_text_controls_and_the_frame_are_drawn_before(no_topic):
    free, lesson = app(TOPIC), app(TOPIC, lesson="crp-rich-get-richer", step="sandbox")
    assert "Customers" in {slider.label for slider in free.slider}
    assert lesson.markdown[0].value == "## Now you"
    for names, frame in map(parts, (free, lesson)):
        assert "player" not in names
        assert frame


def test_a_cover_needs_no_topic(no_topic):
    cover = app()
    cover.switch_page(TOPIC).run()
    assert not cover.exception
    assert sum("min" in label for label in buttons(cover)) > len(library().for_stage("crp_seating"))  # and the way in
