"""Learning from examples: a step brings one, and what is known of its class moves."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from scipy.special import betaln

from lessons.data.columns import REACH
from lessons.settings.calls import call
from lessons.topics.generative import GenerativeSettings
from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import Way, names, watch
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.moment import Code
from pages.contract.place import Place
from pages.contract.tools import Note, Several, Tool
from pages.drawing.numbers import fixed, rounded
from pages.drawing.plane import Sets
from pages.topics.generative import charts, inspector, tested
from pages.topics.generative.base import Generative
from pages.topics.generative.diagram import LEARN, diagram
from pages.topics.generative.film import CLOUD, NAMES, SAID, FilmedScene
from pages.topics.generative.imputed import imputed
from pages.topics.generative.scene import GenerativeScene, rivals_of
from samplers.generative.classifier import GenerativeModel

ESTIMATES = ("posterior", "MAP", "MLE")


@dataclass(frozen=True)
class LearningScene(FilmedScene):
    """Examples that are learned from."""

    def on_plane(self) -> tuple[str, list[tuple[str, str]], str]:
        settings, two = self.settings, len(self.examples.classes) == 2
        if not self.compared:
            return f"Probability of each class: {NAMES[settings.estimate]}", self.legend, ""
        full = f"{charts.FULL:g}"
        ramp = f"{charts.LESS} ramp {charts.MORE}" if two else f"{charts.MORE} solid"
        legend = [*self.legend, (ramp, f"−{full} or less … {full} or more" if two else f"{full} or more")]
        return f"{NAMES[settings.estimate].capitalize()}, minus {NAMES[settings.against]}", legend, ""

    def charts(self) -> list[Chart]:
        flat = self.examples.in_plane
        return [
            *([_rival(self)] if flat and self.settings.rival == "on" else []),
            _share(self),
            *([_cloud(self)] if flat else []),
            _scores(self),
            *([_pairs(self)] if self.in_pairs else []),
            *([tested.chart(self)] if self.tested else []),
        ]

    def data(self) -> Sets:
        two = len(self.examples.classes) == 2
        sets: Sets = {
            "weights": {"k": [1] if two else [*range(len(self.examples.classes))]}
            | dict.fromkeys(("a", "b", "norm"), FLOAT32),
            "past": {"value": FLOAT32},
            "say": dict.fromkeys(SAID, FLOAT32),
        }
        if self.in_pairs:
            places = self.examples.values.reshape(-1, 2, 2) + np.array([[0.0, 0.0], [2 * REACH[0], 0.0]])
            numbers = np.repeat(np.arange(len(places)), 2)
            x, y = places.reshape(-1, 2).T
            sets["pairs"] = {"row": numbers.tolist(), "name": (numbers + 1).tolist(), "x": rounded(x), "y": rounded(y)}
            sets["pairs"]["k"] = UINT8
        return sets

    def columns(self, start: int, stop: int) -> Columns:
        counts = self.run.counts[start:stop].astype(float)
        total = counts.sum(axis=1, keepdims=True)
        shown = counts[:, 1:] if counts.shape[1] == 2 else counts
        prior = np.asarray(self.fit.model.class_prior)
        value = self.run.value[start:stop]
        pairs = {("pairs", "k"): self.run.labels[start:stop].repeat(2, axis=1)} if self.in_pairs else {}
        return {
            ("weights", "a"): shown,
            ("weights", "b"): total - shown,
            ("weights", "norm"): betaln(shown, total - shown),
            ("past", "value"): value,
            ("say", "a"): prior[1],
            ("say", "ones"): counts[:, 1] - prior[1],
            ("say", "both"): prior.sum(),
            ("say", "seen"): total[:, 0] - prior.sum(),
            ("say", "mean"): counts[:, 1] / total[:, 0],
            ("say", "value"): value,
            **pairs,
        }

    def still(self, t: int, query: np.ndarray) -> Sets:
        return {"scores": scores(self, t, query)} | self.picture.still(self, t, query)


# ---- charts ----------------------------------------------------------------------------------------------------------


def _rival(scene: FilmedScene) -> Chart:
    classes = len(scene.examples.classes)
    return Chart(
        "rival",
        "Logistic regression" if classes == 2 else "Softmax regression",
        "· from the examples whose label and features are all known",
        "The same examples, on the map of a discriminative classifier.",
        charts.rival(classes, scene.examples.columns),
        scene.legend,
        aspect="4 / 3",
        beside=True,
        hand="query",
    )


def _share(scene: FilmedScene) -> Chart:
    names, two = scene.examples.classes, len(scene.examples.classes) == 2
    return Chart(
        "share",
        f"Weight of {names[1]}" if two else "Weights of the classes",
        _weighed(scene.settings.rule) if two else "· {seen} examples",
        "The posterior density of the classes' weights, from 0 to 1.",
        charts.share(),
        [
            *(scene.legend[1:2] if two else scene.legend),
            *([("dashed", "the story’s own")] if scene.settings.simulated else []),
        ],
    )


def _weighed(rule: str) -> str:
    if rule == "prior for each datum":  # whose counts are not those of examples
        return "· {mean} on average"
    return "· ({a} + {ones}) / ({both} + {seen}) = {mean}"


def _cloud(scene: FilmedScene) -> Chart:
    return Chart(
        "cloud",
        "Means and covariances",
        f"· {CLOUD} draws from each normal-inverse-Wishart",
        "Ellipses of one standard deviation, each of a mean and a covariance drawn from what is known about a class.",
        charts.cloud(scene.examples.columns),
        scene.legend,
        aspect="4 / 3",
    )


def _scores(scene: FilmedScene) -> Chart:
    return Chart(
        "scores",
        "The query’s log odds",
        "",
        "Bars that add up the log odds of two classes: what was known before, then each feature of the query.",
        charts.scores(),
        scene.legend,
        share=1.2,
    )


def _pairs(scene: FilmedScene) -> Chart:
    return Chart(
        "pairs",
        "Features in pairs",
        "",
        "The first two features of each example in a plane, and the other two in another.",
        charts.pairs(),
        scene.legend,
        aspect="2 / 1",
    )


def scores(scene: GenerativeScene, t: int, query: np.ndarray) -> dict[str, list]:
    """Return the bars of the query's log odds."""
    found = scene.terms(t, query)
    if found is None or not np.isfinite(found[1]).all():
        why = "no estimate" if found is None else "0 / 0, or certain"
        return {"t": [t], "term": [why], "start": [0], "end": [0], "k": [0], "said": [""]}
    names, terms = found
    best, other = rivals_of(terms)
    odds = terms[:, best] - terms[:, other]
    ends = np.cumsum(odds)
    starts = ends - odds
    classes = scene.examples.classes
    total = f"{classes[best]} against {classes[other]}"
    return {
        "t": [t] * (len(names) + 1),
        "term": [*names, total],
        "start": rounded([*starts, 0.0]),
        "end": rounded([*ends, ends[-1]]),
        "k": [best if value > 0 else other for value in (*odds, ends[-1])],
        "said": [fixed(value, 2, plus=True) for value in (*odds, ends[-1])],
    }


# ---- code ------------------------------------------------------------------------------------------------------------


def code(scene: GenerativeScene, t: int) -> str:
    """Return the code that learned from the examples up to t, as it ran."""
    fit = scene.fit
    way = _way(fit.model)
    calls = watch(way, lambda: fit.posterior(scene.run.labels_at(t)))[1] if t else ()
    return listing(way, calls, of_class(fit.model))


def _way(model: GenerativeModel) -> Way:
    """Return the way in which a model, or a wrong rule of it, learns from labelled examples."""
    beats = names("", "counts", "weights", "families given_labels")
    return Way(
        (type(model)._posterior,), beats, frozenset({"_by_class", "_scatters", "_each", "_with", "to_the_power"})
    )


class Learns(Generative):
    """The stage of examples that are learned from."""

    diagram = partial(diagram, LEARN)
    shows = LearningScene
    views: ClassVar = {
        "step": inspector.learn,
        "code": code,
        "known": inspector.known,
        "query": lambda scene, t: inspector.query(scene, t, scene.asked),
        "imputed": lambda scene, t: imputed(scene, t, scene.asked),
        "beside": lambda scene, t: inspector.beside(scene, t, scene.asked),
    }

    def extra(self, place: Place[GenerativeSettings]) -> Iterable[Tool]:
        """Yield the upload where the learner's own examples are asked for, and say why if there is no estimate."""
        yield from super().extra(place)
        settings = place.settings  # with what was uploaded just now
        if self.missing(settings) or not place.screen().messages:
            return
        scene = self.scene(settings, place.seed)
        t = min(place.t, scene.run.total)
        if scene.grow(t) < t:
            return
        for by in dict.fromkeys([settings.estimate, *({settings.against} & {*ESTIMATES})]):
            problem = scene.fit.problem(by, scene.run.labels_at(t))
            if problem:
                yield Note(f"No estimate by {by}: {problem}.", ":material/do_not_disturb_on:")

    def more(self, settings: GenerativeSettings, seed: int, t: int) -> dict[str, Any]:
        """Return the model, and its posterior given the labels that count as known."""
        scene = self.scene(settings, seed)
        run, t = scene.run, min(t, scene.run.total)
        run.reach(t)
        labels = run.labels_at(t)
        posterior = call(scene.fit.model.posterior, scene.fit.rows, labels)
        return {"known": self.known(settings, labels, t), "model": scene.fit.model, "posterior": posterior}

    def known(self, settings: GenerativeSettings, labels: np.ndarray, t: int) -> Any:
        """Return the labels that count as known, or the code that has them."""
        return labels if settings.mine else Code(f"np.where(np.arange(len(labels)) < {t}, labels, -1)", labels)

    def actions(self, place: Place[GenerativeSettings]) -> Iterable[Tool]:
        """Yield the choice of the features that the query lacks."""
        settings = place.settings
        if place.view not in ("query", "imputed"):
            return
        features = self.scene(settings, place.seed).examples.features
        lacking = [number for number in range(len(features)) if settings.left_out >> number & 1]

        def leave_out(chosen: list[int]) -> None:
            place.change(left_out=sum(1 << number for number in chosen))

        named = {number: f"without {feature.name}" for number, feature in enumerate(features)}
        yield Several("left out", "Left out", named, lacking, leave_out, among=len(features))
