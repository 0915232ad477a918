"""Hidden labels of rows with features of different types and with holes, some labels known, against every labelling."""

import math

import numpy as np
import pytest

from samplers.conjugate import DirichletMultinomial, NormalInverseGamma, NormalKnownVariance, Product
from samplers.enumerated import stationary
from samplers.generative.classifier import GenerativeModel
from samplers.mixtures.exact_labellings import exact_finite_mixture, sweep_matrix
from samplers.mixtures.finite import FiniteMixture
from tests.samplers.exactness import check_ratios
from tests.samplers.mixtures.geweke_labels import Points, z_scores
from tests.samplers.mixtures.labellings import check_run

FAMILY = Product(
    [NormalInverseGamma(0.2, 0.5, 2.0, 1.0), NormalKnownVariance(0.0, 4.0, 0.7), DirichletMultinomial([0.6, 1.2])]
)
HOLE = np.nan
DATA = np.array(
    [[-1.2, 0.4, 1, 0], [0.3, HOLE, HOLE, HOLE], [HOLE, 1.9, 0, 1], [-0.4, -0.6, 1, 0], [1.4, 1.0, 0, 1], [HOLE] * 4]
)
LABELS = [0, -1, -1, -1, 1, -1]
PRIOR = (0.8, 1.7)


class HoleAsZero(FiniteMixture):
    """Planted error: what a label is scored by is not what its class learns."""

    def _fits(self, state, item):
        whole = np.where(np.isnan(self.data[[item]]), [[0, 0, 1, 0]], self.data[[item]])
        (x,) = self.family.observations(whole)
        return [cluster.log_predictive(x) for cluster in state.clusters]


class KnownForgotten(FiniteMixture):
    """Planted error: those whose label is known do not count for the weights."""

    def class_terms(self, state):
        known = np.bincount(self.labels[self.labels >= 0], minlength=self.classes)
        return np.log(self.class_prior + state.counts - known + 1e-9).tolist()


def test_a_sweep_leaves_the_exact_posterior_of_the_labels_as_it_is():
    """No chance: every option of every update, from every one of the 16 labellings."""
    truth = exact_finite_mixture(DATA, FAMILY, 2, PRIOR, LABELS)
    assert len(truth.labellings) == 2**4
    matrix = sweep_matrix(FiniteMixture(DATA, FAMILY, 2, PRIOR, labels=LABELS), truth.labellings)
    assert stationary(matrix) == pytest.approx(truth.probabilities, abs=1e-12)
    for wrong in (HoleAsZero, KnownForgotten):
        matrix = sweep_matrix(wrong(DATA, FAMILY, 2, PRIOR, labels=LABELS), truth.labellings)
        assert np.abs(stationary(matrix) - truth.probabilities).sum() / 2 > 0.05


@pytest.mark.parametrize("collapsed", [True, False])
def test_a_run_visits_labels_as_often_as_they_are_probable(collapsed):
    truth = exact_finite_mixture(DATA, FAMILY, 2, PRIOR, LABELS)
    sampler = FiniteMixture(DATA, FAMILY, 2, PRIOR, collapsed, labels=LABELS)
    assert list(sampler.sites(sampler.init(np.random.default_rng(0))))[:4] == [1, 2, 3, 5]
    check_run(sampler, truth)
    check_ratios(sampler, sweeps=2)


def test_a_row_of_which_nothing_is_known_goes_by_the_weights():
    """Given all other labels: by their counts; averaged over these, by the expected share of each class."""
    truth = exact_finite_mixture(DATA, FAMILY, 2, PRIOR, LABELS)
    counts = (truth.labellings[:, :5] == 1).sum(axis=1)
    share = truth.probabilities @ ((counts + PRIOR[1]) / (5 + sum(PRIOR)))
    assert truth.class_probabilities[5, 1] == pytest.approx(share, rel=1e-12)


@pytest.mark.parametrize("start", ["random", "together", "prior"])
def test_known_labels_stay(start):
    sampler = FiniteMixture(DATA, FAMILY, 2, PRIOR, labels=LABELS, start=start)
    for seed in range(5):
        state = sampler.init(np.random.default_rng(seed))
        state, _ = sampler.step(state, np.random.default_rng(seed))
        assert (state.labels[0], state.labels[4]) == (0, 1)
        assert sum(state.counts) == 6
    with pytest.raises(ValueError, match="labels must be 6 integers, each -1 or a class below 2"):
        FiniteMixture(DATA, FAMILY, 2, PRIOR, labels=[0, 2, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="not be 'k-means\\+\\+' where numbers are missing"):
        FiniteMixture(DATA, FAMILY, 2, PRIOR, start="k-means++")


def test_with_one_label_hidden_it_is_the_classifiers_answer():
    labels = [0, 1, -1, 0, 1, 1]
    truth = exact_finite_mixture(DATA, FAMILY, 2, PRIOR, labels)
    posterior = GenerativeModel(FAMILY, 2, PRIOR).posterior(DATA, labels)
    assert posterior.predictive().predict(DATA[[2]])[0] == pytest.approx(truth.class_probabilities[2], rel=1e-12)


def joint_test(rule):
    family = Product([NormalKnownVariance(0.0, 3.0, 0.5), DirichletMultinomial([0.6, 1.2])])
    holes = ((1, 0), (3, 1), (3, 2))
    world = Points(family, True, size=5, known=3, class_prior=(0.4, 0.6), rule=rule, holes=holes)
    return np.abs(z_scores(world, iterations=2_000, seed=2)).max()


def test_the_joint_test_passes_with_holes_and_known_labels_and_finds_a_planted_error():
    assert joint_test(FiniteMixture) < 4
    assert joint_test(KnownForgotten) > 6


def test_evidence_is_the_sum_over_what_the_labels_can_be():
    total = exact_finite_mixture(DATA[:3], FAMILY, 2, PRIOR).log_evidence
    parts = [exact_finite_mixture(DATA[:3], FAMILY, 2, PRIOR, [label, -1, -1]).log_evidence for label in range(2)]
    assert total == pytest.approx(math.log(sum(math.exp(part) for part in parts)), rel=1e-12)
