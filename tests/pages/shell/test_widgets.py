"""Widgets that show what a topic is set to, and reports of the browser that cross with a change."""

import streamlit as st

from lessons.stages.coin import CoinSettings
from pages.shell.state import Topic
from pages.shell.widgets import bound


def test_a_report_that_crosses_with_a_change_does_not_undo_it():
    place, taken = Topic("coin", CoinSettings()), []
    first = bound(place, "number", 1, taken.append)
    st.session_state[first["key"]] = 5
    first["on_change"]()
    assert taken == [5]
    second = bound(place, "number", 5, taken.append)
    assert second["key"] == first["key"], "what a learner is turning stays"
    third = bound(place, "number", 8, taken.append)
    assert third["key"] != first["key"]
    assert third["value"] == 8, "what a browser reports that has just built it"
    second["on_change"]()
    assert taken == [5]
    st.session_state[third["key"]] = 9
    third["on_change"]()
    assert taken == [5, 9]


def test_what_a_widget_of_the_last_step_still_says_does_not_set_the_next_one():
    place, taken = Topic("coin", CoinSettings(), lesson="one", step="free"), []
    look = bound(place, "number", 1, taken.append)
    place.lesson, place.step = "two", "first"  # where it is not drawn
    st.session_state[look["key"]] = 1
    look["on_change"]()
    assert not taken
