"""The marks that a question asks about are drawn when it is asked: inside the axes, large enough, and uncovered."""

from dataclasses import replace

import pytest

from lessons.flow import Answers, Place, screen
from lessons.format.lesson import Lesson, Step
from pages.lesson.lessons import library
from tests.lessons.shipped.asked_marks import named
from tests.lessons.shipped.drawn import Box, Item, Scene, charts_of, film_at, scene_of
from tests.pages.marks import too_many

LESSONS = library().lessons
QUESTIONS = [(lesson, step) for lesson in LESSONS for step in lesson.steps if step.choices]
LEAST = 8  # pixels
COMES = {  # with the answer
    ("logistic-ellipse", "wrong-side", "point-24"),
    ("mixture-story", "second", "point-2"),
    ("crp-rich-get-richer", "another", "table 4"),
}


def picks_of(step: Step) -> tuple[str, str, list[str]]:
    """Return the chart whose marks a question asks for, their field, and the marks among its choices."""
    if step.ask.way != "pick":
        return "", "", []
    drawn = step.ask.drawn(step.choices)
    if drawn["limits"] is not None:
        return str(step.ask.on), str(drawn["field"]), [*step.answers.right_keys]
    named = [choice for choice in step.choices if choice.id and choice.id != "same"]  # "from both alike" is no mark
    keys = [choice.id for choice in named if choice.correct or choice.id != "new"]
    return str(step.ask.on), str(drawn["field"]), keys


def unseen(lesson: Lesson, step: Step) -> dict[str, float]:
    """Return the marks that a question asks about and that are not seen when it is asked, with their pixels."""
    place = Place(lesson.stage, lesson.settings_for(step)).opened(lesson, step)
    seen = screen(place, Answers())
    (film, t), (on, field, keys) = film_at(place), picks_of(step)
    assert not too_many(film, t)
    charts = {
        chart.name: scene_of(film, chart, t, seen, ("mark", *([field] * (chart.name == on))))
        for chart in charts_of(film, seen)
    }
    pixels = {mark: max(chart.seen("mark", mark) for chart in charts.values()) for mark in step.asks}
    pixels |= {f"{field} {key}": charts[on].seen(field, key) for key in keys}
    comes = {mark for mark in pixels if (lesson.id, step.id, mark) in COMES}
    return {mark: size for mark, size in pixels.items() if size < LEAST and mark not in comes}


def test_a_question_names_its_marks():
    for lesson, step in QUESTIONS:
        if not lesson.settings_for(step).many:
            asked = {mark for mark in named(lesson, step) if (lesson.id, step.id, mark) not in COMES}
            assert asked <= {*step.asks}, f"{lesson.path.name}, {step.id}: name {asked} in asks"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
def test_what_is_asked_about_is_drawn(lesson):
    asking = [step for step in lesson.steps if step.asks or picks_of(step)[2]]
    found = {step.id: unseen(lesson, step) for step in asking if not lesson.settings_for(step).many}
    assert not {step: marks for step, marks in found.items() if marks}


def test_a_mark_beyond_its_axes_or_covered_is_not_seen():
    frame, told = Box(0, 0, 100, 80), {"mark": "point-1"}
    mark = Item("symbol", told, Box(40, 40, 50, 50), covers=True, type=0)
    cover = Item("rect", {"mark": "table-1"}, Box(30, 30, 60, 60), covers=True, type=0)
    assert Scene(frame, [cover, mark]).seen("mark", "point-1") == 10
    assert Scene(frame, [mark, cover]).seen("mark", "point-1") == 0
    assert Scene(frame, [mark, replace(cover, covers=False)]).seen("mark", "point-1") == 10
    assert Scene(frame, [replace(mark, box=Box(96, 40, 106, 44))]).seen("mark", "point-1") == 4
    assert Scene(frame, [replace(mark, box=Box(110, 40, 120, 50))]).seen("mark", "point-1") == 0
    assert Scene(frame, [mark]).seen("mark", "point-2") == 0


def test_a_hidden_chart_shows_no_mark():
    lesson, step = next((one, step) for one, step in QUESTIONS if step.asks == ("hour-4",))
    assert unseen(lesson, step) == {}
    assert unseen(lesson, replace(step, asks=("hour-9",))) == {"hour-9": 0}
