"""The Chinese restaurant: customers, tables, and the exact facts beside them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from lessons.reader.stages.crp_seating import CRPSeatingSettings
from pages.parts.player import Film
from pages.parts.state import Topic
from pages.parts.topic import Stage
from pages.stages.crp_seating import inspector
from pages.stages.crp_seating.evening import Evening

VIEWS = {"customer": "This customer", "evening": "The whole evening"}
MOST_SHUFFLES = 999


@st.cache_resource(max_entries=64, show_spinner=False)
def _evening(settings: CRPSeatingSettings, seed: int) -> Evening:
    """Share an evening among all sessions with the same settings and seed."""
    return Evening(settings, seed)


class CRPSeatingStage(Stage):
    """The stage of the topic "Chinese restaurant"."""

    name = "crp_seating"
    views = VIEWS

    def film(self, settings: Any, seed: int) -> Film:
        """Return what the player shows."""
        return _evening(settings, seed).film

    def inspect(self, place: Topic) -> None:
        """Draw the inspector for the iteration at which the player rests."""
        evening = _evening(place.settings, place.seed)
        if place.view == "evening":
            st.html(inspector.evening_view(evening))
        else:
            st.html(inspector.customer(evening, min(place.t, evening.total)))

    def actions(self, place: Topic) -> None:
        """Draw the buttons beside the inspector's views."""
        shuffle = place.settings.shuffle
        if st.button(
            "Shuffle the arrivals", icon=":material/shuffle:", help="The same seating, in another order of arrival"
        ):
            place.change(shuffle=shuffle % MOST_SHUFFLES + 1)
            place.view = "evening"
            st.rerun()
        if shuffle and st.button("As they came", icon=":material/undo:", help="Back to the order in which they chose"):
            place.change(shuffle=0)
            st.rerun()
