"""The film of logistic regression, against the run that it shows and the formulas that it draws."""

import json
from itertools import product

import numpy as np
import pytest
from scipy.special import expit

from lessons.own.labelled import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.logistic import LogisticSettings
from pages.drawing.plane import CELLS, grid_places
from pages.player.player import Reel
from pages.topics.logistic.charts import LAPLACE
from pages.topics.logistic.film import FIRST_LOOK, ROOM, SHAPE, filmed
from pages.topics.logistic.maps import LEVELS, maps
from tests.pages.laid import marks, scene_graph
from tests.pages.player.films import fetched, told
from tests.pages.topics.logistic.films import METHODS, OWN, SEED, at, every, film_of, own_scene, scene_of
from tests.samplers.regression.regressions import laplace

# ---- frames and the run ----------------------------------------------------------------------------------------------


@every
def test_frames_are_those_of_the_run(method):
    scene = scene_of(METHODS[method], SEED)
    film, run = film_of(scene), scene.run
    last = min(film.total, FIRST_LOOK)
    frames = film.frames(0, last + 1)
    shown = scene.settings.pair
    for where in ("past", "here"):
        np.testing.assert_array_equal(
            at(frames, where, "wx", "wy")[:, 0], run.positions[: last + 1, shown].astype(np.float32)
        )
    np.testing.assert_array_equal(frames["say", "value"], frames["past", "value"])
    for t in (0, 1, last):
        state = run.state(t)
        if method == "points":
            mode, covariance = laplace(
                scene.fit.features(scene.fit.points[:t]) if t else np.empty((0, 5)), scene.fit.labels[:t], 1.0
            )
            width = np.linalg.det(covariance) ** (0.5 / len(mode))
            np.testing.assert_allclose(run.positions[t], mode, atol=1e-6)
            assert frames["past", "value"][t, 0] == pytest.approx(width, rel=1e-5)
            assert frames["points", "seen"][t].tolist() == [1] * t + [0] * (last - t)
        else:
            assert run.positions[t].tolist() == state.position.tolist()
            assert frames["past", "value"][t, 0] == pytest.approx(float(scene.fit.model.log_density(state.position)))
    assert not frames["say", "lost"].any()
    assert film.total == scene.settings.iterations


def test_a_step_leads_from_here_to_the_next_position():
    for method in ("newton", "gradient"):
        scene = scene_of(METHODS[method], SEED)
        frames = film_of(scene).frames(0, 11)
        steps = at(frames, "step", "wx", "wy", "x2", "y2")[:, 0]
        here = at(frames, "here", "wx", "wy")[:, 0]
        np.testing.assert_array_equal(steps[:, :2], here)
        np.testing.assert_allclose(steps[:-1, 2:], here[1:], atol=1e-6)
        down = at(frames, "gradient", "x2", "y2")[:, 0] - here
        gradients = np.array([scene.fit.model.gradient_and_hessian(scene.run.positions[t])[0] for t in range(3)])
        rises = gradients[:, scene.settings.pair]
        scaled = down[:3] / np.ptp([scene.film.params["wx"], scene.film.params["wy"]], axis=1)
        np.testing.assert_allclose(scaled, 0.12 * rises / np.linalg.norm(rises, axis=1)[:, None], atol=1e-5)


def test_a_chain_shows_the_last_proposal_from_where_it_was_made():
    scene = scene_of(METHODS["chain"], SEED)
    frames = film_of(scene).frames(0, 60)
    step = at(frames, "step", "wx", "wy", "x2", "y2")[:, 0]
    here = at(frames, "here", "wx", "wy")[:, 0]
    assert np.isnan(step[0, 2:]).all(), "nothing was proposed yet"
    moved = (here[1:] != here[:-1]).any(axis=1)
    assert 5 < moved.sum() < 55
    np.testing.assert_array_equal(step[1:, :2], here[:-1])
    np.testing.assert_array_equal(step[1:, 2:][moved], here[1:][moved])
    assert not (step[1:, 2:][~moved] == here[1:][~moved]).any()


# ---- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("features", ["linear", "quadratic", "rbf"])
def test_the_boundary_lies_where_the_activation_is_0(features):
    settings = LogisticSettings(data="xor", features=features, bias="on", points=40)
    scene = scene_of(settings, SEED)
    lines = at(film_of(scene).frames(0, 5), "boundary", "x", "y")
    assert lines.shape == (5, 2 if features == "linear" else ROOM, 2)
    assert np.isnan(lines[0]).all(), "with weights of 0 there is no line"
    for t in range(1, 5):
        places = lines[t][np.isfinite(lines[t]).all(axis=1)].astype(float)
        assert len(places) >= (2 if features == "linear" else 10)
        activations = scene.fit.features(places) @ scene.run.positions[t]
        scale = np.abs(scene.fit.features(grid_places()) @ scene.run.positions[t]).max()
        assert np.abs(activations).max() < (1e-5 if features == "linear" else 0.02) * scale


def test_lines_of_a_steep_map_are_as_straight_as_its_line():
    scene = scene_of(LogisticSettings(data="few", prior="flat", predictive="plug-in"), SEED)
    weights = np.array([34.0, 5.0])
    levels = maps(scene.fit, 0, weights)["levels"]
    places = np.column_stack([levels["x"], levels["y"]])
    found = expit(places @ weights)
    np.testing.assert_allclose(found, (np.array(levels["level"]) + 1) / 2, atol=0.03)


def test_lines_of_a_map_lie_where_the_predictive_has_their_levels():
    scene = scene_of(LogisticSettings(bias="on", predictive="MacKay"), SEED)
    levels = scene.film.data["levels"]
    places = np.column_stack([levels["x"], levels["y"]])
    np.testing.assert_allclose(scene.fit.predict("MacKay", places), (np.array(levels["level"]) + 1) / 2, atol=0.006)
    assert {round((level + 1) / 2, 2) for level in levels["level"]} == set(LEVELS)


def centres_of_cells(spec: dict) -> np.ndarray:
    """Return where the plane draws the cells of the map, by its own formulas."""
    formulas = {step["as"]: step["calculate"] for step in spec["layer"][0]["transform"] if "as" in step}
    cells = {"i": np.arange(CELLS[0] * CELLS[1]), "floor": np.floor}
    x, x2, y, y2 = (eval(formulas[side].replace("datum.i", "i"), cells) for side in ("x", "x2", "y", "y2"))
    np.testing.assert_allclose(x2 - x, 16 / (CELLS[0] - 1))
    np.testing.assert_allclose(y2 - y, 12 / (CELLS[1] - 1))
    return np.column_stack([(x + x2) / 2, (y + y2) / 2])


@pytest.mark.parametrize("predictive", ["plug-in", "Monte Carlo", "probit", "MacKay", "quadrature", "exact"])
def test_the_map_is_the_predictive_and_a_difference_is_one(predictive):
    settings = LogisticSettings(data="few", predictive=predictive)
    scene = scene_of(settings, SEED)
    shown = scene.film.data["map"]
    np.testing.assert_allclose(centres_of_cells(scene.film.charts[0].spec), grid_places(), atol=1e-9)
    values = scene.fit.predict(predictive, grid_places())
    np.testing.assert_allclose(shown["v"], 2 * values - 1, atol=1e-3)
    other = scene_of(settings.model_copy(update={"against": "probit"}), SEED)
    difference = values - scene.fit.predict("probit", grid_places())
    drawn = np.array(other.film.data["map"]["v"])
    np.testing.assert_allclose(drawn, difference, atol=1e-4)
    colors = [chart_.charts[0].spec["layer"][0]["encoding"]["color"]["scale"] for chart_ in (scene.film, other.film)]
    assert [scale["domain"][-1] for scale in colors] == [pytest.approx(1 / 0.72), 0.1], "whatever the map"
    assert "0.1 or more" in other.film.charts[0].legend[0][1]


def test_beside_sigma_a_question_withholds_the_map_and_all_of_its_lines_but_one_half():
    """It asks for a rule of the learner's own."""
    film = filmed(scene_of(LogisticSettings(data="few", curve="sigma"), SEED), (1.0, 1.0))
    open_, asked = ([*marks(scene_graph(film, "plane", 2, (300, 225), there))] for there in (True, False))
    cells, lines = ([sum(kind == sort for kind, *_ in each) for each in (open_, asked)] for sort in ("rect", "line"))
    assert cells == [len(grid_places()), 0]
    assert lines[0] > lines[1] > 0
    assert [key[2] for key in film.charts[0].legend if "25" in key[1]] == ["told"]


# ---- ellipses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "features"), list(product(("newton", "gradient"), ("linear", "quadratic"))))
def test_the_quadratic_goes_through_here_and_around_where_the_step_leads(method, features):
    eta = 0.02 if method == "gradient" else 0.7
    scene = scene_of(LogisticSettings(method=method, features=features, bias="on", step_length=eta), SEED)
    frames = film_of(scene).frames(0, 5)
    shape = at(frames, "quadratic", *SHAPE)[:, 0].astype(float)
    here = at(frames, "here", "wx", "wy")[:, 0].astype(float)
    np.testing.assert_allclose(shape[:-1, :2], here[1:], atol=1e-5)
    for t in range(4):
        mx, my, a, b, c = shape[t]
        on_circle = np.linalg.solve([[a, 0], [b, c]], here[t] - [mx, my])
        assert np.linalg.norm(on_circle) == pytest.approx(1, abs=1e-3)
    if method == "gradient":
        np.testing.assert_allclose(shape[:, 2], shape[:, 4], rtol=1e-5)  # a circle
        np.testing.assert_allclose(shape[:, 3], 0, atol=1e-9)


def test_the_quadratic_of_newton_is_as_steep_as_the_posterior():
    scene = scene_of(LogisticSettings(), SEED)
    _, _, a, b, c = scene.run.ellipse[2]
    factor = np.array([[a, 0], [b, c]])
    covariance = np.linalg.inv(-scene.fit.model.gradient_and_hessian(scene.run.positions[2])[1])
    ratio = factor @ factor.T / covariance
    np.testing.assert_allclose(ratio, ratio[0, 0])


@pytest.mark.parametrize("features", ["linear", "quadratic"])
def test_laplaces_ellipses_are_its_covariance_with_the_other_weights_at_the_mode(features):
    scene = scene_of(LogisticSettings(features=features, bias="on" if features == "quadratic" else "off"), SEED)
    found, shown = scene.fit.laplace, scene.settings.pair
    drawn = scene.film.data["laplace"]
    mx, my, a, b, c = (drawn[name][0] for name in SHAPE)
    factor = np.array([[a, 0], [b, c]])
    np.testing.assert_allclose([mx, my], found.mode[shown])
    precision = np.linalg.inv(found.covariance)[shown, shown]
    np.testing.assert_allclose(factor @ factor.T @ precision, np.eye(2), atol=1e-9)
    if features == "linear":
        np.testing.assert_allclose(factor @ factor.T, found.covariance, atol=1e-12)
    assert drawn["size"] == [1, 2]


def test_of_twenty_numbers_the_inner_ellipse_is_seen_around_the_weights_on_a_phone():
    settings = LogisticSettings(data="line", points=20, method="points")
    drawn = [*marks(scene_graph(filmed(scene_of(settings, 0), (6.0, 0.0)), "weights", 20, (170, 170)))]
    green = np.array([x for kind, item, x, _ in drawn if kind == "line" and item["stroke"] == LAPLACE])
    inner, outer = sorted(np.ptp(ellipse) / 2 for ellipse in np.split(green, 2))
    mark = np.sqrt(drawn[-1][1]["size"] / np.pi)
    assert outer > inner > 2 * mark


def test_contours_lie_where_the_posterior_has_their_levels():
    scene = scene_of(LogisticSettings(bias="on"), SEED)
    lines = scene.film.data["contours"]
    places = np.column_stack([lines["wx"], lines["wy"]])
    weights = np.column_stack([np.full(len(places), scene.fit.laplace.mode[0]), places])
    drops = scene.fit.model.log_density(scene.fit.laplace.mode) - scene.fit.model.log_density(weights)
    assert np.min(np.abs(drops[:, None] - [0.5, 2.0, 4.5, 8.0]), axis=1).max() < 0.15


# ---- keys, hands, and canvases that stay -----------------------------------------------------------------------------


def test_the_probe_and_the_pointer_are_no_other_film_but_other_curves():
    settings = LogisticSettings()
    one = scene_of(settings, SEED)
    moved = settings.model_copy(update={"probe_x": -1.0, "probe_y": 0.3, "pointer": "move"})
    assert scene_of(moved, SEED).fit is one.fit
    here, there = filmed(one, (3.0, 2.0)), filmed(one, (-1.0, 0.3))
    assert here.key == there.key
    assert here.stilled_by != there.stilled_by
    assert (here.params["probe"], there.params["probe"]) == ((3.0, 2.0), (-1.0, 0.3))
    first, moved = (fetched(film)[0] for film in (here, there))
    assert moved["still"]["ray"] != first["still"]["ray"]
    assert moved["params"]["probe"] == [-1.0, 0.3]
    assert told(here, Reel())["still"] != told(there, Reel())["still"], "so that the browser asks for it again"


@pytest.mark.parametrize("change", [{"log_precision": 1.0}, {"data_seed": 2}, {"points": 31}, {"draws": 3}])
def test_all_else_is_another_film(change):
    settings = LogisticSettings()
    assert scene_of(settings, SEED).key != scene_of(settings.model_copy(update=change), SEED).key
    assert scene_of(settings, SEED).key != scene_of(settings, SEED + 1).key


def test_other_points_of_ones_own_are_another_film():
    one, other = own_scene("separable"), own_scene("twins of both classes")
    own = keep_own(OwnPoints(OWN["separable"][0], 1 - OWN["separable"][1]))
    turned = scene_of(LogisticSettings(data="own", own=own), SEED)
    assert len({one.key, other.key, turned.key}) == 3


@every
def test_another_prior_seed_or_data_set_is_drawn_on_the_same_canvases(method):
    settings = METHODS[method]
    changes = [{}, {"log_precision": -1.3}, {"data_seed": 5}, {"data": "few"}, {"points": 50}, {"draws": 9}]
    changes += [{"prior": "flat", "data": "separable"}, {"step_length": 0.3}, {"rule": "no prior in H"}]
    scenes = [scene_of(settings.model_copy(update=change), SEED) for change in changes]
    own = keep_own(OwnPoints(*OWN["one"]))
    scenes += [scene_of(settings, SEED + 1), scene_of(settings.model_copy(update={"data": "own", "own": own}), SEED)]
    drawings = {json.dumps([chart.as_dict() for chart in film_of(scene).charts]) for scene in scenes}
    assert len(drawings) == 1


@every
def test_params_are_those_of_the_charts(method):
    film = film_of(scene_of(METHODS[method], SEED))
    named = {param["name"] for chart in film.charts for param in chart.spec["params"]}
    assert set(film.params) <= named
    assert [chart.hand for chart in film.charts] == ["probe", "", "", ""]
    for low, high in (film.params[name] for name in ("wx", "wy", "span")):
        assert low < high
    assert np.ptp(film.params["wx"]) == pytest.approx(np.ptp(film.params["wy"])), "a circle is a circle"
    assert film.params["along"] == (0, film.total)
    json.dumps(film.params, allow_nan=False)


# ---- everything that can happen --------------------------------------------------------------------------------------
