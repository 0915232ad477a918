"""Stages whose chain moves by a learner's rule: her numbers are on the cards, and nothing of the right rule is."""

import re
from html import unescape

import pytest

from lessons.flow import Answers, Place, screen
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.scenes.written import numbers
from samplers.judge.bank import PROBLEMS
from tests.lessons.app_library import app_library

LESSONS = app_library().lessons
PLAYED = {
    (lesson.id, step.id): (lesson, step)
    for lesson in LESSONS
    for step in lesson.steps
    if step.form.problem in lesson.settings_for(step).ruled
}
BROKEN = ("-1", "0 / 0", "0", "1 / 0")


def by(name: tuple[str, str], lines: tuple[str, ...]):
    lesson, step = PLAYED[name]
    settings = lesson.settings_for(step)
    return settings.model_copy(update={"written": ";".join((step.form.problem, *lines))})


def cards(name: tuple[str, str], settings, t: int) -> str:
    lesson, step = PLAYED[name]
    stage = stage_of(lesson.stage)
    assert not stage.missing(settings)
    stage.film(settings, lesson.seed_for(step))
    return unescape(
        re.sub(r"<[^>]+>", " ", stage.cards(settings, lesson.seed_for(step), next(iter(settings.views)), t))
    )


def test_the_stage_plays_the_rule_in_the_topics_whose_update_is_the_exercises():
    assert {PLAYED[name][1].form.problem for name in PLAYED} == {
        *("crp-seating", "crp-mixture", "finite-mixture", "ibp-bit", "lda-word", "metropolis-grid"),
        *("pi-integrated", "pi-explicit", "naive-bayes-logs", "naive-bayes-collapsed"),
    }


@pytest.mark.parametrize("name", PLAYED, ids="/".join)
def test_the_numbers_on_the_cards_are_those_of_the_rule(name):
    lesson, step = PLAYED[name]
    lines = PROBLEMS[step.form.problem].lines
    settings = by(name, ("0.125",) * len(lines))
    said = cards(name, settings, stage_of(lesson.stage).scored(settings))
    assert "Your rule" in said
    assert "0.125 = 0.125" in said or "0.125 = " in said


@pytest.mark.parametrize("name", PLAYED, ids="/".join)
def test_the_desk_has_the_names_of_the_update_on_the_stage(name):
    lesson, step = PLAYED[name]
    problem, settings = PROBLEMS[step.form.problem], lesson.settings_for(step)
    stage = stage_of(lesson.stage)
    for t in (0, stage.scored(settings), 9):
        options = stage.case(settings, lesson.seed_for(step), t, problem)
        lines = [*problem.lines.values()]
        assert options
        for option in options:
            assert [*option["known"]] == [*lines[option["line"]]]


@pytest.mark.parametrize("name", PLAYED, ids="/".join)
@pytest.mark.parametrize("text", BROKEN)
def test_a_rule_that_gives_no_probabilities_is_told_and_breaks_no_stage(name, text):
    lesson, step = PLAYED[name]
    settings = by(name, (text,) * len(PROBLEMS[step.form.problem].lines))
    stage = stage_of(lesson.stage)
    film = stage.film(settings, lesson.seed_for(step))
    if film.columns:
        film.columns(0, min(film.total, 8) + 1)
    said = cards(name, settings, stage.scored(settings))
    logs, ratio = (PROBLEMS[step.form.problem].form == form for form in ("logarithms", "ratio"))
    fine = (logs and text in ("-1", "0")) or (ratio and text in ("0", "1 / 0"))
    assert ("o probabilit" in said) != fine


@pytest.mark.parametrize("name", PLAYED, ids="/".join)
def test_the_player_waits_for_the_rule_and_then_shows_the_update_alone(name):
    lesson, step = PLAYED[name]
    place = Place(lesson.stage, STAGES[lesson.stage](), seed=7).opened(lesson, step)
    waits = screen(place, Answers())
    assert {*waits.lock} >= {"play", "step", "back", "scrub"}
    assert waits.views == ()
    plays = screen(place.changed(written=by(name, ("1",) * len(PROBLEMS[step.form.problem].lines)).written), Answers())
    assert plays.lock == ()
    assert plays.views == tuple(place.settings.views)[:1]


def test_a_rule_in_a_link_that_cannot_be_read_is_told_without_a_traceback():
    lesson, step = PLAYED["crp-write", "rule"]
    settings = lesson.settings_for(step).model_copy(update={"written": "crp-seating;n **;*x*"})
    said = stage_of(lesson.stage).missing(settings)
    assert said is not None
    assert "rule in this link" in said.replace("\\", "")


def test_a_rule_for_another_sampler_is_left_alone():
    settings = STAGES["gibbs_topics"](written="crp-mixture;n;alpha", data="tiny")
    assert settings.moves_by == ""
    assert type(settings.sampler()).__name__ == "LDA"


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("n * fit", {"n": 2.0, "fit": 0.25}, "2 · 0.25"),
        ("n**2*fit", {"n": 3.0, "fit": 0.5}, "3**2 · 0.5"),
        ("log(α) - x", {"alpha": 1.5, "x": -1.0}, "log(1.5) − (−1)"),
        ("sum(counts * log_probs)", {"counts": [1.0], "log_probs": [-1.0]}, "sum(counts · log_probs)"),
        ("1 if n < 2 else exp(n)", {"n": 4.0}, "1 if 4 &lt; 2 else exp(4)"),
        ("fit", {"fit": 1e-12}, "1.00·10<sup>−12</sup>"),
    ],
)
def test_numbers_take_the_place_of_names(text, values, said):
    assert numbers(text, values) == said
