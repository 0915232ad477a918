"""Bayesian logistic regression: the mode, Laplace's Normal around it, and predictions averaged over the weights."""

from dataclasses import replace
from typing import Any, ClassVar

import streamlit as st

from lessons.own.labelled import OwnPoints
from lessons.own.store import keep_own
from lessons.stages.calls import call
from lessons.stages.logistic import LogisticSettings
from pages.contract.events import Touch
from pages.contract.film import Film
from pages.contract.moment import Code
from pages.contract.place import Place
from pages.player.kept import RUNS
from pages.shell.page import plain
from pages.shell.widgets import pressed
from pages.stages.logistic import averages, code, inspector, losses
from pages.stages.logistic.diagram import diagram
from pages.stages.logistic.film import Scene, filmed
from pages.stages.logistic.fit import FITS
from pages.stages.logistic.own import UPLOAD, edited
from pages.stages.logistic.run import LogisticRun
from pages.stages.scene_stage import SceneStage
from samplers.regression.laplace import laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.wrong import WRONG_LAPLACES


def scene_of(settings: LogisticSettings, seed: int) -> Scene:
    """Return the scene of these settings, on the points that they name or the learner's own; sessions share it."""
    plain = settings.as_run()
    key = f"logistic {plain.model_dump_json()} {seed}"

    def made() -> Scene:
        data = _data(settings)
        fit = FITS[plain.likelihood](plain, data.points, data.labels, seed, data.columns)
        return Scene(plain, key, (LogisticRun(fit),), fit)

    return RUNS.shared(key, made)


def _data(settings: LogisticSettings) -> OwnPoints:
    if settings.mine:
        own: OwnPoints = settings.its_own()
        return own
    return OwnPoints(*settings.dataset())


class LogisticStage(SceneStage[LogisticSettings, Scene]):
    """The stage of the topic "Logistic regression"."""

    diagram = diagram
    own = UPLOAD
    about = ("evidence",)
    views: ClassVar = {
        "step": inspector.step,
        "code": code.step,
        "probe": lambda scene, t: inspector.probe(scene.fit.at(t), scene.probe),
        "averages": lambda scene, t: averages.cards(scene.fit.at(t), scene.settings.draws, scene.probe, scene.steps(t)),
        "losses": lambda scene, t: losses.cards(scene.fit.at(t)),
        "errors": lambda scene, t: inspector.errors(scene.fit.at(t)),
        "evidence": lambda scene, _: inspector.evidence(scene),
    }

    def extra(self, place: Place[LogisticSettings]) -> None:
        """Draw the upload, or the way back to the points of a lesson's step, and say why if there is no mode."""
        current = place.current()
        first: Any = current[0].settings_for(current[1]) if current else None
        if place.settings.data != "own" or first is None or "data" in place.shown:
            super().extra(place)
        elif place.settings.own != first.own and pressed("The first points again", icon=":material/undo:"):
            place.change(data=first.data, own=first.own)
            st.rerun()
        settings = place.settings  # with what was uploaded just now
        if self.missing(settings):
            return
        problem = scene_of(settings, place.seed).fit.problem
        if problem and place.screen().messages:
            st.info(plain(problem[:1].upper() + problem[1:] + "."), icon=":material/trending_up:")

    def film(self, settings: LogisticSettings, seed: int) -> Film:
        """Return the film of these settings and this seed."""
        film = filmed(scene_of(settings, seed), (settings.probe_x, settings.probe_y), settings.squeeze)
        if settings.pointer == "probe" or settings.likelihood != "logistic":
            return film
        carries = -1.0 if settings.pointer == "move" else -2.0  # no point yet, or none ever
        return replace(film, params={**film.params, "carried": (0.0, 0.0), "carries": carries})

    def scene(self, settings: LogisticSettings, seed: int) -> Scene:
        """Return the run of these settings with their probe."""
        return replace(scene_of(settings, seed), settings=settings)

    def more(self, settings: LogisticSettings, seed: int, t: int) -> dict[str, Any]:
        """Return the model of the points so far and Laplace's Normal, if there is one, where points are added."""
        if settings.method != "points":
            return {}
        fit = scene_of(settings, seed).fit.at(t)
        model: dict[str, Any] = {"model": fit.model}
        if isinstance(fit.model, LogisticRegression) and settings.data != "own":
            seen = Code(f"features[:{t}]", fit.model.features), Code(f"labels[:{t}]", fit.labels)
            model = {"seen": seen[0], "answers": seen[1], **model}
        by = WRONG_LAPLACES.get(settings.mistake, laplace_approximation)
        laplace = {"laplace": call(by, fit.model)} if fit.laplace else {}
        return {**model, **laplace}

    def actions(self, place: Place[LogisticSettings]) -> None:
        """Draw the button that belongs to the evidence."""
        settings = place.settings
        if place.view == "evidence" and pressed("Take the best λ", icon=":material/vertical_align_top:"):
            place.change(prior="normal", log_precision=inspector.best_log_precision(scene_of(settings, place.seed)))
            st.rerun()

    def follows(self, settings: LogisticSettings) -> bool:
        """Return whether it is the probe that is dragged."""
        return settings.pointer == "probe"

    def touched(self, place: Place[LogisticSettings], touch: Touch) -> None:
        """Move the probe, or change the points: they are the learner's own from then on."""
        settings = place.settings
        if settings.pointer == "probe" or settings.likelihood != "logistic":
            place.change(probe_x=round(touch.x, 1) + 0.0, probe_y=round(touch.y, 1) + 0.0)  # no -0.0 in the link
            return
        before = _data(settings)
        after = edited(before, settings.pointer, touch)
        if after is not before:
            place.change(data="own", own=keep_own(after))
