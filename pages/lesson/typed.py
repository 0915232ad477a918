"""A field in which a number is typed; what is no number stays as it was typed, with the reason below."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from lessons.data.numbers import NumberError, typed
from lessons.format.guesses import written
from pages.drawing.markdown import plain
from pages.lesson.widgets import Holder, bound

REFUSED = "typed and rejected"  # in the session: by the field's key the text, the value at that time, and the reason


def number_field(
    place: Holder,
    name: str,
    label: str,
    value: float | None,
    limits: Sequence[float] | None,
    take: Callable[[float | None], object],
    *,
    whole: bool = False,
    clears: bool = False,
    **look: Any,
) -> None:
    """Draw a field for a number, which may be written in any way that has one meaning.

    Parameters
    ----------
    place, name : Holder and str
        As for `bound`.
    label : str
        The label of the field.
    value : float or None
        The number that it shows; None if there is none.
    limits : (float, float) or None
        The least and the greatest number.
    take : callable
        Called with the number that was typed, an int if it must be `whole`; with None if the field was emptied.
    whole : bool, optional
        Whether it must be a whole number.
    clears : bool, optional
        Whether what is no number takes the place of the number before it, as if the field was emptied.
    look : object
        Further arguments of `streamlit.text_input`.
    """
    kept: dict[str, tuple[str, float | None, str]] = st.session_state.setdefault(REFUSED, {})
    key = f"{place.stage} {name}"
    if key in kept and kept[key][1] != value:
        del kept[key]  # something else gave it a value since
    text, _, reason = kept.get(key, ("" if value is None else written(value), value, ""))

    def heard(said: str) -> None:
        kept.pop(key, None)
        try:
            found = typed(said, *limits or (), whole=whole) if said.strip() else None
        except NumberError as error:
            if clears:
                take(None)
            kept[key] = said, None if clears else value, str(error)
        else:
            take(int(found) if whole and found is not None else found)

    width: Any = "stretch" if reason else look.get("width", "stretch")  # the reason needs room
    stepping = "whole {:.0f} to {:.0f} ".format(*limits) if whole and limits else ""  # for pages/player/stepping.js
    with st.container(key=f"typed-number {stepping}{key}", width=width):
        st.text_input(label, **bound(place, name, text, heard), **look)
        if reason:
            st.error(plain(reason))


def kept(change: Callable[[object], None]) -> Callable[[float | None], None]:
    """Return how a field's number is taken by what stays as it is if the field is emptied."""

    def take(value: float | None) -> None:
        if value is not None:
            change(value)

    return take
