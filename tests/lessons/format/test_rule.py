"""A rule that is written: what its choices have to be, and what a learner's lines come to."""

import pytest

from lessons.check.files import parse_lesson
from lessons.format.questions.rule import Written
from samplers.judge.bank import PROBLEMS
from tests.lessons.format.sample import PATH, problems, question

CHOICES = """- [x] `n * fit` and `alpha * fit_new`
  > The product.
- [ ] the counts are forgotten
  > Weigh.
- [ ] else
  > Look.
"""
LESSON = question("rule: {problem: crp-mixture}", CHOICES)


def step():
    return parse_lesson(LESSON, PATH).lesson.steps[0]


@pytest.fixture
def written():
    return step().answers


def test_a_rule_that_is_proved_is_valid():
    assert problems(LESSON) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("alpha * fit_new`", "fit_new`", "the rule that is marked as right is not: This is: "),
        ("alpha * fit_new`", "alpha * fits`", "the right rule cannot be read: There is no “fits”"),
        (" and `alpha * fit_new`", "", "write each line of the right rule between two `: a table, and a new table"),
        ("counts are forgotten", "count is forgotten", "no known error of crp-mixture has the name"),
        ("- [ ] else\n  > Look.\n", "", "all other rules have no reason; add a line - [ ] else"),
        ("crp-mixture", "crp-mixtures", "unknown problem 'crp-mixtures' (did you mean 'crp-mixture'?)"),
    ],
)
def test_what_is_wrong_with_a_rule_is_said(old, new, said):
    assert any(said in problem for problem in problems(LESSON.replace(old, new)))


@pytest.mark.parametrize(
    ("lines", "right", "key"),
    [
        (("fit * n / 2", "alpha * fit_new / 2"), True, "`n * fit` and `alpha * fit_new`"),
        (("fit", "fit_new"), False, "the counts are forgotten"),
        (("n * fit", "alpha"), False, "else"),
        (("1", "2"), False, "else"),
    ],
)
def test_a_rule_comes_to_a_choice_by_its_verdict(written, lines, right, key):
    asked = step()
    assert asked.can_have(lines)
    assert asked.is_right(lines) is right
    assert written.stored(lines) == (*lines, key)
    assert asked.is_right((*lines, "whatever a browser says")) is right
    assert written.counted((*lines, key)) == (*lines, key)


@pytest.mark.parametrize("keys", [(), ("n",), ("n *", "alpha"), ("n", "alpha", "else", "else"), ("eval(n)", "1")])
def test_what_is_no_rule_is_no_answer(written, keys):
    assert not written.can_have(keys)
    assert not step().is_right(keys)
    assert written.counted((*keys, "no choice")) is None


def test_the_right_rule_of_each_problem_is_an_answer(written):
    assert isinstance(written, Written)
    assert written.right_keys[:2] == tuple(PROBLEMS["crp-mixture"].right)
    assert written.in_words(written.right_keys) == "`n * fit`, `alpha * fit_new`"
