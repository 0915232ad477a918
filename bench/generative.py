"""Generative classification: posteriors of all classes, and the map of a plane."""

from collections.abc import Iterator

import numpy as np

from bench import Row, median_seconds
from samplers.chain import Chain
from samplers.generative.classifier import GenerativeModel
from samplers.generative.features import Encoding, Feature, Grouping
from samplers.mixtures.finite import FiniteMixture

CLASSES = 3
GROUPINGS: tuple[tuple[str, Grouping, float], ...] = (("naive", "naive", 0.003), ("full", "whole", 0.010))


def rows() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    labels = rng.integers(CLASSES, size=10_000)
    data = rng.standard_normal((10_000, 20)) + labels[:, None]
    places = np.stack(np.meshgrid(np.linspace(-6, 6, 50), np.linspace(-6, 6, 50)), axis=-1).reshape(-1, 2)
    for name, grouping, limit in GROUPINGS:
        prior = Encoding(tuple(Feature(f"x{column}") for column in range(20)), grouping).prior(1, 1)
        seconds = median_seconds(lambda prior=prior: prior.given_labels(data, labels, CLASSES), 51)
        yield Row(f"{name}: posteriors, N = 10,000, D = 20, 3 classes", seconds, 0.002)
        plane = GenerativeModel(Encoding((Feature("x"), Feature("y")), grouping).prior(1, 1), CLASSES, 1.0)
        classifier = plane.posterior(data[:100, :2], labels[:100]).predictive()
        seconds = median_seconds(lambda classifier=classifier: classifier.predict(places), 51)
        yield Row(f"{name}: map of 2,500 points", seconds, limit)
    known = np.where(np.arange(100) < 10, labels[:100], -1)
    sampler = FiniteMixture(data[:100, :2], plane.family, CLASSES, 1.0, labels=known)
    chain = Chain(sampler, seed=1)
    yield Row("full: a sweep of 90 hidden labels, D = 2", median_seconds(lambda: sampler.step(chain[1], chain.rng(2))))
