"""The page of a topic: text on the left, the stage on the right, the inspector below the stage."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import streamlit as st

from pages.parts import quiz
from pages.parts.controls import dialled, dials
from pages.parts.page import begin
from pages.parts.player import Film, Touch, message, play
from pages.parts.state import PLAYER, Topic, topic
from pages.parts.text import text


class Stage(ABC):
    """Where a sampler, its controls and its charts meet.

    Attributes
    ----------
    name : str
        The name that lessons use.
    views : mapping of str to str
        What the inspector can show: a lesson's name for it, and the learner's.
    """

    name: ClassVar[str]
    views: ClassVar[Mapping[str, str]]

    @abstractmethod
    def film(self, settings: Any, seed: int) -> Film:
        """Return what the player shows."""

    @abstractmethod
    def inspect(self, place: Topic) -> None:
        """Draw the inspector for the iteration at which the player rests."""

    def extra(self, place: Topic) -> None:
        """Draw what belongs with the controls but is none; nothing, if a stage does not say otherwise."""
        return

    def opening(self, place: Topic) -> None:
        """Draw what comes before the controls in free play; nothing, if a stage does not say otherwise."""
        return

    def missing(self, place: Topic) -> str | None:
        """Return what must be there before anything can play, as a sentence; None if nothing is missing."""
        return None

    def actions(self, place: Topic) -> None:
        """Draw the buttons beside the inspector's views; none, if a stage does not say otherwise."""
        return

    def touched(self, place: Topic, touch: Touch) -> None:
        """Take in that a hand was moved on a chart; only films with hands come here."""
        raise NotImplementedError


def show(stage: Stage) -> None:
    """Draw a topic's page."""
    begin()
    place = topic(stage.name)
    left, right = st.columns([0.32, 0.68], gap="medium")
    with left, st.container(key="text"):
        text(place, stage.extra, stage.opening)
    with right, st.container(key="stage"):
        missing = stage.missing(place)
        if missing:
            st.info(missing, icon=":material/upload_file:")
        else:
            _play(stage, place)
            _inspect(stage, place)


@st.fragment(key="stage")
def _play(stage: Stage, place: Topic) -> None:
    film = stage.film(place.settings, place.seed)
    place.t = min(place.t, film.total)  # settings alone do not know how many points a learner's own data have

    def need() -> None:
        asked = st.session_state[PLAYER].need
        place.reel.need(int(asked["held"]), int(asked["want"]))

    def turn() -> None:
        told = st.session_state[PLAYER].turn
        if told["chain"] == film.chain:
            place.turn(int(told["by"]))
            st.rerun("app")

    def rest() -> None:
        told = st.session_state[PLAYER].rest
        if told["chain"] != film.chain:  # the report crossed with a change of film
            return
        place.t = max(0, min(int(told["t"]), film.total))
        current = place.current()
        has_goal = current is not None and current[1].until is not None
        st.rerun("app" if has_goal else ["stage", "readout"] if film.still else "readout")

    def touch() -> None:
        told = st.session_state[PLAYER].touch
        if told["chain"] == film.chain and told["hand"] in film.params:
            stage.touched(place, Touch.heard(told))
            st.rerun("app")  # a control may show the same number

    def dial() -> None:
        told = st.session_state[PLAYER].dial
        dialled(place, told)
        if told["done"]:
            st.rerun("app")  # until then the charts alone follow

    lock, hide = _withheld(place)
    data = message(film, place.reel, at=place.t, link=place.link(), lock=lock, hide=hide, dials=dials(place))
    play(data, key=PLAYER, need=need, rest=rest, turn=turn, touch=touch, dial=dial)


def _withheld(place: Topic) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what is locked and which charts are hidden, until a question has been answered."""
    current = place.current()
    if current is None or quiz.answered(*current) is not None:
        return (), ()
    return current[1].lock, current[1].hide


@st.fragment(key="readout")
def _inspect(stage: Stage, place: Topic) -> None:
    key = f"view {stage.name}"
    st.session_state[key] = place.view

    def chosen() -> None:
        place.view = st.session_state[key]
        st.rerun(["stage", "readout"])  # the stage, because the link names the view

    with st.container(horizontal=True, vertical_alignment="center", key="views"):
        st.segmented_control(
            "Inspector",
            list(stage.views),
            format_func=lambda view: stage.views[view],
            key=key,
            on_change=chosen,
            required=True,
            label_visibility="collapsed",
        )
        stage.actions(place)
    with st.container(key="inspector"):
        stage.inspect(place)
