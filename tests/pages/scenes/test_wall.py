"""A wall shows the runs of its seeds, and a heap piles up all of them."""

import re

import numpy as np
import pytest
import vl_convert

from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.download.picture import drawn
from pages.drawing.palette import THEMES
from pages.lesson.lessons import library
from samplers import Chain
from tests.lessons.shipped import claims

WALLS = [
    ("crp_seating", {"runs": "tables", "customers": 30, "concentration": 2.0}),
    ("crp_seating", {"runs": "first", "customers": 20, "discount": 0.3}),
    ("crp_seating", {"runs": "tables", "customers": 12, "door": "stick"}),
    ("coin", {"runs": "mean", "tosses": 12}),
    ("ibp_buffet", {"runs": "dishes", "customers": 8}),
    ("ibp_buffet", {"runs": "new", "customers": 8}),
    ("ibp_buffet", {"runs": "plate", "customers": 6, "model": "finite"}),
]


def film_of(topic, changes, seed=3):
    return stage_of(topic).film(STAGES[topic](**changes), seed)


@pytest.mark.parametrize(("topic", "changes"), WALLS)
def test_each_tile_is_the_run_of_its_seed(topic, changes):
    settings, film = STAGES[topic](**changes), film_of(topic, changes)
    values = film.frames(0, film.total + 1)["runs", "value"]
    for seed in (0, 17, 99):
        chain = Chain(settings.sampler(), seed)
        for t in (1, film.total // 2, film.total):
            assert values[t, seed] == pytest.approx(settings.measure(chain, t)[settings.many])


@pytest.mark.parametrize(("topic", "changes"), WALLS)
def test_the_heap_has_every_run_once_over_what_is_to_be_expected(topic, changes):
    film = film_of(topic, changes)
    last = film.frames(film.total, film.total + 1)
    value, x, y = (last[key][0] for key in (("runs", "value"), ("dots", "x"), ("dots", "y")))
    width, expected = film.params["heap_bin"], last["bins", "exact"][0]
    assert film.params["heap_top"] % 1 == 0, "runs are counted, and no axis of theirs ends between two"
    assert (np.abs(value - x) <= width / 2 + 1e-6).all()
    for middle in np.unique(x):
        assert sorted(y[x == middle]) == pytest.approx(0.5 + np.arange((x == middle).sum()))
    assert 97 < expected.sum() < 100.1
    found = np.array([(np.abs(value - middle) <= width / 2).sum() for middle in film.data["bins"]["x"]])
    likely = expected > 1
    off = (found - expected)[likely] / np.sqrt(expected[likely])
    assert np.mean(off**2) < 3, "about 1 of a right sampler"
    assert last["say", "mean"][0, 0] == pytest.approx(last["say", "exact"][0, 0], abs=4 * float(value.std()) / 10)


@pytest.mark.parametrize(("topic", "changes"), WALLS)
def test_the_error_of_the_mean_is_printed(topic, changes):
    film = film_of(topic, changes)
    last = film.frames(film.total, film.total + 1)
    value, error = last["runs", "value"][0], last["say", "error"][0, 0]
    assert f"{error:.2g}" == f"{value.std(ddof=1) / np.sqrt(len(value)):.2g}"
    assert error == pytest.approx(float(f"{error:.2g}")), "an error has two digits"
    assert "· mean {mean} ± {error}" in film.charts[1].caption


PHONE, LAPTOP = {"wall": (213, 213), "heap": (310, 90)}, {"wall": (524, 517), "heap": (261, 470)}  # pixels
DRAWN = [WALLS[1], WALLS[3], WALLS[4]]


def marks_of(film, name, screen):
    """Return the marks that a chart has on a screen, without its axes: the kind and the item of each."""
    chart = next(chart for chart in film.charts if chart.name == name)
    wide, high = screen[name]
    spec = drawn(film, chart, film.total, THEMES["light"]) | {"width": wide, "height": high}
    found = []

    def search(mark):
        for item in mark.get("items", ()):
            if mark["marktype"] != "group":
                found.append((mark["marktype"], item))
            for inner in item.get("items", ()):
                if not inner.get("role", "").startswith("axis"):
                    search(inner)

    search(vl_convert.vegalite_to_scenegraph(spec)["scenegraph"])
    return found


@pytest.mark.parametrize(("topic", "changes"), DRAWN)
def test_runs_are_dots_where_a_dot_can_be_seen_and_bars_elsewhere(topic, changes):
    film = film_of(topic, changes)
    dots = [item for kind, item in marks_of(film, "heap", LAPTOP) if kind == "symbol" and item["shape"] == "circle"]
    assert len(dots) == 100
    assert min(item["size"] for item in dots) >= 4**2
    marks = marks_of(film, "heap", PHONE)
    circles = [item for kind, item in marks if kind == "symbol" and item["shape"] == "circle"]
    assert len(circles) == 1, "the run of the page's own seed alone"
    bars = [item for kind, item in marks if kind == "rect" and item["height"] > 0][:100]
    assert min(item["width"] for item in bars) >= 4


@pytest.mark.parametrize(("topic", "changes"), DRAWN)
def test_no_number_is_wider_than_its_tile(topic, changes):
    film = film_of(topic, changes)
    for screen in (PHONE, LAPTOP):
        texts = [item for kind, item in marks_of(film, "wall", screen) if kind == "text"]
        assert all(len(item["text"]) * item["fontSize"] / 2 < screen["wall"][0] / 10 for item in texts)
        assert len(texts) == (0 if screen is PHONE and topic == "coin" else 200), "each has a shadow"


def test_no_lesson_calls_the_runs_of_a_heap_dots():
    """On a phone they are bars."""
    for lesson in library().lessons:
        steps = [step for step in lesson.steps if lesson.settings_for(step).many]
        words = {step.id: claims.told_before(step) + claims.told_after(step) for step in steps}
        assert [step for step, text in words.items() if re.search(r"(?<!\\)\bdots?\b", text)] == [], lesson.id


def test_how_many_runs_a_wall_has_is_no_setting():
    """So it never changes together with what is compared: it is the same for all settings of a topic."""
    walled = [settings for settings in STAGES.values() if "runs" in settings.model_fields]
    assert [name for settings in walled for name in settings.model_fields if name == "wall"] == []
    for topic, changes in WALLS:
        assert len(film_of(topic, changes).data["runs"]["run"]) == STAGES[topic].wall


def test_a_mean_beyond_the_axis_is_not_drawn_and_does_not_shrink_the_heap():
    """A climb begins far below the bounds at which climbs end."""
    film = film_of("climb_mixture", {"data": "seven_points", "number": 2, "start": "random", "runs": "bound"})
    assert film.frames(0, 1)["say", "mean"][0, 0] < film.params["heap_span"][0]
    layers = [layer for layer in film.charts[1].spec["layer"] if layer["data"]["name"] in ("dots", "middle")]
    layers = [layer for layer in layers if layer["mark"]["type"] != "text"]
    assert len(layers) == 5
    within = {"filter": "datum.x >= heap_span[0] && datum.x <= heap_span[1]"}
    assert all(within in layer["transform"] for layer in layers)


def test_all_seeds_of_a_block_share_a_wall_with_a_run_of_their_own():
    one, other, far = (film_of(*WALLS[0], seed) for seed in (3, 45, 145))
    assert [film.params["own"] for film in (one, other, far)] == [3, 45, 45]
    assert one.data is other.data is not far.data
    assert far.data["runs"]["seed"] == list(range(100, 200))
    assert len({film.chain for film in (one, other, far)}) == 3


def test_the_last_block_ends_with_the_last_seed():
    film = film_of(*WALLS[0], 2**32 - 1)
    assert (film.data["runs"]["seed"][-1], film.params["own"]) == (2**32 - 1, 99)


def test_draws_pile_up_around_the_exact_mean():
    changes = {"runs": "mean"}
    settings, film = STAGES["draws"](**changes), film_of("draws", changes)
    values = film.frames(0, 41)["runs", "value"]
    for seed in (0, 99):
        assert values[40, seed] == pytest.approx(
            settings.measure(Chain(settings.sampler(), seed), 40)["mean"], rel=1e-6
        )
    spread = film.frames(0, film.total + 1)["runs", "value"].std(axis=1)
    assert spread[40] / spread[160] == pytest.approx(2, rel=0.25)  # four times the draws, half the spread


# ---- what lessons state ----------------------------------------------------------------------------------------------


def step_film(lesson, step):
    found = library().lesson(lesson)
    asked = next(one for one in found.steps if one.id == step)
    return stage_of(found.stage).film(found.settings_for(asked), found.seed_for(asked)), asked


@pytest.mark.told
def test_chains_on_a_wall_come_to_the_posterior():
    film, step = step_film("mixture-how-sure", "hundred")
    frames = film.frames(0, film.total + 1)
    tables, say = frames["runs", "value"], [frames["say", name][step.then.advance, 0] for name in ("mean", "exact")]
    assert say == pytest.approx([3.34, 3.27], abs=0.005)
    assert (tables[0] == 1).all()
    assert (tables[1] > 1).all(), "a single sweep is enough to leave the start"
    two, three, four = (np.sum(tables[-1] == number) for number in (2, 3, 4))
    assert three == 47 > max(two, four)


@pytest.mark.told
def test_the_first_sweep_scatters_the_larger_component_and_later_ones_do_not():
    film, step = step_film("blobs-two-then-three", "hundred")
    first, later = film.frames(0, film.total + 1)["runs", "value"][[step.at, step.at + step.then.advance]]
    assert (first.min(), first.max()) == (61, 120)
    assert np.mean(first > 115) == pytest.approx(0.25, abs=0.05), "nearly all, in about a quarter of chains"
    assert ((later >= 70) & (later <= 90)).all()


@pytest.mark.told
def test_one_of_twelve_chains_is_a_mirror_image_and_a_weak_prior_holds_all_of_them_back():
    film, _ = step_film("text-ten-labels", "often")
    matched = film.frames(60, 61)["runs", "value"][0]
    assert sorted(matched)[:3] == [12, 68, 83]
    assert film.params["own"] == np.argmin(matched)
    film, _ = step_film("text-spam-without-labels", "prior")
    behind = film.frames(30, 31)["runs", "value"][0]
    assert (behind.max(), behind.mean()) == (66, 58), "the mean is what the question asks for"
