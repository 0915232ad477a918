"""The classifier against ratios of evidences, sums over all that can be seen, quadrature, and scikit-learn."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import integrate, stats

from samplers.conjugate import DirichletMultinomial, NormalInverseGamma, NormalInverseWishart, Product
from samplers.conjugate.dirichlet import log_marginal_of_counts
from samplers.generative.classifier import Classifier, GenerativeModel
from samplers.generative.features import SPREAD, Encoding, Feature
from samplers.log_density import NoMode

NUMBERS = (Feature("a"), Feature("b"), Feature("c"))
MIXED = (*NUMBERS, Feature("d", ("no", "yes")), Feature("e", ("x", "y", "z")))
CLASS_PRIOR = (0.7, 1.5, 1.0)


def mixed_data(size=24, seed=0, holes=True):
    rng = np.random.default_rng(seed)
    numbers = rng.standard_normal((size, 3)) @ np.array([[1, 0.8, 0], [0, 0.6, 0.3], [0, 0, 1.0]])
    values = np.column_stack([numbers, rng.integers(2, size=size), rng.integers(3, size=size)])
    labels = rng.integers(3, size=size)
    values[:, :3] += labels[:, None]
    if holes:
        values[rng.random(values.shape) < 0.15] = np.nan
    return values, labels


def evidence(model: GenerativeModel, rows, labels):
    """log p(rows, labels), by the chain of one-by-one updates."""
    counts = np.bincount(labels, minlength=model.classes)
    return float(log_marginal_of_counts(counts, model.class_prior)) + math.fsum(
        model.family.cluster(rows[labels == label]).log_marginal() for label in range(model.classes)
    )


@pytest.mark.parametrize("grouping", ["naive", "pairs", "whole"])
@pytest.mark.parametrize("holes", [False, True])
def test_predictives_are_ratios_of_evidences(grouping, holes):
    """p(x*, y* | data) is p(data and the new example) over p(data), whatever is grouped and missing."""
    encoding = Encoding(MIXED, grouping)
    values, labels = mixed_data(holes=holes)
    rows, model = encoding.rows(values), GenerativeModel(encoding.prior(0.8, 0.6), 3, CLASS_PRIOR)
    new = model.family.rows(encoding.rows(mixed_data(12, seed=5, holes=holes)[0]))
    classifier = model.posterior(rows, labels).predictive()
    terms = classifier.terms(new)
    before = evidence(model, rows, labels)
    for row, of_row in zip(new, terms, strict=True):
        after = [evidence(model, np.vstack([rows, row]), np.append(labels, label)) for label in range(3)]
        assert of_row.sum(axis=0) == pytest.approx(np.array(after) - before, abs=1e-10)
    if not holes:
        assert classifier.log_joint(new) == pytest.approx(terms.sum(axis=1), abs=1e-12)


def test_the_probabilities_of_all_that_can_be_seen_sum_to_one():
    features = (Feature("a", ("no", "yes")), Feature("b", ("x", "y", "z")))
    encoding = Encoding(features)
    model = GenerativeModel(encoding.prior(1, 0.4), 2, (1.3, 0.6))
    data = encoding.rows([[0, 1], [1, 2], [1, np.nan], [0, 0]])
    every = encoding.rows(list(product(range(2), range(3))))
    joint = np.exp(model.posterior(data, [0, 1, 1, 0]).predictive().log_joint(every))
    assert joint.sum() == pytest.approx(1, rel=1e-12)
    # the first feature alone: the second, when it is missing, is summed over
    alone = model.posterior(data, [0, 1, 1, 0]).predictive().log_joint(encoding.rows([[0, np.nan], [1, np.nan]]))
    assert np.exp(alone) == pytest.approx(joint.reshape(2, 3, 2).sum(axis=1), rel=1e-12)


def test_averages_are_those_of_quadrature():
    """A yes or no and a number: the integrals over θ, and over mean and variance, done in another way."""
    family = Product([NormalInverseGamma(0.0, 0.5, 2.0, 1.0), DirichletMultinomial([1.2, 0.7])])
    data, labels = np.array([[0.3, 0, 1], [1.1, 1, 0], [0.8, 0, 1], [-2, 1, 0]]), [1, 1, 1, 0]
    classifier = GenerativeModel(family, 2, (2.0, 3.0)).posterior(data, labels).predictive()
    weights, number, yes = np.exp(classifier.terms(np.array([[0.9, 0, 1]])))[0][:, 1]

    share, _ = integrate.quad(lambda p: p * stats.beta.pdf(p, 3 + 3, 2 + 1), 0, 1)
    assert weights == pytest.approx(share, rel=1e-9)
    chance, _ = integrate.quad(lambda p: p * stats.beta.pdf(p, 0.7 + 2, 1.2 + 1), 0, 1)
    assert yes == pytest.approx(chance, rel=1e-9)
    means, logs = np.linspace(-40, 40, 4_001)[:, None], np.linspace(-6, 9, 301)
    variances = np.exp(logs)
    prior = stats.norm.pdf(means, 0, np.sqrt(variances / 0.5)) * stats.invgamma.pdf(variances, 2.0, scale=1.0)
    for x in (0.3, 1.1, 0.8):
        prior = prior * stats.norm.pdf(x, means, np.sqrt(variances))
    posterior = prior * variances / (prior * variances).sum()
    assert number == pytest.approx((posterior * stats.norm.pdf(0.9, means, np.sqrt(variances))).sum(), rel=1e-7)


def test_a_label_is_foretold_by_counts_alone():
    model = GenerativeModel(Product([NormalInverseGamma(0, 1, 1, 1)]), 2, (3.0, 2.0))
    posterior = model.posterior(np.zeros((10, 1)), [1] * 7 + [0] * 3)
    assert posterior.weights.prior.tolist() == [3 + 3, 2 + 7]
    (weights,) = np.exp(posterior.predictive().terms(np.zeros((1, 1))))[:, 0]
    assert weights == pytest.approx([6 / 15, 9 / 15])


# ---- what is left out ------------------------------------------------------------------------------------------------


def test_a_missing_feature_is_left_out_of_the_product():
    values, labels = mixed_data(holes=False)
    for grouping in ("naive", "whole"):
        encoding = Encoding(MIXED, grouping)
        model = GenerativeModel(encoding.prior(0.8, 0.6), 3, CLASS_PRIOR)
        classifier = model.posterior(encoding.rows(values), labels).predictive()
        for missing in ([3], [0, 4], [0, 1, 2, 3, 4]):
            asked = values[:5].copy()
            asked[:, missing] = np.nan
            kept = [place for place in range(5) if place not in missing]
            smaller = Encoding(tuple(MIXED[place] for place in kept), grouping)
            prior = model.family.marginal(encoding.columns(kept))
            less = GenerativeModel(prior, 3, CLASS_PRIOR)
            expected = less.posterior(smaller.rows(values[:, kept]), labels).predictive()
            found = classifier.predict(encoding.rows(asked))
            assert found == pytest.approx(expected.predict(smaller.rows(values[:5][:, kept])), rel=1e-10)
            without = classifier.without(encoding.columns(missing))
            assert without.predict(encoding.rows(values[:5])[:, encoding.columns(kept)]) == pytest.approx(found)


def test_where_all_is_missing_the_weights_are_the_answer():
    values, labels = mixed_data()
    encoding = Encoding(MIXED, "whole")
    model = GenerativeModel(encoding.prior(1, 1), 3, CLASS_PRIOR)
    posterior = model.posterior(encoding.rows(values), labels)
    nothing = np.full((2, encoding.rows(values).shape[1]), np.nan)
    assert posterior.predictive().predict(nothing) == pytest.approx(np.tile(posterior.weights.typical().mean, (2, 1)))
    blind = model.posterior(np.full_like(encoding.rows(values), np.nan), labels)
    assert blind.families[1].log_density(encoding.rows(values)) == pytest.approx(
        model.family.log_density(encoding.rows(values))
    )


def test_rows_with_different_holes_are_each_told_by_what_they_have():
    values, labels = mixed_data()
    encoding = Encoding(MIXED, "whole")
    classifier = GenerativeModel(encoding.prior(1, 1), 3, 1.0).posterior(encoding.rows(values), labels).predictive()
    rows = encoding.rows(values)
    assert classifier.predict(rows) == pytest.approx(np.vstack([classifier.predict(row[None]) for row in rows]))


def test_hidden_labels_teach_nothing_by_themselves():
    values, labels = mixed_data()
    encoding = Encoding(MIXED)
    model, rows = GenerativeModel(encoding.prior(1, 1), 3, 1.0), encoding.rows(values)
    half = np.where(np.arange(len(labels)) < 12, labels, -1)
    expected = model.posterior(rows[:12], labels[:12]).predictive().log_joint(rows)
    assert model.posterior(rows, half).predictive().log_joint(rows) == pytest.approx(expected, rel=1e-12)


# ---- naive, grouped, full --------------------------------------------------------------------------------------------


def test_groups_lie_between_naive_and_full():
    """One column a group is naive, all in one is full; and in each the others' correlations do not matter."""
    values, labels = mixed_data(holes=False)
    numbers = values[:, :3]
    models = {}
    for grouping in ("naive", "pairs", "whole"):
        encoding = Encoding(NUMBERS, grouping)
        assert [len(group) for group in encoding.groups] == {"naive": [1, 1, 1], "pairs": [2, 1], "whole": [3]}[
            grouping
        ]
        models[grouping] = GenerativeModel(encoding.prior(1.5, 1), 3, 1.0).posterior(numbers, labels).predictive()
    terms = {grouping: model.terms(numbers) for grouping, model in models.items()}
    assert terms["pairs"][:, 2] == pytest.approx(terms["naive"][:, 3], rel=1e-12)  # the column that is alone in both
    one = models["whole"].without([1, 2]).terms(numbers[:, :1])[:, 1]
    assert one == pytest.approx(terms["naive"][:, 1], rel=1e-10), "alone, a number has the same prior in both"
    assert np.abs(terms["whole"][:, 1] - terms["naive"][:, 1:].sum(axis=1)).max() > 1


# ---- plugged in ------------------------------------------------------------------------------------------------------

REAL = np.array([[-1.2, 0.3], [-0.4, 1.1], [-2.0, -0.5], [0.1, 0.4], [1.3, 0.2], [0.8, -1.4], [2.1, 0.9]])
REAL_LABELS = np.array([0, 0, 0, 0, 1, 1, 1])
ASKED = np.array([[0.3, 0.2], [-1.0, -2.0], [1.7, 1.5]])


def test_plugged_in_numbers_are_scikit_learns():
    """Numbers of scikit-learn 1.7.2: GaussianNB(var_smoothing=0) is maximum likelihood."""
    model = GenerativeModel(Encoding(NUMBERS[:2]).prior(1, 1), 2, 1.0)
    found = model.plug_in(REAL, REAL_LABELS, prior=False)
    expected = [
        [-2.713283547710507, -4.181402924470627],
        [-10.01446022006204, -14.016730011638105],
        [-8.95535982656756, -3.5606483653272445],
    ]
    assert found.log_joint(ASKED) == pytest.approx(np.array(expected), rel=1e-9)
    assert found.predict(ASKED)[:, 1] == pytest.approx([0.187228627739081, 0.017946163131580914, 0.9954799929005235])


def test_plugged_in_chances_are_scikit_learns():
    """BernoulliNB(alpha=1) and CategoricalNB(alpha=0.5): the mode under pseudo-counts alpha + 1."""
    yes = tuple(Feature(name, ("no", "yes")) for name in "abc")
    encoding = Encoding(yes)
    data = encoding.rows([[1, 0, 1], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
    asked = encoding.rows([[1, 0, 0], [0, 1, 1]])
    found = GenerativeModel(encoding.prior(1, 2.0), 2, 1.0).plug_in(data, [0, 0, 1, 1, 1])
    expected = [[-2.5902671654458267, -3.2596978193884563], [-3.6888794541139367, -2.0433024950639624]]
    assert found.log_joint(asked) == pytest.approx(np.array(expected), rel=1e-9)

    encoding = Encoding((Feature("a", ("x", "y", "z")), Feature("b", ("x", "y", "z"))))
    data = encoding.rows([[0, 2], [1, 1], [2, 0], [0, 0], [1, 2]])
    found = GenerativeModel(encoding.prior(1, 1.5), 3, 1.0).plug_in(data, [0, 0, 1, 2, 2])
    expected = [
        [0.6933744221879816, 0.07550077041602464, 0.2311248073959939],
        [0.3355704697986578, 0.32885906040268464, 0.3355704697986578],
    ]
    assert found.predict(encoding.rows([[0, 1], [2, 2]])) == pytest.approx(np.array(expected), rel=1e-9)


def test_plugged_in_covariances_are_those_of_the_formulas():
    encoding = Encoding(NUMBERS[:2], "whole")
    model = GenerativeModel(encoding.prior(1, 1), 2, 1.0)
    for prior in (False, True):
        joint = model.plug_in(REAL, REAL_LABELS, prior).log_joint(ASKED)
        for label, members in ((0, REAL[:4]), (1, REAL[4:])):
            size, mean = len(members), members.mean(axis=0)
            spread = np.cov(members.T, bias=True)
            if prior:  # scale / (df + D + 2), about a mean with one more point at 0
                spread = (SPREAD**2 * np.eye(2) + size * spread + size / (size + 1) * np.outer(mean, mean)) / (
                    2 + size + 2 + 2
                )
                mean = mean * size / (size + 1)
            law = stats.multivariate_normal(mean, spread)
            assert joint[:, label] == pytest.approx(law.logpdf(ASKED) + math.log(size / 7), rel=1e-9)


def test_averaging_and_plugging_in_agree_in_the_end():
    """With ten times the examples a tenth of the difference: the Student t has become a Normal."""
    rng, differences = np.random.default_rng(0), []
    encoding = Encoding(NUMBERS[:2], "whole")
    model = GenerativeModel(encoding.prior(1, 1), 2, 1.0)
    for size in (20, 200, 2_000):
        labels = np.arange(size) % 2
        data = rng.standard_normal((size, 2)) + 1.5 * labels[:, None]
        averaged = model.posterior(data, labels).predictive().predict(ASKED)
        differences.append(np.abs(averaged - model.plug_in(data, labels).predict(ASKED)).max())
    assert differences[0] > 5 * differences[1] > 25 * differences[2]


@pytest.mark.parametrize(
    ("rows", "labels", "message"),
    [
        ([[0.0], [1.0]], [0, 0], "class 1: without a prior the maximum-likelihood variance is 0, or any"),
        ([[0.0], [1.0], [3.0]], [0, 0, 1], "class 1: without a prior the maximum-likelihood variance is 0"),
        ([[7.0], [7.0], [1.0]], [0, 0, 1], "^class 0 and class 1: without a prior the maximum-likelihood variance"),
        ([[7.0], [7.0], [1.0], [3.0]], [0, 0, 1, 1], "class 0: without a prior the maximum-likelihood variance is 0"),
    ],
)
def test_without_a_prior_too_little_is_no_estimate(rows, labels, message):
    model = GenerativeModel(Encoding(NUMBERS[:1]).prior(1, 1), 2, 1.0)
    with pytest.raises(NoMode, match=message):
        model.plug_in(rows, labels, prior=False)
    found = model.posterior(rows, labels).predictive().predict([[0.5], [1e4]])
    assert np.isfinite(found).all(), "an average needs no example"
    assert found.sum(axis=1) == pytest.approx(1)


def test_a_class_that_was_never_seen_has_no_weight_without_a_prior():
    yes = Encoding((Feature("a", ("no", "yes")),))
    model = GenerativeModel(yes.prior(1, 1), 2, 1.0)
    with pytest.raises(NoMode, match="class 1: where nothing was counted"):
        model.plug_in(yes.rows([[0], [1]]), [0, 0], prior=False)


def test_plugged_in_noughts_rule_out_every_class():
    yes = Encoding((Feature("a", ("no", "yes")), Feature("b", ("no", "yes"))))
    model = GenerativeModel(yes.prior(1, 1), 2, 1.0)
    data = yes.rows([[1, 0], [1, 0], [0, 1], [0, 1]])
    found = model.plug_in(data, [0, 0, 1, 1], prior=False).predict(yes.rows([[1, 1], [1, 0]]))
    assert np.isnan(found[0]).all()
    assert found[1].tolist() == [1, 0]
    assert model.posterior(data, [0, 0, 1, 1]).predictive().predict(yes.rows([[1, 1]])) == pytest.approx(0.5)


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_a_hundred_thousand_rows():
    """Enough of them that class shares, and the map of the truth, come out."""
    rng = np.random.default_rng(3)
    labels = (rng.random(100_000) < 0.3).astype(int)
    data = rng.standard_normal((100_000, 2)) + 2 * labels[:, None]
    data[::7, 1] = np.nan
    model = GenerativeModel(Product([NormalInverseWishart([0, 0], 1, 2, np.eye(2))]), 2, 1.0)
    classifier = model.posterior(data, labels).predictive()
    asked = np.array([[1.0, 1.0], [2.0, 0.5], [1.0, np.nan]])
    log_odds = 2 * np.nansum(asked - 1, axis=1) + math.log(0.3 / 0.7)
    assert classifier.predict(asked)[:, 1] == pytest.approx(1 / (1 + np.exp(-log_odds)), abs=0.02)
    assert np.isfinite(classifier.predict(data)).all()


def test_a_feature_that_never_varies_says_nothing():
    data = np.column_stack([REAL[:, 0], np.full(7, 5.0)])
    model = GenerativeModel(Encoding(NUMBERS[:2]).prior(1, 1), 2, 1.0)
    terms = model.posterior(np.vstack([data, data[:1]]), [*REAL_LABELS, 1]).predictive().terms(data)
    assert terms[:, 2, 0] == pytest.approx(terms[:, 2, 1], rel=1e-9)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: GenerativeModel(Product([]), 1, 1.0), ValueError, "classes must be 2 or more"),
        (lambda: GenerativeModel(Product([]), 2.5, 1.0), TypeError, "integer"),
        (lambda: GenerativeModel(Product([]), 2, [1.0, 0.0]), ValueError, "class_prior must be a number > 0, or 2"),
        (lambda: small().posterior([[1.0], [2.0]], [0]), ValueError, "labels must be 2 integers"),
        (lambda: small().posterior([[1.0], [2.0]], [0, 2]), ValueError, "each -1 or a class below 2"),
        (lambda: small().posterior([[1.0], [np.inf]], [0, 1]), ValueError, "must be finite, got .* in row 1"),
    ],
)
def test_what_makes_no_sense_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def small():
    return GenerativeModel(Encoding(NUMBERS[:1]).prior(1, 1), 2, 1.0)


def test_without_examples_the_prior_answers():
    classifier = small().posterior(np.empty((0, 1)), np.empty(0, int)).predictive()
    assert isinstance(classifier, Classifier)
    assert classifier.predict([[3.0]]) == pytest.approx(0.5)
