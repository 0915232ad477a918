"""Variational Bayes against the exact posterior of a few points: the bound, the gap, and where it ends."""

import math

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import beta, norm

from samplers.climb.variational import StickWeights, TruncatedStick, VariationalBayes
from samplers.climb.wrong import CountedAgain
from samplers.conjugate import NormalInverseWishart
from samplers.conjugate.dirichlet import Dirichlet
from samplers.conjugate.family import Sums
from samplers.mixtures.exact_labellings import exact_finite_mixture, exact_truncated_stick
from tests.samplers.climb.climbs import (
    FEW,
    KNOWN,
    OVERLAPPING,
    PLANE_KNOWN,
    PLANE_UNKNOWN,
    UNKNOWN,
    climbed,
    falls,
)

PLANE = OVERLAPPING[:5]
CLIMBS = [
    (VariationalBayes(FEW, KNOWN, 2, 0.7), exact_finite_mixture(FEW, KNOWN, 2, 0.7)),
    (VariationalBayes(FEW, UNKNOWN, 3, [0.5, 1.0, 2.0]), exact_finite_mixture(FEW, UNKNOWN, 3, [0.5, 1.0, 2.0])),
    (VariationalBayes(PLANE, PLANE_UNKNOWN, 2, 1.0), exact_finite_mixture(PLANE, PLANE_UNKNOWN, 2, 1.0)),
    (TruncatedStick(FEW, KNOWN, 4, 0.6), exact_truncated_stick(FEW, KNOWN, 4, 0.6)),
    (TruncatedStick(PLANE, PLANE_UNKNOWN, 3, 2.0), exact_truncated_stick(PLANE, PLANE_UNKNOWN, 3, 2.0)),
]


def gap(climb, exact, state):
    """KL(q‖posterior), a labelling at a time: that of the labels, and that of the rest given them."""
    total, parts = 0.0, state.parts
    for labels, posterior in zip(exact.labellings, exact.probabilities, strict=True):
        q = math.prod(state.responsibilities[np.arange(len(labels)), labels].tolist())
        if not q:
            continue
        counts = np.bincount(labels, minlength=climb.components)
        rest = parts.of_weights.dirichlet.divergence(climb.weights_prior.given(counts).dirichlet)
        for label, family in enumerate(parts.families):
            rest += family.divergence(climb.family.cluster(climb.data[labels == label]).posterior())
        total += q * (math.log(q / posterior) + rest)
    return total


@pytest.mark.parametrize(("climb", "exact"), CLIMBS)
def test_the_bound_rises_with_each_half_step_and_lacks_the_divergence_of_the_evidence(climb, exact):
    for seed in range(2):
        states, _ = climbed(climb, seed, 100)
        assert falls([state.bound for state in states]) == 0
        for state in (*states[:3], states[-1]):
            assert state.bound < exact.log_evidence
            assert exact.log_evidence - state.bound == pytest.approx(gap(climb, exact, state), rel=1e-8)


@pytest.mark.parametrize(
    "climb", [VariationalBayes(OVERLAPPING, PLANE_KNOWN, 4), TruncatedStick(OVERLAPPING, PLANE_UNKNOWN, 6)]
)
def test_with_more_points_it_rises_as_well(climb):
    for start in ("random", "k-means++"):
        climb.start = start
        assert falls([state.bound for state in climbed(climb, 2, 200)[0]]) == 0


def test_points_that_are_counted_again_make_the_bound_fall_and_q_narrow():
    wrong = CountedAgain(FEW, UNKNOWN, 2, start="k-means++")
    states = climbed(wrong, 0, 40)[0]
    assert falls([state.bound for state in states]) > 0.1
    assert states[-1].parts.families[0].kappa > 5 * climbed(CLIMBS[1][0], 0, 40)[0][-1].parts.families[0].kappa


@pytest.mark.parametrize(("climb", "exact"), CLIMBS[:4])
def test_at_the_end_the_bound_is_level_in_every_direction(climb, exact):
    states, rng = climbed(climb, 3, 1_500)[0], np.random.default_rng(0)

    def slope(state, way):
        """The bound's slope where the logarithms of responsibilities move along a direction, and M follows."""
        bounds = []
        for length in (1e-4, -1e-4):
            shares = state.responsibilities * np.exp(length * way)
            shares /= shares.sum(axis=1, keepdims=True)
            bounds.append(climb.bound(shares, climb.maximise(shares, None)))
        return (bounds[0] - bounds[1]) / 2e-4

    ways = [rng.standard_normal(states[-1].responsibilities.shape) for _ in range(12)]
    assert max(abs(slope(states[-1], way)) for way in ways) < 1e-6
    assert max(abs(slope(states[2], way)) for way in ways) > 1e-3  # the check sees a slope where there is one


def test_q_of_a_mean_is_narrower_than_the_posterior():
    exact = exact_finite_mixture(FEW, KNOWN, 2, 1.0)
    end = climbed(VariationalBayes(FEW, KNOWN, 2), 0, 2_000)[0][-1]
    q = sorted(family.mean[0] for family in end.parts.families), max(f.prior_variance for f in end.parts.families)
    assert q[0][0] < -1 < 0.5 < q[0][1]  # one mode of the two that only names tell apart
    given_first = exact.labellings[:, 0] == 0  # names broken by the first point
    weights = exact.probabilities * given_first / (exact.probabilities * given_first).sum()
    posteriors = [KNOWN.cluster(FEW[labels == 0]).posterior() for labels in exact.labellings]
    means = np.array([posterior.mean[0] for posterior in posteriors])
    mean = weights @ means
    variance = weights @ [posterior.prior_variance for posterior in posteriors] + weights @ (means - mean) ** 2
    assert q[1] < 0.8 * variance


def test_the_expectations_are_averages_over_draws_and_the_divergences_integrals():
    rng = np.random.default_rng(5)
    broad = NormalInverseWishart([0.5, -1.0], 0.7, 6.0, [[2.0, 0.5], [0.5, 1.0]])
    tight = broad.given(Sums(4.0, np.array([1.0, 3.0]), np.array([[2.0, -0.4], [-0.4, 1.5]])))
    points = np.array([[0.0, 0.0], [1.5, -2.0]])
    draws = [tight.draw(rng) for _ in range(4_000)]
    fits = np.array([draw.log_density(points) for draw in draws])
    error = fits.std(axis=0) / math.sqrt(len(draws))
    assert (np.abs(fits.mean(axis=0) - tight.expected_log_density(points)) < 4 * error).all()
    ratios = np.array([tight.log_density_of(draw) - broad.log_density_of(draw) for draw in draws])
    assert abs(ratios.mean() - tight.divergence(broad)) < 4 * ratios.std() / math.sqrt(len(draws))
    assert tight.divergence(tight) == pytest.approx(0, abs=1e-12)
    known = KNOWN.given(Sums(3.0, np.array([2.0]), np.zeros((1, 1))))
    q, p = norm(known.mean[0], known.prior_variance**0.5), norm(0, 2)
    found = integrate.quad(lambda x: q.pdf(x) * (q.logpdf(x) - p.logpdf(x)), -6, 8)[0]
    assert known.divergence(KNOWN) == pytest.approx(found, rel=1e-8)
    expected = integrate.quad(lambda x: q.pdf(x) * norm(x, KNOWN.variance**0.5).logpdf(1.2), -6, 8)[0]
    assert known.expected_log_density(np.array([[1.2]]))[0] == pytest.approx(expected, rel=1e-8)


def test_the_stick_has_the_expected_logs_and_lengths_of_its_fractions():
    stick = StickWeights(Dirichlet(np.tile([1.0, 2.0], (2, 1)))).given(np.array([3.0, 0.5, 1.5]))
    first, second = beta(4, 4), beta(1.5, 3.5)
    logs = [
        first.expect(np.log),
        first.expect(lambda v: np.log1p(-v)) + second.expect(np.log),
        first.expect(lambda v: np.log1p(-v)) + second.expect(lambda v: np.log1p(-v)),
    ]
    np.testing.assert_allclose(stick.expected_logs(), logs, rtol=1e-7)
    np.testing.assert_allclose(stick.mean(), [0.5, 0.5 * 0.3, 0.5 * 0.7])


@pytest.mark.parametrize(("arguments", "message"), [((1, 1.0), "components must"), ((3, 0.0), "concentration must")])
def test_bad_settings_of_the_stick_are_rejected_in_words(arguments, message):
    with pytest.raises(ValueError, match=message):
        TruncatedStick(FEW, KNOWN, *arguments)
