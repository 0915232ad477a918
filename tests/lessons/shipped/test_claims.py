"""A lesson's text has names and numbers, of which a screen shows some."""

import pytest

from tests.lessons.shipped.claims import Screen, claimed_names, claimed_numbers, numbers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("about 0.84, or 84 %", ["0.84", "84%"]),
        ("1,300 sweeps, −5,598 and (-2.5)", ["1,300", "-5,598", "-2.5"]),
        ("`doc2[3]` and text-5, x2", []),
        ("$\\frac12 + 2 \\cdot e^{-12}$ is $\\approx 0.38$", ["0.38"]),
        ("$\\alpha = 0.03$, and 15 of $N = 30$", ["15", "0.03", "30"]),
        ("1. first\n2. second", []),
    ],
)
def test_numbers_are_found(text, found):
    assert [number.text for number in claimed_numbers(text)] == found


def test_names_have_a_capital_and_are_no_terms():
    text = "Press **Step**, see *Number of tables*; this is **not** it, nor *Laplace approximation*. **It all ends.**"
    assert claimed_names(text, ["Laplace approximation"]) == ["Step", "Number of tables"]


@pytest.mark.parametrize(
    ("claim", "shown", "is_shown"),
    [
        ("0.168", "0.1679", True),
        ("0.168", "0.17", False),
        ("0.17", "0.1679", True),
        ("84 %", "0.84", True),
        ("84 %", "0.846", False),
        ("0.84", "84 %", True),
        ("84", "84 %", False),
        ("−0.53", "0.53", False),
        ("1,300", "1300", True),
    ],
)
def test_a_number_is_shown_if_the_screens_rounds_to_it(claim, shown, is_shown):
    (claimed,), (other,) = numbers(claim), numbers(shown)
    assert claimed.rounds(other) is is_shown
    assert Screen.read([shown]).missing(claim) == ([] if is_shown else [claimed.text])


def test_what_is_missing_is_said_once():
    screen = Screen.read(["Step (right arrow)", "The mean is 2.93"], held=[0.25])
    assert screen.missing("Press **Step** and *Play*: 2.93, 0.25, 7.5 and 7.5") == ["Play", "7.5"]
