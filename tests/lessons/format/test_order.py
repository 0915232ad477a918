"""Choices in the order in which learners see them."""

import hashlib
from collections import Counter
from dataclasses import replace

import pytest

from lessons.format.lesson import Step
from lessons.format.order import in_order, leading_number
from lessons.format.questions.answers import Choice
from lessons.format.questions.ticks import Ticks


def question(*texts: str, step: str = "a", **keys) -> Step:
    choices = tuple(Choice(text, correct=number == 0, reason="") for number, text in enumerate(texts))
    return Step(id=step, title="", line=1, kind="quiz", choices=choices, **keys)


def texts(lesson: str, step: Step) -> list[str]:
    return [choice.text for choice in in_order(lesson, step)]


def test_the_order_is_that_of_one_card_for_each_choice():
    def card(text):
        return hashlib.sha256(f"a-lesson\0a\0{text}".encode()).hexdigest()

    step = question("Yes", "No", "Perhaps", "Never")
    assert texts("a-lesson", step) == sorted(["Yes", "No", "Perhaps", "Never"], key=card)


def test_the_order_does_not_depend_on_where_a_choice_stands_in_the_file():
    step = question("Yes", "No", "Perhaps", "Never")
    turned = replace(step, choices=step.choices[::-1])
    assert in_order("a-lesson", turned) == in_order("a-lesson", step)


def test_a_choice_with_an_id_keeps_its_place_when_its_words_change():
    def first(text):
        return in_order("a", replace(step, choices=(Choice(text, True, "", "yes"), *step.choices[1:])))

    step = question("Yes", "No", "Perhaps")
    assert [choice.key for choice in first("Yes")] == [choice.key for choice in first("Certainly")]


def test_the_right_choice_stands_anywhere_equally_often():
    steps = [question("Yes", "No", "Perhaps", step=f"s{number}") for number in range(3000)]
    places = Counter(texts("a-lesson", step).index("Yes") for step in steps)
    # each count has mean 1000 and standard deviation 26; the hashes are fixed, so this passes always or never
    assert all(900 < places[place] < 1100 for place in range(3))


def test_numbers_are_sorted():
    assert texts("a", question("1/2", "1, since there is one table", "1/3")) == [
        "1/3",
        "1/2",
        "1, since there is one table",
    ]
    assert texts("a", question("0,64", "0,5 more", "0,7", "−0,25", "1,300", "0,640")) == [
        "−0,25",
        "0,5 more",
        "0,64",
        "0,640",
        "0,7",
        "1,300",
    ]
    assert texts("a", question("About 13", "5, the concentration", "About 23")) == [
        "5, the concentration",
        "About 13",
        "About 23",
    ]
    assert texts("a", question("−2.44", "1.01", "−1.91")) == ["−2.44", "−1.91", "1.01"]


def test_one_choice_without_a_number_and_they_are_shuffled():
    orders = {tuple(texts("a", question("3", "2", "None", step=f"s{number}"))) for number in range(60)}
    assert len(orders) == 6


def test_a_fixed_order_is_that_of_the_file():
    step = question("3", "1", "2", ask=Ticks(order="fixed"))
    assert in_order("a", step) == step.choices


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12: for each message", 12),
        ("about 2 %", 0.02),
        (r"20\% of them", 0.2),
        ("≈ 1,280 draws", 1280),
        ("$1 / 3$", 1 / 3),
        (r"$\approx 0.5$", 0.5),
        ("-0.5", -0.5),
        ("+7", 7),
        ("1/0", None),
        ("2nd place", None),
        ("1.2.3", None),
        ("Nearly all", None),
        ("Table 2", None),
        ("−∞", None),
        ("", None),
    ],
)
def test_the_number_with_which_a_choice_begins(text, number):
    assert leading_number(text) == pytest.approx(number) if number is not None else leading_number(text) is None
