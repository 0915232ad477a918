"""Films of logistic regression, as browsers get them."""

import numpy as np
import pytest

from lessons.own.labelled import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.logistic import MOST_POINTS, LogisticSettings
from pages.contract.film import Film
from pages.topics.logistic import LogisticStage
from pages.topics.logistic.film import LogisticScene, filmed
from tests.pages.player.films import fetched

scene_of = LogisticStage().scene
SEED = 7
PROBE = (3.0, 2.0)
METHODS = {
    "newton": LogisticSettings(step_length=0.6),
    "gradient": LogisticSettings(method="gradient", step_length=0.05, bias="on"),
    "chain": LogisticSettings(method="chain", data="few"),
    "points": LogisticSettings(method="points", points=12, features="quadratic"),
}
every = pytest.mark.parametrize("method", METHODS)
RNG = np.random.default_rng(0)
SPREAD = 2 * RNG.normal(size=(MOST_POINTS, 2)), RNG.integers(0, 2, MOST_POINTS)
OWN = {
    "none": (np.empty((0, 2)), np.empty(0, int)),
    "one": (np.array([[1.0, 2.0]]), np.array([1])),
    "one at the origin": (np.zeros((1, 2)), np.array([0])),
    "all of one class": (SPREAD[0][:9], np.ones(9, int)),
    "twins of both classes": (np.ones((6, 2)), np.arange(6) % 2),
    "separable": (np.array([[-1.0, 0.0], [1.0, 0.5], [2.0, 1.0], [-2.0, 0.0]]), np.array([0, 1, 1, 0])),
    "as many as there may be": SPREAD,
}


def own_scene(name: str, **settings) -> LogisticScene:
    return scene_of(LogisticSettings(data="own", own=keep_own(OwnPoints(*OWN[name])), **settings), SEED)


def film_of(scene: LogisticScene) -> Film:
    return filmed(scene, PROBE)


def sent(film: Film, at: int = 0) -> tuple[dict, dict]:
    """Return the first message, read as the browser reads it; packing refuses NaN in JSON."""
    return fetched(film, at)


def at(columns: dict, data_set: str, *fields: str) -> np.ndarray:
    return np.stack([columns[data_set, field] for field in fields], axis=-1)
