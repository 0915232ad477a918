"""Naive Bayes with the labels summed out: against Stan, every labelling, and integrals over all parameters."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import sparse, special

from samplers.gradient.naive_bayes_marginal import LogSumExp, NaiveBayesMarginal, naive_log_sum_exp
from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.portable import total
from tests.samplers.derivatives import central_differences
from tests.samplers.gradient.documents import COUNTS, LABELS, POSITION, PRIORS, TINY, TINY_PRIORS, integral
from tests.samplers.mixtures.labellings import beta_nodes, with_blocks

PREDICTION = {"labels": LABELS, "unlabelled": "generated quantities"}
VARIANTS = {
    "supervised": {"labels": [0, 1, 1, 2, 0]},
    "unsupervised": {},
    "full Bayes": {"labels": LABELS},
    "prediction": PREDICTION,
}
every_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())

# As Stan 2.35 computes them (the last version but one that breaks sticks), by the programs of
# samplers.gradient.stan_programs for COUNTS, LABELS and PRIORS. Its log density is without the normalisers of the
# Dirichlet priors.
STAN = {"unsupervised": -28.685790623419805, "full Bayes": -30.608143168506516, "prediction": -22.099884886800844}
STAN_GRADIENTS = """
unsupervised  0.15200810423546632   0.25868351635759945 -0.25280683366016893 1.3924330020606017
             -1.0282920880331412    0.10602981641958154  1.0363894560738374  1.0592665106506913
full Bayes    0.025113856461403947 -0.12755935998191203 -0.5037375871891695  1.6782701079863453
             -0.9467802380491257    0.3913348180751713   2.1481192488692296  0.9151597015979003
prediction   -0.5756177427023543   -0.2950832590689818   0.6800682251488537  0.07698161825863957
             -0.7445892172652099    0.25322472814484326  2.147440541825878   0.6066303573270119
"""


@pytest.mark.parametrize("name", STAN)
def test_density_and_gradient_are_those_of_stan(name):
    log_density, gradient = NaiveBayesMarginal(COUNTS, 3, **PRIORS, **VARIANTS[name]).log_density_and_gradient(POSITION)
    dropped = sum(special.gammaln(np.sum(row)) - special.gammaln(row).sum() for row in [*PRIORS.values()])
    dropped += 2 * (special.gammaln(1.8) - special.gammaln(PRIORS["word_prior"]).sum())
    assert log_density - dropped == pytest.approx(STAN[name], abs=1e-12)
    printed = STAN_GRADIENTS.split(name)[1].split()[:8]
    assert gradient == pytest.approx([float(number) for number in printed], abs=1e-13)


def test_supervised_is_prediction_without_the_others():
    known = np.array(LABELS) >= 0
    alone = NaiveBayesMarginal(np.array(COUNTS)[known], 3, **PRIORS, labels=np.array(LABELS)[known])
    beside = NaiveBayesMarginal(COUNTS, 3, **PRIORS, **PREDICTION)
    assert alone.log_density(POSITION) == pytest.approx(beside.log_density(POSITION), abs=1e-12)


@every_variant
def test_gradients(variant):
    model = NaiveBayesMarginal(COUNTS, 3, **PRIORS, **variant)
    for position in np.random.default_rng(0).normal(0, 2, (4, model.dimension)):
        by_hand = central_differences(model.log_density, position)
        assert model.log_density_and_gradient(position)[1] == pytest.approx(by_hand, abs=1e-7)


@every_variant
def test_the_sum_over_all_labellings_of_the_joint(variant):
    """The Gibbs sampler's joint at the same weights and word probabilities, of which each labelling is one term."""
    model = NaiveBayesMarginal(COUNTS, 3, **PRIORS, **variant)
    position = np.random.default_rng(1).normal(size=model.dimension)
    weights, word_probs = model.constrain(position)
    labels, counts = model.labels, np.array(COUNTS)
    if variant is PREDICTION:
        labels, counts = labels[labels >= 0], counts[labels >= 0]
    gibbs = NaiveBayes(counts, 3, **PRIORS, labels=labels, weights="explicit")
    options = [range(3) if label < 0 else [label] for label in labels]
    values = {"weights": np.log(weights), "word probabilities": np.log(word_probs)}
    joints = [gibbs.log_joint(with_blocks(gibbs, labelling, values)) for labelling in product(*options)]
    terms = model.log_density_terms(position)
    assert total(terms.values()) == model.log_density(position)
    assert model.log_density(position) - terms["log-Jacobian"] == pytest.approx(special.logsumexp(joints), abs=1e-10)


def test_the_density_integrates_to_the_evidence_and_shares_to_the_exact_class_probabilities():
    """No chance: two words and two classes are three numbers. It needs the log-Jacobian and every normaliser."""
    truth = exact_naive_bayes(TINY, 2, **TINY_PRIORS)
    log_evidence, shares = integral(NaiveBayesMarginal(TINY, 2, **TINY_PRIORS))
    assert log_evidence == pytest.approx(truth.log_evidence, abs=3e-4)
    assert shares[1:] == pytest.approx(truth.class_probabilities[1:], abs=3e-4)


def test_a_prediction_is_not_quite_the_posterior_of_the_label():
    """A mean of class probabilities under the classifier as it is; Bayes would let the document's own words count too.

    Its posterior given the one labelled document is a product of Betas, over which Gaussian rules average.
    """
    model = NaiveBayesMarginal(TINY, 2, **TINY_PRIORS, unlabelled="generated quantities")
    shares = np.zeros((4, 2))
    for weights, first, second in product(beta_nodes(3.0, 2.5, 8), beta_nodes(5.0, 4.0, 8), beta_nodes(2.0, 3.0, 8)):
        position = model.unconstrain(np.exp(weights[0]), np.exp([first[0], second[0]]))
        shares += weights[1] * first[1] * second[1] * model.class_probabilities(position)
    assert integral(model, 6.0, 1.0)[1] == pytest.approx(shares, abs=1e-3)
    pair = exact_naive_bayes(TINY[[0, 3]], 2, **TINY_PRIORS | {"labels": [0, -1]})
    assert 0.004 < np.abs(shares[3] - pair.class_probabilities[1]).max() < 0.05


def test_gamma_is_what_the_loops_add_up():
    model = NaiveBayesMarginal(COUNTS, 3, **PRIORS, **PREDICTION)
    weights, word_probs = model.constrain(POSITION)
    gamma = model.log_joint_by_class(POSITION)
    assert gamma == pytest.approx(np.log(weights) + np.array(COUNTS) @ np.log(word_probs).T)
    for document, row in enumerate(COUNTS):
        steps = model.log_joint_steps(POSITION, document)
        assert steps.shape == (1 + sum(row), 3)
        assert steps[0] == pytest.approx(np.log(weights))
        assert steps.sum(axis=0) == pytest.approx(gamma[document], rel=1e-12)
    assert model.log_joint_steps(POSITION, 3)[1:] == pytest.approx(np.log(word_probs[:, [0, 0, 0, 2, 2]].T))
    assert model.class_probabilities(POSITION) == pytest.approx(special.softmax(gamma, axis=1))
    assert model.class_probabilities(POSITION)[4] == pytest.approx(weights)


def test_documents_in_generated_quantities_have_no_part_in_the_density():
    one = NaiveBayesMarginal(COUNTS, 3, **PRIORS, **PREDICTION)
    other = NaiveBayesMarginal(np.array(COUNTS) * [[1], [7], [0], [1], [5]], 3, **PRIORS, **PREDICTION)
    assert one.log_density(POSITION) == other.log_density(POSITION)
    assert one.log_density_terms(POSITION)["unlabelled documents"] == 0
    assert (one.class_probabilities(POSITION)[1] != other.class_probabilities(POSITION)[1]).all()


def test_round_trips_and_several_positions_at_once():
    model = NaiveBayesMarginal(COUNTS, 3, **PRIORS)
    positions = np.random.default_rng(2).normal(0, 2, (5, model.dimension))
    weights, word_probs = model.constrain(positions)
    assert (weights.shape, word_probs.shape) == ((5, 3), (5, 3, 3))
    assert (word_probs[3] == model.constrain(positions[3]).word_probs).all()
    assert model.unconstrain(weights, word_probs) == pytest.approx(positions, abs=1e-9)
    assert model.unconstrain(np.full(3, 1 / 3), np.full((3, 3), 1 / 3)) == pytest.approx(np.zeros(8), abs=1e-12)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.coo_array, np.array])
def test_counts_of_any_kind(kind):
    model = NaiveBayesMarginal(kind(np.array(COUNTS)), 3, **PRIORS)
    assert model.log_density(POSITION) == NaiveBayesMarginal(COUNTS, 3, **PRIORS).log_density(POSITION)


def test_odd_corpora():
    for counts, classes in (([[0, 0], [0, 0]], 2), ([[4], [2]], 2), ([[1, 2]], 5)):
        model = NaiveBayesMarginal(counts, classes, 1.0, 0.5)
        position = np.random.default_rng(0).normal(size=model.dimension)
        assert model.log_density_and_gradient(position)[1] == pytest.approx(
            central_differences(model.log_density, position), abs=1e-7
        )
    far = NaiveBayesMarginal([[4_000, 1_000], [1_000, 4_000]], 2, 1.0, 1.0)
    for position in (np.full(3, 50.0), np.full(3, -50.0)):
        log_density, gradient = far.log_density_and_gradient(position)
        assert math.isfinite(log_density)
        assert np.isfinite(gradient).all()
        assert far.class_probabilities(position).sum(axis=1) == pytest.approx(np.ones(2))


def test_bad_arguments():
    with pytest.raises(ValueError, match="unlabelled must be 'model' or 'generated quantities', got 'none'"):
        NaiveBayesMarginal(COUNTS, 3, 1.0, 1.0, unlabelled="none")
    with pytest.raises(ValueError, match="classes must be 2 or more"):
        NaiveBayesMarginal(COUNTS, 1, 1.0, 1.0)
    with pytest.raises(ValueError, match="class_prior must be a number > 0"):
        NaiveBayesMarginal(COUNTS, 3, -1.0, 1.0)
    with pytest.raises(ValueError, match="labels must be 5 integers"):
        NaiveBayesMarginal(COUNTS, 3, 1.0, 1.0, labels=[0])
    model = NaiveBayesMarginal(COUNTS, 3, **PRIORS)
    with pytest.raises(ValueError, match="a position must have 8 numbers"):
        model.log_density(np.zeros(7))
    with pytest.raises(ValueError, match=r"must have the shapes \(3,\) and \(3, 3\)"):
        model.unconstrain([0.5, 0.5], np.full((3, 3), 1 / 3))
    with pytest.raises(ValueError, match="above 0 and sum to 1"):
        model.unconstrain([0.5, 0.5, 0.0], np.full((3, 3), 1 / 3))
    with pytest.raises(ValueError, match="read-only"):
        model.labels[0] = 1


def test_log_sum_exp():
    terms = np.random.default_rng(0).normal(0, 30, (6, 4))
    sums = LogSumExp(terms)
    assert sums.values == pytest.approx(special.logsumexp(terms, axis=1), rel=1e-14)
    assert sums.softmax == pytest.approx(special.softmax(terms, axis=1), rel=1e-12)
    assert sums.shifted.max(axis=1).tolist() == [1] * 6
    assert (sums.largest == terms.max(axis=1)).all()
    assert naive_log_sum_exp(terms) == pytest.approx(sums.values, rel=1e-12)
    assert naive_log_sum_exp([[-800.0, -801.0], [710.0, 0.0]]).tolist() == [-math.inf, math.inf]
    assert LogSumExp([[-800.0, -801.0], [710.0, 0.0]]).values == pytest.approx([-799.6867383, 710.0])
    assert LogSumExp(np.empty((0, 3))).values.shape == (0,)
