"""The film of generative classification: examples and what is known of the classes, in a plane or in strips."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.linalg import block_diag

from lessons.data.columns import REACH
from lessons.topics.generative import GenerativeSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.film import Film
from pages.drawing.marks import colors_of, in_colors
from pages.drawing.numbers import rounded
from pages.drawing.plane import Sets, grid_places, map_rows, shade_rows
from pages.topics.generative import charts, tested
from pages.topics.generative.run import UNKNOWN, GenerativeRun
from pages.topics.generative.scene import GenerativeScene
from pages.topics.generative.shapes import ANGLES, FRACTIONS
from pages.topics.generative.strips import asked_rows, marks_of, strip_data
from samplers.conjugate.beta import Beta

CLOUD, TURN = 12, np.linspace(0, 2 * np.pi, 25)  # ellipses of each class, and their corners
RIM = 0.97  # of the plane's reach: where a point is drawn of which a coordinate is missing
SAID = ("a", "ones", "both", "seen", "mean", "value")  # of the weights: the prior's counts and the data's
NAMES = {
    "posterior": "averaged over the posterior",
    "MAP": "plugged in, MAP",
    "MLE": "plugged in, maximum likelihood",
    "labelled": "without the hidden labels",
    "logistic": "logistic regression",
    "truth": "the story itself",
}


class Picture(NamedTuple):
    """How examples are drawn, of a scene."""

    chart: Callable[[Any, list[tuple[str, str]]], Chart]
    data: Callable[[Any], Sets]
    columns: Callable[[Any, int, int], Columns]
    still: Callable[[Any, int, np.ndarray], Sets]  # the map of a classifier, and the query


@dataclass(frozen=True)
class FilmedScene(GenerativeScene, ABC):
    """A scene with its film, one class a method; fields of the class are what differs in words."""

    makes: ClassVar[type[GenerativeRun]] = GenerativeRun  # its run
    label: ClassVar[str] = "{t} of {total} examples"  # of the film
    # arrives, tells: whether a step brings an example, and whether it is the story that brings it
    arrives: ClassVar[bool] = True
    tells: ClassVar[bool] = False

    @cached_property
    def film(self) -> Film:
        """The film of the run."""
        return Film(
            key=self.key,
            charts=[
                replace(chart, spec=in_colors(chart.spec, self.examples.classes))
                for chart in (self.picture.chart(self, self.legend), *self.charts())
            ],
            data=_data(self) | self.data() | self.picture.data(self),
            columns=lambda start, stop: self.picture.columns(self, start, stop) | self.columns(start, stop),
            total=self.run.total,
            label=self.label,
            strides=(("1", 1), ("10", 10)),
            params={"top": self.top},
            grow=self.run.grow,
        )

    @property
    def picture(self) -> Picture:
        """How the examples are drawn."""
        return PLANE if self.examples.in_plane else STRIPS

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The colours of the classes, with their names."""
        classes = self.examples.classes
        return [(f"{color} solid", name) for color, name in zip(colors_of(classes), classes, strict=True)]

    @property
    def top(self) -> float:
        """Where the axis of the weights' density ends."""
        shown, counts = self.weights_to_come()
        return 1.15 * max(Beta(float(a), float(counts.sum() - a)).peak for a in shown)

    def weights_to_come(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the counts of the classes whose weights are shown, if all labels are as they are, and all counts."""
        counts = self.fit.posterior(self.examples.labels).weights.prior
        return counts[1:] if len(counts) == 2 else counts, counts

    @abstractmethod
    def on_plane(self) -> tuple[str, list[tuple[str, str]], str]:
        """Return title, legend and caption of the plane."""

    @abstractmethod
    def charts(self) -> list[Chart]:
        """Return the charts beside the picture."""

    @abstractmethod
    def data(self) -> Sets:
        """Return the data sets of these charts."""

    @abstractmethod
    def columns(self, start: int, stop: int) -> Columns:
        """Return the columns of frames, beside those of the picture."""

    def coming(self, now: np.ndarray) -> np.ndarray:
        """Return the label of the example that comes after each frame."""
        return np.full(len(now), UNKNOWN)

    def still(self, t: int, query: np.ndarray) -> Sets:
        """Return the data sets that are drawn at rest, about a query."""
        return {}


def at_query(scene: FilmedScene, settings: GenerativeSettings) -> Film:
    """Return the film with the query that settings ask about."""
    film = scene.film
    values = settings.query(scene.examples.features)
    place = (settings.query_1, settings.query_2) if scene.examples.in_plane else (-9.0, -9.0)
    return replace(
        film,
        params={**film.params, "query": place, "lacks": float(settings.left_out & 3)},
        still=lambda t: scene.still(t, values),
        stilled_by=f"{values.tolist()}",
    )


def _plane(scene: FilmedScene, _: list[tuple[str, str]]) -> Chart:
    title, marks, caption = scene.on_plane()
    look = len(scene.examples.classes), scene.compared, scene.arrives, scene.tells, scene.examples.columns
    return Chart(
        "plane",
        title,
        caption,
        "Examples in a plane, contours of the features' density in each class, and a map of what a classifier answers.",
        charts.plane(*look),
        marks,
        aspect="4 / 3",
        hand="query",
    )


def _features(scene: FilmedScene, legend: list[tuple[str, str]]) -> Chart:
    return Chart(
        "features",
        "Each feature, class by class",
        "",
        "A strip for each feature: densities of a number or probabilities of a category in each class, and the query.",
        charts.features(len(scene.examples.features)),
        legend,
        hand="query",
    )


# ---- data that stay --------------------------------------------------------------------------------------------------


def story_weights(scene: FilmedScene) -> np.ndarray:
    """Return the weights of the classes in the story, NaN where there is none."""
    simulated = scene.settings.simulated
    return np.exp(simulated.story.truth().log_weights) if simulated else np.full(len(scene.examples.classes), np.nan)


def _data(scene: FilmedScene) -> Sets:
    classes, weights = len(scene.examples.classes), story_weights(scene)
    shown = [1] if classes == 2 else list(range(classes))
    return {
        "cloud": {"t": [-9], "x": [0], "y": [0], "k": [0], "line": [0]},
        "map": {"t": [-9], "v": [0], "k": [0]},
        "rival": {"t": [-9], "v": [0], "k": [0]},
        "scores": {"t": [-9], "term": [""], "start": [0], "end": [0], "k": [0], "said": [""]},
        "tested": {"t": [-9], "who": [""], "value": [0], "said": [""]},
        "truth": {"k": shown, "x": [None if np.isnan(weights[k]) else float(weights[k]) for k in shown]},
        "weights": {"k": shown} | {name: [None] * len(shown) for name in ("a", "b", "norm")},
    }


def _plane_data(scene: FilmedScene) -> Sets:
    examples, classes = scene.examples, len(scene.examples.classes)
    holes = np.isnan(examples.values)
    places = np.where(holes, -RIM * np.array(REACH), np.clip(examples.values, np.negative(REACH), REACH))
    size, simulated = len(examples.labels), scene.settings.simulated
    middles = (
        [conditional.mean for conditional in simulated.story.conditionals] if simulated else np.zeros((classes, 2))
    )
    centres = np.array(middles)[np.maximum(examples.labels, 0)]
    lines = classes * len(FRACTIONS)
    return {
        "points": {
            "row": list(range(size)),
            "name": list(range(1, size + 1)),
            "x": rounded(places[:, 0]),
            "y": rounded(places[:, 1]),
            "cx": rounded(centres[:, 0]),
            "cy": rounded(centres[:, 1]),
            "y_": examples.labels.tolist(),
            "known": (scene.fit.known >= 0).astype(int).tolist(),
            "k": UINT8,
            "seen": UINT8,
        },
        "shapes": {
            "k": np.repeat(np.arange(classes), len(FRACTIONS) * len(ANGLES)).tolist(),
            "line": np.repeat(np.arange(lines), len(ANGLES)).tolist(),
            "x": FLOAT32,
            "y": FLOAT32,
            "next": UINT8,
        },
    }


# ---- frames ----------------------------------------------------------------------------------------------------------


def _plane_columns(scene: FilmedScene, start: int, stop: int) -> Columns:
    now, labels, shapes = np.arange(start, stop), scene.run.labels[start:stop], scene.run.shapes[start:stop]
    return {
        ("shapes", "x"): shapes[:, :, 0],
        ("shapes", "y"): shapes[:, :, 1],
        ("shapes", "next"): scene.coming(now),
        ("points", "k"): labels,
        ("points", "seen"): (np.arange(labels.shape[1]) < now[:, None]) | (not scene.arrives),
    }


def _strip_columns(scene: FilmedScene, start: int, stop: int) -> Columns:
    examples, labels = scene.examples, scene.run.labels[start:stop]
    marks = np.array([row or 0 for row in marks_of(examples)["row"]]) // len(examples.features)
    return {
        ("curves", "d"): scene.run.shapes[start:stop, :, 0],
        ("marks", "k"): labels[:, marks] if len(examples.labels) else UNKNOWN,
    }


# ---- what is drawn at rest -------------------------------------------------------------------------------------------


def _plane_still(scene: FilmedScene, t: int, query: np.ndarray) -> Sets:
    """Return the map of the classifier or of a difference, and what else is drawn in the plane."""
    settings, places = scene.settings, grid_places()
    shown = scene.predict(settings.estimate, places, t)
    sets: Sets = {"cloud": _cloud(scene, t)}
    if scene.compared:
        away = shown - scene.predict(settings.against, places, t)
        values = away[:, 1] if shown.shape[1] == 2 else np.abs(away).sum(axis=1) / 2
        sets["map"] = shade_rows(values, t) | {"k": [0] * len(values)}
    else:
        sets["map"] = map_rows(shown, t)
    if settings.rival == "on":
        sets["rival"] = map_rows(scene.predict("logistic", places, t), t)
    if scene.tested:
        sets["tested"] = tested.bars(scene, t)
    return sets


def _cloud(scene: FilmedScene, t: int) -> dict[str, list]:
    """Return ellipses of one standard deviation, of parameters drawn from the posterior of each class."""
    rng = np.random.default_rng(scene.run.chain.seed)  # the same numbers at every step: the cloud moves, and only so
    posterior = scene.fit.posterior(scene.run.labels_at(t))
    drawn: list[Any] = [family.draw(rng) for family in posterior.families for _ in range(CLOUD)]
    circle = np.stack([np.cos(TURN), np.sin(TURN)])
    roots = [block_diag(*(_root(part.covariance) for part in each.groups)) for each in drawn]
    x, y = np.concatenate([each.mean[:, None] + root @ circle for each, root in zip(drawn, roots, strict=True)], axis=1)
    return {
        "t": [t] * len(x),
        "x": rounded(x),
        "y": rounded(y),
        "k": np.repeat(np.arange(len(posterior.families)), CLOUD * len(TURN)).tolist(),
        "line": np.repeat(np.arange(len(drawn)), len(TURN)).tolist(),
    }


def _root(covariance: np.ndarray) -> np.ndarray:
    """Return a square root of a covariance, which may be singular but for rounding errors if the prior is weak."""
    try:
        return np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(covariance)
        return vectors * np.sqrt(np.maximum(values, 0.0))


PLANE = Picture(_plane, _plane_data, _plane_columns, _plane_still)
STRIPS = Picture(
    _features,
    lambda scene: strip_data(scene.fit),
    _strip_columns,
    lambda scene, t, query: {"asked": asked_rows(scene.examples, query, t)},
)
