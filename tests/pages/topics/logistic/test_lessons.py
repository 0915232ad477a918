"""The numbers and claims of the lessons on logistic regression, each computed again from the step's own settings."""

import re
from itertools import pairwise

import numpy as np
import pytest
from scipy import optimize
from scipy.special import softmax

from lessons.topics.logistic import LogisticSettings
from pages.drawing.plane import grid_places
from pages.topics.logistic import LogisticStage, inspector
from pages.topics.logistic.charts import FULL
from pages.topics.logistic.film import LogisticScene
from pages.topics.logistic.fit import Fit
from samplers.log_density import NoMode
from samplers.regression.least_squares import LeastSquares
from samplers.regression.logistic import LogisticRegression
from samplers.regression.optimise import newton_mode
from samplers.regression.softmax import predict_softmax
from tests.pages.topics.logistic.steps import scene, scene_of, settings_of


def step_of(scene, t):
    return LogisticStage.modes[scene.settings.mode].views["step"](scene, t)


pytestmark = pytest.mark.told

AVERAGES = ("probit", "MacKay", "quadrature")


def at_probe(lesson: str, step: str, times: float = 1) -> dict[str, float]:
    """Return the predictives at a step's probe, or farther out along its ray."""
    shown, settings = scene(lesson, step), settings_of(lesson, step)
    place = times * np.array([[settings.probe_x, settings.probe_y]])
    return {by: float(shown.fit.predict(by, place)[0]) for by in ("plug-in", "exact", *AVERAGES)}


def apart(shown: LogisticScene, by: str, other: str) -> np.ndarray:
    places = grid_places()
    return np.abs(shown.fit.predict(by, places) - shown.fit.predict(other, places))


def separable(points: np.ndarray, labels: np.ndarray) -> bool:
    try:
        newton_mode(LogisticRegression(points, labels, 0.0))
    except NoMode:
        return True
    return False


# ---- one line, or many -----------------------------------------------------------------------------------------------


def test_without_a_prior_the_weights_pass_30_by_about_a_step_and_a_fifth():
    run = scene("logistic-one-line", "run").run
    assert separable(run.fit.points, run.fit.labels)
    assert run.positions[30, 0] > 30
    assert run.positions[30, 0] - run.positions[29, 0] == pytest.approx(1.2, abs=0.03)
    text = step_of(scene("logistic-one-line", "run"), 30)
    assert "g = (0" not in text, "small, but not 0"
    assert re.search(r"rises by \S+e−13: −5\.335e−13 → ", text)


def test_with_a_prior_eight_steps_find_the_mode():
    run = scene("logistic-one-line", "map").run
    assert run.positions[8].round(2).tolist() == [1.11, 0.23]
    np.testing.assert_allclose(run.positions[8], run.fit.laplace.mode, atol=1e-9)


def test_lines_that_the_points_do_not_rule_out_say_red():
    shown = scene("logistic-one-line", "draws")
    said = at_probe("logistic-one-line", "draws")
    assert said["quadrature"] == pytest.approx(0.87, abs=0.005)
    assert said["exact"] == pytest.approx(0.90, abs=0.005)
    assert said["plug-in"] == pytest.approx(0.993, abs=5e-4)
    grid = shown.fit.grid
    first, second = np.meshgrid(*grid.axes, indexing="ij")
    assert grid.density.sum() / grid.density[5 * first - 3 * second < 0].sum() == pytest.approx(13, abs=0.5), (
        "one in thirteen"
    )
    wrong = ((shown.fit.draws @ shown.fit.points.T > 0) != shown.fit.labels).any(axis=1)
    assert len(wrong) == 20
    assert wrong.sum() == 10, "half of them part the classes"
    assert at_probe_by_draws(shown.fit) == pytest.approx(0.87, abs=0.005), "as over all of Laplace's Normal"
    share = (scene("logistic-far", "infinity").fit.draws @ [5, -3] > 0).mean()
    assert share == pytest.approx(0.89, abs=0.015), "who counts the lines has the answer"


def at_probe_by_draws(fit: Fit) -> float:
    return float(fit.predict("Monte Carlo", np.array([[5.0, -3.0]]))[0])


def test_a_small_precision_makes_the_mode_surer_than_the_posterior():
    shown = scene("logistic-one-line", "free", log_precision=-1.0)
    text = inspector.probe(shown.fit, (5, -3))
    assert "<b>1.000</b>" in text
    assert "<b>0.981</b>" in text


# ---- Newton's parabola -----------------------------------------------------------------------------------------------


def still_from(run, digits: float = 5e-4) -> int:
    """Return the first iteration from which the weights are those of the mode to three digits."""
    off = np.abs(run.positions - run.fit.laplace.mode).max(axis=1)
    return int(np.flatnonzero(off > digits).max()) + 1


def test_a_short_step_a_long_one_and_newtons():
    short, long, newton = (scene("logistic-newton", step).run for step in ("bowl", "falls", "newton"))
    lengths = np.linalg.norm(np.diff(short.positions[:11], axis=0), axis=1)
    assert 0.7 < lengths[0] < 1.2
    assert lengths[-1] < 0.05
    assert still_from(short) > 30
    assert still_from(short, digits=5e-3) > 30, "by three digits in all, too"
    changes = np.diff(long.value[:21])
    assert (changes < 0).tolist() == [True, False] * 10, "every other step, ten in twenty"
    assert still_from(newton, digits=5e-6) == 5
    assert still_from(
        scene_of(newton.fit.settings.model_copy(update={"method": "gradient", "step_length": 0.3}), 7).run
    )


def test_the_falls_can_be_counted_and_the_leaps_seen():
    shown = scene("logistic-newton", "falls")
    low, high = shown.film.params["span"]
    assert low < shown.run.value[:21].min()
    assert shown.run.value[:21].max() < high
    for axis, name in enumerate(("wx", "wy")):
        low, high = shown.film.params[name]
        assert low < shown.run.positions[:21, axis].min()
        assert shown.run.positions[:21, axis].max() < high


# ---- what the ellipse says -------------------------------------------------------------------------------------------


def test_the_first_ellipse_is_a_circle_and_two_points_narrow_it_in_one_direction():
    run = scene("logistic-ellipse", "first").run
    assert run.ellipse[0].tolist() == [0, 0, 1, 0, 1]
    assert sorted(run.fit.labels[:2].tolist()) == [0, 1]
    spreads = np.sqrt(np.linalg.eigvalsh(run.laplaces[2].covariance))
    assert spreads[0] < 0.7
    assert spreads[1] > 0.9


def width_by_hand(fit: Fit, many: int) -> float:
    """Return the width of the ellipse of the first points, by another search for the mode and differences for H."""
    x, y = fit.points[:many], fit.labels[:many]

    def minus(w: np.ndarray) -> float:
        return float(np.logaddexp(0, np.where(y == 1, -1, 1) * (x @ w)).sum() + w @ w / 2)

    mode = optimize.minimize(minus, np.zeros(2), method="BFGS", options={"gtol": 1e-9}).x
    p = 1 / (1 + np.exp(-x @ mode))
    return float(np.linalg.det((x * (p * (1 - p))[:, None]).T @ x + np.eye(2)) ** -0.25)


def test_the_first_label_on_the_wrong_side_settles_a_lot():
    run = scene("logistic-ellipse", "wrong-side").run
    points, labels, width = run.fit.points, run.fit.labels, run.value
    assert separable(points[:23], labels[:23])
    assert not separable(points[:24], labels[:24])
    assert labels[23] == 1
    assert points[23].round(1).tolist() == [-0.8, -0.4]
    assert width[[13, 23, 24]] == pytest.approx([0.63, 0.58, 0.53], abs=0.005)
    assert width[23] - width[24] > 0.8 * (width[13] - width[23]), "nearly as much as with the ten before"
    assert width[[26, 27]] == pytest.approx([width_by_hand(run.fit, t) for t in (26, 27)], abs=1e-6)
    assert [f"{width_by_hand(run.fit, t):.3f}" for t in (26, 27)] == ["0.530", "0.532"]
    assert width[29] - width[30] > 0.03
    assert labels[29] != (points[29] @ run.positions[29] > 0), "a surprise"
    assert max(before - after for before, after in pairwise(width[24:30])) < 0.005


def test_four_times_the_data_halve_the_width():
    run = scene("logistic-ellipse", "root").run
    assert run.value[[50, 200]] == pytest.approx([0.44, 0.20], abs=0.005)


def test_with_xor_the_evidence_rises_to_the_end_and_with_quadratic_features_it_does_not():
    for features, at_bound in (("linear", True), ("quadratic", False)):
        shown = scene("logistic-ellipse", "evidence", data="xor", features=features)
        assert inspector._evidence(shown)[2] == at_bound


# ---- far from the data -----------------------------------------------------------------------------------------------


def test_far_out_the_average_is_the_share_of_lines():
    said = at_probe("logistic-far", "infinity", times=1e4)
    assert said["plug-in"] == pytest.approx(1)
    assert said["quadrature"] == pytest.approx(0.89, abs=0.005)
    assert said["probit"] == pytest.approx(said["quadrature"], abs=1e-4)
    assert said["exact"] == pytest.approx(0.92, abs=0.005)


def test_probit_is_nearer_far_out():
    said = at_probe("logistic-five-ways", "five")
    off = {by: abs(said[by] - said["quadrature"]) for by in AVERAGES}
    assert off["probit"] == pytest.approx(0.003, abs=5e-4)
    assert off["MacKay"] == pytest.approx(0.014, abs=5e-4)


def test_the_map_of_the_error_is_pale_for_mackay_and_strong_for_the_plug_in():
    shown = scene("logistic-five-ways", "map")
    assert apart(shown, "MacKay", "quadrature").max() < 0.2 * FULL
    assert apart(shown, "probit", "quadrature").max() < 0.2 * FULL
    assert apart(shown, "plug-in", "quadrature").max() > FULL


def test_averaging_pays_where_the_approximation_is_good_and_not_where_it_is_bad():
    good, bad = scene("logistic-five-ways", "truth"), scene("logistic-five-ways", "surprise")
    means = {by: apart(good, by, "exact").mean() for by in ("plug-in", *AVERAGES)}
    assert means["plug-in"] == pytest.approx(0.062, abs=5e-4)
    assert means["quadrature"] == pytest.approx(0.032, abs=5e-4)
    assert max(means[by] for by in AVERAGES) < 0.65 * means["plug-in"]
    assert apart(bad, "plug-in", "exact").mean() == pytest.approx(0.045, abs=5e-4)
    assert apart(bad, "quadrature", "exact").mean() == pytest.approx(0.079, abs=5e-4)


# ---- spot the error --------------------------------------------------------------------------------------------------


def test_each_error_shows_as_it_is_told():
    right = scene_of(LogisticSettings(data="overlapping", points=12), 7)
    assert right.fit.laplace.mode.round(2).tolist() == [1.30, 0.84]
    assert apart(right, "MacKay", "quadrature").max() < 0.02
    wide = scene("logistic-spot-the-error", "hessian")
    np.testing.assert_allclose(wide.fit.laplace.mode, right.fit.laplace.mode, atol=1e-9)
    wrong, whole = (np.linalg.inv(shown.fit.laplace.covariance) for shown in (wide, right))
    np.testing.assert_allclose(whole - wrong, np.eye(2), atol=1e-6)
    assert f"{wrong[0, 0]:.3g}" in step_of(wide, 8)
    assert f"{whole[0, 0]:.3g}" in step_of(wide, 8)
    half = scene("logistic-spot-the-error", "half")
    assert half.fit.laplace.mode.round(2).tolist() == [0.91, 0.62]
    assert "+ 2λw" in step_of(half, 8)
    below = scene("logistic-spot-the-error", "gaussian")
    places = grid_places()
    assert below.fit.predict("probit", places).max() < 0.71
    assert below.fit.predict("probit", np.zeros((1, 2)))[0] == pytest.approx(0.35, abs=5e-3)
    pulled = scene("logistic-spot-the-error", "mackay")
    assert apart(pulled, "MacKay", "quadrature").max() == pytest.approx(0.111, abs=5e-4)
    assert apart(pulled, "MacKay", "quadrature").max() > FULL


# ---- three classes ---------------------------------------------------------------------------------------------------


def test_three_scores_make_three_probabilities():
    fit = scene("logistic-three-classes", "scores").fit
    weights = fit.laplace.mode.reshape(3, 2)
    scores = weights @ (5.0, 1.0)
    assert scores == pytest.approx([1.05, -5.06, 4.01], abs=6e-3)
    powers = np.exp(scores)
    assert [f"{power:.3g}" for power in powers] == ["2.85", "0.00637", "55"]
    assert powers[2] / powers.sum() == pytest.approx(0.951, abs=5e-4)
    np.testing.assert_allclose(weights.sum(axis=0), 0, atol=1e-8)
    moved = np.ravel(weights + np.array([0.7, -2.0]))[None]
    np.testing.assert_allclose(
        predict_softmax(fit.points, moved), predict_softmax(fit.points, fit.laplace.mode[None]), atol=1e-12
    )


def test_newton_climbs_for_three_classes_as_for_two():
    run = scene("logistic-three-classes", "climb").run
    assert run.value[[0, 8]] == pytest.approx([-38.47, -13.67], abs=5e-3)
    assert still_from(run) == 5


def by_importance(fit: Fit, place: np.ndarray) -> tuple[float, float]:
    """Return the posterior's probability of class 2, by another way than the card's, and its standard error.

    The mean of forty sums of 40,000 draws from a Normal 1.3 times as wide as Laplace's, with the density of softmax
    regression written out.
    """
    rng, factor = np.random.default_rng(11), 1.3 * np.linalg.cholesky(fit.laplace.covariance)
    found = []
    for _ in range(40):
        normal = rng.standard_normal((40_000, 6))
        weights = fit.laplace.mode + normal @ factor.T
        scores = weights.reshape(-1, 3, 2) @ fit.points.T
        seen = weights @ np.concatenate([fit.points[fit.labels == label].sum(axis=0) for label in range(3)])
        log_joint = seen - np.log(np.exp(scores).sum(axis=1)).sum(axis=1) - (weights**2).sum(axis=1) / 2
        shares = softmax(log_joint + (normal**2).sum(axis=1) / 2)
        found.append(shares @ softmax(weights.reshape(-1, 3, 2) @ place, axis=1)[:, 2])
    return float(np.mean(found)), float(np.std(found, ddof=1) / np.sqrt(40))


def test_the_mean_lies_among_the_dots():
    fit = scene("logistic-three-classes", "simplex").fit
    at = np.array([[5.0, 1.0]])
    assert f"{fit.predict('Monte Carlo', at)[0, 2]:.2f}" == "0.82"
    truth, error = by_importance(fit, at[0])
    assert error < 3e-4
    assert truth == pytest.approx(0.855, abs=5e-4 + error)
    assert f"{fit.predict('exact', at)[0, 2]:.3f} {fit.error(at)[2]:.3f}" == "0.855 0.001"
    each = np.array([predict_softmax(np.array([[5.0, 1.0]]), weights[None])[0] for weights in fit.draws])
    assert (each[:, 1] < 0.05).mean() > 0.98, "along one side"


# ---- where Laplace is exact ------------------------------------------------------------------------------------------


def test_one_step_finds_least_squares():
    run = scene("logistic-least-squares", "numbers").run
    np.testing.assert_allclose(run.positions[1], run.fit.model.posterior()[0], atol=1e-12)
    np.testing.assert_allclose(run.positions[2], run.positions[1], atol=1e-12)
    slower = scene("logistic-least-squares", "numbers", method="gradient", step_length=0.03).run
    assert still_from(slower) > 4, "gradient descent needs several"


def test_the_ellipse_is_the_posterior_at_every_step_and_knows_nothing_of_the_numbers():
    shown = scene("logistic-least-squares", "ellipse")
    for t in range(21):
        mean, covariance = shown.at(t).model.posterior()
        found = shown.run.laplaces[t]
        np.testing.assert_allclose(found.mode, mean, atol=1e-10)
        np.testing.assert_allclose(found.covariance, covariance, atol=1e-10)
    others = LeastSquares(shown.fit.model.features, np.arange(20.0), 1.0, 1.0)
    np.testing.assert_allclose(others.posterior()[1], covariance, atol=1e-12)


def test_both_ways_to_the_evidence_agree():
    shown = scene("logistic-least-squares", "evidence")
    assert shown.run.laplaces[20].log_evidence == pytest.approx(-30.22, abs=5e-3)
    assert step_of(shown, 20).count("−30.22") == 2
    best = 10 ** inspector._evidence(scene("logistic-least-squares", "free"))[1]
    assert best == pytest.approx(2, abs=0.1)


def test_the_band_is_wider_than_the_noise():
    fit = scene("logistic-least-squares", "spread").fit
    places = np.array([[6.0, 0.0], [fit.points[:, 0].mean(), 0.0]])
    _, (far, near) = fit.predicted("exact", places)
    assert far == pytest.approx(1.40, abs=6e-3)
    assert far**2 - 1 == pytest.approx(0.946, abs=6e-4)
    assert 1 < near < 1.05
    assert fit.predicted("plug-in", places)[1].tolist() == [1, 1]
    assert np.abs(fit.points[:, 0]).max() < 6


# ---- draws of lines --------------------------------------------------------------------------------------------------
