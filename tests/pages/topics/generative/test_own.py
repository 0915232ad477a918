"""Examples of the learner's own: pressed into the picture, changed, hidden, or from a file."""

from dataclasses import replace

import numpy as np
import pytest

from lessons.data.columns import Column
from lessons.own.examples import Examples
from lessons.own.store import keep_own
from lessons.topics.generative import GenerativeSettings
from pages.contract.events import Touch
from pages.lesson.state import Visit
from pages.topics.generative import GenerativeStage, inspector, own
from pages.topics.generative.base import _asked
from pages.topics.generative.film import at_query
from pages.topics.generative.strips import strip_data
from samplers.generative.stories import MESSAGE, X
from tests.pages.visits import app, choose, head, upload

scene_of = GenerativeStage().scene

TWO = ("class 0", "class 1")
PLANE = Examples(np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 0.0]]), np.array([0, 1, 1]), X, TWO)
STRIPS = Examples(np.array([[1.0, 0.5, 1, 2], [-1.0, 0.0, 0, 0]]), np.array([0, 1]), MESSAGE, ("ham", "spam"))


def touch(x=0.0, y=0.0, row=None):
    return Touch("query", x, y, False, row)


def test_hands_change_one_example():
    added = own.edited(PLANE, "add 1", touch(2.345, -1))
    assert added.values[-1].tolist() == [2.35, -1.0] or added.values[-1].tolist() == [2.34, -1.0]
    assert added.labels.tolist() == [0, 1, 1, 1]
    assert own.edited(PLANE, "relabel", touch(row=0)).labels.tolist() == [1, 1, 1]
    assert own.edited(PLANE, "hide label", touch(row=1)).labels.tolist() == [0, -1, 1]
    assert own.edited(PLANE, "remove", touch(row=1)).values.tolist() == [[1.0, 2.0], [0.0, 0.0]]
    assert own.edited(PLANE, "move", touch(3, 4, row=2)).values[2].tolist() == [3.0, 4.0]
    once = own.edited(PLANE, "hide cell", touch(row=1))
    twice = own.edited(once, "hide cell", touch(row=1))
    assert np.isnan(once.values[1]).tolist() == [True, False]
    assert np.isnan(twice.values[1]).tolist() == [True, True]
    assert own.edited(STRIPS, "hide cell", touch(row=6)).values[1].tolist()[:2] == [-1.0, 0.0]
    assert np.isnan(own.edited(STRIPS, "hide cell", touch(row=6)).values[1, 2])
    assert PLANE.labels.tolist() == [0, 1, 1], "the old ones stay as they were"


@pytest.mark.parametrize(
    ("examples", "pointer", "row"),
    [
        (PLANE, "relabel", None),
        (PLANE, "remove", 3),
        (PLANE, "add 2", None),
        (STRIPS, "add 0", None),
        (STRIPS, "move", 2),
        (STRIPS, "remove", 8),
    ],
)
def test_what_hits_nothing_changes_nothing(examples, pointer, row):
    assert own.edited(examples, pointer, touch(row=row)) is examples


def test_the_query_moves_in_the_plane_or_in_one_strip():
    assert _asked(PLANE, touch(-9, 2.34)) == {"query_1": -8.0, "query_2": 2.3}
    assert _asked(STRIPS, touch(1.5, 0.75)) == {"query_2": 3.0}
    assert _asked(STRIPS, touch(2.2, 0.9)) == {"query_3": 1.0}
    assert _asked(STRIPS, touch(3.9, 1.1)) == {"query_4": 2.0}
    assert _asked(STRIPS, touch(3.9, -0.05)) == {"query_4": 0.0}


@pytest.mark.parametrize(("t", "then"), [(40, 41), (12, 12)])
def test_at_the_end_an_example_that_is_added_is_seen_at_once(t, then):
    place = Visit("generative", GenerativeSettings(pointer="add 1"), seed=7, t=t)
    GenerativeStage().touched(place, touch(1.0, 2.0))
    assert len(scene_of(place.settings, 7).examples.labels) == 41
    assert place.t == then


def mine(examples, **settings):
    chosen = GenerativeSettings(data="own", own=keep_own(examples), **settings)
    scene = scene_of(chosen, 7)
    scene.run.grow(scene.run.total, seconds=20)
    return chosen, scene


ODD = {
    "none": Examples(np.empty((0, 2)), np.empty(0, int), X, TWO),
    "one": Examples(np.array([[0.0, 0.0]]), np.array([1]), X, TWO),
    "nothing but holes": Examples(np.full((4, 2), np.nan), np.array([0, 1, 0, -1]), X, TWO),
    "all hidden": Examples(np.zeros((3, 2)), np.full(3, -1), X, TWO),
    "twins": Examples(np.zeros((4, 2)), np.array([0, 0, 1, 1]), X, TWO),
    "strips without any": Examples(np.empty((0, 4)), np.empty(0, int), MESSAGE, ("ham", "spam")),
    "strips with holes": Examples(
        np.array([[np.nan, 1.0, 1, 2], [0.3, np.nan, np.nan, np.nan]]), np.array([0, -1]), MESSAGE, ("ham", "spam")
    ),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("method", ["story", "examples", "labels"])
def test_whatever_they_are_there_is_a_picture_and_an_answer(name, method):
    settings, scene = mine(ODD[name], method=method, labelled=2)
    film = at_query(scene, settings)
    for t in {0, min(3, film.total), film.total}:
        film.frames(t, t + 1)
        film.still(t)
        for view in settings.views:
            html = GenerativeStage().written(settings, 7, view, t)
            assert html.startswith("<")
            assert "nan" not in html


def test_a_hidden_label_teaches_nothing_and_a_hidden_cell_is_left_out():
    hidden = own.edited(PLANE, "hide label", touch(row=2))
    settings, scene = mine(hidden)
    assert "nothing is learned from it" in inspector.learn(scene, 3)
    assert scene.fit.posterior(scene.run.labels_at(3)).weights.prior.tolist() == [2, 2]
    holed = own.edited(PLANE, "hide cell", touch(row=2))
    settings, scene = mine(holed)
    assert "x₁</td><td>missing: nothing is learned" in inspector.learn(scene, 3)
    points = at_query(scene, settings).data["points"]
    assert points["x"][2] < -7, "on the rim"


def test_a_file_keeps_its_own_units_and_the_run_its_labels():
    hidden = replace(PLANE, labels=np.array([0, 1, -1]))
    units = (Column("height", 170.0, 10.0), Column("weight", 60.0, 20.0))
    (_, plain), (chosen, file) = (mine(replace(hidden, units=each), method="labels") for each in ((), units))
    assert np.array_equal(plain.run.labels_at(9), file.run.labels_at(9))
    assert own.edited(file.examples, "remove", touch(row=0)).units == units
    axes = [at_query(file, chosen).charts[0].spec["layer"][-1]["encoding"][side] for side in "xy"]
    assert [(axis["title"], axis["axis"]["labelExpr"].split(" * ")[0]) for axis in axes] == [
        ("height", "format(170.0 + 10.0"),
        ("weight", "format(60.0 + 20.0"),
    ]
    told = inspector.query(file, 3, np.array([1.5, -1.0]))
    assert "x₁ = 185.0, x₂ = 40.0" in told
    assert "standard deviation" in told
    assert "standard deviation" not in inspector.query(plain, 3, np.array([1.5, -1.0]))


def test_strips_have_round_numbers_of_the_file():
    units = (Column("height", 170.0, 10.0), Column("weight", 60.0, 20.0), Column("link"), Column("sender"))
    _, scene = mine(replace(STRIPS, units=units))
    texts = strip_data(scene.fit)["texts"]
    assert texts["text"][:4] == ["150", "200", "0", "100"]
    assert texts["y"][0] == pytest.approx((-2 / 6 + 1) / 2 + 0.025, abs=1e-4)


def test_a_file_with_types_and_holes_plays_on_the_page():
    text = "length,link,kind\n" + "".join(
        f"{'' if i == 4 else i},{['yes', 'no'][i % 3 == 0]},{'' if i == 7 else ['ham', 'spam'][i % 2]}\n"
        for i in range(12)
    )
    page = app("generative.py", data="own", t="5")
    assert not page.exception
    page = upload(page, text.encode())
    film = head(page)
    assert film["charts"][0]["name"] == "features"
    assert film["data"]["heads"]["text"] == ["length", "link"]
    captions = " ".join(caption.value.replace("\\", "") for caption in page.caption)
    assert "12 examples." in captions
    assert "1 label missing: hidden, in row 9." in captions
    assert "1 cell missing: left out of the product, in row 6." in captions
    assert [entry["text"] for entry in film["charts"][0]["legend"]] == ["ham", "spam"]
    page = choose(page, "link: part", "label")
    page = choose(page, "kind: part", "feature")
    assert head(page)["data"]["heads"]["text"] == ["length", "kind"]
    page = choose(page, "length: part", "label")
    assert "“length” has 11 different values; two or three are needed" in page.error[0].value
