"""Gradient descent and Newton's method step by step, and the mode that the robust Newton finds."""

import dataclasses

import numpy as np
import pytest
from scipy import special

from samplers.log_density import NoMode
from samplers.regression.logistic import LogisticRegression
from samplers.regression.optimise import FAR, GradientDescent, Newton, newton_mode
from tests.samplers.derivatives import central_differences
from tests.samplers.regression.regressions import check_mode, in_the_plane, of_many_weights

MODELS = {
    "overlapping": in_the_plane(bias=True),
    "quadratic features": in_the_plane("xor", bias=True, feature_map="quadratic"),
    "bumps": in_the_plane("xor", 60, 0.1, feature_map="rbf"),
    "separable": in_the_plane("separable", prior_precision=1e-3),
    "outlier": in_the_plane("outlier", prior_precision=[0.1, 3.0]),
    "features of all sizes": of_many_weights(weights=9),
    "no prior": in_the_plane(prior_precision=0, bias=True),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())


@every_model
def test_the_mode_is_that_of_scipy(model):
    found = newton_mode(model)
    check_mode(model, found.position)
    assert found.log_density == pytest.approx(float(model.log_density(found.position)), rel=1e-13)
    assert found.precision == pytest.approx(-model.gradient_and_hessian(found.position)[1], rel=1e-12)
    assert found.steps <= 20


def test_the_comparison_with_scipy_can_fail():
    model = MODELS["overlapping"]
    with pytest.raises(AssertionError):
        check_mode(model, newton_mode(dataclasses.replace(model, prior_precision=1 + 1e-6)).position)


def follow(optimiser, steps):
    """Return the states and the records of so many steps."""
    states, records = [optimiser.init()], []
    for _ in range(steps):
        state, record = optimiser.step(states[-1])
        states.append(state)
        records.append(record)
    return states, records


def setbacks(records):
    return sum(record.setback for record in records)


@every_model
def test_newton_goes_to_the_mode_and_doubles_its_digits(model):
    path, records = follow(Newton(model), 25)
    mode = newton_mode(model).position
    away = np.array([np.abs(state.position - mode).max() for state in path])
    assert away[-1] < 1e-10 * (1 + np.abs(mode).max())
    assert setbacks(records) == 0
    near = np.flatnonzero((away < 1e-2) & (away > 1e-6))
    assert len(near)
    assert (away[near + 1] < 0.1 * away[near]).all()


@every_model
def test_a_newton_step_is_reweighted_least_squares(model):
    """The step of the textbooks, which works on z = X w + S⁻¹ (y - μ) and never forms a gradient."""
    for state, record in zip(*follow(Newton(model), 3), strict=False):
        at = model.features @ state.position
        variance = special.expit(at) * special.expit(-at)
        working = at + (model.labels - special.expit(at)) / variance
        normal = (model.features.T * variance) @ model.features + np.diag(model.precisions)
        expected = np.linalg.solve(normal, (model.features.T * variance) @ working)
        assert record.proposed == pytest.approx(expected, rel=1e-7, abs=1e-9)


def values_of(quadratic):
    """The function of positions of shape (..., D) that a quadratic says in its docstring."""

    def at(positions):
        away = positions - quadratic.centre
        return (
            quadratic.value + away @ quadratic.gradient + 0.5 * np.einsum("...i,...i", away @ quadratic.curvature, away)
        )

    return at


@pytest.mark.parametrize(("optimiser", "step_length"), [(Newton, 1.0), (Newton, 0.4), (GradientDescent, 0.02)])
def test_a_step_minimises_the_quadratic_that_it_shows(optimiser, step_length):
    model = MODELS["overlapping"]
    climber = optimiser(model, step_length)
    (*_, state, after), (*_, inside) = follow(climber, 3)
    quadratic = values_of(inside.quadratic)
    assert quadratic(state.position) == pytest.approx(-state.log_density)
    assert central_differences(quadratic, state.position) == pytest.approx(inside.gradient, abs=1e-6)
    assert central_differences(quadratic, inside.proposed) == pytest.approx(np.zeros(3), abs=1e-6)
    around = inside.proposed + np.random.default_rng(0).standard_normal((4, 5, 3))
    assert (quadratic(around) > quadratic(inside.proposed)).all()
    gradient, hessian = model.gradient_and_hessian(state.position)
    assert inside.gradient == pytest.approx(-gradient)
    assert inside.hessian == pytest.approx(-hessian)
    assert inside.proposed == pytest.approx(state.position + inside.step)
    assert (inside.step_length, inside.log_density, inside.diverged) == (step_length, state.log_density, False)
    assert inside.log_density_after == pytest.approx(float(model.log_density(inside.proposed)))
    assert (after.position == inside.proposed).all()
    assert after.log_density == inside.log_density_after


def test_newtons_quadratic_is_the_taylor_expansion():
    model = MODELS["overlapping"]
    (_, state, _), (_, record) = follow(Newton(model), 2)
    quadratic = values_of(record.quadratic)
    for distance in (1e-2, 1e-3):
        away = state.position + distance * np.array([0.6, -0.5, 0.6])
        assert abs(quadratic(away) + model.log_density(away)) < 30 * distance**3


def largest_eigenvalue(model, at=None):
    """Of the Hessian, at the mode; it is larger at 0 than anywhere else."""
    _, hessian = model.gradient_and_hessian(newton_mode(model).position if at is None else at)
    return np.linalg.eigvalsh(-hessian).max()


def test_gradient_descent_goes_down_swings_or_flies_off():
    """Below 2/L it goes down; above, it swings for ever as the prior holds it; above 2/λ nothing does."""
    model = in_the_plane(prior_precision=1.0)
    short, long, far = 1 / largest_eigenvalue(model, [0, 0]), 3 / largest_eigenvalue(model), 2.2
    assert long < 2
    path, records = follow(GradientDescent(model, short), 400)
    assert setbacks(records) == 0
    assert path[-1].position == pytest.approx(newton_mode(model).position, abs=1e-9)
    path, records = follow(GradientDescent(model, long), 400)
    assert setbacks(records) > 100
    assert not records[-1].diverged
    assert np.abs(path[-1].position - newton_mode(model).position).max() > 0.1
    check_frozen(*follow(GradientDescent(model, far), 400))


def check_frozen(path, records):
    """Once it has diverged nothing moves any more, and all that was shown is finite."""
    lost = [record.diverged for record in records].index(True)
    assert all(state is path[lost] for state in path[lost:])
    assert all(record.diverged for record in records[lost:])
    assert all(np.isfinite(state.position).all() and np.isfinite(state.log_density) for state in path)
    assert all(np.abs(state.position).max() <= FAR for state in path)


def test_newton_without_damping_is_lost_on_separable_data():
    flat = in_the_plane("separable", prior_precision=0)
    path, records = follow(Newton(flat), 100)
    check_frozen(path, records)
    inside = records[-1]
    assert np.isfinite(inside.step).all()
    assert np.isfinite(values_of(inside.quadratic)(inside.proposed))
    wild = in_the_plane("separable", prior_precision=1e-6)
    assert newton_mode(wild, start=[-4.0, -3.0]).position == pytest.approx(newton_mode(wild).position, rel=1e-8)


def test_damping_keeps_what_newton_loses():
    """From 6 standard units on the wrong side, full steps jump to and fro; short ones come back."""
    model = LogisticRegression([[1.0], [1.0], [1.0], [-1.0]], [1, 1, 0, 0], 1e-4)
    full, jumps = follow(Newton(model, start=[6.0]), 60)
    damped, records = follow(Newton(model, 0.02, start=[6.0]), 1000)
    mode = newton_mode(model).position
    assert full[1].position[0] < -20
    assert jumps[0].setback
    assert setbacks(records) == 0
    assert damped[-1].position == pytest.approx(mode, abs=1e-6)


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1]])
def test_labels_that_are_all_equal(labels):
    features = [[1.0, -2.0], [1.0, 0.5], [1.0, 3.0]]
    check_mode(found := LogisticRegression(features, labels, 0.5), newton_mode(found).position)
    with pytest.raises(NoMode, match="A prior precision above 0"):
        newton_mode(LogisticRegression(features, labels, 0))
    with pytest.raises(NoMode, match="larger weights"):
        newton_mode(LogisticRegression(features, labels, [0, 1]))  # the bias alone tells them


@pytest.mark.parametrize("name", ["separable", "few"])
def test_separable_data_as_the_prior_vanishes(name):
    sizes = []
    for prior_precision in (1, 1e-2, 1e-4, 1e-8, 1e-12):
        model = in_the_plane(name, prior_precision=prior_precision)
        found = newton_mode(model)
        gradient, _ = model.gradient_and_hessian(found.position)
        assert np.sqrt(gradient @ np.linalg.solve(found.precision, gradient)) < 1e-9
        assert found.steps < 60
        sizes.append(np.linalg.norm(found.position))
    assert (np.diff(sizes) > 1).all()
    with pytest.raises(NoMode, match="classes can be separated"):
        newton_mode(in_the_plane(name, prior_precision=0))


def test_classes_that_touch_have_no_mode_without_a_prior():
    """On a line through the points 0 | 0 1 | 1: some margins stay 0 while the others grow (quasi-separation)."""
    model = LogisticRegression([[1.0, -1.0], [1.0, 0.0], [1.0, 0.0], [1.0, 2.0]], [0, 0, 1, 1], 0)
    for tolerance in (1e-10, 1e-4, 0.1):
        with pytest.raises(NoMode, match="A prior precision above 0"):
            newton_mode(model, tolerance)


def test_separation_is_seen_whatever_the_tolerance_and_the_scale():
    for scale in (1e-6, 1, 1e6):
        coordinates = scale * in_the_plane("separable").features
        model = LogisticRegression(coordinates, in_the_plane("separable").labels, 0)
        for tolerance in (1e-10, 1e-4, 0.1):
            with pytest.raises(NoMode):
                newton_mode(model, tolerance)
        overlapping = in_the_plane(prior_precision=0)
        found = newton_mode(LogisticRegression(scale * overlapping.features, overlapping.labels, 0))
        assert scale * found.position == pytest.approx(newton_mode(overlapping).position, rel=1e-9)


def test_collinear_constant_and_useless_features():
    x = in_the_plane().features[:, 0]
    labels = in_the_plane().labels
    twice = np.column_stack([x, x])
    found = newton_mode(LogisticRegression(twice, labels, 1e-3)).position
    alone = newton_mode(LogisticRegression(x[:, None], labels, 0.5e-3)).position
    assert found == pytest.approx(np.repeat(alone / 2, 2), rel=1e-9)
    for features in (twice, np.column_stack([x, np.zeros(40)]), np.column_stack([x, np.ones(40), np.ones(40)])):
        with pytest.raises(NoMode, match="features are collinear"):
            newton_mode(LogisticRegression(features, labels, 0))
        check_mode(model := LogisticRegression(features, labels, 0.1), newton_mode(model).position)
    wide = np.random.default_rng(0).standard_normal((3, 8))  # fewer points than weights
    check_mode(model := LogisticRegression(wide, [0, 1, 1], 0.1), newton_mode(model).position)


def test_collinear_features_never_pass_by_rounding():
    rng = np.random.default_rng(0)
    for _ in range(60):
        features = rng.standard_normal((50, 3)) @ rng.standard_normal((3, 4))  # four features of three
        with pytest.raises(NoMode):
            newton_mode(LogisticRegression(features, rng.integers(2, size=50), 0))


@every_model
def test_rounding_ends_a_search_that_asks_for_too_much(model):
    assert newton_mode(model, tolerance=1e-300).position == pytest.approx(newton_mode(model).position, rel=1e-8)


def test_one_point_and_none():
    check_mode(model := LogisticRegression([[2.0, 1.0]], [1], 0.3), newton_mode(model).position)
    assert newton_mode(LogisticRegression(np.empty((0, 2)), [], 0.3)).position.tolist() == [0, 0]


def test_a_hundred_thousand_rows():
    model = of_many_weights(100_000, 5)
    found = newton_mode(model)
    assert np.abs(np.linalg.solve(found.precision, model.gradient_and_hessian(found.position)[0])).max() < 1e-12
    assert found.steps < 12


class WrongCurvature:
    """A log density whose Hessian is not a number beyond 1."""

    dimension = 1

    def log_density(self, position):
        return -((position[0] - 3) ** 4)

    def gradient_and_hessian(self, position):
        away = position - 3
        return -4 * away**3, np.array([[-12 * away[0] ** 2 if position[0] < 1 else np.nan]])


def test_what_cannot_be_is_named():
    model = MODELS["overlapping"]
    with pytest.raises(ValueError, match="step_length must be finite and > 0, got 0"):
        Newton(model, 0)
    with pytest.raises(ValueError, match="start must be 3 finite numbers"):
        GradientDescent(model, 0.1, start=[0, 0])
    with pytest.raises(ValueError, match=r"start must be within ±1e\+08"):
        GradientDescent(model, 0.1, start=[0, 0, 1e9])
    with pytest.raises(ValueError, match="read-only"):
        Newton(model).init().position[0] = 1
    with pytest.raises(ValueError, match="tolerance must be finite and > 0"):
        newton_mode(model, 0)
    with pytest.raises(ValueError, match="most must be 1 or more"):
        newton_mode(model, most=0)
    with pytest.raises(NoMode, match="in 1 Newton steps"):
        newton_mode(model, most=1)
    with pytest.raises(NoMode, match="Hessian is not finite"):
        newton_mode(WrongCurvature())
