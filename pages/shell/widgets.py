"""Widgets that show what a topic is set to, and buttons whose presses count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import streamlit as st

from pages.contract.place import Drawn
from pages.player.player import draw_again

PRESSED = "pressed"  # the session's: the button whose press has not been taken in yet


class Holder(Protocol):
    """What keeps the widgets that show it: a topic, or the studio."""

    stage: str
    lesson: str | None
    step: str | None
    widgets: dict[str, Drawn]


def bound(
    place: Holder, name: str, value: object, take: Callable[[Any], object], among: object = None
) -> dict[str, Any]:
    """Return value, key and callback of a widget that shows a value and hands on what a learner sets it to.

    When the value is changed elsewhere, by a hand on a chart, a lesson or a link, the widget is a new one, and so it is
    among other options. For a report of the browser that crosses with the change holds the old value still, and would
    undo the change. The value is the
    widget's own from the first, and not set through the session's state: a browser that has just built the widget would
    report its lowest value until it had read that.

    Parameters
    ----------
    place : Place
        Where the learner is; it keeps what its widgets show.
    name : str
        Of the widget, one of its own on the page.
    value : object
        What it shows.
    take : callable
        Takes in the new value.
    among : object, optional
        What else makes it this widget: the options that it has, for example.
    """
    number, shown, before, first = place.widgets.get(name, (0, value, among, value))
    number += (shown, before) != (value, among)
    key = f"{place.stage} {name} {number}"
    if key not in st.session_state:
        first = value  # else a learner may be turning it just now, and what it began with stays
    place.widgets[name] = Drawn(number, value, among, first)
    where = place.lesson, place.step

    def changed() -> None:
        # A browser that still has a widget of another step, or one that is gone, repeats what it held as if it were new
        drawn, reported = place.widgets[name], st.session_state[key]
        if (drawn.number, (place.lesson, place.step)) == (number, where) and reported != drawn.value:
            place.widgets[name] = Drawn(number, reported, among, first)
            take(reported)

    return {"key": key, "on_change": changed, "value": first}


def bound_choice(
    place: Holder, name: str, options: Sequence[Any], value: object, take: Callable[[Any], object]
) -> dict[str, Any]:
    """Return the same for a choice among options, which has an index for a value, and the options."""
    look = bound(place, name, value, take)
    return look | {"options": options, "index": options.index(look.pop("value"))}


def pressed(label: str, name: str = "", **look: Any) -> bool:
    """Draw a button, and return whether it has been pressed.

    Its callback notes the press: the run of a press may be cut short by the next before it comes to the button, or
    draw another part of the page alone.

    Parameters
    ----------
    label : str
        What the button says.
    name : str, optional
        Of the press, where the same label has several meanings on a page.
    look : object
        What `streamlit.button` takes besides.
    """
    name = name or label

    def note() -> None:
        st.session_state[PRESSED] = name
        draw_again("app")

    st.button(label, on_click=note, **look)
    return pending(name)


def pending(name: str) -> bool:
    """Return whether a button has been pressed that was not drawn since; it counts as taken in from now on."""
    if st.session_state.get(PRESSED) != name:
        return False
    del st.session_state[PRESSED]
    return True


def forget_press() -> None:
    """Forget a press once the whole page has been drawn: its button is there no more."""
    st.session_state.pop(PRESSED, None)
