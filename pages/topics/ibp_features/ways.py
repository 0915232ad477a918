"""The same data by other ways: factor analysis, whose factors can be turned, and PCA and ICA as point estimates."""

from math import radians
from typing import Any

import numpy as np

from pages.drawing.cards import badge, quiet, table
from pages.drawing.numbers import fixed, significant
from pages.topics.ibp_features.charts import NEGATIVE, POSITIVE
from pages.topics.ibp_features.inspector import figure
from pages.topics.ibp_features.scene import FeaturesScene
from samplers import Chain
from samplers.buffet.factor_analysis import FactorAnalysis, independent_components, principal_components, turned

MOST = 4  # factors: as many as there are hidden shapes
SWEEPS = 50  # of factor analysis


def other_ways(scene: FeaturesScene, state: Any) -> str:
    """Return the features after a sweep, and what three ways with a fixed number of factors make of the same data."""
    observed = scene.rows.data.T if scene.rows.many == "tests" else scene.rows.data
    number = min(MOST, len(observed) - 1, observed.shape[1])
    centred = observed - observed.mean(axis=0)
    if np.linalg.matrix_rank(centred) < number:
        return quiet("These rows vary in too few directions to be taken apart by factors.")
    parts = [_features(scene, state), _factors(scene, centred, number)]
    for title, find, note in (
        ("PCA", principal_components, "Directions of the largest variance, at right angles to each other."),
        ("ICA", independent_components, "The same, turned until the amounts of each look least like a Normal."),
    ):
        parts.append(_part(title, _shown(scene, find(observed, number).components), note))
    return f'<div class="ways">{"".join(parts)}</div>'


def _features(scene: FeaturesScene, state: Any) -> str:
    parts, words = scene.run.sampler.parts(state), scene.words
    found = parts.amounts.T.astype(float) if scene.rows.many == "tests" else parts.contents
    order = np.argsort(parts.names)[: 2 * MOST]
    names = [parts.names[place] for place in order]
    title = f"{words.title}, {len(parts.names)} in this sweep"
    return _part(title, _shown(scene, found[order], names), f"{words.each}. Their number is not given.")


def _factors(scene: FeaturesScene, centred: np.ndarray, number: int) -> str:
    settings = scene.settings
    sampler = FactorAnalysis(centred.T, number, settings.noise, settings.spread)
    state = Chain(sampler, scene.run.chain.seed)[SWEEPS]
    if number > 1:
        state = turned(state, 0, 1, radians(settings.angle))
    left = float(((sampler.data - state.loadings @ state.factors) ** 2).sum())
    note = (
        f"After {SWEEPS} sweeps of its own sampler, turned by {settings.angle}°: sum of squares left over "
        f"<b>{significant(left, 6)}</b>, log joint up to a constant <b>{fixed(sampler.log_joint(state))}</b>."
    )
    if settings.angle:
        note += " The turn has changed neither: no data can give a factor a name."
    return _part(f"Factor analysis, {number} factors", _shown(scene, state.loadings.T), note, above=True)


def _part(title: str, body: str, note: str, *, above: bool = False) -> str:
    """Return a part; its note is `above` where a learner watches its numbers, as a table fills the screen."""
    said = quiet(note)
    return f"<section><h4>{title}</h4>{said + body if above else body + said}</section>"


def _shown(scene: FeaturesScene, rows: np.ndarray, names: list[int] | None = None) -> str:
    """Return each factor's contribution, shape (K, numbers): as tiles, or as a table where the numbers have names."""
    labels = scene.rows.names if scene.rows.many == "tests" else scene.rows.columns
    if not len(rows):
        return quiet("None yet.")
    heads = [
        str(place + 1) if names is None else badge(str(names[place] + 1), names[place]) for place in range(len(rows))
    ]
    scaled = rows / np.maximum(np.abs(rows).max(axis=1, keepdims=True), np.finfo(float).tiny)
    if labels:
        cells = ([label, *map(_cell, column)] for label, column in zip(labels, scaled.T.tolist(), strict=True))
        return table(["", *heads], cells, "heat")
    tiles = (figure(scene, row * scene.reach, head) for row, head in zip(scaled, heads, strict=True))
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _cell(value: float) -> str:
    color = POSITIVE if value > 0 else NEGATIVE
    look = f"background: color-mix(in srgb, {color} {100 * abs(value):.0f}%, transparent)"
    return f'<i style="{look}" title="{fixed(value)}"></i>'
