"""Dials: the numbers beside the charts, as the browser gets them and as it reports them."""

from collections.abc import Iterator
from typing import Literal, get_args, get_origin

import pytest

from lessons.settings.settings import limits
from lessons.topics import STAGES
from pages.contract.charts import Dial
from pages.contract.events import Dialled
from pages.contract.following import dialled
from pages.lesson.controls import dials, grouped, words
from pages.lesson.lessons import library
from pages.lesson.state import Visit


def place(stage: str, **changes: object) -> Visit:
    there = Visit(stage, STAGES[stage](), t=9)
    there.change(**changes)
    return there


def drawn(there: Visit) -> list[Dial]:
    """Return the dials beside the charts."""
    return dials(there, there.screen().controls)


def told(name: str, value: float, t: int = 9) -> Dialled:
    return Dialled(name, value, t, done=False)


def played(stage: str) -> Iterator[Visit]:
    """Yield free play as it opens, and with each choice changed once."""
    yield place(stage)
    for name, field in STAGES[stage].model_fields.items():
        if get_origin(field.annotation) is Literal:
            yield from (place(stage, **{name: option}) for option in get_args(field.annotation) if option != "own")


@pytest.mark.parametrize("stage", STAGES)
def test_free_play_has_at_most_15_controls_and_headings_in_view(stage):
    for there in played(stage):
        seen = there.screen().controls
        above, groups = grouped(there, seen)
        opened = [name for group in groups if group.open for name in group.names]
        seed = ["seed", "next seed"] if "seed" in seen else []
        in_view = [*seed, *above, *(group.heading for group in groups), *opened, *(dial.name for dial in drawn(there))]
        assert len(in_view) <= 15, in_view


def test_the_first_heading_is_open_in_free_play_and_no_other():
    _, groups = grouped(place("logistic"), place("logistic").screen().controls)
    assert [group.heading for group in groups if group.open] == ["Average over many lines"]
    assert len(groups) == 4
    there, lesson = place("logistic"), library().lesson("logistic-newton")
    for step in lesson.steps:
        there.open(lesson, step)
        assert not any(group.open for group in grouped(there, there.screen().controls)[1])


@pytest.mark.parametrize("stage", STAGES)
def test_a_dial_is_a_number_with_limits_or_a_look_at_words_and_has_a_control(stage):
    settings = STAGES[stage]
    for name in settings.dials:
        field = settings.model_fields[name]
        assert name in settings.controls
        if get_origin(field.annotation) is Literal:
            assert name in settings.looks
            continue
        assert field.annotation in (int, float)
        assert get_origin(field.annotation) is None
        assert None not in limits(field)
        assert field.json_schema_extra["step"] > 0


def test_options_are_read_with_a_capital_but_symbols_stay_as_they_are():
    read = {option: words(option) for option in ("three_points", "π/8 forgotten", "e^(-t²) in Φ", "k-means++", "CRP")}
    assert read == {**dict(zip(read, read, strict=True)), "three_points": "Three points"}


def test_dials_stand_where_the_settings_do():
    shown = {dial.name: dial for dial in drawn(place("logistic", log_precision=-1.5))}
    assert list(shown) == ["pointer", "step_length", "log_precision"]
    assert shown["pointer"].options[:2] == ("Look", "Add class 1")
    dial = shown["log_precision"]
    assert (dial.low, dial.high, dial.step, dial.value) == (-4, 3, 0.1, -1.5)
    assert dial.title == "Prior precision: log₁₀ λ"
    assert "λ = 1" in dial.help


def test_a_dial_that_would_do_nothing_is_not_there():
    assert [dial.name for dial in drawn(place("logistic", prior="flat"))] == ["pointer", "step_length"]
    assert [dial.name for dial in drawn(place("logistic", method="chain"))] == ["pointer", "log_precision"]


def test_a_lesson_shows_the_dials_that_it_names():
    there = place("logistic")
    lesson = library().lesson("logistic-newton")
    shown = []
    for step in lesson.steps:
        there.open(lesson, step)
        shown.append([dial.name for dial in drawn(there)])
        assert shown[-1] == [name for name in there.settings.dials if name in lesson.show_for(step)]
    assert [] in shown
    assert ["step_length"] in shown
    there.leave_lesson()
    assert there.shown == there.settings.controls


def test_turning_a_dial_changes_its_setting_and_stays_at_the_iteration():
    there = place("logistic")
    dialled(there, told("log_precision", 2, t=5))
    assert (there.settings.log_precision, there.t) == (2.0, 5)
    dialled(there, told("pointer", 1, t=5))
    assert there.settings.pointer == "add class 1"


@pytest.mark.parametrize("name", ["customers", "seed", "no such", "log_precision"])
def test_a_report_for_another_page_changes_nothing(name):
    there = place("crp_seating")
    before = there.settings
    dialled(there, told(name, 3))
    assert there.settings == before
