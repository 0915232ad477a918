"""Texts of charts with little room are whole and lie over no other, and no value ends at an axis without a word."""

import json
import re
from itertools import combinations, groupby, pairwise
from pathlib import Path

import pytest

from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.drawing.marks import CLASSES
from pages.lesson.lessons import library
from pages.topics.walk_the_hill.brought import charts
from tests.pages.laid import Text, marks, scene_graph, texts
from tests.pages.topics.every_film import CHAINS
from tests.pages.waiting import waited

PHONE, SIDE, MAIN = (170, 128), (305, 80), (530, 398)  # pixels of charts
PLAYER_CSS = (Path(__file__).parents[3] / "pages" / "player" / "player.css").read_text("utf-8")
ROW_OF_TEXT = re.compile(r"min-height: calc\(var\(--rows\) \* ([\d.]+)rem\)")


def film(stage, seed=7, **settings):
    return waited(lambda: stage_of(stage).film(STAGES[stage](**settings), seed))


def over_another(found: list[Text]) -> list[tuple[str, str]]:
    return [(one.said, other.said) for one, other in combinations(found, 2) if one.meets(other)]


@pytest.mark.parametrize(("customers", "size"), [(60, PHONE), (60, MAIN), (300, PHONE)])
def test_no_number_of_a_table_lies_over_another(customers, size):
    restaurant = film("crp_seating", concentration=50.0, customers=customers)
    shown = scene_graph(restaurant, "room", customers, size)
    bold = {str(item["text"]) for kind, item, _, _ in marks(shown) if kind == "text" and item.get("fontWeight")}
    numbers = [each for each in texts(restaurant, "room", customers, size) if each.said in bold]
    assert over_another(numbers) == []
    assert numbers or customers == 300, "where there is room they are written"


@pytest.mark.parametrize("concentration", [1.0, 5.0])
def test_no_number_of_a_dish_lies_over_another(concentration):
    restaurant = film("crp_seating", concentration=concentration)
    numbers = texts(restaurant, "menu", 60, (100, 60))
    assert numbers
    assert over_another(numbers) == []


def test_a_curve_that_leaves_its_chart_has_an_arrow_and_its_last_number():
    assert [each.said for each in texts(film("crp_seating", concentration=40.0), "trace", 60, SIDE)] == ["↑ 164"]
    assert texts(film("crp_seating"), "trace", 60, SIDE) == []


def test_a_bar_that_is_higher_than_its_axis_has_an_arrow_and_its_number():
    lesson = library().lesson("walk-your-own-chains")
    step = next(step for step in lesson.steps if step.id == "ranks")
    own = waited(lambda: stage_of(lesson.stage).film(lesson.settings_for(step), lesson.seed_for(step)))
    shown = list(marks(scene_graph(own, "ranks_y", 400, MAIN)))
    cut = {item["fill"] for kind, item, _, y in shown if kind == "rect" and y <= 0}
    numbers = [each.said for each in texts(own, "ranks_y", 400, MAIN)]
    assert len(numbers) == len(cut) == 1
    assert float(numbers[0].removeprefix("↑ ")) > charts.TOP


@pytest.mark.parametrize("t", [3, 40])
def test_a_density_has_no_flat_top(t):
    strips = scene_graph(film("generative", 6, data="mixed"), "features", t, MAIN)
    points = [(x, y, item["stroke"]) for kind, item, x, y in marks(strips) if kind == "line" and item.get("stroke")]
    for _, line in groupby(points, lambda point: point[2]):
        ends = [x for x, _, _ in line]
        assert not [a for a, b in pairwise(ends) if a == b == max(ends)]


def test_charts_of_classes_and_of_chains_have_a_legend():
    assert [each.name for each in film("gibbs_text").charts if not each.legend] == ["trace"]
    assert [each.name for each in film("walk_the_hill", data="own", own=CHAINS.digest).charts if not each.legend] == []


COLOURED = [
    ("generative", {"rival": "on"}),
    ("gibbs_text", {"layout": "three_times", "test_set": "told"}),
    ("logistic", {}),
    ("marginalise", {}),
    ("marginalise", {"model": "two means"}),
]


@pytest.mark.parametrize(("stage", "settings"), COLOURED)
def test_a_chart_whose_colours_are_classes_names_them(stage, settings):
    """Each has a legend of its own: a phone shows one chart at a time."""
    shown = film(stage, **settings).charts
    coloured = [each for each in shown if all(color in json.dumps(each.spec) for color in CLASSES[:2])]
    assert len(coloured) > 1
    assert [each.name for each in coloured if not each.legend] == []


@pytest.mark.parametrize(("width", "head"), [(300, "prob."), (530, "probability")])
def test_the_head_of_a_column_ends_before_the_next(width, head):
    messages = film("gibbs_text", data="six_messages")
    found = texts(messages, "rows", 1, (width, 300))
    top = sorted((each for each in found if each.top < 20), key=lambda each: each.left)
    assert [each.said for each in top][1] == head
    assert over_another(top) == []


@pytest.mark.parametrize("high", [50, 160])
def test_the_words_of_a_topic_have_a_line_each(high):
    found = texts(film("gibbs_topics"), "topics", 12, (305, high))
    first = sorted(each.bottom for each in found if each.left < 60)
    assert len(first) > 1
    assert all(below - above > 9 for above, below in pairwise(first))


@pytest.mark.parametrize(("t", "part"), [(0, "1–7 of 22"), (23, "16–22 of 22")])
def test_a_long_table_says_which_part_of_it_is_seen(t, part):
    table = film("marginalise", data="six_messages", step_by="term", iteration=50)
    said = {each.said for each in texts(table, "tokens", t, (305, 136))}
    assert {part, "word, the commonest first"} <= said


def test_rows_of_words_are_apart_on_a_phone_and_each_number_of_a_topic_can_be_read():
    messages = film("gibbs_topics")
    (page,) = (chart for chart in messages.charts if chart.name == "documents")
    size = 350, page.rows * float(ROW_OF_TEXT.search(PLAYER_CSS)[1]) * 16
    words = [item for kind, item, _, _ in marks(scene_graph(messages, "documents", 12, size)) if kind == "text"]
    lines = sorted({item["y"] for item in words if item["align"] == "left"})
    assert len(lines) > 10
    assert min(below - above for above, below in pairwise(lines)) >= max(item["fontSize"] for item in words)
    assert min(item["fontSize"] for item in words) >= 9


@pytest.mark.parametrize("stage_step", ["softmax", "draw"])
@pytest.mark.parametrize("high", [107, 260])
def test_lines_of_a_program_lie_apart_and_are_whole_on_a_phone(stage_step, high):
    lesson = library().lesson("stan-gamma-to-label")
    step = next(step for step in lesson.steps if step.id == stage_step)
    shown = waited(lambda: stage_of(lesson.stage).film(lesson.settings_for(step), lesson.seed_for(step)))
    found = texts(shown, "program", step.at, (300, high))
    rows = sorted({each.top for each in found})
    assert min(below - above for above, below in pairwise(rows)) >= 11
    assert max(len(each.said) for each in found) <= 45
    at_work = {"softmax": "gamma[doc[n], k] += log(phi[k, w[n]]);", "draw": "z_prob[m] = softmax(gamma[m]);"}
    assert at_work[stage_step] in [each.said for each in found]
