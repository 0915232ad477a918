"""Widgets that show what a topic is set to, and reports of the browser that cross with a change."""

import streamlit as st

from lessons.topics.coin import CoinSettings
from pages.lesson.state import Visit
from pages.lesson.widgets import bound


def test_a_report_that_crosses_with_a_change_does_not_undo_it():
    place, taken = Visit("coin", CoinSettings()), []
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
    place, taken = Visit("coin", CoinSettings(), lesson="one", step="free"), []
    look = bound(place, "number", 1, taken.append)
    place.lesson, place.step = "two", "first"  # where it is not drawn
    st.session_state[look["key"]] = 2
    look["on_change"]()
    assert not taken


def test_what_a_widget_with_other_options_still_says_sets_nothing():
    place, taken = Visit("coin", CoinSettings(), lesson="one", step="free"), []
    few = bound(place, "view", "sum", taken.append, among=["sum", "sweep"])
    many = bound(place, "view", "kept", taken.append, among=["sum", "sweep", "kept"])
    st.session_state[few["key"]] = "sweep"  # its state is gone, and comes back with a report of something else
    few["on_change"]()
    assert not taken
    st.session_state[many["key"]] = "sum"
    many["on_change"]()
    assert taken == ["sum"]


def test_other_options_alone_make_another_widget():
    place = Visit("coin", CoinSettings())
    few, many = (bound(place, "view", "sum", list, among=among) for among in (["sum"], ["sum", "kept"]))
    assert few["key"] != many["key"]


def test_a_widget_that_is_gone_and_repeats_what_it_held_sets_nothing():
    place, taken = Visit("coin", CoinSettings()), []
    look = bound(place, "until", 10, taken.append)
    st.session_state[look["key"]] = 10  # its state was dropped with it, so that Streamlit takes this for a change
    look["on_change"]()
    assert not taken
    st.session_state[look["key"]] = 12
    look["on_change"]()
    look["on_change"]()
    assert taken == [12]
