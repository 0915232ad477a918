"""Posteriors of many points at once, powers, modes and marginals of every family; and products of families."""

import math

import numpy as np
import pytest
from scipy import integrate

from samplers.conjugate import Multinomial, Normal, NormalInverseGamma, NormalKnownVariance, Product, ProductParameters
from samplers.conjugate.family import Sums
from samplers.conjugate.parameters import Poisson
from samplers.log_density import NoMode
from tests.samplers.conjugate.families import (
    FAMILIES,
    PRODUCT,
    every_family,
    every_single_family,
    points,
    sums_of,
)


@every_single_family
def test_many_points_at_once_are_as_good_as_one_by_one(family):
    data, grid = points(family, 7), points(family, 9, seed=1)
    at_once = family.given(sums_of(data))
    assert at_once.log_density(grid) == pytest.approx(family.cluster(data).posterior().log_density(grid), rel=1e-12)
    back = at_once.given(Sums(-1, -data[6], 0 * sums_of(data).scatter))
    assert back.log_density(grid) == pytest.approx(family.cluster(data[:6]).posterior().log_density(grid), rel=1e-10)
    assert family.given(Sums(0, 0 * data[0], 0 * sums_of(data).scatter)).log_density(grid) == pytest.approx(
        family.log_density(grid), rel=1e-12
    )


@every_family
def test_classes_at_once_are_as_good_as_one_by_one(family):
    """Three classes, one of them without a row; a product of one family is that family."""
    product = family if isinstance(family, Product) else Product([family])
    data, labels = product.rows(points(product, 12)), np.array([0, 2] * 6)
    grid = product.rows(points(product, 9, seed=1))
    for label, posterior in enumerate(product.given_labels(data, labels, 3)):
        one_by_one = product.cluster(data[labels == label]).posterior()
        assert posterior.terms(grid) == pytest.approx(one_by_one.terms(grid), rel=1e-11, abs=1e-12)


def test_sums_far_from_zero_keep_their_digits():
    family = Product([NormalInverseGamma(0, 1, 1, 1)])
    data = 5e4 + np.random.default_rng(0).standard_normal((40, 1))
    (posterior,) = family.given_labels(data, np.zeros(40, int), 1)
    one_by_one = family.cluster(data).posterior()
    assert posterior.log_density(data) == pytest.approx(one_by_one.log_density(data), rel=1e-9)


@every_family
def test_a_power_multiplies_the_exponent(family):
    """Densities of two sets of parameters: their ratio, to that power."""
    rng = np.random.default_rng(4)
    first, second = family.draw(rng), family.draw(rng)
    ratio = family.log_density_of(first) - family.log_density_of(second)
    for times in (1, 3, 2.5):
        power = family.to_the_power(times)
        assert power.log_density_of(first) - power.log_density_of(second) == pytest.approx(times * ratio, rel=1e-9)


@every_single_family
def test_no_parameters_are_likelier_than_the_mode(family):
    """Along every axis of the parameters, and between them, the density falls on both sides."""
    posterior = family.given(sums_of(points(family, 8)))
    mode, rng = posterior.mode(), np.random.default_rng(0)
    top = posterior.log_density_of(mode)
    for _ in range(30):
        away = 0.02 * rng.standard_normal(mode.mean.shape)
        if isinstance(mode, Normal):
            tilt = 0.02 * rng.standard_normal(mode.covariance.shape)
            spread = (np.eye(len(tilt)) + tilt) @ mode.covariance @ (np.eye(len(tilt)) + tilt).T
            if isinstance(family, NormalKnownVariance):
                spread = mode.covariance
            moved = Normal(mode.mean + away, spread)
        elif isinstance(mode, Poisson):
            moved = Poisson(mode.mean[0] * math.exp(away[0]))
        else:
            probabilities = mode.probabilities * np.exp(away)
            moved = Multinomial(probabilities / probabilities.sum())
        assert posterior.log_density_of(moved) < top


@every_single_family
def test_without_a_prior_the_mode_is_the_maximum_of_likelihood(family):
    data = points(family, 8)
    sums = sums_of(data)
    mode = family.to_the_power(0).given(sums).mode()
    if isinstance(mode, Normal):
        assert mode.mean == pytest.approx(data.mean(axis=0))
        known = isinstance(family, NormalKnownVariance)
        expected = 0.5 * np.eye(len(mode.mean)) if known else np.cov(data.T, bias=True).reshape(mode.covariance.shape)
        assert mode.covariance == pytest.approx(expected)
    elif isinstance(mode, Poisson):
        assert mode.mean == pytest.approx(data.mean(axis=0))
    else:
        assert mode.probabilities == pytest.approx(data.sum(axis=0) / data.sum())


@every_single_family
def test_there_is_no_mode_without_a_prior_and_without_points(family):
    with pytest.raises(NoMode, match=r"as likely|is 0, or any"):
        family.to_the_power(0).mode()


def test_a_variance_of_nothing_is_no_mode():
    line, plane = FAMILIES["normal-inverse-gamma"].to_the_power(0), FAMILIES["normal-inverse-Wishart, plane"]
    for data in (np.full((5, 1), 0.1), np.full((1, 1), 3.0), np.full((1_000, 1), 1e5 + 1 / 3)):
        with pytest.raises(NoMode, match="the maximum-likelihood variance is 0"):
            line.given(sums_of(data)).mode()
    column = np.array([[0.3, 1.0], [0.3, 2.0], [0.3, 4.0]])
    with pytest.raises(NoMode, match="variance of coordinate 1 is 0"):
        plane.to_the_power(0).given(sums_of(column)).mode()
    for data in (np.array([[0.3, 1.0], [0.4, 2.0]]), np.array([[0.3, 0.6], [0.4, 0.8], [1.7, 3.4]])):
        with pytest.raises(NoMode, match="points vary too little"):
            plane.to_the_power(0).given(sums_of(data)).mode()
        assert np.isfinite(plane.given(sums_of(data)).mode().covariance).all()


def test_a_marginal_is_the_integral_over_the_other_coordinates():
    posterior = (
        FAMILIES["normal-inverse-Wishart, plane"]
        .cluster(points(FAMILIES["normal-inverse-Wishart, plane"], 5))
        .posterior()
    )
    marginal = posterior.marginal([1])
    for y in (-2.0, 0.3, 4.0):
        integral, _ = integrate.quad(lambda x, y=y: math.exp(posterior.log_density([[x, y]])[0]), -np.inf, np.inf)
        assert math.exp(marginal.log_density([y])[0]) == pytest.approx(integral, rel=1e-8)
    space = FAMILIES["normal-inverse-Wishart, space"]
    twice = space.marginal([0, 2]).marginal([1])
    assert twice.log_density([0.4, 3.0]) == pytest.approx(space.marginal([2]).log_density([0.4, 3.0]), rel=1e-12)
    parameters = space.draw(np.random.default_rng(0)).marginal([2, 0])
    assert parameters.covariance.shape == (2, 2)
    known = FAMILIES["known variance, plane"]
    assert known.marginal([0]).log_density([1.0]) + known.marginal([1]).log_density([2.0]) == pytest.approx(
        known.log_density([[1.0, 2.0]])
    )


# ---- products --------------------------------------------------------------------------------------------------------


def test_a_product_multiplies_its_families():
    data, grid = points(PRODUCT, 6), points(PRODUCT, 3, seed=1)
    expected = [
        family.cluster(np.delete(data[:, place], hole, axis=0)).posterior().log_density(grid[:1, place])[0]
        for family, place, hole in zip(PRODUCT.families, PRODUCT.places, ([1], [2], [], []), strict=True)
    ]
    posterior = PRODUCT.cluster(data).posterior()
    assert posterior.terms(grid[:1]).tolist() == [pytest.approx(expected, rel=1e-12)]
    assert posterior.terms(grid)[1, 0] == posterior.terms(grid)[2, 1] == 0
    assert posterior.log_density(grid) == pytest.approx(posterior.terms(grid).sum(axis=1))


def test_a_group_with_a_hole_is_left_out_whole():
    rows = PRODUCT.rows([[1.0, np.nan, 2.0, 1, 0, 3, 2], [1.0, 0.5, 2.0, 1, np.nan, 3, np.nan]])
    assert np.isnan(rows).tolist() == [[False, True, True] + [False] * 4, [False] * 3 + [True] * 4]
    nothing = PRODUCT.cluster(np.full((4, 7), np.nan))
    assert nothing.log_marginal() == 0
    assert nothing.posterior().log_density(points(PRODUCT, 3)) == pytest.approx(PRODUCT.log_density(points(PRODUCT, 3)))


def test_a_product_without_some_columns():
    grid = points(PRODUCT, 1, seed=1)
    marginal = PRODUCT.marginal([0, 2, 3])  # of the counts not all: they say nothing then
    plane = FAMILIES["normal-inverse-Wishart, plane"].marginal([1])
    assert marginal.terms(grid[:, [0, 2]]).ravel() == pytest.approx(
        [FAMILIES["known variance"].log_density(grid[:, 0])[0], plane.log_density(grid[:, 2])[0]]
    )
    parameters = PRODUCT.draw(np.random.default_rng(0))
    assert parameters.marginal([0, 3, 4, 5]).dimension == 4
    assert parameters.marginal([0]).log_density(grid[:, :1]) == pytest.approx(
        parameters.groups[0].log_density(grid[:, :1])
    )
    assert PRODUCT.marginal([]).log_density(np.empty((2, 0))).tolist() == [0, 0]


def test_parameters_of_a_product():
    parameters = PRODUCT.typical()
    assert isinstance(parameters, ProductParameters)
    assert parameters.mean == pytest.approx([0.3, 0.3, -1.0, 0.125, 0.25, 0.625, 1.4 / 0.6])
    assert len(parameters.deviations) == 4
    drawn = parameters.points(2_000, np.random.default_rng(0))
    assert (drawn[:, 3:6].sum(axis=1) == 1).all()
    assert np.abs(drawn.mean(axis=0) - parameters.mean).max() < 5 * drawn.std() / math.sqrt(2_000)
    assert PRODUCT.summary()["group 1"]["mean"] == [0.3]
    assert PRODUCT.with_certain_centre(9).families[1].kappa == 9


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([[1.0, 2.0]], r"shape \(n, 7\), got \(1, 2\)"),
        ([["a"] * 7], "numbers in rows of 7"),
        ([[np.nan, 0, 0, 1, 1, 1, 2], [np.inf, 0, 0, 1, 1, 1, 2]], r"finite, got \[inf\] in row 1"),
        ([[0, 0, 0, np.nan, 1, 1, 2], [0, 0, 0, 1, 0.5, 1, 2]], "whole numbers from 0, got .* in row 1"),
    ],
)
def test_rows_that_a_product_cannot_take_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        PRODUCT.rows(data)
