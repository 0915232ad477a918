"""The exact posterior of one or two weights: closed forms, SciPy's quadrature, and a long chain that knows no grid."""

import numpy as np
import pytest
from scipy import integrate, special, stats

from samplers.diagnostics.convergence import diagnose
from samplers.log_density import NoMode
from samplers.regression.grid_posterior import grid_posterior
from samplers.regression.laplace import laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.metropolis import RandomWalkMetropolis, run
from samplers.regression.predictives import activation, predict_quadrature
from tests.samplers.regression.regressions import MAP, in_the_plane, laplace


def moments(found):
    """Means and covariance of the weights."""
    masses = found.density.ravel() / found.density.sum()
    weights = np.stack(np.meshgrid(*found.axes, indexing="ij"), axis=-1).reshape(-1, len(found.axes))
    return masses @ weights, np.cov(weights.T, ddof=0, aweights=masses)


def cell(found):
    return np.prod([axis[1] - axis[0] for axis in found.axes])


def test_one_weight_by_the_quadrature_of_scipy():
    for labels in ([0, 1, 1, 0, 1], [0, 0, 1, 1, 1]):  # the second can be separated
        model = LogisticRegression([[-2.0], [-1.0], [0.5], [1.0], [3.0]], labels, 0.1)

        def part(weight, power=0, model=model):
            return float(np.exp(model.log_density([weight]))) * weight**power

        evidence, first = (integrate.quad(part, -40, 40, (power,), points=[0, 2, 6], limit=200)[0] for power in (0, 1))
        found = grid_posterior(model)
        assert found.density.shape == found.axes[0].shape
        assert np.exp(found.log_evidence) == pytest.approx(evidence, rel=2e-6)
        assert moments(found)[0] == pytest.approx([first / evidence], rel=2e-6)
        at = np.array([[-3.0], [0.4]])
        truth = [
            integrate.quad(lambda w, x=x: part(w) * special.expit(w * x), -40, 40, points=[0, 2, 6])[0]
            for x in at[:, 0]
        ]
        assert found.predict(at) == pytest.approx(np.array(truth) / evidence, abs=1e-6)


def by_hermite(model, nodes=180):
    """Evidence, means and predictions over the map, by Gauss and Hermite's rule on the prior."""
    places, weights = np.polynomial.hermite_e.hermegauss(nodes)
    pairs = np.stack(np.meshgrid(places, places), axis=-1).reshape(-1, 2) / np.sqrt(model.precisions)
    masses = (
        np.outer(weights, weights).ravel() / (2 * np.pi) * np.exp(model.log_density(pairs) - model.log_prior(pairs))
    )
    share = masses / masses.sum()
    return np.log(masses.sum()), share @ pairs, special.expit(MAP[::50] @ pairs.T) @ share


@pytest.mark.parametrize(("name", "prior_precision"), [("few", 1.0), ("few", 0.3), ("overlapping", [1.0, 0.4])])
def test_two_weights_by_another_quadrature(name, prior_precision):
    model = in_the_plane(name, 15, prior_precision)
    evidence, means, predictions = by_hermite(model)
    found = grid_posterior(model)
    assert found.log_evidence == pytest.approx(evidence, abs=2e-6)
    assert moments(found)[0] == pytest.approx(means, abs=1e-5)
    assert found.predict(MAP[::50]) == pytest.approx(predictions, abs=1e-5)


def test_without_data_it_is_the_prior():
    found = grid_posterior(LogisticRegression(np.empty((0, 2)), [], [0.5, 8.0]))
    assert found.log_evidence == pytest.approx(0, abs=1e-6)
    means, covariance = moments(found)
    assert means == pytest.approx([0, 0], abs=1e-9)
    assert covariance == pytest.approx(np.diag([2, 0.125]), abs=1e-4)
    first, second = found.axes
    marginals = [stats.norm(0, precision**-0.5).pdf(axis) for axis, precision in zip(found.axes, (0.5, 8), strict=True)]
    assert found.density == pytest.approx(np.outer(*marginals), rel=2e-5)
    assert first[-1] / second[-1] == pytest.approx(4)


@pytest.mark.parametrize("prior_precision", [1.0, 1e-2, 1e-3])
def test_one_point_has_evidence_one_half_and_foretells_itself(prior_precision):
    """The prior is symmetric: P(y = 1) = 1/2, and P(y* = 1 | y = 1) at the same x is 2 E σ(a)² with a ~ N(0, xᵀx/λ)."""
    x = np.array([[1.5, -0.7]])
    found = grid_posterior(LogisticRegression(x, [1], prior_precision))
    law = stats.norm(0, np.sqrt(x[0] @ x[0] / prior_precision))
    square, _ = integrate.quad(
        lambda a: special.expit(a) ** 2 * law.pdf(a), -9 * law.std(), 9 * law.std(), points=[0, 5]
    )
    assert found.log_evidence == pytest.approx(np.log(0.5), abs=1e-6)
    assert found.predict(x) == pytest.approx([2 * square], abs=2e-5)


@pytest.mark.parametrize("name", ["overlapping", "separable", "few", "outlier", "xor"])
@pytest.mark.parametrize("prior_precision", [10, 1, 0.1, 1e-2, 1e-3])
def test_the_box_holds_all_but_a_millionth(name, prior_precision):
    model = in_the_plane(name, 12, prior_precision)
    found = grid_posterior(model)
    assert found.outside < 1e-6
    assert found.density.sum() * cell(found) == pytest.approx(1)
    steps = [axis[1] - axis[0] for axis in found.axes]
    counts = [len(axis) for axis in found.axes]
    wider = [
        axis[0] + step * np.arange(-count // 2, count + count // 2 + 1, stride)
        for axis, step, count in zip(found.axes, steps, counts, strict=True)
        for stride in (max(1, count // 100),)
    ]
    weights = np.stack(np.meshgrid(*wider, indexing="ij"), axis=-1)
    density = np.exp(model.log_density(weights) - found.log_evidence)
    masses = density * np.prod([axis[1] - axis[0] for axis in wider])
    held = np.array(
        [
            (axis[0] <= weights[..., d] + 1e-9) & (weights[..., d] - 1e-9 <= axis[-1])
            for d, axis in enumerate(found.axes)
        ]
    )
    assert masses[~held.all(axis=0)].sum() < 1.1e-6
    assert masses.sum() == pytest.approx(1, abs=2e-3)


def test_correlated_weights_are_resolved():
    coordinates, labels = in_the_plane(points=200).features, in_the_plane(points=200).labels
    model = LogisticRegression(coordinates @ [[1.0, 1.0], [0.0, 0.02]], labels, 0.01)  # two nearly equal features
    found = grid_posterior(model)
    means, covariance = moments(found)
    correlation = covariance[0, 1] / np.sqrt(covariance.diagonal().prod())
    assert correlation < -0.99
    rotated = LogisticRegression(model.features @ ROTATION, labels, 0.01)  # the same model in other coordinates
    other = grid_posterior(rotated)
    assert found.log_evidence == pytest.approx(other.log_evidence, abs=1e-5)
    assert ROTATION.T @ means == pytest.approx(moments(other)[0], abs=1e-4)
    assert ROTATION.T @ covariance @ ROTATION == pytest.approx(moments(other)[1], abs=1e-3)


ROTATION = np.array([[0.6, -0.8], [0.8, 0.6]])


def standardised(found, draws, places):
    """Distances of a chain's means from the grid's, in standard errors of the chain: weights, then predictions."""
    series = [*draws.T, *special.expit(places @ draws.T)]
    truth = [*moments(found)[0], *found.predict(places)]
    errors = [diagnose(values).mcse_mean for values in series]
    return np.array([(values.mean() - true) / error for values, true, error in zip(series, truth, errors, strict=True)])


@pytest.mark.parametrize(("name", "prior_precision", "scale"), [("overlapping", 0.3, 1.0), ("few", 0.02, 9.0)])
def test_a_long_chain_finds_the_same(name, prior_precision, scale):
    """Seven z-scores, beyond 4 by chance less than once in 2,000; the Laplace approximation is beyond by far."""
    model = in_the_plane(name, 25, prior_precision)
    places = np.array([[2.0, 1.0], [-1.0, 3.0], [0.5, -0.2], [-3.0, -3.0], [4.0, -4.0]])
    draws = run(RandomWalkMetropolis(model, scale, [1.0, 0.5]), 25_000, np.random.default_rng(5))[200:]
    found = grid_posterior(model)
    assert np.abs(standardised(found, draws, places)).max() < 4
    mode, covariance = laplace(model.features, model.labels, prior_precision)
    normal = np.random.default_rng(6).multivariate_normal(mode, covariance, 25_000)
    assert np.abs(standardised(found, normal, places)).max() > 8


def test_the_posterior_narrows_as_data_come_in_and_becomes_normal():
    """The first points stay the same; Laplace's error falls, and the covariance like 1/N."""
    spreads, away = [], []
    for points in (30, 300, 3_000):
        model = in_the_plane("overlapping", points)
        found = grid_posterior(model)
        mode, covariance, _ = laplace_approximation(model)
        normal = stats.multivariate_normal(mode, covariance).pdf(np.stack(np.meshgrid(*found.axes, indexing="ij"), -1))
        away.append(np.abs(normal - found.density).sum() * cell(found) / 2)
        spreads.append(np.trace(moments(found)[1]))
    assert spreads[0] > 3 * spreads[1] > 20 * spreads[2]
    assert away[0] > 2 * away[1] > 4 * away[2]


def test_laplace_is_wrong_on_few_separable_points_and_the_grid_says_so():
    model = in_the_plane("few", prior_precision=0.1)
    mode, covariance = laplace(model.features, model.labels, 0.1)
    exact, approximate = grid_posterior(model).predict(MAP), predict_quadrature(MAP, mode, covariance)
    assert np.abs(exact - approximate).max() > 0.1
    assert np.linalg.norm(moments(grid_posterior(model))[0]) > 1.5 * np.linalg.norm(mode)
    assert activation(MAP, mode, covariance)[0].shape == (2_500,)


def test_more_lines_change_nothing():
    model = in_the_plane("outlier")
    few, many = grid_posterior(model, 41), grid_posterior(model, 301)
    assert many.density.shape == (301, 301)
    assert few.log_evidence == pytest.approx(many.log_evidence, abs=1e-6)
    assert moments(few)[0] == pytest.approx(moments(many)[0], abs=1e-5)
    assert few.predict(MAP) == pytest.approx(many.predict(MAP), abs=1e-5)


def test_points_straight_along_an_axis_are_foretold_as_well():
    """There the step of σ(a) is parallel to the lines, and a coarse grid sees least of it."""
    model = in_the_plane("overlapping", 2, 1e-3)
    straight = np.abs(model.features).max(axis=0) * np.array([[1.0, 0.0], [0.0, 1.0], [0.4, 0.0]])
    assert grid_posterior(model).predict(straight) == pytest.approx(
        grid_posterior(model, 1_001).predict(straight), abs=5e-5
    )


def test_a_flat_prior_with_a_mode_has_a_posterior():
    flat = grid_posterior(in_the_plane(points=100, prior_precision=0))
    nearly = grid_posterior(in_the_plane(points=100, prior_precision=1e-7))
    assert moments(flat)[0] == pytest.approx(moments(nearly)[0], rel=1e-5)
    assert flat.log_evidence == pytest.approx(nearly.log_evidence + np.log(2 * np.pi / 1e-7), abs=1e-5)
    with pytest.raises(NoMode, match="separated"):
        grid_posterior(in_the_plane("few", prior_precision=0))


def test_what_a_grid_cannot_hold_is_named():
    with pytest.raises(ValueError, match="one or two weights, got 3: use laplace or RandomWalkMetropolis"):
        grid_posterior(in_the_plane(bias=True))
    with pytest.raises(ValueError, match="raise prior_precision"):
        grid_posterior(in_the_plane("few", prior_precision=1e-9))
    with pytest.raises(ValueError, match="lines must be 11 or more"):
        grid_posterior(in_the_plane(), 10)
    with pytest.raises(ValueError, match="lines must be 2049 or less, got 3000"):
        grid_posterior(in_the_plane(), 3_000)
    with pytest.raises(ValueError, match=r"features must have shape \(P, 2\), got \(4, 3\)"):
        grid_posterior(in_the_plane()).predict(np.zeros((4, 3)))
