"""A walk as it is drawn: paths as they were made, margins that fill the exact curves, and how small a frame is."""

import json
import re

import numpy as np
import pytest

from lessons.topics.marginalise import MarginaliseSettings
from lessons.topics.marginalise.means import MEAN_PRIOR, SCALE
from lessons.topics.walk_the_hill import TARGETS, WalkTheHillSettings
from lessons.topics.walk_the_hill.walks import ITERATIONS
from pages.contract.events import Touch
from pages.lesson.lessons import library
from pages.lesson.state import Visit
from pages.topics.walk_the_hill import WalkTheHillStage, charts
from pages.topics.walk_the_hill.film import hill_of, path_film, run_film
from pages.topics.walk_the_hill.run import MARKS, PLACES, path_of
from samplers import Chain
from samplers.gradient.hmc import leapfrog
from samplers.gradient.posterior_planes import PRIZE, SIX_MESSAGES, SPREAD, TEN_POINTS
from tests.pages.html import words
from tests.samplers.gradient.draws import draws_of

scene_of = WalkTheHillStage().scene

UNTIL = 60


def walk(**changes):
    scene = scene_of(WalkTheHillSettings(**changes), 3)
    scene.run.grow(UNTIL)
    return scene


def of_frame(scene, t, name):
    """A column of the path that led to iteration t, as far as there are points."""
    frame = run_film(scene).frames(t, t + 1)
    made = np.isfinite(frame["path", "x"][0])
    return frame["path", name][0][made].astype(float)


@pytest.mark.parametrize("method", ["HMC", "NUTS"])
def test_a_path_is_drawn_as_it_was_made(method):
    scene = walk(method=method, target="banana")
    target, size = scene.settings.density, scene.settings.step_size
    for t in range(1, 8):
        record = scene.run.record(t)
        path = path_of(record, tree=method == "NUTS")
        assert len(path["x"]) == record.leapfrogs + 1
        by_step = {point.step: point for point in record.points}
        seen = {0}
        for number, step in enumerate(path["step"].tolist()[1:], 1):
            way = 1 if step > 0 else -1
            assert step - way in seen, "the point before it is there already"
            seen.add(step)
            before = by_step[step - way]
            point = leapfrog(target, before, way * size, record.inverse_mass)
            half = before.momentum + way * size / 2 * before.gradient
            assert [path["x"][number], path["y"][number]] == pytest.approx(point.position, rel=1e-12)
            assert [path["hx"][number], path["hy"][number]] == pytest.approx(half, rel=1e-9, abs=1e-12)
            assert path["error"][number] == pytest.approx(point.energy - record.points[record.start].energy, abs=1e-12)
        chosen = [path[name][path["chosen"]] for name in "xy"]
        assert chosen == pytest.approx(scene.run.positions[t][:, None], rel=1e-12)
        for name in (*PLACES, *MARKS, "step"):
            np.testing.assert_allclose(of_frame(scene, t, name), path[name].astype(float), rtol=1e-6)


def test_what_a_u_turn_cut_off_could_not_be_chosen_and_has_its_ends_marked():
    scene = walk(method="NUTS", target="ring")
    cuts = 0
    for t in range(1, 40):
        record = scene.run.record(t)
        cut, offered, turn = (of_frame(scene, t, name) for name in ("cut", "offered", "turn"))
        assert (cut == 1 - offered).all()
        assert not cut[of_frame(scene, t, "doubling") < max(1, record.depth)].any()
        assert turn.sum() == (0 if record.turn is None else 2)
        cuts += cut.any()
    assert cuts > 10


def test_hmc_cuts_nothing_off_and_offers_both_ends():
    scene = walk(leapfrog_steps=7)
    assert not of_frame(scene, 5, "cut").any()
    assert of_frame(scene, 5, "offered").tolist() == [1, 0, 0, 0, 0, 0, 0, 1]


def test_a_divergent_path_is_drawn_as_far_as_numbers_go():
    scene = walk(target="funnel", step_size=2.0, start_y=0.0)
    assert scene.run.divergent[1:UNTIL].any()
    assert np.isfinite(of_frame(scene, 1, "error")).all()


def test_a_refused_proposal_stays():
    scene = walk(method="Metropolis", scale=3.0)
    stays = [t for t in range(1, UNTIL) if (scene.run.positions[t] == scene.run.positions[t - 1]).all()]
    assert stays
    for t in range(1, UNTIL):
        assert of_frame(scene, t, "chosen").tolist() == ([1, 0] if t in stays else [0, 1])


def test_margins_count_draws_after_the_warm_up():
    scene = walk(method="NUTS", tuning="warm-up")
    assert not scene.run.counts[UNTIL].any()
    scene = walk()
    assert scene.run.counts[UNTIL].sum(axis=1).tolist() == [UNTIL, UNTIL]
    heights = run_film(scene).frames(UNTIL, UNTIL + 1)["bars_x", "h"][0]
    width = np.diff(scene.run.edges[0])[0]
    assert (heights * width * hill_of("correlated").tops[0]).sum() == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize("name", TARGETS)
def test_the_window_holds_what_matters(name):
    draws = draws_of(TARGETS[name], np.random.default_rng(1), 4_000)
    (left, right), (low, high) = WalkTheHillSettings(target=name).window
    inside = (left < draws[:, 0]) & (draws[:, 0] < right) & (low < draws[:, 1]) & (draws[:, 1] < high)
    assert inside.mean() > (0.9 if name == "funnel" else 0.97)


def test_posteriors_are_those_of_the_topic_that_sums_labels_out():
    points, messages = MarginaliseSettings(model="two means").on_a_line, MarginaliseSettings().corpus().bag
    np.testing.assert_allclose(TEN_POINTS, points, rtol=1e-15)
    assert messages.counts.toarray().tolist() == [list(row) for row in SIX_MESSAGES]
    assert messages.words[PRIZE] == "prize"
    assert (MEAN_PRIOR, SCALE) == ((0.0, SPREAD), 1.0)


def test_an_iteration_of_ten_leapfrogs_is_small():
    film = run_film(walk(leapfrog_steps=10))
    assert (len(film.packed(0, UNTIL)) - len(film.packed(0, 0))) / UNTIL < 1_000  # bytes


def test_a_path_opened_has_the_draws_before_it():
    scene = walk(step_by="leapfrog", iteration=9)
    film = path_film(scene, 9)
    assert film.total == 11
    assert len(film.data["draws"]["x"]) == 9
    np.testing.assert_allclose(film.data["path"]["x"], of_frame(scene, 9, "x"), atol=1e-4)
    assert film.before
    assert film.after
    assert not path_film(scene, 1).before
    assert scene.settings.chapter(1).iteration == 10
    assert WalkTheHillSettings(step_by="leapfrog", iteration=ITERATIONS).chapter(1) is None


# ---- a throw ---------------------------------------------------------------------------------------------------------


def throw(**changes):
    place = Visit("walk_the_hill", WalkTheHillSettings(method="hand", target="ring", leapfrog_steps=7, **changes))
    return place, WalkTheHillStage()


def test_the_puck_and_its_arrow_are_thrown_from_where_they_are_dragged():
    place, stage = throw()
    assert stage.follows(place.settings)
    for hand, x, y in (("start", 0.5, -1.25), ("tip", 1.0, -2.0)):
        stage.touched(place, Touch(hand, x, y, moved=True, row=None))
        film = stage.film(place.settings, 7)
        assert film.params[hand] == pytest.approx((x, y), abs=0.02)
        assert place.t == film.total == 7
    push = np.array([place.settings.push_x, place.settings.push_y])
    assert push * charts.arm(place.settings.window) == pytest.approx([0.5, -0.75], abs=0.02)
    assert place.settings.start == pytest.approx((0.5, -1.25), abs=0.01)


def test_a_start_keeps_its_push_and_a_push_has_a_limit():
    place, stage = throw(push_x=-1.0)
    stage.touched(place, Touch("start", 99.0, 0.0, moved=True, row=None))
    assert (place.settings.start_x, place.settings.push_x) == (1.0, -1.0)
    stage.touched(place, Touch("tip", -99.0, 0.0, moved=True, row=None))
    assert place.settings.push_x == -3
    before = place.settings
    stage.touched(place, Touch("tip", 1.0, 0.0, moved=False, row=None))
    assert place.settings == before, "a click is no drag"


def test_there_is_no_chance_in_a_throw():
    place, stage = throw()
    first, second = (stage.film(place.settings, seed) for seed in (1, 2))
    assert first.data == second.data
    assert not place.settings.matters("seed")
    measured = place.settings.measure(Chain(place.settings.sampler(), 5), 7)
    assert [measured["x"], measured["y"]] == pytest.approx([first.data["path"][name][7] for name in "xy"], abs=1e-4)
    assert measured["accept"] == round(100 * min(1, np.exp(-first.frames(7, 8)["say", "error"][0, 0])))


def test_the_card_says_what_h_is_with_its_numbers_before_it_says_by_how_much_it_is_off():
    stage, settings = WalkTheHillStage(), WalkTheHillSettings(method="hand", push_x=1.2, push_y=0.6)
    card = words(stage.cards(settings, 7, "step", 2))
    told = re.search(r"log density = (\S+) − \((\S+)\) = (\S+) H 0 = (\S+) at the start: H − H 0 = (\S+)", card)
    kinetic, log_density, energy, start, error = (float(number.replace("−", "-")) for number in told.groups())
    assert kinetic - log_density == pytest.approx(energy, abs=0.011)
    assert energy - start == pytest.approx(error, abs=0.011)
    assert card.index("Energy H") < card.index("H − H 0") < card.index("If the path ended here")


def test_an_energy_error_that_the_axis_does_not_hold_is_said_to_be_beyond_it():
    scene = walk(step_size=0.65)
    chart = next(chart for chart in run_film(scene).charts if chart.name == "energy")
    assert np.nanmax(of_frame(scene, 5, "error")) > chart.params["error_span"][1]
    spec = json.dumps(chart.spec)
    assert "abs(datum.error) <= error_span[1]" in spec
    assert "beyond the axis: " in spec


def test_the_path_that_the_lesson_offers_as_the_right_one_is_the_pucks():
    lesson = next(lesson for lesson in library().lessons if lesson.id == "walk-throw-the-puck")
    step = next(step for step in lesson.steps if step.id == "away")
    settings, offered = lesson.settings_for(step), np.array(step.ask.at["back"])
    chain = Chain(settings.sampler(), 0)
    path = np.array([chain[t].position for t in range(step.then.advance + 1)])
    assert offered == pytest.approx(path, abs=0.006)
    away = np.hypot(*path.T)
    assert away[1] > away[0] > away[-1], "it rolls away, and comes back nearer than it was"
