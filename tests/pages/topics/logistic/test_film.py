"""The film of logistic regression, against the run that it shows and the formulas that it draws."""

import json
from dataclasses import replace
from itertools import cycle, pairwise, product

import numpy as np
import pytest

from lessons.own.labelled import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.logistic import MOST_POINTS, LogisticSettings
from pages.contract.film import Film
from pages.drawing.plane import CELLS, grid_places
from pages.player.player import Reel
from pages.topics.logistic import LogisticStage
from pages.topics.logistic.film import FIRST_LOOK, ROOM, SHAPE, Scene, filmed
from pages.topics.logistic.fit import PART, Fit
from pages.topics.logistic.maps import LEVELS, LINES
from samplers.regression.softmax import predict_softmax
from tests.pages.player.films import fetched, told
from tests.samplers.regression.regressions import laplace

scene_of = LogisticStage().scene

SEED = 7
PROBE = (3.0, 2.0)
METHODS = {
    "newton": LogisticSettings(step_length=0.6),
    "gradient": LogisticSettings(method="gradient", step_length=0.05, bias="on"),
    "chain": LogisticSettings(method="chain", data="few"),
    "points": LogisticSettings(method="points", points=12, features="quadratic"),
}
every = pytest.mark.parametrize("method", METHODS)
RNG = np.random.default_rng(0)
SPREAD = 2 * RNG.normal(size=(MOST_POINTS, 2)), RNG.integers(0, 2, MOST_POINTS)
OWN = {
    "none": (np.empty((0, 2)), np.empty(0, int)),
    "one": (np.array([[1.0, 2.0]]), np.array([1])),
    "one at the origin": (np.zeros((1, 2)), np.array([0])),
    "all of one class": (SPREAD[0][:9], np.ones(9, int)),
    "twins of both classes": (np.ones((6, 2)), np.arange(6) % 2),
    "separable": (np.array([[-1.0, 0.0], [1.0, 0.5], [2.0, 1.0], [-2.0, 0.0]]), np.array([0, 1, 1, 0])),
    "as many as there may be": SPREAD,
}


def own_scene(name: str, **settings) -> Scene:
    return scene_of(LogisticSettings(data="own", own=keep_own(OwnPoints(*OWN[name])), **settings), SEED)


def film_of(scene: Scene) -> Film:
    return filmed(scene, PROBE)


def sent(film: Film, at: int = 0) -> tuple[dict, dict]:
    """Return the first message, read as the browser reads it; packing refuses NaN in JSON."""
    return fetched(film, at)


def at(columns: dict, data_set: str, *fields: str) -> np.ndarray:
    return np.stack([columns[data_set, field] for field in fields], axis=-1)


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


def assert_plays(scene: Scene) -> None:
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
