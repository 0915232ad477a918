"""Films of logistic regression with odd points, without a mode, and while points are added."""

import json
from dataclasses import replace
from itertools import cycle, pairwise

import numpy as np
import pytest

from lessons.topics.logistic import MOST_POINTS, LogisticSettings
from pages.drawing.plane import CELLS, grid_places
from pages.topics.logistic.film import FIRST_LOOK, LogisticScene, filmed
from pages.topics.logistic.fit import PART, Fit
from pages.topics.logistic.maps import LINES
from samplers.regression.softmax import predict_softmax
from tests.pages.topics.logistic.films import METHODS, OWN, PROBE, SEED, film_of, own_scene, scene_of, sent


def assert_plays(scene: LogisticScene) -> None:
    last = min(scene.run.total, FIRST_LOOK)
    film = replace(film_of(scene), grow=lambda t: min(t, last))  # more takes time
    for t in (0, last):
        head, columns = sent(film, at=t)
        assert head["count"] > t
        assert all(values.dtype != float for values in columns.values())
        assert not any(np.isinf(values).any() for values in columns.values())


@pytest.mark.parametrize(("name", "method"), [*zip(OWN, cycle(METHODS)), *zip(OWN, cycle([*METHODS][2:]))])
def test_points_of_ones_own_can_be_sent_however_odd(name, method):
    for prior, features in (("flat", "linear"), ("normal", "rbf")):
        bias = "on" if features == "rbf" else "off"
        if (method, name) != ("chain", "as many as there may be") or features == "linear":
            assert_plays(own_scene(name, method=method, prior=prior, features=features, bias=bias, log_precision=-2.0))


@pytest.mark.parametrize("method", ["newton", "gradient"])
def test_a_run_that_diverges_is_sent_and_says_so(method):
    if method == "newton":
        scene = scene_of(LogisticSettings(data="separable", prior="flat", step_length=2.5), SEED)
    else:
        scene = scene_of(LogisticSettings(method="gradient", step_length=2.5, log_precision=3.0), SEED)
    assert_plays(scene)
    frames = film_of(scene).frames(0, scene.run.total + 1)
    lost = frames["say", "lost"][:, 0]
    assert lost[-1] == 1
    assert lost[0] == 0
    assert all(before <= after for before, after in pairwise(lost.tolist()))
    assert np.isnan(frames["quadratic", "a"][-1]).all(), "there is no step that it would explain"
    assert np.isfinite(frames["here", "wx"]).all(), "the last good position stays"


def test_five_hundred_points_are_all_looked_at():
    scene = own_scene("as many as there may be", method="points")
    film = film_of(scene)
    assert film.total == MOST_POINTS > FIRST_LOOK
    while film.grow(film.total) < film.total:
        pass
    frames = film.frames(FIRST_LOOK, film.total + 1)
    assert np.isfinite(frames["past", "value"]).all()
    assert frames["points", "seen"][-1].all()


def test_what_a_grid_cannot_hold_is_estimated():
    alone = own_scene("one", log_precision=-4.0).fit
    assert alone.laplace is not None
    assert alone.grid is None
    assert alone.estimated
    assert len(alone.posterior.shares) > 1_000
    held = scene_of(LogisticSettings(), SEED).fit
    assert held.grid is not None
    assert not held.estimated


def test_without_a_mode_all_predictives_are_one_half():
    fit = scene_of(LogisticSettings(data="separable", prior="flat"), SEED).fit
    assert fit.laplace is None
    assert "no mode" in fit.problem
    for by in ("plug-in", "Monte Carlo", "exact"):
        assert fit.predict(by, grid_places()).tolist() == [0.5] * (CELLS[0] * CELLS[1])
    assert film_of(scene_of(LogisticSettings(data="separable", prior="flat"), SEED)).data["laplace"]["a"] == [None] * 2


@pytest.mark.parametrize("method", ["newton", "gradient"])
def test_without_a_mode_the_plug_in_follows_the_steps(method):
    scene = scene_of(LogisticSettings(data="separable", prior="flat", method=method, predictive="plug-in"), SEED)
    film = film_of(scene)
    assert set(film.data["map"]["t"]) == {-2}, "there is no map that holds at every step"
    for t in (0, 5, 30):
        still = film.still(t)
        activations = scene.fit.features(grid_places()) @ scene.run.positions[t]
        np.testing.assert_allclose(still["map"]["v"], np.tanh(activations / 2), atol=1e-3)
        assert set(still["map"]["t"]) == {t}
        assert set(still["ray"]["by"]) == {"plug-in"}
    assert set(film_of(scene_of(LogisticSettings(predictive="quadrature"), SEED)).data["map"]["t"]) == {-1}


def test_with_a_prior_the_plane_is_that_of_the_weights_until_they_reach_the_mode():
    """At w = 0 every probability is one half: no colour, and no draws around a mode that is still to be found."""
    film = film_of(scene_of(LogisticSettings(data="few", predictive="plug-in"), SEED))
    start, end = film.still(0), film.still(8)
    assert not np.any(start["map"]["v"])
    assert set(start["drawn"]["t"]) == {-9}
    assert np.any(end["map"]["v"])
    assert set(end["drawn"]["t"]) == {8}


def test_three_classes_have_no_colour_before_the_first_step():
    scene = scene_of(LogisticSettings(data="three", points=30, predictive="plug-in"), SEED)
    film = film_of(scene)
    start, end = film.still(0), film.still(8)
    assert not np.any(start["map"]["v"])
    assert set(start["drawn"]["t"]) == {-9}
    assert start["simplex"]["by"] == ["plug-in"]
    assert end["map"]["k"] == scene.fit.map("plug-in").argmax(axis=1).tolist()
    assert len(set(end["map"]["k"])) == 3


def test_without_a_prior_the_plug_in_follows_the_steps_to_the_mode():
    """A question may ask where they lead: no map, line or draw shows the mode at the start."""
    scene = scene_of(LogisticSettings(data="outlier", points=20, prior="flat", predictive="plug-in"), SEED)
    assert scene.fit.laplace is not None
    assert set(film_of(scene).data["map"]["t"]) == {-2}
    start, end = (film_of(scene).still(t) for t in (0, 30))
    assert not np.any(start["map"]["v"])
    assert set(start["drawn"]["t"]) == {-9}
    activations = scene.fit.features(grid_places()) @ scene.fit.laplace.mode
    np.testing.assert_allclose(end["map"]["v"], np.tanh(activations / 2), atol=1e-3)


def test_a_run_that_is_lost_says_one_half():
    scene = scene_of(LogisticSettings(data="separable", prior="flat", method="gradient", predictive="plug-in"), SEED)
    film = film_of(scene)
    scene.run.positions[7] = np.nan, np.inf
    assert set(film.still(7)["map"]["v"]) == {0.0}
    json.dumps(film.still(7), allow_nan=False)


def test_the_posterior_of_the_first_points_is_that_of_a_smaller_set():
    settings = LogisticSettings(method="points", points=20)
    scene = scene_of(settings, SEED)
    smaller = Fit(settings, scene.fit.points[:8], scene.fit.labels[:8], SEED)
    still = film_of(scene).still(8)
    np.testing.assert_allclose(still["map"]["v"], 2 * smaller.predict("quadrature", grid_places()) - 1, atol=1e-3)
    assert set(still["map"]["t"]) == set(still["levels"]["t"]) == set(still["contours"]["t"]) == {8}
    assert set(scene.film.data["map"]["t"]) == {-2}, "the map of all points is never shown at once"


def test_before_the_first_point_the_map_is_level_and_has_no_lines():
    scene = scene_of(LogisticSettings(method="points", points=20), SEED)
    still = film_of(scene).still(0)
    assert set(still["map"]["v"]) == {0.0}
    assert still["levels"]["t"] == [-9], "a row that is never drawn"
    assert set(film_of(scene).still(20)["levels"]["level"]) > {0.0}


@pytest.mark.parametrize("log_precision", [0.0, -4.0])
def test_where_points_are_added_the_axes_have_room_for_the_first_ones(log_precision):
    settings = LogisticSettings(points=30, log_precision=log_precision)
    whole, grown = scene_of(settings, SEED), scene_of(settings.model_copy(update={"method": "points"}), SEED)
    for hand in ("wx", "wy"):
        narrow, wide = whole.film.params[hand], grown.film.params[hand]
        assert wide[0] <= narrow[0] < narrow[1] <= wide[1]
        assert wide[1] - wide[0] < 3.3 * (narrow[1] - narrow[0]), "the last one is to be seen as well"
    mx, my, a, b, c = grown.run.ellipse[0]
    if log_precision == 0.0:
        assert grown.film.params["wx"][0] < mx - 2 * a < mx + 2 * a < grown.film.params["wx"][1]
        assert grown.film.params["wy"][0] < my - 2 * np.hypot(b, c)


def test_while_an_optimiser_runs_the_plane_is_coloured_by_the_weights_of_each_step():
    scene = scene_of(METHODS["newton"], SEED)
    shades = filmed(scene, PROBE).frames(0, 4)["now", "p"] / 255
    weights = scene.run.positions[:4]
    assert shades.shape == (4, len(scene.fit.coarse))
    assert np.allclose(shades, 1 / (1 + np.exp(-weights @ scene.fit.coarse.T)), atol=1 / 255)
    assert np.ptp(shades[0]) == 0
    assert np.ptp(shades[3]) > 0.9
    three = scene_of(LogisticSettings(data="three"), SEED)
    found = filmed(three, PROBE).frames(2, 3)["now", "p"][0].astype(int)
    expected = predict_softmax(three.fit.coarse, three.run.positions[2:3])
    np.testing.assert_array_equal(found // PART, expected.argmax(axis=1))
    np.testing.assert_allclose(found % PART / (PART - 1), (3 * expected.max(axis=1) - 1) / 2, atol=1 / (PART - 1))
    for other in ("chain", "points"):
        assert ("now", "p") not in filmed(scene_of(METHODS[other], SEED), PROBE).frames(0, 1)


@pytest.mark.parametrize("data", ["overlapping", "three", "line"])
def test_draws_have_the_same_numbers_as_lines_and_as_weights(data):
    scene = scene_of(LogisticSettings(data=data), SEED)
    lines, places = (scene.film.data[name] for name in ("draws", "drawn"))
    assert set(lines["draw"]) == set(places["draw"]) == set(range(1, min(LINES, scene.settings.draws) + 1))
    weights = scene.fit.draws[4, scene.settings.pair]
    assert (places["wx"][4], places["wy"][4]) == pytest.approx(weights, rel=1e-3)
    corner = next(i for i, number in enumerate(lines["draw"]) if number == 5)
    features = scene.fit.features(np.array([[lines["x"][corner], lines["y"][corner]]]))[0]
    by_class = scene.fit.draws[4].reshape(-1, len(features)) @ features
    if data == "line":
        assert by_class[0] == pytest.approx(lines["y"][corner], abs=1e-2)
    else:
        best = np.sort(np.append(by_class, [0.0] * (data == "overlapping")))[-2:]
        assert best[0] == pytest.approx(best[1], abs=0.05), "two classes are as likely there"
