"""The film of generative classification: examples and what is known of the classes, in a plane or in strips."""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import block_diag
from scipy.special import betaln

from lessons.data.columns import REACH
from lessons.stages.generative import GenerativeSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, UINT16, Columns
from pages.contract.film import Film
from pages.drawing.marks import CLASSES
from pages.drawing.numbers import fixed, rounded
from pages.drawing.plane import Sets, grid_places, map_rows, shade_rows
from pages.stages.generative import charts, tested
from pages.stages.generative.run import UNKNOWN
from pages.stages.generative.scene import Scene, rivals_of
from pages.stages.generative.shapes import ANGLES, FRACTIONS
from pages.stages.generative.strips import asked_rows, marks_of, strip_data
from samplers.conjugate.beta import Beta
from samplers.mixtures.labels import HIDDEN

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


class FilmedScene(Scene):
    """A scene with its film."""

    @cached_property
    def film(self) -> Film:
        """The film, without what depends on the query."""
        settings, run = self.settings, self.run
        label = "sweep {t} of {total}" if settings.method == "labels" else "{t} of {total} examples"
        return Film(
            key=self.key,
            charts=_charts(self),
            data=_data(self),
            columns=lambda start, stop: _frames(self, start, stop),
            total=run.total,
            label="example {t} of {total}" if settings.tells else label,
            strides=(("1", 1), ("10", 10)),
            params={"top": _top(self)},
            grow=run.grow,
        )


def at_query(scene: FilmedScene, settings: GenerativeSettings) -> Film:
    """Return the film with the query that settings ask about."""
    film = scene.film
    values = settings.query(scene.examples.features)
    place = (settings.query_1, settings.query_2) if scene.examples.in_plane else (-9.0, -9.0)
    return replace(
        film,
        params={**film.params, "query": place, "lacks": float(settings.left_out & 3)},
        still=lambda t: _still(scene, t, values),
        stilled_by=f"{values.tolist()}",
    )


def _charts(scene: Scene) -> list[Chart]:
    settings, examples, classes = scene.settings, scene.examples, len(scene.examples.classes)
    legend = [(f"{CLASSES[label]} solid", name) for label, name in enumerate(examples.classes)]
    found = [_plane(scene, legend)] if examples.in_plane else [_features(scene, legend)]
    if examples.in_plane and settings.rival == "on" and not settings.tells:
        found.append(
            Chart(
                "rival",
                "Logistic regression" if classes == 2 else "Softmax regression",
                "· from the examples whose label and features are all known",
                "The same examples, on the map of a discriminative classifier.",
                charts.rival(classes, scene.examples.columns),
                aspect="4 / 3",
                beside=True,
                hand="query",
            )
        )
    if settings.tells:
        found.append(
            Chart(
                "share",
                "Draw the label",
                "{begun:|· the dart fell at }{dart}",
                "The weights of the classes end to end on a bar from 0 to 1, and the random number that chose.",
                charts.bar(),
                share=0.6,
            )
        )
        return found
    counts = "· ({a} + {ones}) / ({both} + {seen}) = {mean}" if classes == 2 else "· {seen} examples"
    found.append(
        Chart(
            "share",
            f"Weight of {examples.classes[1]}" if classes == 2 else "Weights of the classes",
            counts,
            "The posterior density of the classes' weights, from 0 to 1.",
            charts.share(),
            [
                *(legend[1:2] if classes == 2 else legend),
                *([("dashed", "the story’s own")] if settings.simulated else []),
            ],
        )
    )
    if examples.in_plane:
        found.append(
            Chart(
                "cloud",
                "Means and covariances",
                f"· {CLOUD} draws from each normal-inverse-Wishart",
                "Ellipses of one standard deviation, each of a mean and a covariance drawn from what is known about a "
                "class.",
                charts.cloud(examples.columns),
                legend,
                aspect="4 / 3",
            )
        )
    found.append(
        Chart(
            "scores",
            "The query’s log odds",
            "",
            "Bars that add up the log odds of two classes: what was known before, then each feature of the query.",
            charts.scores(),
            share=1.2,
        )
    )
    if scene.in_pairs:
        found.append(
            Chart(
                "pairs",
                "Features in pairs",
                "",
                "The first two features of each example in a plane, and the other two in another.",
                charts.pairs(),
                legend,
                aspect="2 / 1",
            )
        )
    if scene.tested:
        found.append(tested.chart(scene))
    if settings.method == "labels":
        found.append(
            Chart(
                "trace",
                "Log joint",
                "· {value}",
                "The log probability of examples and labels together.",
                charts.trace(),
            )
        )
    return found


def _plane(scene: Scene, legend: list[tuple[str, str]]) -> Chart:
    settings, classes = scene.settings, len(scene.examples.classes)
    difference = scene.compared
    if settings.tells:
        title, marks = "The story’s own numbers", legend
    elif difference:
        title = f"{NAMES[settings.estimate].capitalize()}, minus {NAMES[settings.against]}"
        full = f"{charts.FULL:g}"
        ramp = f"{charts.LESS} ramp {charts.MORE}" if classes == 2 else f"{charts.MORE} solid"
        marks = [*legend, (ramp, f"−{full} or less … {full} or more" if classes == 2 else f"{full} or more")]
    else:
        title, marks = f"Probability of each class: {NAMES[settings.estimate]}", legend
    return Chart(
        "plane",
        title,
        "· {right} of {hidden} hidden labels right" if _checked(scene) else "",
        "Examples in a plane, contours of the features' density in each class, and a map of what a classifier answers.",
        charts.plane(classes, difference, settings.method != "labels", settings.tells, scene.examples.columns),
        marks,
        aspect="4 / 3",
        hand="query",
    )


def _checked(scene: Scene) -> bool:
    """Whether hidden labels are drawn that the story knows."""
    return scene.settings.method == "labels" and scene.settings.simulated is not None


def _features(scene: Scene, legend: list[tuple[str, str]]) -> Chart:
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


def _data(scene: Scene) -> Sets:
    examples, classes = scene.examples, len(scene.examples.classes)
    simulated = scene.settings.simulated
    weights = np.exp(simulated.story.truth().log_weights) if simulated else np.full(classes, np.nan)
    shown = [1] if classes == 2 else list(range(classes))
    sets: Sets = {
        "cloud": {"t": [-9], "x": [0], "y": [0], "k": [0], "line": [0]},
        "map": {"t": [-9], "v": [0], "k": [0]},
        "rival": {"t": [-9], "v": [0], "k": [0]},
        "scores": {"t": [-9], "term": [""], "start": [0], "end": [0], "k": [0], "said": [""]},
        "tested": {"t": [-9], "who": [""], "value": [0], "said": [""]},
        "truth": {"k": shown, "x": [None if np.isnan(weights[k]) else float(weights[k]) for k in shown]},
        "weights": {"k": shown} | {name: [None] * len(shown) for name in ("a", "b", "norm")},
    }
    if not scene.settings.tells:
        sets["weights"] |= dict.fromkeys(("a", "b", "norm"), FLOAT32)
        sets["past"], sets["say"] = {"value": FLOAT32}, dict.fromkeys(SAID, FLOAT32)
    if _checked(scene):
        sets["say"] |= {"right": UINT16, "hidden": UINT16}
    if scene.in_pairs and not scene.settings.tells:
        places = examples.values.reshape(-1, 2, 2) + np.array([[0.0, 0.0], [2 * REACH[0], 0.0]])
        numbers = np.repeat(np.arange(len(places)), 2)
        x, y = places.reshape(-1, 2).T
        sets["pairs"] = {"row": numbers.tolist(), "name": (numbers + 1).tolist(), "x": rounded(x), "y": rounded(y)}
        sets["pairs"]["k"] = UINT8
    if scene.settings.tells:
        ends, names = np.cumsum([0, *weights]), list(examples.classes)
        sets |= {
            "line": {"x": ends[:-1].tolist(), "x2": ends[1:].tolist(), "k": list(range(classes)), "text": names},
            "dart": {"x": FLOAT32},
            "say": {"dart": FLOAT32, "begun": UINT8},
        }
        if examples.in_plane:
            sets["map"] = map_rows(scene.predict("truth", grid_places(), 0), -1)
    return sets | (_plane_data(scene) if examples.in_plane else strip_data(scene.fit))


def _plane_data(scene: Scene) -> Sets:
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


def _top(scene: Scene) -> float:
    """Return where the axis of the weights' density ends."""
    counts = scene.fit.posterior(scene.examples.labels).weights.prior
    shown = counts[1:] if len(counts) == 2 else counts
    if scene.settings.method == "labels":  # who knows what they will be: a class may get few
        shown = np.append(shown, 0.1 * counts.sum())
    return 1.15 * max(Beta(float(a), float(counts.sum() - a)).peak for a in shown)


# ---- what is drawn at rest -------------------------------------------------------------------------------------------


def _still(scene: Scene, t: int, query: np.ndarray) -> Sets:
    """Return the maps and the query's scores."""
    settings, examples = scene.settings, scene.examples
    if settings.tells:
        return {}
    sets: Sets = {"scores": _scores(scene, t, query)}
    if not examples.in_plane:
        return sets | {"asked": asked_rows(examples, query, t)}
    places = grid_places()
    shown = scene.predict(settings.estimate, places, t)
    if scene.compared:
        away = shown - scene.predict(settings.against, places, t)
        values = away[:, 1] if shown.shape[1] == 2 else np.abs(away).sum(axis=1) / 2
        sets["map"] = shade_rows(values, t) | {"k": [0] * len(values)}
    else:
        sets["map"] = map_rows(shown, t)
    sets["cloud"] = _cloud(scene, t)
    if settings.rival == "on":
        sets["rival"] = map_rows(scene.predict("logistic", places, t), t)
    if scene.tested:
        sets["tested"] = tested.bars(scene, t)
    return sets


def _cloud(scene: Scene, t: int) -> dict[str, list]:
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


def _scores(scene: Scene, t: int, query: np.ndarray) -> dict[str, list]:
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


# ---- frames ----------------------------------------------------------------------------------------------------------


def _frames(scene: Scene, start: int, stop: int) -> Columns:
    run, examples, settings = scene.run, scene.examples, scene.settings
    now = np.arange(start, stop)
    labels = run.labels[start:stop]
    columns: Columns = {}
    if examples.in_plane:
        shapes = run.shapes[start:stop]
        coming = np.full(len(now), UNKNOWN)
        if settings.tells:
            inside = now < len(examples.labels)
            coming[inside] = examples.labels[now[inside]]
        columns |= {
            ("shapes", "x"): shapes[:, :, 0],
            ("shapes", "y"): shapes[:, :, 1],
            ("shapes", "next"): coming,
            ("points", "k"): labels,
            ("points", "seen"): (np.arange(labels.shape[1]) < now[:, None]) | (settings.method == "labels"),
        }
    else:
        columns[("curves", "d")] = run.shapes[start:stop, :, 0]
        marks = np.array([row or 0 for row in marks_of(examples)["row"]]) // len(examples.features)
        columns[("marks", "k")] = labels[:, marks] if len(examples.labels) else UNKNOWN
    if _checked(scene):
        hidden = scene.fit.known == HIDDEN
        columns["say", "right"] = (labels == examples.labels)[:, hidden].sum(axis=1)
        columns["say", "hidden"] = hidden.sum()
    if scene.in_pairs and not settings.tells:
        columns["pairs", "k"] = labels.repeat(2, axis=1)
    columns |= _darts(scene, now) if settings.tells else _weights(scene, start, stop)
    return columns


def _darts(scene: Scene, now: np.ndarray) -> Columns:
    """Return the random number that chose the label of each example; none at the start."""
    chain = scene.run.chain
    darts = np.array([chain.record(int(t)) if t else np.nan for t in now])
    return {("dart", "x"): darts, ("say", "dart"): darts, ("say", "begun"): now > 0}


def _weights(scene: Scene, start: int, stop: int) -> Columns:
    counts = scene.run.counts[start:stop].astype(float)
    total = counts.sum(axis=1, keepdims=True)
    shown = counts[:, 1:] if counts.shape[1] == 2 else counts
    prior = np.asarray(scene.fit.model.class_prior)
    value = scene.run.value[start:stop]
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
    }
