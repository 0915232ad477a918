"""Gibbs on Gaussian blobs: a mixture of a fixed number of components, multinomial or Gaussian, beside a CRP mixture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from lessons.reader.stages.gibbs_blobs import GibbsBlobsSettings
from pages.parts.run import KEPT
from pages.parts.state import Topic
from pages.stages.gibbs_blobs.experiments import experiments
from pages.stages.gibbs_blobs.invariants import switching
from pages.stages.gibbs_blobs.models import model_of
from pages.stages.gibbs_blobs.run import BlobsRun
from pages.stages.points import panels
from pages.stages.points.run import PointsRun
from pages.stages.points.scene import Layout, Scene, four
from pages.stages.points.stage import PointsStage, film_key, look_ahead, plain_settings, points_of
from samplers import Chain
from samplers.crp_mixture import CRPMixture
from samplers.exact import ExactPosterior, exact_posterior
from samplers.exact_labels import MOST_LABELLINGS, exact_finite_mixture
from samplers.finite_mixture import FiniteMixture
from samplers.relabel import without_names

VIEWS = {"update": "This update", "components": "Components", "switching": "Switching", "truth": "Truth"}
EXACT_POINTS = 8
FINITE = Layout(("points", "means", "trace", "tables"), '"points means means" "points trace tables"')
ON_A_LINE = replace(four("points", "means", "trace", "tables"), aspect="9 / 4")
OPEN = Layout(("points", "trace", "many", "tables"), '"points trace trace" "points many tables"')
SECOND = {
    "none": "",
    "seed": "The next seed",
    "multinomial": "Multinomial components",
    "gaussian": "Gaussian components",
    "CRP": "CRP, Gaussian components",
}


@st.cache_resource(max_entries=24, show_spinner=False)
def _scene(settings: GibbsBlobsSettings, seed: int, data: np.ndarray, columns: tuple[str, ...]) -> Scene:
    """Make the chains of these settings and their first sweeps; sessions with the same settings share them."""
    chains = [Chain(settings.sampler_of(data), seed, keep=KEPT)]
    if settings.second != "none":
        other = (seed + 1) % 2**32 if settings.second == "seed" else seed
        chains.append(Chain(settings.sampler_of(data, second=True), other, keep=KEPT))
    runs: list[PointsRun] = [BlobsRun(chain, model_of(chain.sampler)) for chain in chains]
    key = film_key("gibbs_blobs", settings, seed, data)
    finite = settings.model == "finite"
    third, fourth = "means" if finite else "many", "trace" if settings.second == "seed" else "tables"
    titles = ("First chain" if settings.second == "seed" else _title(settings), SECOND[settings.second])
    one = OPEN if not finite else ON_A_LINE if data.shape[1] == 1 else FINITE
    layouts = (one, four("points", "second", third, fourth))
    return Scene(settings, key, columns, look_ahead(runs), _truth(chains[0].sampler), *layouts, titles)


def _title(settings: GibbsBlobsSettings) -> str:
    kind = settings.components.capitalize()
    return f"{kind} components" if settings.model == "finite" else f"CRP, {kind} components"


def _truth(sampler: FiniteMixture | CRPMixture) -> ExactPosterior | None:
    """Return the law of who is with whom, where it can be listed."""
    points = len(sampler.data)
    if points > EXACT_POINTS:
        return None
    if isinstance(sampler, CRPMixture):
        return exact_posterior(sampler.data, sampler.family, sampler.concentration)
    if sampler.classes**points > MOST_LABELLINGS:
        return None
    return without_names(exact_finite_mixture(sampler.data, sampler.family, sampler.classes, sampler.class_prior))


class GibbsBlobsStage(PointsStage):
    """The stage of the topic "Gibbs on Gaussian blobs"."""

    name = "gibbs_blobs"
    views = VIEWS

    def scene(self, settings: GibbsBlobsSettings, seed: int) -> Scene:
        """Return the chains of these settings."""
        return scene_of(settings, seed)

    def opening(self, place: Topic) -> None:
        """Draw the experiments."""
        experiments(place)

    def look(self, view: str, scene: Scene, sweep: int) -> None:
        """Draw what label switching does to summaries, or the truth."""
        if view == "switching":
            switching(scene, sweep)
        else:
            panels.truth(scene, sweep, listed="label the points")


def scene_of(settings: GibbsBlobsSettings, seed: int) -> Scene:
    """Return the chains of these settings, on the points that they name or on the learner's own."""
    data, columns = points_of(settings)
    plain: Any = plain_settings(settings).model_copy(update={"relabel": "off"})  # it is the same chain
    made = _scene(plain, seed, settings.taken(data) if settings.data == "own" else data, columns)
    return replace(made, settings=settings, key=f"{made.key} {settings.relabel}", names=settings.relabel)
