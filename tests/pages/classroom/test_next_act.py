"""After a vote: what to do next, without the answer; and a reference for votes on a lineup."""

import numpy as np
import pytest

from lessons.format.questions.rule import Rule
from pages.classroom.messages import Made
from pages.classroom.reference import ALPHAS, alpha_weights, as_often, compared
from pages.classroom.reports import round_for_all, round_for_instructor
from pages.classroom.room import Round
from pages.classroom.store import Answer
from pages.lesson.lessons import library
from samplers.diagnostics.lineup import TILES

COIN = Round(id=1, lesson="coin-posterior", step="free", open=False, shown=False, revealed=False)
LINEUP = Round(id=1, lesson="logistic-which-is-the-data", step="line", open=False, shown=True, revealed=True)


def asked() -> Round:
    """A question with choices that a class has answered."""
    for lesson in library().lessons:
        for step in lesson.steps:
            if step.choices and step.form.look == "one":
                return COIN.model_copy(update={"lesson": lesson.id, "step": step.id})
    raise AssertionError


def votes(one: Round, right: int, wrong: int) -> dict[str, Answer]:
    step = one.found[1]
    other = next(choice.key for choice in step.choices if not choice.correct)
    keys = [step.answers.right_keys] * right + [(other,)] * wrong
    return {str(n): Answer(1, str(n), each, 0.0) for n, each in enumerate(keys)}


@pytest.mark.parametrize(
    ("right", "wrong", "act"),
    [(0, 4, ""), (3, 7, "hint"), (7, 13, "talk"), (14, 6, "talk"), (15, 5, "explain"), (5, 0, "explain")],
)
def test_the_share_of_right_answers_says_what_to_do_next(right, wrong, act):
    one = asked()
    assert round_for_instructor(one, votes(one, right, wrong), {})["act"] == act
    assert "act" not in round_for_all(one, votes(one, right, wrong), {})


def test_nothing_is_said_while_answers_come_or_once_all_is_told():
    one = asked()
    given = votes(one, 8, 2)
    for changes in (
        {"open": True},
        {"revealed": True},
        {"lesson": "", "step": "", "made": Made(kind="text", text="Why?")},
    ):
        assert round_for_instructor(one.model_copy(update=changes), given, {})["act"] == ""


def test_a_rule_is_not_proved_again(monkeypatch):
    lesson, step = next((one, step) for one in library().lessons for step in one.steps if isinstance(step.ask, Rule))
    one = COIN.model_copy(update={"lesson": lesson.id, "step": step.id})
    keys = step.answers.right_keys
    given = {str(n): Answer(1, str(n), keys, 0.0) for n in range(6)}
    monkeypatch.setattr("lessons.format.questions.rule.verdict_on", lambda *_: pytest.fail("proved"))
    assert round_for_instructor(one, given, {})["act"] == "explain"


def test_votes_on_a_lineup_are_held_against_classes_that_see_replicates():
    step = LINEUP.found[1]
    (right,) = step.answers.right_keys
    keys = [right] * 9 + ["3", "5", "5"]
    given = {str(n): Answer(1, str(n), (key,), 0.0) for n, key in enumerate(keys)}
    reason = round_for_all(LINEUP, given, {})["reason"]
    assert "9 of 12 pressed the data. Of 2,000 simulated classes" in reason
    assert "pressed" not in round_for_all(asked().model_copy(update={"revealed": True}), {}, {})["reason"]
    assert compared({}, right) == ""


def test_a_class_that_agrees_on_replicates_makes_a_hit_less_rare():
    """One tile of twenty gets half of the votes by chance more often if learners agree on which tile looks odd."""
    spread, agreed = as_often(10, (1,) * 10), as_often(10, (10,))
    assert 0 <= spread < agreed < 0.2
    assert (alpha_weights((1,) * 10) @ ALPHAS) > 2 * (alpha_weights((10,)) @ ALPHAS)


def test_of_independent_votes_the_reference_is_nearly_binomial(monkeypatch):
    """With a large α all tiles weigh the same, so one vote in twenty is on one given tile."""
    as_often.cache_clear()
    monkeypatch.setattr("pages.classroom.reference.ALPHAS", np.array([1e6]))
    found = as_often(2, (1,) * 18)
    as_often.cache_clear()
    chance = 1 - (1 - 1 / TILES) ** 20 - 20 / TILES * (1 - 1 / TILES) ** 19
    assert found == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / 2_000))
