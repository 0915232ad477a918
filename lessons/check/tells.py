"""Warn of a right choice that shows before anything is known: by its place, by its length, or by the text above it."""

import re
from collections.abc import Sequence
from itertools import pairwise

from lessons.format.guesses import ELSE, span
from lessons.format.lesson import Lesson, Step
from lessons.format.markdown import Section
from lessons.format.order import in_order
from lessons.format.problems import Report
from lessons.format.questions.answers import Choice
from lessons.format.schema import RIGHT

TELLING = 3  # this many questions whose right choice is at one place, or the longest, are no chance
LONGER, BY = 1.5, 20  # times and characters by which a right choice is longer than each other one, and tells

LENGTH = (
    "the right choice has {} characters, and the longest other one {}; learners take the long one: say why in its "
    "reason, and make the others as long"
)
RECALLED, APART = 0.8, 0.3  # the share of the right choice's words that tells, by how much more than that of the others
FEWEST = 4  # words without which a choice says too little to be recalled

RECALL = (
    "the step before has nearly all words of the right choice, and less of the others: ask what it does not say, or "
    "let it say less"
)
STATED = "the text above the choices has {} already, which the right one alone says; leave it out, or ask for another"
_TOKEN = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w%]|[.,]\d)")


def warn_of_tells(lesson: Lesson, sections: Sequence[Section], report: Report) -> None:
    """Warn of what learners could go by, in one question and from question to question."""
    asked = [
        (step, section)
        for step, section in zip(lesson.steps, sections, strict=True)
        if len(section.choices) > 1
        and sum(choice.correct for choice in section.choices) == 1
        and step.form.look != "rule"
    ]
    for step, section in asked:
        _warn_of_length(step, section, report)
        _warn_of_stated(step, section, report)
    _warn_of_recall(lesson, asked, report)
    listed = [step for step, _ in asked if step.form.look == "one"]
    _warn_of_habits(lesson, [step for step in listed if not by_number(step)], report)


def by_number(step: Step) -> bool:
    """Return whether a question's choices are numbers, of which length and place say nothing."""
    return all(span(choice.text) is not None for choice in step.choices)


def place_of_right(lesson: str, step: Step) -> int:
    """Return how many choices learners see above the right one."""
    return next(number for number, choice in enumerate(in_order(lesson, step)) if choice.correct)


def is_longest(choices: Sequence[Choice]) -> bool:
    """Return whether the right choice is longer than each other one."""
    right, others = _lengths(choices)
    return right > max(others)


def is_shortest(choices: Sequence[Choice]) -> bool:
    """Return whether the right choice is shorter than each other one."""
    right, others = _lengths(choices)
    return right < min(others)


def _lengths(choices: Sequence[Choice]) -> tuple[int, list[int]]:
    right = next(choice for choice in choices if choice.correct)
    return len(right.text), [len(choice.text) for choice in choices if choice is not right and choice.text != ELSE]


def _warn_of_length(step: Step, section: Section, report: Report) -> None:
    if step.form.look != "one" or by_number(step):
        return
    right, others = _lengths(step.choices)
    if right > LONGER * max(others) and right - max(others) >= BY:
        report.warn(_right_place(step, section), LENGTH.format(right, max(others)))


def _warn_of_stated(step: Step, section: Section, report: Report) -> None:
    """Warn of a number of two digits or more that the text has, and of the choices the right one alone."""
    right = next(choice for choice in step.choices if choice.correct)
    others = {number for choice in step.choices if choice is not right for number in _TOKEN.findall(choice.text)}
    above = {*_TOKEN.findall(f"{step.title}\n{step.body}")}
    for number in _TOKEN.findall(right.text):
        if number in above - others and len(re.sub(r"^[0.]+|\D", "", number)) > 1:
            report.warn(_right_place(step, section), STATED.format(number))


def _warn_of_recall(lesson: Lesson, asked: Sequence[tuple[Step, Section]], report: Report) -> None:
    """Warn of a question whose right choice repeats what the step before has said, its right reason included."""
    before = {step.id: last for last, step in pairwise(lesson.steps)}
    for step, section in asked:
        if step.id not in before or step.form.look != "one" or by_number(step):
            continue
        last = before[step.id]
        said = _words(f"{last.body} {' '.join(choice.reason for choice in last.choices if choice.correct)}")
        shares = [(choice.correct, _words(choice.text)) for choice in step.choices]
        right = max((len(words & said) / len(words) for correct, words in shares if correct and words), default=0.0)
        other = max((len(words & said) / len(words) for correct, words in shares if not correct and words), default=1.0)
        long = all(len(words) >= FEWEST for correct, words in shares if correct)
        if long and right > RECALLED and right - other >= APART:
            report.warn(_right_place(step, section), RECALL)


def _words(text: str) -> set[str]:
    """Return the words of a text that say something: those of four letters or more, without their endings."""
    return {re.sub(r"(?:ing|ed|es|s)$", "", word) for word in re.findall(r"[^\W\d_]{4,}", text.casefold())}


def _right_place(step: Step, section: Section) -> tuple[int, int]:
    return step.places.get(RIGHT, (section.choice_line, 1))


def _warn_of_habits(lesson: Lesson, asked: Sequence[Step], report: Report) -> None:
    """Warn if the right choice is at the same place, or is the longest, in question after question."""
    if len(asked) < TELLING:
        return
    place = asked[0].places.get(RIGHT, (asked[0].line, 1))
    where = [(place_of_right(lesson.id, step), len(step.choices)) for step in asked]
    habits = {
        "the longest choice": all(is_longest(step.choices) for step in asked),
        f"choice {where[0][0] + 1}": all(one[0] == other[0] for one, other in pairwise(where)),
        "the last choice": all(at == many - 1 for at, many in where) and len({many for _, many in where}) > 1,
    }
    for habit in (name for name, holds in habits.items() if holds):
        report.warn(place, f"in all {len(asked)} questions {habit} is the right one; learners will see that")
