"""Questions that come back: which ideas the lessons ask about, and what the checker says of another run."""

import pytest

from lessons.check.again import asked_again, wrong_rules
from lessons.check.checker import inspect
from lessons.check.numbers import outcomes
from lessons.flow import Answers, Place, screen
from pages.lesson.lessons import library
from tests.lessons.format.sample import PATH, SAMPLE, question

LESSONS = library().lessons
ASKED = [(lesson, step) for lesson in LESSONS for step in lesson.steps if step.idea]
RETURNING = [(lesson, step) for lesson, step in ASKED if step.returns]
ELSEWHERE = [(lesson, step) for lesson, step in RETURNING if step.again]
NUMBER = "number: {limits: [1, 60], within: 1, outcome: tables}"
LINES = "- [x] 3\n  > Right.\n- [ ] else\n  > Or so.\n"


def ids(pairs):
    return [f"{lesson.id}-{step.id}" for lesson, step in pairs]


def test_sixty_ideas_are_asked_about_in_all_topics():
    assert len({step.idea for _, step in ASKED}) >= 60
    assert {lesson.stage for lesson, _ in RETURNING} == {lesson.stage for lesson in LESSONS}
    assert len(ELSEWHERE) >= 16
    assert all(step.choices for _, step in ASKED)


def test_a_lesson_that_asks_again_is_found_by_its_id_and_is_in_no_list():
    one = library().lesson("again-coin-posterior-one")
    assert (one.again_of, [step.id for step in one.steps]) == ("coin-posterior", ["one"])
    assert one not in library().lessons
    assert library().lesson("again-coin-posterior-one") is one
    for name in ("again-coin-posterior-free", "again-coin-posterior-", "again-mixture-write-rule", "again"):
        assert library().lesson(name) is None


@pytest.mark.parametrize(("lesson", "step"), RETURNING, ids=ids(RETURNING))
def test_a_question_that_comes_back_can_be_answered_right_and_in_one_way_alone(lesson, step):
    again = asked_again(lesson, step)
    [one] = again.steps
    right = one.answers.right_keys
    assert one.can_have(right)
    assert one.is_right(right)
    assert sum(choice.correct for choice in one.choices) == 1 or one.ask.several
    place = Place(again.stage, again.settings_for(one)).opened(again, one)
    seen = screen(place, Answers())
    assert seen.question.given is None
    assert seen.lock == step.lock
    assert screen(place.answered(), Answers().with_one(again, one, right)).question.settled


@pytest.mark.parametrize(("lesson", "step"), ELSEWHERE, ids=ids(ELSEWHERE))
def test_another_run_has_the_answer_that_it_measures(lesson, step):
    again = asked_again(lesson, step)
    [one] = again.steps
    here, there = lesson.settings_after(step), again.settings_after(one)
    assert (here, lesson.seed_for(step)) != (there, again.seed_for(one))
    assert wrong_rules(here) == wrong_rules(there)
    value = outcomes(there, again.seed_for(one), (one.at or 0) + one.then.advance)[one.ask.outcome]
    assert one.answers.right_span.rounds(value)


# ---- what the checker says -------------------------------------------------------------------------------------------


def found(tmp_path, block, lines=LINES, text=SAMPLE):
    """Return the problems of a lesson with one question."""
    (tmp_path / "glossary.md").write_text("## seat, seats\n\nA place at a table.\n")
    path = tmp_path / PATH.name
    path.write_text(question(block, lines))
    return [problem.message for reading in inspect([path]) for problem in reading.problems]


def test_a_good_question_on_another_run_has_no_problem(tmp_path):
    assert found(tmp_path, f"{NUMBER}\nidea: seat\nagain: {{seed: 3}}") == []


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (f"{NUMBER}\nidea: chair", "no term of the glossary is 'chair'"),
        (f"{NUMBER}\nagain: {{seed: 3}}", "name one under idea"),
        (f"{NUMBER}\nidea: seat\nagain: {{seed: 7}}", "this is the step's own run"),
        (f"{NUMBER}\nidea: seat\nagain: {{}}", "this is the step's own run"),
        (f"{NUMBER}\nidea: seat\nagain: {{settings: {{concentration: 900.0}}}}", "concentration"),
        (f"{NUMBER}\nidea: seat\nagain: {{settings: {{concentration: 8.0}}}}", ""),
        ("number: {limits: [1, 9], within: 1, outcome: tables}\nidea: seat\nagain: {settings: {concentration: 20.0}}",
         "cannot be answered; take another seed, or wider limits"),
        ("number: {limits: [1, 60], within: 1}\nidea: seat\nagain: {seed: 3}", "no run can prove the right answer"),
    ],
)  # fmt: skip
def test_what_cannot_come_back_is_a_problem(tmp_path, block, said):
    problems = found(tmp_path, block)
    assert any(said in problem for problem in problems) if said else problems == []


def test_a_text_with_numbers_of_its_own_run_is_written_anew(tmp_path):
    lines = LINES.replace("Right.", "There are {tables}.")
    problem = "the text of this step has numbers of its own run; give text and reason under again"
    assert found(tmp_path, f"{NUMBER}\nidea: seat\nagain: {{seed: 3}}", lines) == [problem]
    again = '{seed: 3, text: "How many?", reason: "So many."}'
    assert found(tmp_path, f"{NUMBER}\nidea: seat\nagain: {again}", lines) == []
