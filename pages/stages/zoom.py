"""The way from a whole run to one of its steps, looked at closely, and back; and what is picked out to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shell.state import Topic
from pages.shell.widgets import bound


def zoom_in(place: Topic, label: str, help_text: str, frame: int = 0, **closer: Any) -> None:
    """Draw a button that opens one step of the run at a frame; `closer` are the settings that say which."""
    if st.button(label, icon=":material/zoom_in:", help=help_text):
        place.change(**closer)
        place.view = next(iter(place.settings.views))
        place.move(frame)
        st.rerun()


def zoom_out(place: Topic, whole: str, t: int, **more: Any) -> None:
    """Draw a button that leads back to the whole run, at t; `whole` is what a step is there."""
    if st.button(f"Step by {whole}s", icon=":material/zoom_out:", help="Back to the whole run"):
        place.change(step_by=whole, **more)
        place.move(t)
        st.rerun()


def picks(place: Topic, name: str) -> Callable[[object], None]:
    """Return a callback that sets the setting of this name and draws again the parts of the page that show it."""

    def pick(value: object) -> None:
        place.change(**{name: value})
        st.rerun(["stage", "readout"])  # the stage, because the link names what is picked

    return pick


def pick_number(place: Topic, name: str, label: str, most: int, **look: Any) -> None:
    """Ask for the number, from 1, of what is looked at: the setting of this name."""
    look |= bound(place, f"inspected {name}", min(getattr(place.settings, name), most), picks(place, name))
    st.number_input(label, 1, most, label_visibility="collapsed", **look)
