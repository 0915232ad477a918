"""Short addresses lead back to their places, and links of old open what they opened, whatever the defaults are now."""

from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qsl

import pytest
import yaml

from lessons.flow import Place
from lessons.format.lesson import Lesson
from lessons.linked import PLACED, address, read, silent, table
from lessons.settings.settings import limits
from lessons.topics import STAGES
from pages.lesson.lessons import library
from pages.lesson.state import Visit

OLD = yaml.safe_load((Path(__file__).parent / "old_links.yaml").read_text("utf-8"))
PLACES = [pytest.param(lesson, id=lesson.id) for lesson in library().lessons]
LONGEST = 120  # characters of a step's address as it opens


def opened(stage: str, link: str) -> Visit:
    """Return where a link leads a new session."""
    there = Visit(stage, STAGES[stage]())
    there.follow(dict(parse_qsl(link, keep_blank_values=True)))
    return there


def texts(there: Visit) -> dict[str, str]:
    """Return all that a link can say of a place, as text."""
    lesson = {"lesson": there.lesson, "step": there.step} if there.lesson else {}
    values = {**lesson, **there.settings.model_dump(), "seed": there.seed, "view": there.view, "t": there.t}
    return {name: str(value) for name, value in values.items()}


# ---- links of old ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", OLD)
def test_links_of_old_open_what_they_opened(stage):
    bare = dict(parse_qsl(OLD[stage][0]))  # the topic as it opened then
    for link in OLD[stage]:
        said = dict(parse_qsl(link))
        there = opened(stage, link)
        assert there.notes == []
        found = texts(there)
        meant = said if "lesson" in said else {**bare, **said}
        assert {name: found[name] for name in meant} == meant


@pytest.fixture
def changed(monkeypatch) -> str:
    """Change the defaults of a topic, and return its name."""
    known = STAGES["crp_seating"]

    class Later(known):  # type: ignore[misc, valid-type]
        concentration: float = known.model_fields["concentration"]._copy()
        customers: int = known.model_fields["customers"]._copy()

    Later.model_fields["concentration"].default = 5.0
    Later.model_fields["customers"].default = 33
    Later.model_rebuild(force=True)
    monkeypatch.setitem(STAGES._loaded, "crp_seating", Later)
    assert STAGES["crp_seating"]().concentration == 5.0
    return "crp_seating"


def test_a_changed_default_leaves_links_what_they_were(changed):
    there = opened(changed, "seed=3&t=2")
    assert (there.settings.concentration, there.settings.customers) == (1.0, 60)
    now = Place(changed, STAGES[changed](), view="customer")
    assert address(now) == "concentration=5&customers=33"


@pytest.mark.parametrize("stage", STAGES)
def test_the_table_has_every_setting_with_a_value_that_is_still_one(stage):
    known, meant = STAGES[stage], table().get(stage)
    assert meant, f"add a line for {stage} to lessons/linked.yaml"
    assert list(meant) == [*known.model_fields, *PLACED]
    assert meant["view"] in known.views
    assert silent(stage).settings.model_dump() == {name: meant[name] for name in known.model_fields}


# ---- short ones ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
def test_an_address_holds_only_what_differs(stage):
    place = silent(stage)
    assert address(place) == ""
    name = next(name for name in type(place.settings).controls if name != "seed" and "seed" not in name)
    field = type(place.settings).model_fields[name]
    other = next(one for one in _values(field) if one != getattr(place.settings, name))
    there = place.changed(**{name: other})
    assert parse_qsl(address(there)) == [(name, str(other).removesuffix(".0"))]


def test_words_that_end_like_a_number_stay_as_they_are():
    place = silent("gibbs_text").changed(message="sent by 2.0")
    assert address(place) == "message=sent+by+2.0"


def _values(field: Any) -> list[Any]:
    return [*get_args(field.annotation)] or [*limits(field)]


def places(lesson: Lesson) -> list[Place[Any]]:
    """Return the places of a lesson: each step as it opens, and after the right answer."""
    found = []
    for step in lesson.pages:
        place = Place(lesson.stage, STAGES[lesson.stage]()).opened(lesson, step)
        found += [place, place.answered()] if step.choices else [place]
    return found


@pytest.mark.parametrize("lesson", PLACES)
def test_the_address_of_each_step_leads_back(lesson):
    for place in places(lesson):
        short = address(place)
        if place.step.kind != "end" and place.settings == lesson.settings_for(place.step):
            assert len(short) < LONGEST
        said = dict(parse_qsl(short, keep_blank_values=True))
        base = silent(lesson.stage).opened(lesson, place.step)
        there, notes = read(base, said)
        assert notes == []
        assert (there.settings, there.seed, there.view) == (place.settings, place.seed, place.view)
        assert address(there) == short


@pytest.mark.parametrize("lesson", PLACES)
def test_a_lesson_left_for_free_play_has_an_address_that_leads_back(lesson):
    for step in lesson.steps:
        place = Place(lesson.stage, STAGES[lesson.stage]()).opened(lesson, step)
        free = Place(place.stage, place.settings, seed=place.seed, view=place.view)
        there, notes = read(silent(lesson.stage), dict(parse_qsl(address(free), keep_blank_values=True)))
        assert notes == []
        assert (there.settings, there.seed, there.view) == (free.settings, free.seed, free.view)
        assert len(address(free)) <= len(free.link)
