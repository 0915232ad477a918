"""Three classes and numbers on the stage of logistic regression: what is drawn and said is what the models say."""

import re

import numpy as np
import pytest
from scipy.special import expit

from lessons.data.columns import REACH
from lessons.topics.logistic import LogisticSettings
from pages.drawing.plane import GRID
from pages.topics.logistic import LogisticStage, inspector
from pages.topics.logistic.at_probe import DOTS
from pages.topics.logistic.film import LogisticScene, filmed
from samplers.data.planes import NOISE
from samplers.regression.least_squares import LeastSquares
from samplers.regression.softmax import predict_softmax
from tests.pages.html import words

scene_of = LogisticStage().scene

PROBE = (3.0, 2.0)


def scene(**settings) -> LogisticScene:
    return scene_of(LogisticSettings(**settings), 7)


@pytest.mark.parametrize("features", ["linear", "quadratic"])
def test_on_a_border_the_two_best_scores_are_equal(features):
    fit = scene(data="three", features=features).fit
    lines = fit.lines(fit.laplace.mode)
    assert len(lines) >= 2
    corners = np.concatenate(lines)
    corners = corners[np.linalg.norm(corners, axis=1) > 1]  # in the middle three borders meet between the crossings
    scores = np.sort(fit.features(corners) @ fit.laplace.mode.reshape(3, -1).T, axis=1)
    off = (scores[:, 2] - scores[:, 1]) / np.abs(scores).max(axis=1)
    assert off.max() < 0.05
    assert np.median(off) < 3e-3


def test_the_map_has_the_likeliest_class_and_the_triangle_the_draws():
    shown = scene(data="three", points=30)
    film, fit = filmed(shown, PROBE), shown.fit
    answers = predict_softmax(fit.features(np.array([PROBE])), fit.draws)
    assert fit.predict("Monte Carlo", np.array([PROBE])) == pytest.approx(answers)
    drawn = film.still(0)["simplex"]
    x, y = (np.array(drawn[axis]) for axis in "xy")
    draws = np.array([by == "draw" for by in drawn["by"]])
    assert draws.sum() == min(len(fit.draws), DOTS)
    (centre,) = np.flatnonzero([by == "Monte Carlo" for by in drawn["by"]])
    assert (x[centre], y[centre]) == pytest.approx((x[draws].mean(), y[draws].mean()), abs=1e-3)
    at = 40 + 30 * len(GRID[0])
    place = np.array([[GRID[0][40], GRID[1][30]]])
    assert film.data["map"]["k"][at] == fit.predict("Monte Carlo", place).argmax()


def test_a_new_numbers_density_is_a_ratio_of_evidences():
    fit = scene(data="line", points=9, log_precision=-0.5).fit
    at = np.array([[1.7, 0.4], [-3.0, 2.5]])
    for place, density in zip(at, fit.predict("exact", at), strict=True):
        more = np.vstack([fit.points, place])
        both = LeastSquares(fit.features(more), more[:, 1], NOISE**-2, 10**-0.5)
        ratio = np.exp(both.log_evidence() - fit.model.log_evidence())
        assert density == pytest.approx(ratio, rel=1e-9)


def test_each_line_goes_from_side_to_side():
    fit = scene(data="line").fit
    ((left, right),) = fit.lines(np.array([0.5, 2.0]))
    assert left.tolist() == [-REACH[0], 0.5 - 2 * REACH[0]]
    assert right.tolist() == [REACH[0], 0.5 + 2 * REACH[0]]
    assert fit.lines(np.array([np.nan, 0])) == []


def test_cards_say_what_is_computed():
    three, line = scene(data="three").fit, scene(data="line").fit
    text = words(inspector.probe(three, PROBE))
    for by, name in (("plug-in", "Plug-in"), ("Monte Carlo", "Mean of 20 draws"), ("exact", "Estimated posterior")):
        said = re.search(rf"{name} (\S+) (\S+) (\S+)", text).groups()
        assert [float(each) for each in said] == pytest.approx(three.predict(by, np.array([PROBE]))[0], abs=6e-4)
    mean, deviation = (each[0] for each in line.predicted("exact", np.array([PROBE])))
    text = words(inspector.probe(line, PROBE))
    assert float(re.search(r"with mean (\S+)\.", text)[1]) == pytest.approx(mean, rel=6e-3)
    assert f"{deviation:.3f}" in text
    assert "Nothing to compare" in inspector.errors(line)
    assert re.search(
        r"Plug-in 0\.\d{4} 0\.\d{4} Monte Carlo 0\.\d{4} 0\.\d{4} Estimated posterior 0\.0000 0\.0000",
        words(inspector.errors(three)),
    )


def test_settings_that_have_no_meaning_give_way():
    for data, by in (("three", "Monte Carlo"), ("line", "exact")):
        settings = LogisticSettings(data=data, predictive="MacKay", against="probit", prior="flat", log_precision=1.0)
        assert settings.averages == by
        assert settings.compared is None
        assert settings.prior_precision == 10
        assert not settings.matters("rule")
        right, wrong = (settings.model_copy(update={"rule": rule}) for rule in ("right", "no prior in H"))
        for view in ("step", "code"):
            assert LogisticStage().cards(wrong, 7, view, 2) == LogisticStage().cards(right, 7, view, 2)


def test_points_stand_on_sigma_at_their_activations():
    shown = scene(data="few", curve="sigma")
    frames = filmed(shown, PROBE).frames(0, 4)
    weights = shown.run.positions[3]
    assert frames["points", "a"][3] == pytest.approx(shown.fit.points @ weights, rel=1e-5)
    assert expit(frames["points", "a"][0]).tolist() == [0.5] * 6
