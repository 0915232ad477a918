"""Widgets that show what a topic is set to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shell.state import Topic


def bound(place: Topic, name: str, value: object, take: Callable[[Any], object]) -> dict[str, Any]:
    """Return the key and the callback of a widget that shows a value and hands on what a learner sets it to.

    When the value is changed elsewhere, by a hand on a chart, a lesson or a link, the widget is a new one. For a report
    of the browser that crosses with the change holds the old value still, and would undo the change.

    Parameters
    ----------
    place : Topic
        Where the learner is; it keeps what its widgets show.
    name : str
        Of the widget, one of its own on the page.
    value : object
        What it shows.
    take : callable
        Takes in the new value.
    """
    number, shown = place.widgets.get(name, (0, value))
    number += shown != value
    place.widgets[name] = number, value
    key = f"{place.stage} {name} {number}"
    if key not in st.session_state or st.session_state[key] != value:  # else a learner may be turning it just now
        st.session_state[key] = value

    def changed() -> None:
        if place.widgets[name][0] == number:
            place.widgets[name] = number, st.session_state[key]
            take(st.session_state[key])

    return {"key": key, "on_change": changed}
