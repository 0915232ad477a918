"""Widgets bound to a topic's settings, and buttons that lose no press."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import streamlit as st

from pages.player.player import draw_again

PRESSED = "pressed"  # in the session: a button that was pressed and has not been drawn since


class Drawn(NamedTuple):
    """A widget as the page last drew it; see `bound`."""

    number: int  # of earlier widgets with this name
    value: object
    among: object  # whatever else identifies the widget
    first: object  # its first value


class Holder(Protocol):
    """The owner of bound widgets: a topic, or the studio."""

    stage: str
    lesson: str | None
    step: str | None
    widgets: dict[str, Drawn]


def bound(
    place: Holder, name: str, value: object, take: Callable[[Any], object], among: object = None
) -> dict[str, Any]:
    """Return value, key and callback of a widget that shows a value and reports a learner's changes.

    When something else changes the value (a drag on a chart, a lesson, a link), or the options change, the widget gets
    a new key. Otherwise a report of the browser that crosses with the change would still hold the old value, and undo
    the change. The value is passed to the widget and not set in the session's state, because a browser that has just
    built the widget would report its lowest value until it had read that state.

    Parameters
    ----------
    place : Place
        The owner, which remembers what its widgets show.
    name : str
        The widget's name, unique on the page.
    value : object
        The value to show.
    take : callable
        Called with the new value.
    among : object, optional
        Whatever else identifies the widget, such as its options.
    """
    number, shown, before, first = place.widgets.get(name, (0, value, among, value))
    number += (shown, before) != (value, among)
    key = f"{place.stage} {name} {number}"
    if key not in st.session_state:
        first = value  # else keep its first value: a learner may be turning it just now
    place.widgets[name] = Drawn(number, value, among, first)
    where = place.lesson, place.step

    def changed() -> None:
        # A browser that still shows the widget of another step, or an old one, reports its value as if it were new
        drawn, reported = place.widgets[name], st.session_state[key]
        if (drawn.number, (place.lesson, place.step)) == (number, where) and reported != drawn.value:
            place.widgets[name] = Drawn(number, reported, among, first)
            take(reported)

    return {"key": key, "on_change": changed, "value": first}


def bound_choice(
    place: Holder, name: str, options: Sequence[Any], value: object, take: Callable[[Any], object]
) -> dict[str, Any]:
    """Return the same for a choice among options: its index in place of the value, and the options."""
    look = bound(place, name, value, take)
    return look | {"options": options, "index": options.index(look.pop("value"))}


def pressed(label: str, name: str = "", **look: Any) -> bool:
    """Draw a button, and return whether it has been pressed.

    Its callback notes the press, because the script's run for a press may be interrupted before it reaches the button,
    or may draw only another part of the page.

    Parameters
    ----------
    label : str
        The text on the button.
    name : str, optional
        A name for the press, if the same label has several meanings on a page.
    look : object
        Further arguments of `streamlit.button`.
    """
    name = name or label

    def note() -> None:
        st.session_state[PRESSED] = name
        draw_again("app")

    st.button(label, on_click=note, **look)
    return pending(name)


def pending(name: str) -> bool:
    """Return whether a button was pressed and not drawn since; the press then counts as handled."""
    if st.session_state.get(PRESSED) != name:
        return False
    del st.session_state[PRESSED]
    return True


def forget_press() -> None:
    """Forget a press once the whole page has been drawn: its button no longer exists."""
    st.session_state.pop(PRESSED, None)
