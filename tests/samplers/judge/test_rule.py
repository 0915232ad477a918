"""Rules are read by an allow-list: what is in the grammar has a value in every update, and all else a sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samplers.judge.rule import MOST_CHARACTERS, Rule, RuleError, Value

VALUES = {
    "n": Value(np.array([1.0, 2.0, 3.0])),
    "alpha": Value(np.array([0.5, 0.5, 0.5])),
    "fits": Value(np.array([[0.1, 0.2, 9.0], [0.1, 0.2, 0.3], [0.5, 9.0, 9.0]]), np.array([2, 3, 1])),
}


def value(text: str) -> list[float]:
    return Rule(text, VALUES).evaluate(VALUES).tolist()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("n", [1, 2, 3]),
        ("2", [2, 2, 2]),
        ("-n ** 2 + 1", [0, -3, -8]),
        ("n · α", [0.5, 1, 1.5]),
        ("n − 1 if n > 1 else 0", [0, 1, 2]),
        ("sum(fits)", [0.1 + 0.2, 0.1 + 0.2 + 0.3, 0.5]),
        ("max(fits, 0.25)", [0.25, 0.3, 0.5]),
        ("min(n, 2)", [1, 2, 2]),
        ("sum(n * fits)", [0.1 + 0.2, 0.2 + 0.4 + 0.6, 1.5]),
        ("exp(log(n))", [1, 2, 3]),
        ("lgamma(n + 1)", [0, np.log(2), np.log(6)]),
        ("1 / (n - 1)", [np.inf, 1, 0.5]),
    ],
)
def test_a_rule_has_a_value_in_every_update(text, found):
    assert value(text) == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [
        ("", "Write the rule first", 1),
        ("n ^ 2", "power with \\*\\*", 1),
        ("2 (n)", "Multiply with \\*", 1),
        ("weight = n", "right of the equals sign", 8),
        ("(n", "bracket is missing", 1),
        ("n * m", "no “m” in this update", 5),
        ("__import__('os')", "no function “__import__”", 1),
        ("n.real", "not used in rules", 1),
        ("sum", "needs brackets", 1),
        ("fits", "must be a number", 1),
        ("exp(n, n)", "takes one number", 1),
        ("n if n else 1", "one comparison", 1),
        ("1 < n", "belongs after “if”", 1),
        ("n # how many", "has no comments", 3),
        ("'n'", "Only numbers", 1),
        ("1+" * 90 + "1", "longer than any rule", 1),
        ("n" * (MOST_CHARACTERS + 1), "at most 400 characters", 1),
    ],
)
def test_what_is_not_in_the_grammar_is_said_with_its_place(text, said, column):
    with pytest.raises(RuleError, match=said) as error:
        value(text)
    assert error.value.column == column


@given(st.text(max_size=120) | st.text("n1.*+-/()<>=,[]{}:'\"_ifelsxpumalgc \n\t^@!&|~%", max_size=80))
def test_any_text_has_a_value_or_a_sentence(text):
    try:
        found = value(text)
    except RuleError:
        return
    assert len(found) == 3
