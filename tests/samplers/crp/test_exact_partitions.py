"""The enumeration itself, against what is known about partitions, and against sums done another way."""

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from samplers.conjugate import DirichletMultinomial, NormalKnownVariance
from samplers.crp.exact_partitions import concentration_density, exact_posterior, sweep_matrix
from samplers.crp.facts import log_joint, relabel, table_count_pmf
from samplers.crp.mixture import CRPMixture
from samplers.enumerated import stationary
from samplers.partitions import partitions
from tests.samplers.models import MODELS

THREE = [-1.0, 0.0, 1.0]
FAMILY = NormalKnownVariance(0.0, 4.0, 0.5)
SEVEN = [-2.1, -1.6, -1.1, 0.2, 1.0, 1.7, 2.2]


def test_every_partition_is_listed_once():
    assert [len(partitions(points)) for points in range(1, 9)] == [1, 2, 5, 15, 52, 203, 877, 4140]  # Bell numbers
    for points in (4, 6):
        listed = partitions(points)
        assert len(set(listed)) == len(listed)
        assert list(listed) == sorted(listed)
        assert all(tuple(relabel(partition).tolist()) == partition for partition in listed)


@pytest.mark.parametrize("points", [9, 100])
def test_more_points_than_can_be_listed_are_refused(points):
    with pytest.raises(ValueError, match=f"points must be at most 8 to list all their partitions, got {points}"):
        exact_posterior(np.zeros(points), FAMILY, 1.0)


def test_none_at_all_is_refused():
    with pytest.raises(ValueError, match="points must be 1 or more"):
        exact_posterior([], FAMILY, 1.0)


def test_joint_of_three_points_by_hand():
    posterior = exact_posterior(THREE, FAMILY, 1.7)
    data = np.array(THREE)
    for partition, found in zip(posterior.partitions, posterior.log_joint, strict=True):
        labels = np.array(partition)
        # all points are jointly normal given who sits with whom
        covariance = 0.5 * np.eye(3) + 4.0 * (labels[:, None] == labels)
        expected = log_joint(partition, 1.7) + stats.multivariate_normal(np.zeros(3), covariance).logpdf(data)
        assert found == pytest.approx(expected, rel=1e-12)


def test_known_means_of_the_number_of_clusters():
    """Computed independently by power iteration over all partitions for these two data sets."""
    assert exact_posterior(THREE, FAMILY, 1.0).table_counts @ np.arange(4) == pytest.approx(1.864, abs=5e-4)
    assert exact_posterior(SEVEN, FAMILY, 1.0).table_counts @ np.arange(8) == pytest.approx(3.266, abs=5e-4)


def test_the_evidence_does_not_depend_on_the_order_and_grows_by_predictives():
    data = np.array(SEVEN[:5])
    whole = exact_posterior(data, FAMILY, 0.8)
    assert exact_posterior(data[::-1], FAMILY, 0.8).log_evidence == pytest.approx(whole.log_evidence, rel=1e-12)
    total, _ = integrate.quad(
        lambda x: math.exp(exact_posterior([*data[:3], x], FAMILY, 0.8).log_evidence), -30, 30, limit=200
    )
    assert math.log(total) == pytest.approx(exact_posterior(data[:3], FAMILY, 0.8).log_evidence, abs=1e-7)


def test_without_information_the_posterior_is_the_prior():
    flat = DirichletMultinomial([1.0, 1.0])  # rows without a word say nothing
    posterior = exact_posterior(np.zeros((6, 2)), flat, 1.3)
    assert posterior.table_counts == pytest.approx(table_count_pmf(6, 1.3), rel=1e-12)
    assert posterior.log_evidence == pytest.approx(0, abs=1e-12)
    assert posterior.co_clustering[0, 1] == pytest.approx(1 / 2.3)
    assert np.diag(posterior.co_clustering) == pytest.approx(np.ones(6))


@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.05, 0.1), (3.0, 40.0), (400.0, 20.0), (2.0, 1e-4)])
def test_a_gamma_concentration_is_integrated_out(prior):
    shape, rate = prior
    posterior = exact_posterior(np.zeros((5, 2)), DirichletMultinomial([1.0, 1.0]), concentration_prior=prior)
    assert posterior.log_evidence == pytest.approx(0, abs=1e-12)
    for tables in range(1, 6):

        def weighted(log_alpha, tables=tables):
            alpha = math.exp(log_alpha)
            density = stats.gamma.pdf(alpha, shape, scale=1 / rate) * alpha
            ratio = special.gammaln(alpha) - special.gammaln(alpha + 5) + tables * log_alpha
            return density * math.exp(ratio)

        peak = math.log(shape / rate)
        pieces = [-700, -100, -10, min(0.0, peak), peak + 0.1, peak + 1, peak + 8]
        direct = sum(
            integrate.quad(weighted, low, high, epsabs=0, epsrel=1e-10, limit=300)[0]
            for low, high in zip(sorted(pieces)[:-1], sorted(pieces)[1:], strict=True)
        )
        found = [
            math.exp(value) / np.prod([math.factorial(size - 1) for size in np.bincount(partition)])
            for partition, value in zip(posterior.partitions, posterior.log_joint, strict=True)
            if max(partition) + 1 == tables
        ]
        assert found == pytest.approx(np.full(len(found), direct), rel=1e-7)


@pytest.mark.parametrize("prior", [(1.0, 1.0), (2.0, 1.5)])
def test_the_density_of_the_concentration_is_its_prior_times_the_evidence(prior):
    shape, rate = prior
    exact = exact_posterior(SEVEN, FAMILY, concentration_prior=prior)
    alphas = np.array([0.05, 0.4, 1.0, 3.0, 9.0])
    evidence = np.array([exact_posterior(SEVEN, FAMILY, alpha).log_evidence for alpha in alphas])
    expected = stats.gamma.pdf(alphas, shape, scale=1 / rate) * np.exp(evidence - exact.log_evidence)
    assert concentration_density(exact, prior, alphas) == pytest.approx(expected, rel=1e-9)
    total, _ = integrate.quad(lambda alpha: concentration_density(exact, prior, [alpha])[0], 0, 60, limit=200)
    assert total == pytest.approx(1, abs=1e-7)


def test_where_the_data_say_nothing_the_concentration_has_its_prior():
    exact = exact_posterior(np.zeros((5, 2)), DirichletMultinomial([1.0, 1.0]), concentration_prior=(2.0, 1.5))
    alphas = np.array([0.2, 1.0, 4.0])
    expected = stats.gamma.pdf(alphas, 2.0, scale=1 / 1.5)
    assert concentration_density(exact, (2.0, 1.5), alphas) == pytest.approx(expected, rel=1e-9)


def test_a_narrow_prior_is_a_known_concentration():
    narrow = exact_posterior(THREE, FAMILY, concentration_prior=(1e6, 1e6 / 1.5))
    known = exact_posterior(THREE, FAMILY, 1.5)
    assert narrow.log_joint == pytest.approx(known.log_joint, rel=1e-5)


@pytest.mark.parametrize("settings", [{}, {"concentration": 1.0, "concentration_prior": (1.0, 1.0)}])
def test_exactly_one_way_to_say_the_concentration(settings):
    with pytest.raises(ValueError, match="exactly one of"):
        exact_posterior(THREE, FAMILY, **settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"concentration": 0.0}, "concentration must be finite and > 0"),
        ({"concentration_prior": (0.0, 1.0)}, "prior shape must be finite, >= 0.001"),
        ({"concentration_prior": (1.0, math.inf)}, "prior rate must be finite and > 0"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        exact_posterior(THREE, FAMILY, **settings)


@pytest.mark.parametrize("concentration", [0.4, 3.0])
@pytest.mark.parametrize("model", MODELS)
def test_a_sweep_leaves_the_exact_posterior_as_it_is(model, concentration):
    family, data = MODELS[model][0], MODELS[model][1][:4]
    posterior = exact_posterior(data, family, concentration)
    matrix = sweep_matrix(CRPMixture(data, family, concentration))
    assert matrix.sum(axis=1) == pytest.approx(np.ones(15), abs=1e-12)
    assert (matrix > 0).all()  # every partition is reached, so that this is the only distribution left as it is
    assert np.abs(posterior.probabilities @ matrix - posterior.probabilities).max() < 1e-12
    assert np.abs(stationary(matrix) - posterior.probabilities).max() < 1e-10


def test_a_sweep_matrix_wants_a_known_concentration():
    with pytest.raises(ValueError, match="the concentration must be known"):
        sweep_matrix(CRPMixture(THREE, FAMILY, 1.0, concentration_prior=(1.0, 1.0)))


def test_stationary_distribution_of_two_states():
    assert stationary(np.array([[0.9, 0.1], [0.3, 0.7]])) == pytest.approx([0.75, 0.25])
