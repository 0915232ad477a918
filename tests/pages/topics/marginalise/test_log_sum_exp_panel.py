"""Settings that only change the look do not change the run, and log_sum_exp is shown both ways."""

import numpy as np
import pytest

from lessons.topics.marginalise import MarginaliseSettings
from pages.drawing.numbers import small
from pages.topics.marginalise import MarginaliseStage, log_sum_exp_panel
from tests.pages.html import words

scene_of = MarginaliseStage().scene


def test_what_is_only_looked_at_does_not_change_the_run():
    one, other = (
        scene_of(MarginaliseSettings(**c), 7) for c in ({}, {"document": 3, "repeat": "100", "layout": "beside Gibbs"})
    )
    assert one.run is other.run
    assert one.gibbs is None
    assert other.gibbs is not None


def test_gibbs_is_not_set_beside_what_is_another_posterior():
    for variant in ("prediction", "supervised"):
        assert scene_of(MarginaliseSettings(layout="beside Gibbs", variant=variant), 7).gibbs is None


# ---- log_sum_exp -----------------------------------------------------------------------------------------------------


def lesson_scene(**changes):
    scene = scene_of(MarginaliseSettings(document=2, **changes), 7)
    scene.run.grow(50, seconds=20)
    return scene


def test_the_sum_is_shown_both_ways_and_one_of_them_fails():
    said = words(log_sum_exp_panel.panel(lesson_scene(), 50))
    assert "log(" in said
    assert "−∞" not in said
    assert said.count("−8.32") == 2, "the stable way and the naive way agree"
    long = words(log_sum_exp_panel.panel(lesson_scene(repeat="100"), 50))
    assert "log 0 = −∞" in long
    assert "−788.89" in long


def test_small_numbers_stay_readable():
    assert (small(0.0), small(0.25)) == ("0", "0.250")
    assert small(3.2e-286) == "3.2·10<sup>−286</sup>"


@pytest.mark.parametrize("changes", [{}, {"repeat": "100"}, {"model": "two means"}], ids=str)
def test_the_chart_has_the_numbers_of_the_cards(changes):
    scene = lesson_scene(layout="sums", **changes)
    frames = MarginaliseStage().film(scene.settings, 7).columns(50, 51)
    _, gamma = scene.gamma(scene.run.positions[50].astype(float))
    np.testing.assert_allclose(frames["sums", "x"], [[*gamma, *(gamma - gamma.max())]])
    np.testing.assert_allclose(frames["say", "score"], gamma.max() + np.log(np.exp(gamma - gamma.max()).sum()))
