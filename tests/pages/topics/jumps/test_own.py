"""Moves that jump, on a learner's own points."""

import numpy as np
import pytest

from lessons.data.columns import Column
from lessons.own.points import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.jumps import JumpsSettings
from pages.contract.stage import stage_of

STAGE, SEED = stage_of("jumps"), 7
COLUMNS = (Column("height"), Column("weight"))


def own(points):
    return keep_own(OwnPoints(points, COLUMNS[: points.shape[1]]))


@pytest.mark.parametrize("method", ["split-merge", "gibbs", "means", "auxiliary", "tempering"])
@pytest.mark.parametrize("opened", [{}, {"step_by": "update", "sweep": 2}], ids=["run", "opened"])
def test_every_sampler_takes_them(method, opened):
    points = np.random.default_rng(3).normal(size=(9, 2)) * [3, 40]
    settings = JumpsSettings(data="own", own=own(points), method=method, **opened)
    assert STAGE.missing(settings) is None
    film = STAGE.film(settings, SEED)
    if film.grow:
        film.grow(4)
    frames = film.frames(0, 5)
    assert all(np.isfinite(frames["points", axis]).all() for axis in "xy" if ("points", axis) in frames)
    assert STAGE.cards(settings, SEED, "update", 4)


@pytest.mark.parametrize(
    ("points", "said"), [(np.zeros((4, 2)), None), (np.arange(4.0)[:, None], "Two columns are needed")]
)
def test_points_without_a_spread_are_taken_and_points_on_a_line_are_not(points, said):
    settings = JumpsSettings(data="own", own=own(points), method="auxiliary")
    found = STAGE.missing(settings)
    assert found is None if said is None else said in found
    if said is None:
        STAGE.film(settings, SEED).grow(2)


def test_without_a_file_one_is_asked_for():
    assert "upload it" in STAGE.missing(JumpsSettings(data="own"))
