"""The bars of path lengths: of the last path, or of the next one before its length is drawn."""

import json

import numpy as np

from lessons.topics.walk_the_hill import WalkTheHillSettings
from lessons.topics.walk_the_hill.walks import ITERATIONS
from pages.topics.walk_the_hill import WalkTheHillStage
from pages.topics.walk_the_hill.gist import Gists
from pages.topics.walk_the_hill.gist_charts import bars
from tests.pages.waiting import waited


def film_with(bars):
    return waited(lambda: Gists().film(WalkTheHillSettings(method="GIST", step_size=0.3, bars=bars), 7))


def test_bars_of_the_next_path_are_those_of_the_next_iteration_and_nothing_is_drawn_yet():
    last, there, following = (film_with(bars) for bars in ("last", "there", "next"))
    frames = {film.key: film.frames(0, 10) for film in (last, there, following)}
    assert len(frames) == 3
    now, way, both = (frames[film.key] for film in (last, there, following))
    for field in ("low", "high"):
        found = both["lengths", field]
        np.testing.assert_array_equal(found[:9], now["lengths", field][1:])
        half = found.shape[1] // 2
        np.testing.assert_array_equal(way["lengths", field][:, :half], found[:, :half])
        assert np.isnan(way["lengths", field][:, half:]).all()
    assert not both["lengths", "lit"].any()
    assert np.isnan(both["dart", "x"]).all()
    assert now["lengths", "lit"][1:].any(axis=1).all()


def test_the_next_path_is_known_before_its_frame_is_there():
    film = film_with("next")
    assert film.grow is not None
    run_to = film.grow(40)
    while run_to < 40:
        run_to = film.grow(40)
    assert not np.isnan(film.frames(0, run_to + 1)["lengths", "low"][run_to]).all()
    assert run_to <= ITERATIONS


def test_the_number_of_a_length_is_in_the_middle_of_its_cell():
    """Of an expression in Vega: the choice of the bar is in brackets, so that what is added is added to either."""
    layers = bars()["layer"]
    ups = [
        step["calculate"] for layer in layers for step in layer.get("transform", ()) if step.get("as") in ("y", "y2")
    ]
    choices = [up for up in ups if "?" in up]
    assert len(choices) >= 3
    assert all(up.startswith("(datum.back ? ") and up.index(")") > up.index(":") for up in choices)


def test_only_the_points_of_a_path_are_pressed():
    """A segment leads from a point of an earlier doubling, and a rim around both would mark that one, too."""
    film = waited(
        lambda: WalkTheHillStage().film(WalkTheHillSettings(method="NUTS", step_by="leapfrog", iteration=22), 7)
    )
    drawn = json.dumps(next(chart.spec for chart in film.charts if chart.name == "plane"))
    assert drawn.count('{"calculate": "null", "as": "doubling"}') >= 2, "the segments, and the line of a U-turn"
