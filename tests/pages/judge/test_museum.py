"""The museum of errors: each known error is wrong, is named, and hangs beside the lesson that asks for its rule."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.judge.museum import SEEN, exhibition, exhibits
from pages.lesson.lessons import library
from samplers.judge.bank import PROBLEMS

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", PROBLEMS)
def test_each_known_error_is_wrong_and_has_its_picture(name):
    problem = PROBLEMS[name]
    shown, html = exhibits(name), exhibition(problem)
    assert [one.name for one in shown] == [*problem.wrong]
    for one in shown:
        assert (one.verdict.score < 1, one.verdict.named) == (True, one.name)
        assert (one.verdict.counterexample is None) <= (one.verdict.kind == "broken")
    assert html.count("<article>") == len(shown) + 1
    assert html.count('class="counterexample"') == sum(one.verdict.counterexample is not None for one in shown)


def test_labels_have_the_numbers_of_their_lesson_and_a_matrix_its_rows():
    bits, classes, tables = (exhibition(PROBLEMS[name]) for name in ("ibp-bit", "generative-predictive", "crp-mixture"))
    labels = [{*re.findall(r"<i style=[^>]*>(\d+)</i>", html)} for html in (bits, classes, tables)]
    assert labels[:2] == [{"0", "1"}, {"0", "1"}]
    assert "0" not in labels[2]
    assert 'class="state matrix" style="--columns: 2"' in bits
    assert PROBLEMS["ibp-bit"].said((0, 1, 1, 0)) == "0 1 | 1 0"
    assert "<td>the mean number of new dishes</td>" in exhibition(PROBLEMS["buffet-line"])


def test_the_data_of_a_case_are_counted_and_cases_are_not():
    """A case of a formula that has numbers of its own is no data set of so many points."""
    gain, seating = (exhibition(PROBLEMS[name]) for name in ("label-gain", "crp-seating"))
    assert "The first case in which it differs: p = [0.9, 0.1], left = [2, 5], now = 3<" in gain
    assert "The smallest case in which it differs, with 2 customers: " in seating
    assert not [
        problem.id
        for problem in PROBLEMS.values()
        if problem.noun == "cases" and "smallest case" in exhibition(problem)
    ]


def test_what_was_seen_in_public_is_in_the_bank():
    assert all(error in PROBLEMS[name].wrong for name, error in SEEN)


def test_each_lesson_that_asks_for_a_rule_is_linked_from_its_errors():
    test = AppTest.from_file(ROOT / "pages" / "router.py", default_timeout=60).switch_page("museum.py")
    test.query_params["problem"] = "lda-word"
    test.run()
    assert not test.exception
    assert test.selectbox[0].value == "lda-word"
    labels = [link.proto.label for link in test.get("page_link")]
    assert labels == ["Course map", "Write it yourself: Which topic has a word?"]


def test_at_least_fourteen_rules_are_asked_for_and_each_topic_asks_once_at_most_in_a_step():
    asked = [step.form.problem for lesson in library().lessons for step in lesson.steps if step.choices]
    asked = [problem for problem in asked if problem]
    assert len(asked) == len({*asked}) >= 14
