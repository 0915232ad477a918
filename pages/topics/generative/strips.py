"""The strips of the features as rows of data: curves and bars of each class, the examples, and the query."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons.data.columns import REACH, Column
from lessons.own.examples import Examples
from pages.contract.columns import FLOAT32, UINT8
from pages.drawing.charts import round_numbers
from pages.drawing.numbers import rounded
from pages.drawing.plane import Sets
from pages.topics.generative import charts
from pages.topics.generative.fit import Fit
from pages.topics.generative.shapes import PLACES
from samplers.generative.features import Feature

SHORT = 2  # letters that have room beside a bar
TICKS = 3  # of a number, about
RUG = 1_200  # marks of examples that the strips have room for


def height_of(values: ArrayLike, feature: Feature) -> np.ndarray:
    """Return the heights of a feature's values in its strip, from 0 to 1."""
    bars = len(feature.bars)
    if bars > 1:
        return np.asarray((np.minimum(values, bars - 1) + 0.5) / bars)
    return np.asarray((np.clip(values, -REACH[1], REACH[1]) / REACH[1] + 1) / 2)


def strip_data(fit: Fit) -> Sets:
    """Return the data sets of the strips, without the densities."""
    examples, classes = fit.examples, len(fit.examples.classes)
    curves: dict[str, list] = {name: [] for name in ("j", "k", "y", "thick", "line", "top")}
    texts: dict[str, list] = {name: [] for name in ("x", "y", "text")}
    tops = _tops(fit)
    for place, (feature, column) in enumerate(zip(examples.features, examples.columns, strict=True)):
        levels = np.arange(len(feature.bars)) if feature.bars else PLACES
        for label in range(classes):
            count, thick = len(levels), 0.62 / len(feature.bars) / classes if feature.bars else 0.0
            shift = (label - (classes - 1) / 2) * thick * 1.08
            curves["j"] += [place] * count
            curves["k"] += [label] * count
            curves["y"] += rounded(height_of(levels, feature) - shift)
            curves["thick"] += [round(thick, 4)] * count
            curves["line"] += [place * classes + label] * count
            curves["top"] += [tops[place]] * count
        ticks = list(enumerate(feature.bars)) if feature.bars else _ticks(column)
        for value, text in ticks:
            above = _above(feature)
            texts["x"].append(place + 0.04)
            texts["y"].append(round(float(height_of(value, feature)) + above, 4))
            texts["text"].append(text)
    strips = range(len(examples.features))
    return {
        "curves": {**curves, "d": FLOAT32},
        "texts": texts,
        "heads": {
            "j": list(strips),
            "x": [place + 0.04 for place in strips],
            "y": [charts.HEAD] * len(strips),
            "text": [feature.name for feature in examples.features],
        },
        "marks": marks_of(examples),
        "asked": {"t": [-9], "x": [0], "y": [0], "j": [0], "out": [0]},
    }


def _above(feature: Feature) -> float:
    """Return how far above its bars a name is; a count has room beside them."""
    if not feature.bars:
        return 0.025
    return 0.0 if all(len(name) <= SHORT for name in feature.bars) else 0.36 / len(feature.bars)


def _ticks(column: Column) -> list[tuple[float, str]]:
    """Return round numbers of a column: their places, and how they are written."""
    values, form = round_numbers(column, (-REACH[1], REACH[1]), TICKS)
    return [(value, format(column.own(value), form).replace("-", "−")) for value in values.tolist()]


def _tops(fit: Fit) -> list[float]:
    """Return for each feature how high its curves may get: a probability to 1, a density as high as in the end."""
    fitted = fit.posterior(fit.examples.labels).predictive()
    tops = []
    for place, feature in enumerate(fit.examples.features):
        columns = fit.encoding.columns([place])
        if feature.bars:
            tops.append(1.0)
            continue
        curves = [np.exp(each.marginal(columns).log_density(PLACES[:, None])).max() for each in fitted.conditionals]
        tops.append(round(1.15 * float(max(curves)), 4))
    return tops


def marks_of(examples: Examples) -> dict[str, Any]:
    """Return a mark for each example in each strip where it is not missing."""
    found: dict[str, list] = {name: [] for name in ("row", "name", "x", "y")}
    strips = len(examples.features)
    shown = min(len(examples.labels), RUG // strips)
    for number in range(shown):
        for place, feature in enumerate(examples.features):
            value = examples.values[number, place]
            if np.isnan(value):
                continue
            aside = (number * 0.618) % 1 - 0.5  # spread evenly, the same every time
            height = float(height_of(value, feature)) + (aside * 0.6 / len(feature.bars) if feature.bars else 0.0)
            found["row"].append(number * strips + place)
            found["name"].append(number + 1)
            found["x"].append(round(place + charts.MARKS + 0.06 * ((number * 0.7549) % 1 - 0.5), 4))
            found["y"].append(round(height, 4))
    rows = len(found["row"])
    return {**(found if rows else {name: [None] for name in found}), "k": UINT8}


def asked_rows(examples: Examples, query: np.ndarray, t: int) -> dict[str, list]:
    """Return where the query is in each strip, or that it lacks the feature."""
    heights = [
        0.5 if np.isnan(value) else float(height_of(value, feature))
        for feature, value in zip(examples.features, query, strict=True)
    ]
    size = len(query)
    return {
        "t": [t] * size,
        "x": [place + charts.ASKED for place in range(size)],
        "y": rounded(heights),
        "j": list(range(size)),
        "out": np.isnan(query).astype(int).tolist(),
    }
