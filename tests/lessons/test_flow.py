"""Every screen of every lesson as a value: what is open, withheld and asked, before and after each answer.

The hosts draw these screens; their own tests see that they do.
"""

from collections.abc import Iterator
from dataclasses import astuple, replace
from typing import Any

import pytest

from lessons.flow import PLAYER, TOLD, Answers, Place, Screen, goals_near, name_of, screen, source_of, tick_of
from lessons.format.lesson import Lesson, Step
from lessons.format.questions.answers import Keys
from lessons.topics import STAGES
from tests.lessons.app_library import app_library
from tests.pages.rules import rule_for

LESSONS = app_library().lessons
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.pages]
QUESTIONS = [(lesson, step) for lesson, step in STEPS if step.choices]
GOALS = [(lesson, step) for lesson, step in STEPS if step.goals]
NONE = Answers()


def opened(lesson: Lesson, step: Step) -> Place[Any]:
    return Place(lesson.stage, lesson.settings_for(step)).opened(lesson, step)


def wrong(step: Step) -> Keys:
    """Return a wrong answer: a choice, a rule, or a number far below or above the right one."""
    if step.form.problem:
        return rule_for(step, next(choice for choice in step.choices if not choice.correct))
    low, high = step.form.limits or (-1e9, 1e9)
    keys = [choice.key for choice in step.choices] if step.form.lists else [f"{low:g}", f"{high:g}"]
    return next((key,) for key in keys if not step.is_right((key,)))


def after(lesson: Lesson, step: Step, *given: Keys) -> tuple[Screen, Place[Any]]:
    """Return the screen after these answers, and the place to which the last one leads."""
    answers = NONE
    for keys in given:
        answers = answers.with_one(lesson, step, keys)
    place = opened(lesson, step).answered()
    return screen(place, answers), place


def every_screen() -> Iterator[tuple[Place[Any], Screen]]:
    for lesson, step in STEPS:
        yield (place := opened(lesson, step)), screen(place, NONE)
        if step.choices:
            for keys in (wrong(step), step.answers.right_keys):
                seen, place = after(lesson, step, keys)
                yield place, seen


def beside_the_question(seen: Screen) -> tuple[Any, ...]:
    return astuple(replace(seen, question=None, guess=None, done=False))


def is_open(seen: Screen) -> bool:
    return bool(seen.lock or seen.hidden) or not (seen.captions and seen.messages)


def test_screens_name_what_their_topics_have():
    for place, seen in every_screen():
        stage = STAGES[place.stage]
        assert {*seen.charts, *seen.hidden} <= {*stage.charts}
        assert {*seen.views} <= {*stage.views}
        assert {*seen.controls} <= {*stage.model_fields, "seed"}
        assert {*seen.lock} <= {"play", "step", "back", "scrub", "controls"}
        assert place.view in stage.views
        assert 0 <= place.t <= place.settings.iterations


def test_what_a_question_hides_is_hidden_until_it_is_settled():
    for lesson, step in QUESTIONS:
        seen, hidden = screen(opened(lesson, step), NONE), {*step.hide}
        assert seen.question is not None
        assert (seen.question.given, seen.question.settled, seen.question.right) == (None, False, False)
        unwritten = step.form.problem in opened(lesson, step).settings.ruled  # the stage waits for the learner's rule
        plays_the_right_one = bool(step.form.problem) and not unwritten  # whose numbers would tell it
        assert seen.lock == (PLAYER if unwritten else step.lock)
        assert {*seen.hidden} == hidden & {*STAGES[lesson.stage].charts} - {step.ask.on}
        assert not {*seen.views} & (hidden - {step.open})
        said = "messages" not in hidden and not step.asks_why  # a message may say why
        assert (seen.captions, seen.messages) == ("captions" not in hidden and not plays_the_right_one, said)
        if "inspector" in hidden:
            assert {*seen.views} <= {step.open}, "the one that it opens may be what it asks about"


def test_a_right_answer_settles_a_question_and_nothing_hides_it():
    for lesson, step in QUESTIONS:
        seen, place = after(lesson, step, step.answers.right_keys)
        assert seen.question is not None
        assert seen.question.right
        assert seen.question.settled
        assert not is_open(seen)
        assert {*seen.views} == (set() if place.settings.many else {*place.settings.views})
        assert seen.done or step.until or step.goals


def test_a_prediction_has_one_try_and_a_quiz_shows_nothing_before_its_second():
    for lesson, step in QUESTIONS:
        before = screen(opened(lesson, step), NONE)
        for misses in range(1, TOLD + 1):
            seen, place = after(lesson, step, *[wrong(step)] * misses)
            assert seen.question is not None
            assert not seen.question.right
            repaired = bool(step.form.problem)  # a rule is, as often as a learner likes
            assert seen.question.settled == (step.once or (misses == TOLD and not repaired))
            if not seen.question.settled:
                assert beside_the_question(seen) == beside_the_question(before)
                assert place == opened(lesson, step), "the answer changes nothing yet"
            else:
                assert not is_open(seen)
    assert len({step.once for _, step in QUESTIONS}) == 2


def test_in_a_class_the_instructor_tells_the_answer_and_draws_the_guesses():
    for lesson, step in QUESTIONS:
        answers = replace(NONE, of_class=True).with_one(lesson, step, wrong(step))
        seen = screen(opened(lesson, step), answers)
        assert seen.question is not None
        assert seen.question.settled
        assert seen.guess is None or seen.guess["guess"] is None


def test_the_outcome_of_a_guess_is_drawn_once_it_is_answered():
    drawn = [(lesson, step) for lesson, step in QUESTIONS if step.ask.on]
    for lesson, step in drawn:
        before, given = screen(opened(lesson, step), NONE).guess, wrong(step)
        later = after(lesson, step, given)[0].guess
        assert before is not None
        assert later is not None
        assert before["chart"] in (lesson.charts_for(step) or STAGES[lesson.stage].charts)
        assert (before["outcome"], before["veil"]) == (None, step.veiled)
        assert (later["outcome"], later["veil"], later["hand"]) == (step.answers.right_keys[0], False, False)
        assert later["guess"] == given[0]
    assert drawn


def test_an_answer_leads_where_the_lesson_says():
    for lesson, step in QUESTIONS:
        before, place = opened(lesson, step), after(lesson, step, step.answers.right_keys)[1]
        assert place.settings == lesson.settings_after(step)
        assert place.t == min(before.t + step.then.advance, place.settings.iterations)
        assert place.view == (step.then.open or before.view)
        assert place.walks or not step.then.advance, "the player goes there step by step"
        if step.then.open and not place.settings.many:
            assert step.then.open in after(lesson, step, step.answers.right_keys)[0].views


def test_the_code_of_every_wrong_rule_waits_for_a_question_about_it():
    found = set()
    for lesson, step in STEPS:
        place = opened(lesson, step)
        rules = {name for name in type(place.settings).model_fields if "rule" in name}
        wrongs = {name for name in rules if getattr(place.settings, name) != "right"}
        seen = screen(place, NONE)
        assert (name_of(lesson, step) in seen.code) == bool(wrongs and step.choices)
        assert not (seen.code and "code" in seen.views)
        if seen.code and not place.settings.many:
            asked = next(one for one in lesson.steps if name_of(lesson, one) == seen.code[0])
            known = NONE.with_one(lesson, asked, asked.answers.right_keys)
            assert "code" in screen(place, known).views or screen(place, known).question
        found |= wrongs
    assert found == {"rule", "base_rule", "block_rule", "swap_rule", "gain_rule", "path_rule"}


def test_an_answer_that_the_question_no_longer_has_asks_again():
    for lesson, step in QUESTIONS:
        place = opened(lesson, step)
        seen = screen(place, Answers({name_of(lesson, step): ("no longer there",)}))
        assert seen.question is not None
        assert seen.question.outdated
        assert beside_the_question(seen) == beside_the_question(screen(place, NONE))


def test_a_run_is_done_at_its_end_and_a_text_at_once():
    for lesson, step in STEPS:
        place = opened(lesson, step)
        if step.until is not None:
            assert not screen(place, NONE).done
            assert screen(place.moved(step.until), NONE).done
            assert screen(replace(place, far=step.until), NONE).done, "it was there, and has gone back"
        else:
            assert screen(place, NONE).done == (not step.choices and not step.goals)


def test_goals_are_ticked_once_for_each_seed_and_complete_a_step_together():
    for lesson, step in GOALS:
        answers, place = NONE, opened(lesson, step)
        for goal in step.goals:
            there, t, first = goal.way(place.settings, place.t, place.seed)
            for number in range(goal.keys.seeds):
                here = replace(place, settings=there, t=t, seed=first + number, view=goal.keys.open or place.view)
                assert goal in goals_near(here, answers)
                known = answers.to(lesson, step) or ()
                answers = answers.with_one(lesson, step, (*known, tick_of(goal, here)))
                assert goal not in goals_near(here, answers), "the same seed counts once"
                ticks = screen(here, answers).ticks
                assert ticks[step.goals.index(goal)] == number + 1
        assert screen(place, answers).done
        assert screen(place, answers).ticks == tuple(goal.keys.seeds for goal in step.goals)


def test_the_end_of_a_lesson_leaves_the_stage_as_it_is():
    for lesson in LESSONS:
        place = opened(lesson, lesson.steps[-1])
        end = place.opened(lesson, lesson.pages[-1])
        assert replace(end, step=place.step) == place
        assert {*screen(end, NONE).controls} <= {"runs"}, "a wall has its own"


@pytest.mark.parametrize("stage", STAGES)
def test_free_play_withholds_nothing_and_a_wall_has_no_inspector(stage):
    settings = STAGES[stage]()
    seen = screen(Place(stage, settings), NONE)
    assert not is_open(seen)
    assert seen.views == tuple(settings.views)
    assert {*seen.controls} <= {*settings.controls}
    if "runs" in type(settings).model_fields:
        outcome = next(iter(settings.outcomes()))
        many = Place(stage, settings).changed(runs=outcome)
        assert screen(many, NONE).views == (() if many.settings.many else seen.views)


def test_a_link_names_a_place_and_a_source_its_run():
    lesson = next(lesson for lesson in LESSONS if lesson.id == "crp-seating")
    place = opened(lesson, lesson.steps[0])
    assert place.link.startswith(f"lesson=crp-seating&step={lesson.steps[0].id}&concentration=")
    assert place.source == source_of("crp_seating", place.settings, place.seed)
    assert place.source.startswith("crp_seating?concentration=")
    assert place.source.endswith(f"seed={place.seed}")


def test_a_question_that_hides_a_chart_hides_the_exact_answer_as_well():
    seen = {name_of(lesson, step): screen(opened(lesson, step), NONE) for lesson, step in QUESTIONS}
    assert [name for name, each in seen.items() if each.hidden and "truth" in each.views] == []
