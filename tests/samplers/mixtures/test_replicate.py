"""Replicates of a finite mixture: exact laws given labels, and data and replicate that can change places."""

import numpy as np
import pytest
from scipy import stats

from samplers.chain import Chain
from samplers.conjugate import Family, NormalInverseGamma, NormalKnownVariance
from samplers.crp.mixture import CRPMixture
from samplers.crp.prediction import draw_new_points
from samplers.diagnostics.predictive_checks import to_the_farthest, to_the_nearest
from samplers.mixtures.finite import FiniteMixture
from tests.samplers.geweke import seating

DRAWS = 4_000
APART = [-30.0, -30.2, 30.1, 29.9, 30.3]  # no point is between
LABELS = [0, 0, 1, 1, 1]
PRIOR = [1.0, 1.7]
MANY_SE = 4.0  # a right sampler fails once in 16,000 runs


@pytest.mark.parametrize("collapsed", [True, False], ids=["collapsed", "uncollapsed"])
def test_how_many_points_fall_in_a_component_is_beta_binomial(collapsed):
    """Weights given labels are Dirichlet, and the replicate's labels are drawn from them together."""
    sampler = FiniteMixture(APART, NormalKnownVariance(0.0, 900.0, 0.5), 2, PRIOR, collapsed)
    rng = np.random.default_rng(1)
    left = [int((sampler.replicate(LABELS, rng) < 0).sum()) for _ in range(DRAWS)]
    law = stats.betabinom(5, PRIOR[0] + 2, PRIOR[1] + 3).pmf(np.arange(6))
    assert stats.chisquare(np.bincount(left, minlength=6), DRAWS * law).pvalue > 1e-4
    wrong = stats.binom(5, 3.0 / 7.7).pmf(np.arange(6))  # a label for each point by itself
    assert stats.chisquare(np.bincount(left, minlength=6), DRAWS * wrong).pvalue < 1e-8


def test_points_of_a_component_share_its_mean():
    """Means and covariance of two points by the posterior of one component: σ² + τ² on the diagonal, τ² beside it."""
    family = NormalKnownVariance(0.0, 4.0, 0.5)
    sampler, rng = FiniteMixture([1.0, 1.4], family, 1, 1.0), np.random.default_rng(2)
    pairs = np.array([sampler.replicate([0, 0], rng)[:, 0] for _ in range(10 * DRAWS)])
    spread = 1 / (1 / 4.0 + 2 / 0.5)
    assert pairs.mean(axis=0) == pytest.approx(spread * 2.4 / 0.5, abs=MANY_SE * np.sqrt((spread + 0.5) / len(pairs)))
    assert np.cov(pairs.T) == pytest.approx(np.array([[spread + 0.5, spread], [spread, spread + 0.5]]), abs=0.03)


def leads(draw, family: Family, size: int, crp: bool, measure) -> float:
    """Return by how many standard errors the data lead their replicate: how often their number is larger."""
    larger, rng = 0, np.random.default_rng(3)
    for _ in range(DRAWS):
        labels = seating(size, 1.0, rng) if crp else rng.choice(2, size=size, p=rng.dirichlet(PRIOR))
        data = np.empty((size, 1))
        for table in np.unique(labels):
            here = labels == table
            data[here] = family.draw(rng).points(int(here.sum()), rng)
        larger += measure(data) > measure(draw(data, labels, rng))
    return float((larger - DRAWS / 2) / np.sqrt(DRAWS / 4))


def of_finite(family):
    return lambda data, labels, rng: FiniteMixture(data, family, 2, PRIOR).replicate(labels, rng)


def of_crp(family):
    def draw(data, labels, rng):
        sampler = CRPMixture(data, family, 1.0)
        return draw_new_points(sampler, sampler.state(labels), len(labels), rng).points

    return draw


def of_modes(family):
    """Replicates of the planted error: from one best set of parameters, as a bootstrap draws them."""

    def draw(data, labels, rng):
        points = np.empty_like(data)
        for table in np.unique(labels):
            here = labels == table
            points[here] = family.cluster(data[here]).posterior().typical().points(int(here.sum()), rng)
        return points

    return draw


@pytest.mark.parametrize("measure", [to_the_nearest, to_the_farthest])
@pytest.mark.parametrize("crp", [False, True], ids=["finite", "CRP"])
def test_data_and_their_replicate_can_change_places(crp, measure):
    """Labels that made the data are a draw from their posterior, so each number is larger half of the time."""
    family = NormalInverseGamma(0.0, 0.3, 3.0, 1.0)
    assert abs(leads((of_crp if crp else of_finite)(family), family, 8, crp, measure)) < MANY_SE


def test_the_planted_error_is_seen():
    family = NormalInverseGamma(0.0, 0.3, 3.0, 1.0)
    assert abs(leads(of_modes(family), family, 8, False, to_the_nearest)) > MANY_SE


def test_the_same_labels_and_numbers_make_the_same_replicate():
    sampler = FiniteMixture(APART, NormalKnownVariance(0.0, 900.0, 0.5), 3, 1.0)  # the third component is empty
    labels = Chain(sampler, 1)[5].assignments
    one, other = (sampler.replicate(labels, np.random.default_rng(4)) for _ in range(2))
    assert np.array_equal(one, other)
    assert one.shape == sampler.data.shape
