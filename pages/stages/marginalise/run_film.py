"""The film of a run, an iteration a frame: log density, class probabilities, and what has a name and may change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pages.drawing.palette import COLORS
from pages.player.player import Chart, Film
from pages.stages.marginalise import charts, plane, triangle
from pages.stages.marginalise.run import FIRST_LOOK
from pages.stages.marginalise.scene import Scene, running

STRIDES = (("1 step", 1), ("10 steps", 10), ("100 steps", 100))
THIN_AND_THICK = "thin: now, thick: average so far"


def film(scene: Scene) -> Film:
    """Return the film of a run's iterations."""
    two = scene.two_means
    areas, columns = _layout(scene)
    return Film(
        key=f"walk {scene.key} {scene.settings.word} {scene.item}",
        charts=_two_means(scene) if two else _documents(scene),
        areas=areas,
        columns=f"minmax(0, {columns[0]}fr) minmax(0, {columns[1]}fr) minmax(0, 1fr)",
        data=data(scene) | (triangle.walk_data() if triangle.shown(scene) else {}),
        frames=lambda start, stop: _frames(scene, start, stop),
        total=scene.last,
        label="iteration {t} of {total}{warm:| · warm-up}",
        strides=STRIDES,
        grow=scene.grow,
    )


def _layout(scene: Scene) -> tuple[str, tuple[float, float]]:
    """Return the areas, and how wide the first two columns are, in widths of the third."""
    if scene.two_means:
        return '"plane points points" "plane means trace"', (1.08, 1)
    if triangle.shown(scene):
        return '"triangle classes weights" "triangle classes trace"', (1.25, 1.2)
    return '"classes weights word" "classes trace trace"', (1.45, 1)


def data(scene: Scene) -> dict[str, dict[str, list[Any]]]:
    """Return the data sets that the charts of items share."""
    rows = np.arange(scene.settings.size) if scene.two_means else scene.rows
    sets: dict[str, dict[str, list[Any]]] = {
        "rows": {
            "row": list(range(len(rows))),
            "name": [scene.title_of(int(item)) for item in rows],
            "known": [int(scene.labels[item]) for item in rows],
            "now": [None] * len(rows),
            "mean": [None] * len(rows),
        }
    }
    if scene.two_means:
        sets["rows"]["x"] = scene.settings.on_a_line.round(3).tolist()
        sets["components"] = {"label": [0, 1], "mean": [None, None]}
        sets |= plane.data(scene)
    return sets


def legend(scene: Scene) -> list[tuple[str, str]]:
    """Return the colours of the two classes."""
    return [(f"{COLORS[label]} solid", name) for label, name in enumerate(scene.names)]


def trace_domain(scene: Scene) -> tuple[float, float]:
    """Return where the log density will move: around the highest so far, by so much as D Normal numbers would."""
    top = float(scene.run.log_density[: FIRST_LOOK + 1].max())
    spread = np.sqrt(scene.run.target.dimension / 2)
    return float(np.floor(top - 8 * spread)), float(np.ceil(top + 3 * spread))


def log_density_chart(scene: Scene) -> Chart:
    """Return the trace of the log density."""
    return Chart(
        "trace",
        "Log density",
        "· {log_density}",
        "The log density of the unconstrained parameters along the run.",
        charts.trace("log_density", trace_domain(scene), scene.settings.warmup),
    )


def class_chart(scene: Scene) -> Chart:
    """Return the bars of class probabilities."""
    rows, size = len(scene.rows), scene.settings.size
    some = f"· documents {scene.rows[0] + 1} to {scene.rows[-1] + 1} of {size} " if rows < size else ""
    return Chart(
        "classes",
        "Pr[z = k] of each document",
        f"{some}· thick: now, thin: average",
        "For each document the probability of each class given the parameters, now and averaged over the run.",
        charts.classes(rows, True),
        legend(scene),
        aspect="6 / 5",
    )


def points_chart(scene: Scene) -> Chart:
    """Return the points on a line with the components."""
    return Chart(
        "points",
        "Points, and whose they are",
        "",
        "The two components' densities over the points; each point is a bar that the components share.",
        charts.line(plane.line_domain(scene)),
        legend(scene),
    )


def _documents(scene: Scene) -> list[Chart]:
    weights = Chart(
        "weights",
        "Weights θ",
        "· {a0} and {a1}",
        "The weight of each class along the run, and its running mean.",
        charts.pair(("a0", "a1"), ("r0", "r1"), (0.0, 1.0), scene.settings.warmup),
        legend(scene),
    )
    if triangle.shown(scene):
        return [triangle.chart(scene, legend(scene), path=False), class_chart(scene), weights, log_density_chart(scene)]
    return [class_chart(scene), log_density_chart(scene), weights, _word_chart(scene)]


def _word_chart(scene: Scene) -> Chart:
    early = scene.run.word_probs[: FIRST_LOOK + 1, :, scene.word]
    return Chart(
        "word",
        f"φ of “{scene.words[scene.word]}”",
        f"· {THIN_AND_THICK}",
        "The probability of one word in each class along the run, and its running mean.",
        charts.pair(("w0", "w1"), ("v0", "v1"), (0.0, min(1.0, 2 * float(early.max()))), scene.settings.warmup),
    )


def _two_means(scene: Scene) -> list[Chart]:
    x = plane.line_domain(scene)
    return [
        plane.chart(scene, path=False),
        points_chart(scene),
        Chart(
            "means",
            "Means",
            "· averages {r0} and {r1}",
            "The two means along the run, and their running means, which meet where the labels switch.",
            charts.pair(("a0", "a1"), ("r0", "r1"), x, scene.settings.warmup),
        ),
        log_density_chart(scene),
    ]


def _frames(scene: Scene, start: int, stop: int) -> Mapping[tuple[str, str], np.ndarray]:
    run, warmup = scene.run, scene.settings.warmup
    items = np.arange(scene.settings.size) if scene.two_means else scene.rows
    probs, pair = run.class_probs[:stop, items], run.pair[:stop]
    pair_mean = running(pair, start, warmup)
    means = running(probs, start, warmup)
    means[: max(0, min(stop, warmup + 1) - start)] = np.nan
    columns = {
        ("rows", "now"): probs[start:],
        ("rows", "mean"): means,
        ("past", "log_density"): run.log_density[start:stop, None],
        ("say", "log_density"): run.log_density[start:stop, None],
    }
    for label in range(2):
        columns[("past", f"a{label}")] = pair[start:, label : label + 1]
        columns[("past", f"r{label}")] = pair_mean[:, label : label + 1]
        columns[("say", f"a{label}")] = pair[start:, label : label + 1]
    if scene.two_means:
        columns[("components", "mean")] = pair[start:]
        columns |= {("say", f"r{label}"): pair_mean[:, label : label + 1] for label in range(2)}
        columns |= plane.walk_columns(scene, start, stop)
    else:
        word = run.word_probs[:stop, :, scene.word]
        word_mean = running(word, start, warmup)
        for label in range(2):
            columns[("past", f"w{label}")] = word[start:, label : label + 1]
            columns[("past", f"v{label}")] = word_mean[:, label : label + 1]
    if triangle.shown(scene):
        columns |= triangle.walk_columns(scene, start, stop)
    columns = {name: np.asarray(column, np.float32) for name, column in columns.items()}
    return columns | {("say", "warm"): (np.arange(start, stop) <= warmup).astype(np.uint8)[:, None]}
