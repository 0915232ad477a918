"""Questions why: after a reveal, a learner picks the one clause of three that explains it."""

from collections import Counter

import pytest

from pages.lesson.lessons import library
from tests.lessons.format.sample import problems, question

HINT = "Pick the clause"
ASKED = [(one, n) for one in library().lessons for n, step in enumerate(one.steps) if step.form.hint.startswith(HINT)]
THREE = "- [x] it is\n  > So.\n- [ ] it was\n  > No.\n- [ ] it may be\n  > No.\n"
WHY = "a question why has three clauses to tick, one of them right: three choices, and no other way to answer"


def test_each_lesson_asks_why_once_unless_the_learner_writes_its_rule():
    """Where she writes the rule, the verdict names her own error, and the smallest update that goes wrong by it."""
    written = {one.id for one in library().lessons if any(step.form.problem for step in one.steps)}
    asked = Counter(lesson.id for lesson, _ in ASKED)
    assert {*asked.values()} == {1}
    assert {lesson.id for lesson in library().lessons} - {*asked} == written - {*asked}
    assert len(asked) >= 120


@pytest.mark.parametrize(("lesson", "number"), ASKED, ids=lambda value: getattr(value, "id", ""))
def test_it_comes_after_a_reveal_and_shows_what_was_seen(lesson, number):
    before, step = lesson.steps[number - 1], lesson.steps[number]
    assert before.choices
    assert (len(step.choices), sum(choice.correct for choice in step.choices)) == (3, 1)
    assert lesson.settings_for(step) == lesson.settings_after(before)
    assert lesson.seed_for(step) == lesson.seed_for(before)
    assert step.at == before.at + before.then.advance
    assert step.hide == ()


def asked(lines, keys=""):
    """The problems of a quiz that asks why."""
    text = (
        question(f"why: true{keys}", lines).replace("kind: predict", "kind: quiz").replace("\nthen: {advance: 60}", "")
    )
    return [problem.partition(": ")[2] for problem in problems(text)]


def test_a_question_why_has_three_clauses_one_of_them_right():
    assert asked(THREE) == []
    assert asked(THREE.replace("- [ ] it may be\n  > No.\n", "")) == [WHY]
    assert asked(THREE, "\nmultiple: true") == [WHY]
    assert WHY in asked("- [x] 3\n  > So.\n- [ ] 4\n  > No.\n- [ ] else\n  > No.\n", "\nnumber: {}")
