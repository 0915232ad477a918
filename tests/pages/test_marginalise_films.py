"""The films: every column fits its data set, frames do not depend on how they are asked for, messages can be packed."""

import numpy as np
import pytest

from lessons.reader.stages.marginalise import MarginaliseSettings
from pages.parts.player import Reel, message
from pages.stages.marginalise import MarginaliseStage, scene_of, sums
from pages.stages.marginalise.numbers import small
from tests.pages.test_inspector import words
from tests.pages.test_player import unpack

STAGE = MarginaliseStage()
KINDS = [
    {},
    {"variant": "prediction"},
    {"data": "toy_corpus", "document": 200},
    {"words": 2},
    {"model": "two means"},
    {"model": "two means", "means": "ordered", "points": 2},
    {"layout": "beside Gibbs"},
    {"layout": "beside Gibbs", "summary": "larger class", "gibbs": "collapsed", "model": "two means"},
    {"step_by": "term", "iteration": 9, "variant": "full Bayes"},
    {"step_by": "term", "iteration": 0, "words": 2, "variant": "supervised", "known_labels": 1},
    {"step_by": "term", "data": "toy_corpus", "document": 254},
    {"step_by": "leapfrog", "iteration": 7},
    {"step_by": "leapfrog", "iteration": 4, "model": "two means", "means": "ordered"},
    {"step_by": "leapfrog", "iteration": 4, "method": "HMC", "step_size": 3.0, "leapfrog_steps": 60},
]


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_every_film_can_be_sent(changes):
    film = STAGE.film(MarginaliseSettings(**changes), 7)
    reel = Reel()
    head, _ = unpack(message(film, reel, at=min(5, film.total), link="", lock=(), hide=()))
    rows = {name: len(next(iter(columns.values()))) for name, columns in film.data.items()}
    for name, columns in film.data.items():
        assert {len(values) for values in columns.values()} == {rows[name]}, name
    for column in head["columns"]:
        width = 1 if column["set"] in ("past", "say") else rows[column["set"]]
        assert column["width"] == width, column
    areas = set(film.areas.replace('"', " ").split())
    assert {chart.area for chart in film.charts} == areas <= set(MarginaliseSettings.charts)
    for chart in film.charts:
        assert "{" not in chart.caption or any(f"{{{c['field']}}}" in chart.caption for c in head["columns"])


@pytest.mark.parametrize("changes", KINDS, ids=str)
def test_frames_are_the_same_however_they_are_asked_for(changes):
    film = STAGE.film(MarginaliseSettings(**changes), 7)
    last = min(8, film.total)
    if film.grow:
        film.grow(last)
    whole, first, second = film.frames(0, last), film.frames(0, 3), film.frames(3, last)
    nothing = film.frames(last, last)
    for name, column in whole.items():
        assert nothing[name].shape == (0, column.shape[1]), "all has been sent, and the page was drawn once more"
        np.testing.assert_array_equal(column, np.concatenate([first[name], second[name]]))


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
    said = words(sums.panel(lesson_scene(), 50))
    assert "log(" in said
    assert "−∞" not in said
    assert said.count("−8.32") == 2, "the stable way and the naive way agree"
    long = words(sums.panel(lesson_scene(repeat="100"), 50))
    assert "log 0 = −∞" in long
    assert "−788.89" in long


def test_small_numbers_stay_readable():
    assert (small(0.0), small(0.25)) == ("0", "0.250")
    assert small(3.2e-286) == "3.2·10<sup>−286</sup>"
