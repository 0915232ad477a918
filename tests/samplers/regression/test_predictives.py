"""The five predictives: quadrature against closed forms and SciPy, and the others against quadrature."""

import numpy as np
import pytest
from scipy import integrate, special, stats

from samplers.regression.predictives import (
    PREDICTIVES,
    activation,
    draw_weights,
    monte_carlo_error,
    predict_from_weights,
    predict_mackay,
    predict_plugin,
    predict_probit,
    predict_quadrature,
)
from tests.samplers.regression.regressions import at, check_errors, check_mackay, check_probit, typical

DEVIATIONS = [0, 1e-3, 0.1, 0.5, 0.999_999, 1, 1.5, 2, 5, 10, 20, 50, 1e4]
CLOSED = [name for name in PREDICTIVES if name != "quadrature"]
every_posterior = pytest.mark.parametrize("name", ["overlapping", "few", "outlier", "separable"])


def check_quadrature(predict, deviation, allowed=1e-13):
    """E σ(a) is known where the mean is a multiple of the variance: E σ(a) = exp(m + v/2) (1 - E σ(a + v))."""
    variance = deviation**2
    half = np.exp(-variance / 2) / 2
    means = np.array([0, variance, -variance, -2 * variance, 2 * variance])
    known = [0.5, 1 - half, half, np.exp(-1.5 * variance) * (1 - half), 1 - np.exp(-1.5 * variance) * (1 - half)]
    np.testing.assert_allclose(at(predict, means, deviation), known, atol=allowed)


@pytest.mark.parametrize("deviation", DEVIATIONS)
def test_quadrature_has_the_values_that_are_known(deviation):
    check_quadrature(predict_quadrature, deviation)


@pytest.mark.parametrize("deviation", [0.1, 0.7, 1, 3, 12, 50])
def test_quadrature_is_that_of_scipy(deviation):
    means = np.concatenate([np.linspace(-3, 3, 7), deviation * np.linspace(-4, 4, 5), [-40, 25]])
    for mean, found in zip(means, at(predict_quadrature, means, deviation), strict=True):
        law, reach = stats.norm(mean, deviation), 9 * deviation
        breaks = [point for point in (-5, 0, 5) if abs(point - mean) < reach]
        truth, _ = integrate.quad(
            lambda a, law=law: special.expit(a) * law.pdf(a),
            *(mean - reach, mean + reach),
            points=[mean, *breaks],
            limit=400,
            epsabs=1e-12,
            epsrel=1e-12,
        )
        assert found == pytest.approx(truth, abs=1e-11)


@pytest.mark.parametrize("name", CLOSED)
def test_the_check_of_quadrature_can_fail(name):
    with pytest.raises(AssertionError):
        check_quadrature(PREDICTIVES[name], 1.5, allowed=1e-3)


def test_quadrature_by_gauss_and_hermite_would_fail():
    """A hundred nodes of the usual rule are not enough at 50: why the rule is another."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(100)
    means = np.linspace(-30, 30, 61)
    usual = special.expit(means[:, None] + 50 * nodes) @ weights / weights.sum()
    assert np.abs(usual - at(predict_quadrature, means, 50)).max() > 1e-4


WORST = {  # by standard deviation: plug-in, probit, MacKay
    0: (0, 0.0177, 0),
    0.5: (0.0113, 0.0164, 0.0014),
    1: (0.0391, 0.0138, 0.0046),
    2: (0.1062, 0.0092, 0.0101),
    5: (0.2431, 0.0029, 0.0157),
    50: (0.4536, 0.0000, 0.0176),
}


@pytest.mark.parametrize("deviation", WORST)
def test_how_far_each_is_from_the_integral_at_most(deviation):
    """The table in the module."""
    means = np.linspace(-400, 400, 80_001)
    truth = at(predict_quadrature, means, deviation)
    found = [np.abs(at(PREDICTIVES[name], means, deviation) - truth).max() for name in CLOSED]
    assert np.round(found, 4) == pytest.approx(WORST[deviation], abs=1e-9)


def test_probit_is_within_three_thousandths_only_where_the_spread_is_large():
    means = np.linspace(0, 40, 4_001)
    for deviation in np.linspace(4.92, 40, 20):
        assert np.abs(at(predict_probit, means, deviation) - at(predict_quadrature, means, deviation)).max() <= 0.003
    for deviation in np.linspace(0, 4.91, 20):
        assert np.abs(at(predict_probit, means, deviation) - at(predict_quadrature, means, deviation)).max() > 0.003
        better = predict_mackay if deviation < 1.87 else predict_probit
        assert np.abs(at(better, means, deviation) - at(predict_quadrature, means, deviation)).max() < 0.0096


@every_posterior
@pytest.mark.parametrize("feature_map", ["linear", "quadratic"])
def test_probit_and_mackay_over_a_map_of_2500_points(name, feature_map):
    posterior = typical(name, feature_map)
    check_probit(predict_probit, *posterior)
    check_mackay(predict_mackay, *posterior)
    with pytest.raises(AssertionError):
        check_probit(predict_plugin, *posterior)
    with pytest.raises(AssertionError):
        check_mackay(predict_plugin, *posterior)


def test_probit_is_within_three_thousandths_over_a_map_where_no_line_fits():
    """The mode is near 0 then, and so is every mean, measured in its standard deviation."""
    posterior = typical("xor")
    truth = predict_quadrature(*posterior)
    assert truth.shape == (2_500,)
    assert np.abs(predict_probit(*posterior) - truth).max() <= 0.003
    assert np.abs(predict_plugin(*posterior) - truth).max() > 0.003


@every_posterior
def test_probit_misses_three_thousandths_on_a_typical_posterior(name):
    posterior = typical(name)
    away = np.abs(predict_probit(*posterior) - predict_quadrature(*posterior))
    assert 0.01 < away.max() < 0.0177
    assert (away > 0.003).mean() > 0.5


@every_posterior
def test_monte_carlo_is_as_near_as_its_error_says(name):
    """2,500 points that share 2,000 draws: about 30 independent directions, beyond 5 once in 50,000 choices."""
    features, *normal = posterior = typical(name)
    found = predict_from_weights(features, draw_weights(*normal, 2_000, np.random.default_rng(7)))
    check_errors(found - predict_quadrature(*posterior), monte_carlo_error(*posterior, 2_000))


def test_the_check_of_monte_carlo_can_fail():
    """Weights drawn with the covariance for the factor of it."""
    features, mode, covariance = typical("overlapping")
    drawn = mode + np.random.default_rng(7).standard_normal((2_000, 3)) @ covariance
    with pytest.raises(AssertionError):
        check_errors(
            predict_from_weights(features, drawn) - predict_quadrature(features, mode, covariance),
            monte_carlo_error(features, mode, covariance, 2_000),
        )


def test_the_error_of_monte_carlo_is_that_of_its_repetitions():
    features, mode, covariance = typical("few")
    some, rng = features[::250], np.random.default_rng(0)
    runs = [predict_from_weights(some, draw_weights(mode, covariance, 20, rng)) for _ in range(2_000)]
    assert np.std(runs, axis=0) == pytest.approx(monte_carlo_error(some, mode, covariance, 20), rel=0.08)
    assert monte_carlo_error(some, mode, covariance, 80) == pytest.approx(
        monte_carlo_error(some, mode, covariance, 20) / 2
    )


def test_drawn_weights_have_mean_and_covariance():
    _, mode, covariance = typical("few")
    drawn = draw_weights(mode, covariance, 40_000, np.random.default_rng(0))
    assert drawn.shape == (40_000, 3)
    assert np.abs((drawn.mean(axis=0) - mode) / np.sqrt(covariance.diagonal() / 40_000)).max() < 4
    assert np.cov(drawn.T) == pytest.approx(covariance, rel=0.05, abs=0.03)
    assert (
        draw_weights(mode, covariance, 5, np.random.default_rng(3))
        == draw_weights(mode, covariance, 5, np.random.default_rng(3))
    ).all()


def test_the_activation_has_mean_and_variance():
    features, mode, covariance = typical("few")
    mean, variance = activation(features, mode, covariance)
    for place in (0, 77, 2_499):
        assert mean[place] == pytest.approx(features[place] @ mode)
        assert variance[place] == pytest.approx(features[place] @ covariance @ features[place])


@every_posterior
def test_averaging_moves_no_boundary_and_makes_nothing_more_certain(name):
    posterior = typical(name)
    plugin = predict_plugin(*posterior)
    for predict in (predict_probit, predict_mackay, predict_quadrature):
        found = predict(*posterior)
        assert ((found > 0.5) == (plugin > 0.5)).all()
        if predict is not predict_probit:  # which differs from the plug-in where the variance is 0, too
            assert (np.abs(found - 0.5) <= np.abs(plugin - 0.5)).all()


def test_a_posterior_without_spread_is_the_plug_in():
    features, mode, _ = typical("few")
    for predict in (predict_mackay, predict_quadrature):
        assert predict(features, mode, np.zeros((3, 3))) == pytest.approx(
            predict_plugin(features, mode, np.zeros((3, 3)))
        )


def test_large_means_do_not_overflow():
    for predict in PREDICTIVES.values():
        assert at(predict, [-1e8, 1e8], 3) == pytest.approx([0, 1])
        assert at(predict, [-1e8, 0, 1e8], 1e9)[1] == pytest.approx(0.5)


def test_no_points_and_shapes_that_do_not_fit():
    _, mode, covariance = typical("few")
    for predict in PREDICTIVES.values():
        assert predict(np.empty((0, 3)), mode, covariance).shape == (0,)
        with pytest.raises(ValueError, match=r"got \(5, 2\), \(3,\) and \(3, 3\)"):
            predict(np.zeros((5, 2)), mode, covariance)
    with pytest.raises(ValueError, match="positive definite"):
        draw_weights(mode, -covariance, 3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="draws must be 1 or more"):
        draw_weights(mode, covariance, 0, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"got \(2, 3\) and \(0, 3\)"):
        predict_from_weights(np.zeros((2, 3)), np.empty((0, 3)))
