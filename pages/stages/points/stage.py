"""What the stages of points do alike: a run sweep by sweep or one sweep beat by beat, the learner's own points."""

from __future__ import annotations

import hashlib
import math
from abc import abstractmethod
from typing import Any

import numpy as np
import streamlit as st

from lessons.reader.stages.points import PointsSettings
from pages.parts.player import Film
from pages.parts.state import Topic
from pages.parts.topic import Stage
from pages.stages.points import inspector, own, panels
from pages.stages.points.film import FIRST_LOOK, close_up_film, sweeps_film
from pages.stages.points.run import CloseUp, PointsRun
from pages.stages.points.scene import Scene

OF_THE_PAGE = {"step_by", "sweep", "point"}  # settings that change what is looked at, not what runs


class PointsStage(Stage):
    """A stage whose sampler gives points their labels."""

    @abstractmethod
    def scene(self, settings: Any, seed: int) -> Scene:
        """Return the chains of these settings, on the points that they name or on the learner's own."""

    @abstractmethod
    def look(self, view: str, scene: Scene, sweep: int) -> None:
        """Draw one of the inspector's views, other than the update and the components."""

    def extra(self, place: Topic) -> None:
        """Draw the upload, where the learner's own data are asked for."""
        settings: Any = place.settings
        if settings.data == "own":
            own.upload()

    def missing(self, place: Topic) -> str | None:
        """Return that a file is needed, if it is."""
        settings: Any = place.settings
        return own.MISSING if settings.data == "own" and own.own_points() is None else None

    def film(self, settings: Any, seed: int) -> Film:
        """Return what the player shows."""
        scene = self.scene(settings, seed)
        if settings.step_by == "sweep":
            return sweeps_film(scene)
        return close_up_film(scene, close_up(scene, settings.sweep))

    def inspect(self, place: Topic) -> None:
        """Draw the inspector for the iteration at which the player rests."""
        scene = self.scene(place.settings, place.seed)
        if place.view == "update":
            self._update(place, scene)
        elif place.view == place.settings.views[1]:
            panels.clusters(scene, self._sweep(place, scene))
        else:
            self.look(place.view, scene, self._sweep(place, scene))

    def actions(self, place: Topic) -> None:
        """Draw the buttons beside the inspector's views."""
        settings: Any = place.settings
        if settings.step_by == "update" and place.view == "update":
            scene = self.scene(settings, place.seed)
            inspector.ask_for_guess(place, scene, close_up(scene, settings.sweep))
        if settings.step_by == "sweep":
            if place.view == "update" and place.t:
                inspector.choose_point(place, len(self.scene(settings, place.seed).data))
            if st.button("Step by updates", icon=":material/zoom_in:", help="Look at this sweep, one beat at a time"):
                place.change(step_by="update", sweep=max(1, place.t))
                place.view = "update"
                place.move(0)
                st.rerun()
            self.beside(place)
        elif st.button("Step by sweeps", icon=":material/zoom_out:", help="Back to the whole run"):
            over = place.t >= 4 * settings.sites(len(self.scene(settings, place.seed).data))
            place.change(step_by="sweep")
            place.move(settings.sweep if over else settings.sweep - 1)
            st.rerun()
        if settings.second != "none" and st.button("One chain", icon=":material/close:"):
            place.change(second="none")
            st.rerun()

    def beside(self, place: Topic) -> None:
        """Draw buttons for a second chain, while a step is a sweep; none, if a stage does not say otherwise."""
        return

    @staticmethod
    def _sweep(place: Topic, scene: Scene) -> int:
        """Return the sweep to speak of: the one where the player rests, or the last one that has been made."""
        settings: Any = place.settings
        wanted = place.t if settings.step_by == "sweep" else settings.sweep
        return min(wanted, *(run.made for run in scene.runs))

    def _update(self, place: Topic, scene: Scene) -> None:
        settings: Any = place.settings
        if settings.step_by == "update":
            inspector.beat_by_beat(place, scene, close_up(scene, settings.sweep))
        elif not (sweep := self._sweep(place, scene)):
            st.html('<p class="quiet">This is the start. Press <b>Step</b>: one sweep redraws every label once.</p>')
        else:
            inspector.one_point(place, scene, close_up(scene, sweep))


def close_up(scene: Scene, sweep: int) -> CloseUp:
    """Return one sweep of the first chain, update by update; sessions share it."""
    return _close_up(scene.key, sweep, scene.runs[0])


@st.cache_resource(max_entries=24, show_spinner="Replaying the run up to that sweep …")
def _close_up(key: str, sweep: int, _run: PointsRun) -> CloseUp:
    _run.grow(sweep, seconds=math.inf)
    return _run.close_up(sweep)


def plain_settings(settings: PointsSettings) -> PointsSettings:
    """Return settings without what only changes what is looked at: the same for all who look at the same chains."""
    return settings.model_copy(update={name: type(settings).model_fields[name].default for name in OF_THE_PAGE})


def points_of(settings: PointsSettings) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the points that the settings name, or the learner's own, with the names of their columns."""
    dataset = own.own_points() if settings.data == "own" else settings.dataset()
    assert dataset is not None  # `missing` has said so
    return dataset.data, dataset.columns


def film_key(stage: str, settings: PointsSettings, seed: int, data: np.ndarray) -> str:
    """Return what names the chains of these settings, on these points."""
    digest = hashlib.sha256(data.tobytes()).hexdigest()[:12]
    return f"{stage} {settings.model_dump_json(exclude=OF_THE_PAGE)} {seed} {digest}"


def look_ahead(runs: list[PointsRun]) -> list[PointsRun]:
    """Make the first sweeps of each run, which set the axes."""
    for run in runs:
        run.grow(FIRST_LOOK, seconds=5)
    return runs
