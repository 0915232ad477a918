"""Exact posteriors over labellings, against sums that are done in another way."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from samplers.conjugate import DirichletMultinomial, NormalKnownVariance
from samplers.mixtures.exact_labellings import exact_finite_mixture, exact_naive_bayes, sweep_matrix
from samplers.mixtures.naive_bayes import NaiveBayes

COUNTS = [[2, 0, 1], [0, 3, 1], [1, 1, 0], [0, 0, 0]]


def urn(labels, words, class_prior, word_prior):
    """Probability of labels and words, drawn one after the other, each given all before it: in fractions."""
    probability = Fraction(1)
    seen, counts = [list(row) for row in [word_prior] * len(class_prior)], list(class_prior)
    for label, document in zip(labels, words, strict=True):
        probability *= Fraction(counts[label]) / sum(counts)
        counts[label] += 1
        for word in document:
            probability *= Fraction(seen[label][word]) / sum(seen[label])
            seen[label][word] += 1
    return probability


def test_documents_weigh_what_an_urn_says():
    class_prior, word_prior = [Fraction(1, 2), Fraction(2)], [Fraction(1, 2), Fraction(1), Fraction(3, 2)]
    truth = exact_naive_bayes(COUNTS, 2, [0.5, 2], [0.5, 1, 1.5])
    words = [[word for word, times in enumerate(row) for _ in range(times)] for row in COUNTS]
    assert truth.labellings.tolist() == [list(labels) for labels in product(range(2), repeat=4)]
    expected = [urn(labels, words, class_prior, word_prior) for labels in truth.labellings]
    assert truth.log_joint == pytest.approx([math.log(p) for p in expected], rel=1e-12)
    assert truth.log_evidence == pytest.approx(math.log(sum(expected)), rel=1e-12)
    assert truth.probabilities == pytest.approx([float(p / sum(expected)) for p in expected], rel=1e-12)


def test_all_texts_of_a_length_have_probability_one():
    """Two documents of two and one words out of two: every sequence of words, nothing dropped."""
    total = 0.0
    for first, second, third in product(range(2), repeat=3):
        counts = np.zeros((2, 2))
        for document, word in ((0, first), (0, second), (1, third)):
            counts[document, word] += 1
        total += math.exp(exact_naive_bayes(counts, 3, 0.7, [0.4, 1.0]).log_evidence)
    assert total == pytest.approx(1, rel=1e-12)


def test_known_labels_are_a_condition():
    everything = exact_naive_bayes(COUNTS, 3, 0.7, 0.5)
    known = exact_naive_bayes(COUNTS, 3, 0.7, 0.5, [-1, 2, -1, 0])
    agrees = (everything.labellings[:, [1, 3]] == [2, 0]).all(axis=1)
    assert known.labellings.tolist() == everything.labellings[agrees].tolist()
    assert known.log_joint == pytest.approx(everything.log_joint[agrees], rel=1e-12)
    assert known.class_probabilities[[1, 3]] == pytest.approx(np.array([[0, 0, 1], [1, 0, 0]]))
    assert exact_naive_bayes(COUNTS, 3, 0.7, 0.5, [0, 1, 2, 0]).probabilities.tolist() == [1]


def test_points_and_documents_agree_where_they_are_the_same():
    """Rows of counts as points of a Dirichlet-multinomial family: the coefficients are all that differs."""
    prior = [0.5, 1, 1.5]
    points = exact_finite_mixture(COUNTS, DirichletMultinomial(prior), 2, [0.5, 2])
    documents = exact_naive_bayes(COUNTS, 2, [0.5, 2], prior)
    coefficients = math.log(3) + math.log(4) + math.log(2)
    assert points.log_joint == pytest.approx(documents.log_joint + coefficients, rel=1e-12)


def test_points_weigh_what_their_densities_say():
    family, data = NormalKnownVariance(0.0, 4.0, 0.5), [0.3, -1.0]
    truth = exact_finite_mixture(data, family, 2, 1.0)
    apart = family.log_density(data).sum() + math.log(1 / 6)
    together = family.cluster(data).log_marginal() + math.log(1 / 3)
    assert truth.log_joint == pytest.approx([together, apart, apart, together], rel=1e-12)
    assert truth.class_probabilities == pytest.approx(np.full((2, 2), 0.5))


def test_labellings_are_in_lexical_order():
    truth = exact_naive_bayes(COUNTS, 2, 1.0, 1.0, [0, -1, -1, 1])
    assert truth.labellings.tolist() == [[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1]]


def test_ten_items_in_three_classes_are_in_reach_and_eleven_are_not():
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 3, (11, 4))
    truth = exact_naive_bayes(counts[:10], 3, 1.0, 0.5)
    assert len(truth.labellings) == 59_049
    assert truth.class_probabilities == pytest.approx(np.full((10, 3), 1 / 3))
    with pytest.raises(
        ValueError, match="at most 60,000 labellings can be listed, and 11 items in 3 classes have 177,"
    ):
        exact_naive_bayes(counts, 3, 1.0, 0.5)
    assert len(exact_naive_bayes(counts, 3, 1.0, 0.5, [0, 1, 2, 0, 1, 2, 0] + [-1] * 4).labellings) == 81


def test_a_matrix_needs_all_but_the_labels_integrated_out():
    with pytest.raises(ValueError, match="weights and word probabilities are not"):
        sweep_matrix(NaiveBayes(COUNTS, 2, 1.0, 1.0, weights="explicit"), np.zeros((1, 4), int))
