"""Check what is said to an answer: a reason agrees with its mark, and is true of every guess that gets it."""

import math
import re
from itertools import pairwise

from lessons.format.guesses import ELSE, SLACK, span, written
from lessons.format.lesson import Step
from lessons.format.markdown import Section
from lessons.format.problems import Report
from lessons.format.questions.answers import Choice, Numbers

_END = r"\s*(?:[.:;!]|,(?!\s*(?:if|when|in|for|with|only|unless)\b))"  # "Yes, if …" is no agreement
_THAT = r"(?:that|this|it)(?:['’]s| is| was| would be)"
_AGREES = re.compile(
    rf"[\W_]*((?:right|true|correct|exactly|indeed|yes|(?:a )?good guess|well done){_END}|"
    rf"{_THAT}(?: also| indeed| quite)? (?:right|true|correct)(?: too| as well)?{_END}|"
    rf"{_THAT} the (?:right|true|correct) (?:answer|value|number|one|choice)\b)",
    re.IGNORECASE,
)
_DISAGREES = re.compile(
    rf"[\W_]*((?:wrong|no|false|incorrect|not quite|not right|not true|almost|sorry|unfortunately){_END}|"
    rf"{_THAT} (?:wrong|false|incorrect|not (?:quite )?(?:right|true|correct)|not it){_END})",
    re.IGNORECASE,
)
_OF_A_GUESS = re.compile(
    r"\b(?:your (?:guess|answer)(?:['’]s| is| was| lies)|you (?:guessed|answered))\b", re.IGNORECASE
)
_IS_A_NUMBER = re.compile(r"[\W_]*(?:(?:that|this)(?:['’]s| is| was)|close|nearly)\b", re.IGNORECASE)

AGREES = (
    "a reason begins with '{}', and its choice is wrong; begin with what it is about: 'This line is sound: …', 'It "
    "is so without a prior'"
)
DISAGREES = "a reason begins with '{}', and its choice is right; begin with what makes it right"
TO_ALL = (
    "a reason says '{}', and learners with other guesses read it too; say it in the line of that guess, or leave the "
    "guess out"
)
NEVER = "no guess gets this reason: each is right, or has another line; make within smaller, or leave the line out"
WIDE = (
    "this reason says what the guess is, and guesses from {:.4g} to {:.4g} get it, which are further apart than from "
    "the right one; name a narrower range, and give the others a line of their own"
)


def check_feedback(section: Section, report: Report) -> None:
    """Report reasons that contradict their marks, or that speak of a guess which the reader may not have made.

    Learners with a wrong answer are shown the right choice as well, with its reason.
    """
    if not any(choice.correct for choice in section.choices):
        return  # it is reported as such
    for choice in section.choices:
        place = (section.choice_lines[choice.key], 1)
        contradicts, message = (_DISAGREES, DISAGREES) if choice.correct else (_AGREES, AGREES)
        if (found := contradicts.match(choice.reason)) and not _repeats(choice, found[1]):
            report(place, message.format(found[1].strip()))
        if (choice.correct or choice.text == ELSE) and (found := _OF_A_GUESS.search(choice.reason)):
            report(place, TO_ALL.format(found[0]))


def warn_of_ranges(step: Step, section: Section, report: Report) -> None:
    """Warn of lines that no guess gets, and of reasons that say what a guess is to guesses that are far from it."""
    if not isinstance(answers := step.answers, Numbers):
        return
    got = guesses_of(answers)
    for choice in answers.choices:
        place = (section.choice_lines[choice.key], 1)
        found, guesses = span(choice.text), got.get(choice.key)
        if guesses is None:
            report.warn(place, NEVER)
        elif found and not found.is_value and choice.text != ELSE and _IS_A_NUMBER.match(choice.reason):
            low, high = guesses
            apart = min(abs(end - answers.right) for end in guesses)
            if high - low > apart * (1 + SLACK) + SLACK:
                report.warn(place, WIDE.format(low, high))


def guesses_of(answers: Numbers) -> dict[str, tuple[float, float]]:
    """Return the least and the greatest guess that gets each line, by the key of the line, as guesses are answered."""
    ends = [answers.right, *(answers.limits or ())]
    lines = [*answers.lines, *((found, line) for line in answers.choices if (found := span(line.text)))]
    ends += [end for found, _ in lines for end in (found.low, found.high) if math.isfinite(end)]
    low, high = answers.limits or (min(ends) - 1, max(ends) + 1)
    inside = sorted({low, high, *(end for end in ends if low < end < high)})
    got: dict[str, tuple[float, float]] = {}
    for one, other in [*((end, end) for end in inside), *pairwise(inside)]:  # all guesses between get the same line
        key = answers.chosen((written((one + other) / 2),))[0].key
        least, greatest = got.get(key, (one, other))
        got[key] = min(least, one), max(greatest, other)
    return got


def _repeats(choice: Choice, opening: str) -> bool:
    """Return whether a reason begins as the words of its choice do, as in a question with yes and no."""
    first = re.split(r"\W", opening, maxsplit=1)[0]
    return choice.correct and choice.text.casefold().startswith(first.casefold())
