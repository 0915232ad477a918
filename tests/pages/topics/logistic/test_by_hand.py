"""The lesson on points that are placed by hand: its numbers, and its goals on the learner's own points."""

from typing import Any

import numpy as np
import pytest

from lessons.own.labelled import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.logistic import LogisticSettings
from pages.contract.events import Touch
from pages.lesson.lessons import library
from pages.topics.logistic import LogisticStage, own
from samplers import Chain
from tests.pages.visits import app, press

scene_of = LogisticStage().scene

LESSON = "logistic-by-hand"
SEED = 7


def settings_of(step: str) -> LogisticSettings:
    found = library().lesson(LESSON)
    settings: Any = found.settings_for(next(each for each in found.steps if each.id == step))
    return settings


def with_more(settings: LogisticSettings, *added: tuple[float, float, int]) -> LogisticSettings:
    """Return settings with more points, (x, y, label) each, added as the pointer adds them."""
    points, labels = settings.dataset()
    mine = OwnPoints(points, labels)
    for x, y, label in added:
        mine = own.edited(mine, f"add class {label}", Touch("probe", x, y, False, None))
    return settings.model_copy(update={"data": "own", "own": keep_own(mine)})


def measured(settings: LogisticSettings) -> dict[str, float]:
    return settings.measure(Chain(settings.sampler(), SEED), 8)


@pytest.mark.told
def test_an_outlier_stops_the_weights():
    settings = settings_of("outlier")
    run = scene_of(settings, SEED).run
    run.reach(8)
    assert run.positions[8].round(2).tolist() == [0.88, 0.69]
    np.testing.assert_allclose(run.positions[8], run.positions[6], atol=1e-9)
    points, labels = settings.dataset()
    assert points[0].tolist() == [-3.4, -2.6]
    assert labels[0] == 1
    others = OwnPoints(points[1:], labels[1:])
    alone = settings.model_copy(update={"data": "own", "own": keep_own(others)})
    assert measured(alone)["mode"] == 0, "a line parts the other nineteen"
    right = (points @ run.positions[8] > 0) == labels
    assert right.tolist() == [False] + [True] * 19


@pytest.mark.told
def test_red_points_under_the_probe_one_by_one():
    settings, at = settings_of("place"), (5.0, -3.0, 0)
    said = [measured(with_more(settings, *[at] * number))["probability"] for number in range(5)]
    assert said == pytest.approx([0.869, 0.436, 0.301, 0.235, 0.194], abs=6e-4)


@pytest.mark.told
def test_a_label_teaches_most_far_out_on_the_line():
    settings = settings_of("where")
    width = {
        (place, label): measured(with_more(settings, (*place, label)))["width"]
        for place in ((1.0, -5.5), (0.1, -0.3), (5.0, 5.0))
        for label in (0, 1)
    }
    before = scene_of(settings, SEED)
    for prior, narrow in (("normal", 1), ("flat", 0)):
        film = scene_of(settings.model_copy(update={"prior": prior}), SEED).film
        assert film.frames(0, 2)["say", "narrow"].tolist() == [[narrow], [narrow]]
    assert before.film.frames(8, 9)["say", "width"][0] == pytest.approx(0.65, abs=0.005)
    assert measured(with_more(settings))["width"] == pytest.approx(0.65, abs=0.005)
    assert width[(1.0, -5.5), 0] == pytest.approx(0.53, abs=0.006)
    assert width[(1.0, -5.5), 1] == pytest.approx(0.51, abs=0.006)
    assert [width[(0.1, -0.3), label] for label in (0, 1)] == pytest.approx([0.65, 0.65], abs=0.005)
    assert width[(5.0, 5.0), 1] == pytest.approx(0.65, abs=0.005)
    assert width[(5.0, 5.0), 0] < 0.4, "the surprise"
    said = before.fit.predict("quadrature", np.array([[5.0, 5.0], [1.0, -5.5]]))
    assert said == pytest.approx([0.922, 0.486], abs=6e-4)


@pytest.mark.told
def test_an_island_and_what_lines_make_of_it():
    settings = settings_of("island")
    island = (settings.probe_x, settings.probe_y, 0)
    needed = {}
    for features in ("rbf", "linear"):
        changed = settings.model_copy(update={"features": features})
        said = [measured(with_more(changed, *[island] * number))["probability"] for number in range(7)]
        needed[features] = next(number for number, each in enumerate(said) if each <= 0.45)
    assert needed["rbf"] < needed["linear"]


def test_goals_are_reached_on_the_learners_own_points():
    test = app("logistic.py", lesson=LESSON, step="break")
    place = test.session_state["topic logistic"]
    LogisticStage().touched(place, Touch("probe", 2.0, 1.0, False, None))
    test.run()
    assert place.settings.data == "own"
    assert any(":green[" in markdown.value for markdown in test.markdown)
    assert not test.get("file_uploader"), "a step has points of its own"
    press(test, "The first points again")
    assert (place.settings.data, place.settings.own) == ("few", "")


def test_points_that_are_gone_reach_no_goal():
    gone = settings_of("break").model_copy(update={"data": "own", "own": "0" * 32})
    assert "no longer here" in LogisticStage().missing(gone), "and no goal is looked for"
