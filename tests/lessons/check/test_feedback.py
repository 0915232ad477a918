"""The feedback on an answer agrees with its mark, and is true of every guess that gets it."""

import pytest

from lessons.check.feedback import AGREES, DISAGREES, NEVER, TO_ALL, WIDE, guesses_of
from lessons.check.files import parse_lesson, read_lesson
from lessons.format.guesses import span, written
from lessons.format.questions.answers import Choice, Numbers
from pages.lesson.lessons import library
from tests.lessons.format.sample import PATH, SAMPLE, edited, problems, question

WRONG_LINE, RIGHT_LINE = 19, 17  # of the sample's two choices
NUMBER = "number: {limits: [0, 2], within: 0.05}"


@pytest.mark.parametrize(
    ("reason", "opening"),
    [
        ("Right: that is the whole proof.", "Right:"),
        ("True, but there is more.", "True,"),
        ("**Correct.** But late.", "Correct."),
        ("That is right, given the counts.", "That is right,"),
        ("That would be correct too. But it is slow.", "That would be correct too."),
        ("That's the right answer, by the other way.", "That's the right answer"),
        ("A good guess: it is nearly so.", "A good guess:"),
        ("Yes, and no.", "Yes,"),
    ],
)
def test_a_reason_does_not_agree_with_a_wrong_choice(reason, opening):
    assert problems(edited("  > Then twice.", f"  > {reason}")) == [f"{WRONG_LINE}:1: {AGREES.format(opening)}"]


@pytest.mark.parametrize(
    "reason",
    [
        "That would be right without a prior.",
        "That was right before the first message.",
        "That is true of logistic regression.",
        "Right of the middle there is nothing.",
        "True values lie elsewhere.",
        "Yes, if each had the same weight.",
        "This line is sound: it is the whole proof.",
        "Your guess was the most probable one: it had 69 %.",
    ],
)
def test_what_a_wrong_choice_would_need_to_be_right_may_be_said(reason):
    assert problems(edited("  > Then twice.", f"  > {reason}")) == []


@pytest.mark.parametrize("opening", ["Wrong:", "Not quite.", "No,", "That is not right.", "This is wrong:"])
def test_a_reason_does_not_disagree_with_the_right_choice(opening):
    assert problems(edited("  > Right.", f"  > {opening} it goes.")) == [f"{RIGHT_LINE}:1: {DISAGREES.format(opening)}"]


def test_a_right_choice_may_be_a_no_and_say_so_again():
    text = edited("- [x] It disappears: $K - 1$", "- [x] No: it disappears")
    assert problems(text.replace("  > Right.", "  > No, the count goes down.")) == []
    assert problems(edited("  > Right.", "  > Not at all. No other count changes.")) == []


@pytest.mark.parametrize("said", ["your guess was", "Your answer is", "you guessed"])
def test_the_right_choice_is_read_by_all_and_says_nothing_of_a_guess(said):
    text = edited("  > Right.", f"  > You could not know: {said} lucky.")
    assert problems(text) == [f"{RIGHT_LINE}:1: {TO_ALL.format(said)}"]


def test_a_line_for_all_other_guesses_knows_none_of_them():
    lines = "- [x] 1\n  > One.\n- [ ] above 1.5\n  > Your guess is too high.\n- [ ] else\n  > Your guess is too low.\n"
    assert problems(question(NUMBER, lines)) == [f"21:1: {TO_ALL.format('Your guess is')}"]


def ranges(lines):
    reading = parse_lesson(question(NUMBER, lines), PATH)
    assert reading.lesson is not None, reading.problems
    return [(warning.line, warning.message) for warning in reading.warnings]


def test_a_reason_that_says_what_a_guess_is_does_not_go_to_guesses_far_from_it():
    """The guess 0.01 would be told that it is near the true width, 0.53."""
    lines = "- [x] 1\n  > One.\n- [ ] {}\n  > That is near the true width.\n- [ ] else\n  > What is left?\n"
    assert ranges(lines.format("below 0.7")) == [(19, WIDE.format(0, 0.7))]
    assert ranges(lines.format("0.4 to 0.69")) == []
    assert ranges(lines.format("below 0.7").replace("That is near", "It is more than")) == []


def test_a_line_that_no_guess_gets_is_found():
    lines = "- [x] 1\n  > One.\n- [ ] 0.98 to 1.02\n  > Near.\n- [ ] 0.5\n  > Half.\n- [ ] else\n  > What is left?\n"
    assert ranges(lines) == [(19, NEVER)]


def test_a_guess_gets_the_nearest_number_whatever_the_order():
    lines = [Choice("0.19", True, ""), *(Choice(text, False, "") for text in ("0.32", "0.33", "0.2 to 0.9", "else"))]
    for order in (lines, lines[::-1]):
        answers = Numbers(order, within=0.04, limits=(0, 1))
        said = {
            guess: answers.chosen((guess,))[0].text for guess in ("0.23", "0.3", "0.324", "0.326", "0.36", "0.5", "1")
        }
        assert [*said.values()] == ["0.19", "0.32", "0.32", "0.33", "0.33", "0.2 to 0.9", "else"]
        assert guesses_of(answers)["0.32"] == pytest.approx((0.28, 0.325))


def test_feedback_in_other_languages_is_left_alone():
    german = edited("minutes: 12", "minutes: 12\nlanguage: de").replace("  > Then twice.", "  > Right: so.")
    assert problems(german) == []
    assert problems(german.replace("language: de", "language: en-GB")) != []


def test_a_word_for_a_shade_is_warned_of_at_its_place():
    def warned(text):
        return [(one.line, one.column, one.message.partition(" is ")[0]) for one in parse_lesson(text, PATH).warnings]

    shade = edited("Only text.", "See the dark\nline, and `pale`.").replace("- one", "- the paler one")
    assert warned(shade) == [(35, 7, "'paler'"), (56, 9, "'dark'")]
    front = edited("title: One update", "title: The black line")
    assert warned(front) == [(4, 8, "'black line'")]
    assert warned(SAMPLE) == []


@pytest.mark.parametrize("lesson", library().lessons, ids=lambda lesson: lesson.path.stem)
def test_the_feedback_of_every_lesson_is_that_of_its_choice(lesson):
    """Every line is got by a guess, and the guess that a line names gets that line, unless it is right."""
    assert read_lesson(lesson.path).warnings == ()
    for step in lesson.steps:
        answers = step.answers if step.choices else None
        if isinstance(answers, Numbers):
            assert {*guesses_of(answers)} == {choice.key for choice in answers.choices}, step.id
            for choice in answers.choices:
                named = span(choice.text)
                if named and named.is_value:
                    (got,) = answers.chosen((written(named.low),))
                    assert got.correct or got is choice, (step.id, choice.text)
