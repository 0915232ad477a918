"""Laplace approximations on a line: the parabola that touches a log density, and the Normal that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import streamlit as st

from lessons.reader.stages.laplace_line import LaplaceLineSettings
from pages.parts.player import Film, Touch
from pages.parts.state import Topic
from pages.parts.topic import Stage
from pages.stages.laplace_line import inspector
from pages.stages.laplace_line.film import film_of
from pages.stages.laplace_line.trail import Trail


@st.cache_resource(max_entries=128, show_spinner=False)
def _film(settings: LaplaceLineSettings) -> Film:
    return film_of(Trail(settings))


class LaplaceLineStage(Stage):
    """The stage of the topic "When Laplace lies"."""

    name = "laplace_line"
    views: ClassVar[Mapping[str, str]] = {"step": "This step", "errors": "All six", "modes": "The modes"}

    def film(self, settings: LaplaceLineSettings, seed: int) -> Film:
        """Return what the player shows; there is no chance in it."""
        return _film(settings)

    def inspect(self, place: Topic) -> None:
        """Draw the inspector for the iteration at which the player rests."""
        settings: Any = place.settings
        if place.view == "step":
            st.html(inspector.step(Trail(settings), place.t))
        elif place.view == "errors":
            st.html(inspector.errors(settings.target))
        else:
            st.html(inspector.modes(settings.target))

    def touched(self, place: Topic, touch: Touch) -> None:
        """Begin where the hand was let go."""
        settings: Any = place.settings
        place.change(start=settings.share_of(touch.x))
        place.move(0)
