"""A gradient of the marginal density, an iteration of NUTS, and what NUTS and Gibbs get out of a second."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench import Row, median_seconds
from bench.documents import corpus
from samplers.chain import Chain
from samplers.diagnostics.convergence import diagnose
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.hmc import HMC
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.gradient.nuts import NUTS
from samplers.log_density import LogDensityWithGradient
from samplers.mixtures.naive_bayes import NaiveBayes

WARMUP = 200
PRIORS = {"class_prior": 1.0, "word_prior": 0.5}


def gradient_seconds(target: LogDensityWithGradient) -> float:
    position = np.random.default_rng(0).normal(size=target.dimension)
    return median_seconds(lambda: target.log_density_and_gradient(position), 200)


def effective_a_second(chain: Chain, warmup: int, kept: int, statistic: Callable[[Any], float]) -> tuple[float, float]:
    """Return effective draws of a number a second after the warm-up, and of an iteration."""
    chain[warmup]
    start = time.perf_counter()
    series = [statistic(chain[t]) for t in range(warmup + 1, warmup + kept + 1)]
    seconds = time.perf_counter() - start
    effective = diagnose(series).ess_bulk or 0.0
    return effective / seconds, effective / kept


def half_labelled() -> tuple[np.ndarray, np.ndarray]:
    """Return 60 documents of 12 words in two classes that overlap, with every second label hidden."""
    rng = np.random.default_rng(0)
    word_probs, labels = rng.dirichlet(np.full(30, 3.0), 2), rng.integers(2, size=60)
    return rng.multinomial(12, word_probs[labels]), np.where(np.arange(60) % 2, labels, -1)


def rows() -> Iterator[Row]:
    for documents, vocabulary, classes, limit in ((100, 200, 3, 0.0003), (500, 1_000, 5, 0.002)):
        counts = corpus(documents, vocabulary, 60)
        size = f"{documents} documents of 60 words, V = {vocabulary:,}, K = {classes}"
        base = gradient_seconds(NaiveBayesMarginal(counts, classes, **PRIORS))
        yield Row(f"gradient, {size}", base, limit)
        labels = np.arange(documents) % classes
        seconds = gradient_seconds(NaiveBayesMarginal(counts, classes, **PRIORS, labels=labels))
        yield Row("the same, all labels known", seconds, None, f"{seconds / base:.2f} x all hidden")
    points = np.random.default_rng(0).normal(size=200)
    yield Row("gradient, Gaussian mixture, 200 points, K = 3", gradient_seconds(GaussianMarginal(points, 3)))

    counts, labels = half_labelled()
    model = NaiveBayesMarginal(counts, 2, **PRIORS, labels=labels)
    base = gradient_seconds(model)
    hmc = HMC(model, 0.05, 32)
    state, rng = hmc.init(np.random.default_rng(0)), np.random.default_rng(1)
    seconds = median_seconds(lambda: hmc.step(state, rng), 50) / 32
    yield Row("leapfrog step, 60 documents, V = 30, K = 2", seconds, None, f"{seconds / base:.2f} x its gradient")
    nuts = Chain(NUTS(model, warmup=WARMUP), seed=0)
    nuts[WARMUP]
    per_second, per_draw = effective_a_second(
        nuts, WARMUP, 1_000, lambda state: float(model.class_probabilities(state.position)[::2, 0].sum())
    )
    steps = np.mean([nuts.record(t).leapfrogs for t in range(WARMUP + 1, WARMUP + 201)])
    yield Row(
        "effective draws of how many are in class 0, NUTS",
        per_second,
        None,
        f"{per_draw:.2f} a draw of {steps:.0f} steps",
        "/s",
    )
    for word_probs in ("explicit", "collapsed"):
        gibbs = Chain(NaiveBayes(counts, 2, **PRIORS, labels=labels, word_probs=word_probs), seed=0)  # type: ignore[arg-type]
        per_second, per_draw = effective_a_second(gibbs, WARMUP, 1_000, lambda state: float(state.counts[0]))
        yield Row(f"the same, Gibbs, words {word_probs}", per_second, None, f"{per_draw:.2f} a sweep", "/s")
