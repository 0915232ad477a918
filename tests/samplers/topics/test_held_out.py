"""Probabilities of new documents: exact sums against all labellings, the estimate against exact sums."""

from itertools import product
from math import exp, lgamma

import numpy as np
import pytest

from samplers.topics.held_out import can_sum, exact, left_to_right

RUNS, PARTICLES = 200, 30
DOCUMENT = [0, 3, 0, 1, 4, 0]


def model(topics):
    """Return word probabilities and pseudo-counts that are all different."""
    rng = np.random.default_rng(topics)
    return rng.dirichlet(np.full(5, 0.5), topics), rng.gamma(1, 1, topics) + 0.1


def listed(document, word_probs, prior):
    """Sum over every labelling."""
    found = 0.0
    for labels in product(range(len(prior)), repeat=len(document)):
        counts = np.bincount(labels, minlength=len(prior))
        log = sum(lgamma(a + n) - lgamma(a) for a, n in zip(prior, counts, strict=True))
        log -= lgamma(prior.sum() + len(document)) - lgamma(prior.sum())
        found += exp(log) * np.prod([word_probs[k, word] for k, word in zip(labels, document, strict=True)])
    return found


@pytest.mark.parametrize("topics", [1, 2, 3, 4])
def test_the_sum_over_counts_is_the_sum_over_labellings(topics):
    word_probs, prior = model(topics)
    assert exp(exact(DOCUMENT, word_probs, prior)) == pytest.approx(listed(DOCUMENT, word_probs, prior))


def test_too_many_counts_are_not_summed():
    assert can_sum(20, 4)
    assert not can_sum(20, 5)
    with pytest.raises(ValueError, match="20 words in 5 topics have too many counts to sum: estimate instead"):
        exact([0] * 20, *model(5))


def z_score(estimate, topics=3):
    """Return how many standard errors the mean of estimates is from the truth, and all their ratios to it."""
    word_probs, prior = model(topics)
    rng = np.random.default_rng(7)
    truth = exact(DOCUMENT, word_probs, prior)
    ratios = np.exp([estimate(DOCUMENT, word_probs, prior, PARTICLES, rng)[0] - truth for _ in range(RUNS)])
    return (ratios.mean() - 1) / (ratios.std(ddof=1) / RUNS**0.5), ratios


def test_the_estimate_is_unbiased_and_its_error_is_as_it_says():
    z, ratios = z_score(left_to_right)
    assert abs(z) < 4  # by chance once in 15,000
    stated = left_to_right(DOCUMENT, *model(3), 20_000, np.random.default_rng(1)).error * (20_000 / PARTICLES) ** 0.5
    assert ratios.std() == pytest.approx(stated, rel=0.2)


def counted_first(document, word_probs, prior, particles, rng):
    """The planted error: each word is counted before it is predicted."""
    weights = np.ones(particles)
    for particle in range(particles):
        counts = prior.copy()
        for word in document:
            scores = counts * word_probs[:, word]
            counts[rng.choice(len(prior), p=scores / scores.sum())] += 1
            weights[particle] *= counts @ word_probs[:, word] / counts.sum()
    return np.log(weights.mean()), 0.0


def test_a_word_that_is_counted_before_it_is_predicted_shows():
    assert z_score(counted_first)[0] > 8
