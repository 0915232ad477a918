"""The CRP mixture: Gibbs for a label, opened up update by update, and held against the exact posterior."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
import streamlit as st

from lessons.reader.stages.crp_mixture import CONCENTRATION_PRIOR, CRPMixtureSettings
from pages.parts.player import Film
from pages.parts.run import KEPT
from pages.parts.state import Topic
from pages.parts.topic import Stage
from pages.stages.crp_mixture import inspector, own, panels
from pages.stages.crp_mixture.film import FIRST_LOOK, Scene, close_up_film, sweeps_film
from pages.stages.crp_mixture.run import CloseUp, MixtureRun
from samplers import Chain
from samplers.exact import ExactPosterior, exact_posterior

VIEWS = {"update": "This update", "clusters": "Clusters", "chains": "Chains", "truth": "Truth"}
EXACT_POINTS = 8
OF_THE_PAGE = {"step_by", "sweep", "point"}  # settings that change what is looked at, not what runs


@st.cache_resource(max_entries=24, show_spinner=False)
def _scene(settings: CRPMixtureSettings, seed: int, data: np.ndarray, columns: tuple[str, ...]) -> Scene:
    """Make the chains of these settings and their first sweeps; sessions with the same settings share them."""
    chain = Chain(settings.sampler_of(data), seed, keep=KEPT)
    runs = [MixtureRun(chain)]
    other = (seed + 1) % 2**32  # always: the same darts would lead chains that meet along the same path for ever
    if settings.second == "branch":
        runs.append(MixtureRun(chain.branch(settings.branch_at, other)))
    elif settings.second != "none":
        runs.append(MixtureRun(Chain(settings.sampler_of(data, second=True), other, keep=KEPT)))
    for run in runs:
        run.grow(FIRST_LOOK, seconds=5)
    digest = hashlib.sha256(data.tobytes()).hexdigest()[:12]
    key = f"crp_mixture {settings.model_dump_json(exclude=OF_THE_PAGE)} {seed} {digest}"
    return Scene(settings, key, columns, runs, _truth(settings, data))


def _truth(settings: CRPMixtureSettings, data: np.ndarray) -> ExactPosterior | None:
    if len(data) > EXACT_POINTS:
        return None
    family = settings.prior(data)
    if settings.learning == "learned":
        return exact_posterior(data, family, concentration_prior=CONCENTRATION_PRIOR)
    return exact_posterior(data, family, settings.concentration)


@st.cache_resource(max_entries=24, show_spinner="Replaying the run up to that sweep …")
def _close_up(key: str, sweep: int, _run: MixtureRun) -> CloseUp:
    _run.grow(sweep, seconds=math.inf)
    return _run.close_up(sweep)


class CRPMixtureStage(Stage):
    """The stage of the topic "Clusters"."""

    name = "crp_mixture"
    views = VIEWS

    def extra(self, place: Topic) -> None:
        """Draw the upload, where the learner's own data are asked for."""
        settings: Any = place.settings
        if settings.data == "own":
            own.upload()

    def missing(self, place: Topic) -> str | None:
        """Return that a file is needed, if it is."""
        settings: Any = place.settings
        return own.MISSING if settings.data == "own" and own.own_points() is None else None

    def film(self, settings: CRPMixtureSettings, seed: int) -> Film:
        """Return what the player shows."""
        scene = scene_of(settings, seed)
        if settings.step_by == "sweep":
            return sweeps_film(scene)
        return close_up_film(scene, _close_up(scene.key, settings.sweep, scene.runs[0]))

    def inspect(self, place: Topic) -> None:
        """Draw the inspector for the iteration at which the player rests."""
        scene = scene_of(place.settings, place.seed)
        if place.view == "update":
            self._update(place, scene)
        elif place.view == "clusters":
            panels.clusters(scene, self._sweep(place, scene))
        elif place.view == "chains":
            panels.chains(scene, self._sweep(place, scene))
        else:
            panels.truth(scene, self._sweep(place, scene))

    def actions(self, place: Topic) -> None:
        """Draw the buttons beside the inspector's views."""
        settings: Any = place.settings
        if settings.step_by == "update" and place.view == "update":
            scene = scene_of(settings, place.seed)
            inspector.ask_for_guess(place, scene, _close_up(scene.key, settings.sweep, scene.runs[0]))
        if settings.step_by == "sweep":
            if place.view == "update" and place.t:
                inspector.choose_point(place, len(scene_of(settings, place.seed).data))
            if st.button("Step by updates", icon=":material/zoom_in:", help="Look at this sweep, one beat at a time"):
                place.change(step_by="update", sweep=max(1, place.t))
                place.view = "update"
                place.move(0)
                st.rerun()
            if st.button(
                "Branch here", icon=":material/fork_right:", help="A second chain that draws other numbers from here"
            ):
                place.change(second="branch", branch_at=place.t)
                st.rerun()
        elif st.button("Step by sweeps", icon=":material/zoom_out:", help="Back to the whole run"):
            over = place.t >= 4 * settings.sites(len(scene_of(settings, place.seed).data))
            place.change(step_by="sweep")
            place.move(settings.sweep if over else settings.sweep - 1)
            st.rerun()
        if settings.second != "none" and st.button("One chain", icon=":material/close:"):
            place.change(second="none")
            st.rerun()

    @staticmethod
    def _sweep(place: Topic, scene: Scene) -> int:
        """Return the sweep to speak of: the one where the player rests, or the last one that has been made."""
        settings: Any = place.settings
        wanted = place.t if settings.step_by == "sweep" else settings.sweep
        return min(wanted, *(run.made for run in scene.runs))

    def _update(self, place: Topic, scene: Scene) -> None:
        settings: Any = place.settings
        if settings.step_by == "update":
            close_up = _close_up(scene.key, settings.sweep, scene.runs[0])
            inspector.beat_by_beat(place, scene, close_up)
        elif not (sweep := self._sweep(place, scene)):
            st.html('<p class="quiet">This is the start. Press <b>Step</b>: one sweep redraws every label once.</p>')
        else:
            inspector.one_point(place, scene, _close_up(scene.key, sweep, scene.runs[0]))


def scene_of(settings: CRPMixtureSettings, seed: int) -> Scene:
    """Return the chains of these settings, on the points that they name or on the learner's own."""
    plain = settings.model_copy(update={name: type(settings).model_fields[name].default for name in OF_THE_PAGE})
    dataset = own.own_points() if settings.data == "own" else settings.dataset()
    assert dataset is not None  # `missing` has said so
    return _scene(plain, seed, dataset.data, dataset.columns)
