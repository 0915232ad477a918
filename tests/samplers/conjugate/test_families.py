"""Families against SciPy's laws, quadrature, the chain rule of predictives, and themselves after long use."""

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import integrate, stats

from samplers.conjugate import (
    DirichletMultinomial,
    GammaPoisson,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalKnownVariance,
)
from tests.samplers.conjugate.families import (
    FAMILIES,
    SCALE,
    every_family,
    every_single_family,
    points,
)
from tests.samplers.geweke import points_of


def joint_of_normals(family, data):
    """The points of one cluster with known variance are jointly normal: the mean is shared, the rest is their own."""
    n = len(data)
    covariance = family.variance * np.eye(n) + family.prior_variance
    return sum(
        stats.multivariate_normal(np.full(n, mean), covariance).logpdf(column)
        for mean, column in zip(family.mean, data.T, strict=True)
    )


def test_known_variance_is_jointly_normal():
    for family in (FAMILIES["known variance"], FAMILIES["known variance, plane"]):
        for n in (1, 2, 7):
            data = points(family, n)
            assert family.cluster(data).log_marginal() == pytest.approx(joint_of_normals(family, data), rel=1e-12)


@pytest.mark.parametrize("name", ["normal-inverse-gamma", "normal-inverse-Wishart, line"])
def test_on_the_line_the_predictive_is_student_t(name):
    family = FAMILIES[name]
    data, grid = points(family, 6)[:, 0], np.linspace(-9, 9, 13)
    # Gelman et al. (2013), section 3.3, written out
    kappa, shape = 0.4 + 6, 1.7 + 3
    mean = (0.4 * 0.3 + data.sum()) / kappa
    rate = 0.9 + ((data - data.mean()) ** 2).sum() / 2 + 0.4 * 6 * (data.mean() - 0.3) ** 2 / (2 * kappa)
    law = stats.t(2 * shape, mean, math.sqrt(rate * (kappa + 1) / (shape * kappa)))
    cluster = family.cluster(data)
    assert cluster.posterior().log_density(grid) == pytest.approx(law.logpdf(grid), rel=1e-12)
    assert [cluster.log_predictive(x) for x in family.observations(grid)] == pytest.approx(law.logpdf(grid), rel=1e-12)


def test_in_the_plane_the_predictive_is_multivariate_t():
    family, n = FAMILIES["normal-inverse-Wishart, plane"], 6
    data, grid = points(family, n), 3 * points(family, 9, seed=1)
    # Gelman et al. (2013), section 3.6, written out
    kappa, df = 0.4 + n, family.df + n
    away = data.mean(axis=0) - family.mean
    scale = family.scale + np.cov(data.T, bias=True) * n + 0.4 * n / kappa * np.outer(away, away)
    mean = (0.4 * family.mean + data.sum(axis=0)) / kappa
    law = stats.multivariate_t(mean, scale * (kappa + 1) / (kappa * (df - 1)), df - 1)
    cluster = family.cluster(data)
    assert cluster.posterior().log_density(grid) == pytest.approx(law.logpdf(grid), rel=1e-11)
    assert [cluster.log_predictive(x) for x in family.observations(grid)] == pytest.approx(law.logpdf(grid), rel=1e-11)


def test_dirichlet_multinomial_is_scipys():
    family = FAMILIES["Dirichlet-multinomial"]
    data, others = points(family, 5), points(family, 8, seed=1)
    law = stats.dirichlet_multinomial(family.prior + data.sum(axis=0), others.sum(axis=1))
    cluster = family.cluster(data)
    assert cluster.posterior().log_density(others) == pytest.approx(law.logpmf(others), rel=1e-11)
    assert [cluster.log_predictive(x) for x in family.observations(others)] == pytest.approx(law.logpmf(others))


def test_gamma_poisson_is_negative_binomial_and_the_integral_over_rates():
    family, data, at = FAMILIES["Gamma-Poisson"], [3, 0, 4], np.arange(12)
    posterior = family.cluster(data).posterior()
    assert (posterior.shape, posterior.rate) == (1.4 + 7, 0.6 + 3)
    law = stats.nbinom(posterior.shape, posterior.rate / (posterior.rate + 1))
    assert posterior.log_density(at) == pytest.approx(law.logpmf(at), rel=1e-11)
    for count in (0, 2, 9):
        integral, _ = integrate.quad(
            lambda rate, count=count: stats.poisson.pmf(count, rate) * stats.gamma.pdf(rate, 8.4, scale=1 / 3.6), 0, 60
        )
        assert math.exp(posterior.log_density([count])[0]) == pytest.approx(integral, rel=1e-8)
    wrong = stats.nbinom(posterior.shape, 1 / (posterior.rate + 1))  # the planted error: success for failure
    assert abs(wrong.logpmf(at) - posterior.log_density(at)).max() > 0.1


def test_the_marginal_is_the_integral_over_the_parameters():
    data = np.array([-0.4, 0.9, 1.3])
    family = FAMILIES["normal-inverse-gamma"]

    # equal steps of mean and log variance: far ends are 0 to all digits, so that the plain sum is as good as exact
    means, logs = np.linspace(-60, 60, 6_001)[:, None], np.linspace(-6, 12, 361)
    variances = np.exp(logs)
    joint = stats.norm.pdf(means, 0.3, np.sqrt(variances / 0.4)) * stats.invgamma.pdf(variances, 1.7, scale=0.9)
    for x in data:
        joint = joint * stats.norm.pdf(x, means, np.sqrt(variances))
    integral = (joint * variances).sum() * 0.02 * 0.05
    assert family.cluster(data).log_marginal() == pytest.approx(math.log(integral), abs=1e-7)

    family = DirichletMultinomial([0.5, 1.5])
    rows = np.array([[2, 1], [0, 3]])
    integral, _ = integrate.quad(
        lambda p: stats.beta.pdf(p, 0.5, 1.5) * stats.binom.pmf(rows[:, 0], rows.sum(axis=1), p).prod(), 0, 1
    )
    assert family.cluster(rows).log_marginal() == pytest.approx(math.log(integral), abs=1e-7)


@pytest.mark.parametrize("name", ["known variance", "normal-inverse-gamma", "normal-inverse-Wishart, line"])
def test_densities_integrate_to_one(name):
    cluster = FAMILIES[name].cluster(points(FAMILIES[name], 3))
    posterior = cluster.posterior()
    total, _ = integrate.quad(lambda x: math.exp(posterior.log_density([x])[0]), -math.inf, math.inf, limit=200)
    assert total == pytest.approx(1, abs=1e-7)


def test_probabilities_of_all_counts_with_one_total_sum_to_one():
    family = FAMILIES["Dirichlet-multinomial"]
    rows = [[i, j, 4 - i - j] for i in range(5) for j in range(5 - i)]
    assert np.exp(family.cluster([[1, 0, 2]]).posterior().log_density(rows)).sum() == pytest.approx(1, rel=1e-12)


@every_family
def test_the_marginal_is_the_product_of_predictives_in_any_order(family):
    observations = family.observations(points(family, 4))
    for order in permutations(range(4)):
        cluster, total = family.cluster(), 0.0
        for i in order:
            total += cluster.log_predictive(observations[i])
            cluster.add(observations[i])
        assert total == pytest.approx(cluster.log_marginal(), rel=1e-12, abs=1e-12)
    assert family.cluster().log_marginal() == pytest.approx(0, abs=1e-12)


@every_family
def test_an_empty_cluster_foretells_like_the_prior(family):
    data = points(family, 5)
    empty = family.cluster(capacity=3)
    assert [empty.log_predictive(x) for x in family.observations(data)] == pytest.approx(family.log_density(data))


@every_family
def test_removing_undoes_adding(family):
    data = points(family, 12)
    observations = family.observations(data)
    cluster, other = family.cluster(data), family.cluster(data[[7]])
    for i in (3, 0, 11, 5):
        cluster.remove(observations[i])
    rest = family.cluster(np.delete(data, [3, 0, 11, 5], axis=0))
    assert cluster.count == rest.count == 8
    assert cluster.log_marginal() == pytest.approx(rest.log_marginal(), rel=1e-12)
    for x in observations:
        assert cluster.log_predictive(x) == pytest.approx(rest.log_predictive(x), rel=1e-11)
    other.remove(observations[7])
    assert other.log_predictive(observations[0]) == pytest.approx(family.cluster().log_predictive(observations[0]))


@every_family
def test_long_use_leaves_no_drift(family):
    """20,000 random removals and additions, as in 1,000 sweeps of a table of ten points and an outlier."""
    rng = np.random.default_rng(1)
    data = points(family, 12)
    data[0] *= 100
    observations = family.observations(data)
    cluster, inside = family.cluster(data[:6]), set(range(6))
    for i in rng.integers(12, size=20_000).tolist():
        if i not in inside:
            cluster.add(observations[i])
            inside.add(i)
        elif len(inside) > 1:
            cluster.remove(observations[i])
            inside.remove(i)
    fresh = family.cluster(data[sorted(inside)])
    assert cluster.log_marginal() == pytest.approx(fresh.log_marginal(), rel=1e-8)
    for x in observations:
        assert cluster.log_predictive(x) == pytest.approx(fresh.log_predictive(x), rel=1e-8)


@every_family
def test_a_copy_is_independent(family):
    observations = family.observations(points(family, 4))
    cluster = family.cluster(points(family, 3))
    before = [cluster.log_predictive(x) for x in observations]
    twin = cluster.copy()
    twin.add(observations[3])
    assert (cluster.count, twin.count) == (3, 4)
    assert [cluster.log_predictive(x) for x in observations] == before
    twin.remove(observations[3])
    twin.remove(observations[0])
    assert [cluster.log_predictive(x) for x in observations] == before


@every_family
def test_tables_by_count_grow(family):
    data = points(family, 40)
    small, large = family.cluster(), family.cluster(capacity=100)
    for x in family.observations(data):
        small.add(x)
        large.add(x)
    assert small.log_marginal() == large.log_marginal()
    assert small.posterior().log_density(data) == pytest.approx(large.posterior().log_density(data))


@every_family
def test_the_posterior_taken_as_a_prior_goes_on(family):
    data = points(family, 9)
    at_once = family.cluster(data)
    in_two = family.cluster(data[:4]).posterior().cluster(data[4:])
    first = family.cluster(data[:4]).log_marginal()
    assert in_two.log_marginal() + first == pytest.approx(at_once.log_marginal(), rel=1e-12)


@every_single_family
def test_draws_foretell_like_the_predictive(family):
    """A point drawn from drawn parameters follows the predictive law: its rank in it is uniform.

    Kolmogorov-Smirnov on each coordinate for normals (a marginal of a multivariate t is a t), chi-square for counts;
    failing by chance has a probability below 1e-4 a family, and the seed is fixed.
    """
    rng = np.random.default_rng(5)
    cluster = family.cluster(points(family, 5))
    posterior = cluster.posterior()
    laws = [posterior.draw(rng) for _ in range(3_000)]
    found = np.concatenate([points_of(law, 1, rng) for law in laws])
    if family.of_counts:
        kinds, counts = np.unique(found, axis=0, return_counts=True)
        expected = np.exp(posterior.log_density(kinds)) * len(laws)
        assert stats.chisquare(counts, expected * counts.sum() / expected.sum()).pvalue > 1e-4
        return
    centre, scale, df = posterior.student_t()
    for axis, column in enumerate(found.T):
        assert stats.kstest(column, stats.t(df, centre[axis], scale[axis, axis] ** 0.5).cdf).pvalue > 1e-4


def test_drawn_covariances_have_the_moments_of_an_inverse_wishart():
    """Each entry of the mean of 4,000 draws is within 5 standard errors: by chance otherwise once in 10^5."""
    family = NormalInverseWishart([0.0, 0.0], 2.0, 12.0, SCALE)
    rng = np.random.default_rng(2)
    laws = [family.draw(rng) for _ in range(4_000)]
    covariances = np.array([law.covariance for law in laws])
    error = covariances.std(axis=0) / math.sqrt(len(laws))
    assert (np.abs(covariances.mean(axis=0) - SCALE / (12 - 2 - 1)) < 5 * error).all()
    precisions = np.linalg.inv(covariances)
    error = precisions.std(axis=0) / math.sqrt(len(laws))
    assert (np.abs(precisions.mean(axis=0) - 12 * np.linalg.inv(SCALE)) < 5 * error).all()
    assert family.typical().covariance == pytest.approx(SCALE / 12)
    means = np.array([law.mean for law in laws])
    spread = np.cov(means.T) - SCALE / (12 - 2 - 1) / 2
    assert np.abs(spread).max() < 0.02


def test_an_off_diagonal_prior_is_drawn_as_it_is_scored():
    """The sign of the correlation comes through the two roots in the draw."""
    family = NormalInverseWishart([0.0, 0.0], 1.0, 30.0, [[1.0, 0.9], [0.9, 1.0]])
    rng = np.random.default_rng(3)
    assert all(family.draw(rng).covariance[0, 1] > 0 for _ in range(50))


def test_typical_parameters():
    assert FAMILIES["known variance"].cluster([0.3, 0.3]).posterior().typical().mean == pytest.approx([0.3])
    assert FAMILIES["normal-inverse-gamma"].typical().covariance == pytest.approx(np.array([[0.9 / 1.7]]))
    assert FAMILIES["Dirichlet-multinomial"].typical().probabilities == pytest.approx([0.125, 0.25, 0.625])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NormalKnownVariance(0, -1, 1), "prior_variance must be finite and > 0, got -1"),
        (lambda: NormalKnownVariance(0, 1, math.nan), "variance must be finite and > 0, got nan"),
        (lambda: NormalKnownVariance([0, 0, 0], 1, 1), "mean must have 1 or 2 entries, got 3"),
        (lambda: NormalKnownVariance("x", 1, 1), "mean must be a finite number or a list of them, got 'x'"),
        (lambda: NormalInverseGamma(math.inf, 1, 1, 1), "mean must be finite"),
        (lambda: NormalInverseGamma(0, 0, 1, 1), "kappa must be finite and > 0, got 0"),
        (lambda: NormalInverseGamma(0, 1, 0, 1), "shape must be finite and > 0"),
        (lambda: NormalInverseGamma(0, 1, 1, -2), "rate must be finite and > 0"),
        (lambda: NormalInverseWishart([0, 0], 1, 1, np.eye(2)), "df must be finite and > 1, got 1"),
        (lambda: NormalInverseWishart([0, 0], 1, 3, np.eye(3)), "symmetric positive definite 2 x 2"),
        (lambda: NormalInverseWishart([0, 0], 1, 3, [[1, 2], [2, 1]]), "symmetric positive definite 2 x 2"),
        (lambda: NormalInverseWishart([0, 0], 1, 3, [[1, 0.5], [0, 1]]), "symmetric positive definite 2 x 2"),
        (lambda: NormalInverseWishart([0, 0], 1, 3, 1.0), "symmetric positive definite 2 x 2"),
        (lambda: NormalInverseWishart([], 1, 3, 1.0), "mean must be a finite number or a list"),
        (lambda: DirichletMultinomial([1, 0]), "prior must be at least two numbers > 0"),
        (lambda: GammaPoisson(0, 1), "shape must be finite and > 0, got 0"),
        (lambda: GammaPoisson(1, 1).observations([1, 0.5]), "whole numbers from 0"),
        (lambda: DirichletMultinomial([1]), "prior must be at least two numbers > 0"),
        (lambda: FAMILIES["known variance"].observations([[1.0, 2.0]]), r"shape \(n, 1\), got \(1, 2\)"),
        (lambda: FAMILIES["known variance"].observations([1.0, math.nan]), r"finite, got \[nan\] in row 1"),
        (lambda: FAMILIES["known variance"].observations(["a"]), "data must be numbers in rows of 1"),
        (lambda: FAMILIES["normal-inverse-gamma"].observations([0.0, 1e9]), "within 100000 standard deviations"),
        (lambda: FAMILIES["Dirichlet-multinomial"].observations([[1, 2, 0.5]]), "whole numbers from 0"),
        (lambda: FAMILIES["Dirichlet-multinomial"].log_density([[1, 2, -1]]), "whole numbers from 0"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@every_single_family
def test_neither_a_family_nor_its_posterior_changes(family):
    for each in (family, family.cluster(points(family, 3)).posterior()):
        with pytest.raises(AttributeError):
            each.kappa = 3.0
        if isinstance(each, GammaPoisson):
            continue  # two numbers, and no array
        with pytest.raises(ValueError, match="read-only"):
            (each.prior if each.of_counts else each.mean)[0] = 1.0
