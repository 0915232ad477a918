"""Generative classification: a story of labels and features, run forwards, and backwards by Bayes' rule."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import streamlit as st

from lessons.data.columns import REACH
from lessons.own.examples import Examples
from lessons.own.store import keep_own
from lessons.stages.calls import call
from lessons.stages.generative import GenerativeSettings
from pages.contract.events import Touch
from pages.contract.film import Film
from pages.contract.moment import Code
from pages.contract.place import Place
from pages.player.kept import RUNS
from pages.shell.page import plain
from pages.shell.widgets import bound, pressed
from pages.stages.generative import code, inspector
from pages.stages.generative.diagram import diagram
from pages.stages.generative.film import FilmedScene, at_query
from pages.stages.generative.fit import Fit
from pages.stages.generative.imputed import imputed
from pages.stages.generative.own import UPLOAD, edited
from pages.stages.generative.run import GenerativeRun
from pages.stages.scene_stage import SceneStage

ESTIMATES = ("posterior", "MAP", "MLE")


def scene_of(settings: GenerativeSettings, seed: int) -> FilmedScene:
    """Return the scene of these settings, on the examples that they name or the learner's own; sessions share it."""
    shown = settings.as_run()
    key = f"generative {shown.model_dump_json()} {seed}"

    def made() -> FilmedScene:
        fit = Fit(shown, shown.examples(seed))
        return FilmedScene(shown, key, (GenerativeRun(fit, seed),), fit)

    return RUNS.shared(key, made)


class GenerativeStage(SceneStage[GenerativeSettings, FilmedScene]):
    """The stage of the topic "Tell the story backwards"."""

    diagram = diagram
    own = UPLOAD
    views: ClassVar = {
        "step": inspector.step,
        "code": code.step,
        "known": inspector.known,
        "query": lambda scene, t: inspector.query(scene, t, scene.asked),
        "imputed": lambda scene, t: imputed(scene, t, scene.asked),
        "beside": lambda scene, t: inspector.beside(scene, t, scene.asked),
    }

    def extra(self, place: Place[GenerativeSettings]) -> None:
        """Draw the upload where the learner's own examples are asked for, and say why if there is no estimate."""
        super().extra(place)
        settings = place.settings  # with what was uploaded just now
        if self.missing(settings) or settings.tells or not place.screen().messages:
            return
        scene = scene_of(settings, place.seed)
        t = min(place.t, scene.run.total)
        if scene.grow(t) < t:
            return
        for by in dict.fromkeys([settings.estimate, *([settings.against] if settings.against in ESTIMATES else [])]):
            problem = scene.fit.problem(by, scene.run.labels_at(t))
            if problem:
                st.info(plain(f"No estimate by {by}: {problem}."), icon=":material/do_not_disturb_on:")

    def film(self, settings: GenerativeSettings, seed: int) -> Film:
        """Return the film of these settings and this seed."""
        return at_query(scene_of(settings, seed), settings)

    def scene(self, settings: GenerativeSettings, seed: int) -> FilmedScene:
        """Return the run of these settings with the query that they ask about."""
        return replace(scene_of(settings, seed), settings=settings)

    def more(self, settings: GenerativeSettings, seed: int, t: int) -> dict[str, Any]:
        """Return the model, and its posterior given the labels that count as known; nothing for a story."""
        scene = scene_of(settings, seed)
        run, t = scene.run, min(t, scene.run.total)
        if settings.tells:
            return {}
        run.reach(t)
        known: Any = run.labels_at(t)
        if settings.method == "labels" and t:
            known = Code("state.assignments", known)
        elif settings.method == "examples" and settings.data != "own":
            known = Code(f"np.where(np.arange(len(labels)) < {t}, labels, -1)", known)
        labels = known.value if isinstance(known, Code) else known
        posterior = call(scene.fit.model.posterior, scene.fit.rows, labels)
        return {"known": known, "model": scene.fit.model, "posterior": posterior}

    def actions(self, place: Place[GenerativeSettings]) -> None:
        """Draw the way from a story to learning from it, and which features the query lacks."""
        settings = place.settings
        if settings.tells:
            if place.t > 1 and pressed("Learn from these examples", icon=":material/school:"):
                place.change(method="examples", points=place.t, data_seed=place.seed)
                place.move(0)
                st.rerun()
        elif place.view in ("query", "imputed"):
            features = scene_of(settings, place.seed).examples.features
            lacking = [number for number in range(len(features)) if settings.left_out >> number & 1]

            def leave_out(chosen: list[int]) -> None:
                place.change(left_out=sum(1 << number for number in chosen))

            look = bound(place, "left out", lacking, leave_out, among=len(features))
            st.pills(
                "Left out",
                range(len(features)),
                selection_mode="multi",
                format_func=lambda number: f"without {features[number].name}",
                label_visibility="collapsed",
                default=look.pop("value"),
                **look,
            )

    def follows(self, settings: GenerativeSettings) -> bool:
        """Return whether it is the query that is dragged."""
        return settings.pointer == "query"

    def touched(self, place: Place[GenerativeSettings], touch: Touch) -> None:
        """Move the query, or change the examples: they are the learner's own from then on."""
        settings = place.settings
        before = settings.examples(place.seed)
        if settings.pointer == "query":
            place.change(**_asked(before, touch))
            return
        after = edited(before, settings.pointer, touch)
        if after is before:
            return
        ended = place.t >= settings.steps(len(before.labels))
        place.change(data="own", own=keep_own(after))
        if ended:  # else an example that was added would wait for the next step
            place.move(place.settings.steps(len(after.labels)))


def _asked(examples: Examples, touch: Touch) -> dict[str, float]:
    """Return where a touch puts the query: both features in the plane, or the one of the strip that was pressed."""
    if examples.in_plane:
        x, y = np.clip([touch.x, touch.y], np.negative(REACH), REACH).round(1) + 0.0  # no -0.0 in the link
        return {"query_1": float(x), "query_2": float(y)}
    place = min(int(touch.x), len(examples.features) - 1)
    feature, height = examples.features[place], min(max(touch.y, 0.0), 0.999)
    value = float(int(height * len(feature.bars))) if feature.bars else round(12 * height - 6, 1) + 0.0
    return {f"query_{place + 1}": value}
