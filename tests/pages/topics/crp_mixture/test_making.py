"""The story told forwards: its cards and its film show each draw, and forgetting leaves those very points."""

import math

import numpy as np
import pytest

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.drawing.numbers import multiplied, of_its_log
from pages.scenes.points.model import NEW
from pages.topics.crp_mixture import CRPMixtureStage
from pages.topics.crp_mixture.story import making_of
from samplers.crp.forwards import TURNS
from tests.pages.visits import app, press

SETTINGS, SEED = CRPMixtureSettings(direction="forwards", points=12), 3


@pytest.mark.parametrize("t", range(1, 3 * 12 + 1, 5))
def test_the_cards_have_the_factors_of_the_point(t):
    making, html = making_of(SETTINGS, SEED), CRPMixtureStage().cards(SETTINGS, SEED, "update", t)
    first = (t - 1) // TURNS * TURNS + 1
    factors = [making.record(now).log_density for now in range(first, t + 1)]
    assert f"Point {(t - 1) // TURNS + 1}: a table" in html
    assert (multiplied(*factors) if len(factors) > 1 else of_its_log(*factors)) in html
    assert html.count("Comes next") == TURNS - len(factors)
    assert making.log_joints[t] == pytest.approx(SETTINGS.story.log_joint(making.state(t)), rel=1e-9)
    code = CRPMixtureStage().cards(SETTINGS, SEED, "code", t)
    assert 'aria-current="step"' in code, "the line of this draw is lit"


def test_the_film_draws_what_has_been_made_and_nothing_else():
    making = making_of(SETTINGS, SEED)
    low, high = np.array(making.domains).T
    assert all(((low < dish.mean - 1) & (dish.mean + 1 < high)).all() for dish in making.last.dishes), "there is room"
    frames = making.film.frames(0, making.total + 1)
    for t in range(1, making.total + 1):
        state, turn = making.state(t), (t - 1) % TURNS
        labels = frames["points_a", "label"][t]
        assert labels[np.isfinite(labels)].tolist() == state.seating.seats[: len(state.points)]
        dishes = frames["clusters_a", "table"][t]
        assert np.isfinite(dishes).sum() == len(state.dishes)
        chances = frames["options_a", "p"][t]
        assert np.isfinite(chances).any() == (turn == 0) == frames["say", "scored"][t], "the legend names what is drawn"
        if turn == 0:
            there = np.isfinite(chances)
            before = making.state(t - 1)
            assert chances[there].sum() == pytest.approx(1, abs=1e-6)
            new = frames["options_a", "option"][t] == NEW
            assert chances[new] == pytest.approx(1 / (len(before.seating) + 1))
            low, high = (frames["options_a", end][t] for end in ("low", "high"))
            hit = (low <= frames["dart_a", "at"][t]) & (frames["dart_a", "at"][t] < high)
            assert math.isclose(chances[hit][0], math.exp(making.record(t).log_density), rel_tol=1e-5)


def test_who_made_the_points_is_forgotten_and_the_points_are_not():
    test = app("crp_mixture.py", direction="forwards", points="12", seed="3", t="30")
    press(test, "Forget who made them")
    settings = test.session_state["topic crp_mixture"].settings
    assert (settings.direction, settings.data, settings.points, settings.made_alpha) == ("backwards", "made", 10, 1.0)
    made = making_of(SETTINGS, SEED).state(30)
    assert np.array_equal(settings.dataset().data, made.points)
    assert settings.dataset().labels.tolist() == made.seating.seats
    assert not test.exception
