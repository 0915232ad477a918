"""Warn of a step with more to read than learners read before they have done anything."""

import re
from collections.abc import Iterator, Sequence

from lessons.format.glossary import TARGET, Term, marked
from lessons.format.lesson import Lesson, Step
from lessons.format.problems import Problem, Report

MOST_ASKED = 80  # words before a question
MOST_FIRST, MOST_TERMS = 40, 2  # words, and terms of the glossary, on the first screen of a topic

_FORMULA = re.compile(r"\$\$.+?\$\$|\$.+?\$", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def words(markdown: str) -> int:
    """Return how many words a text has; a formula is one, and a picture has none."""
    plain = _LINK.sub(lambda match: "" if match[0].startswith("!") else match[1], _FORMULA.sub(" x ", markdown))
    return sum(any(map(str.isalnum, word)) for word in plain.split())


def terms_in(step: Step, terms: Sequence[Term]) -> int:
    """Return how many terms of a glossary a step explains, where no step comes before it."""
    return marked((step.body,), tuple(terms))[0].count(f"]({TARGET} ")


def warn_of_crowded(lesson: Lesson, report: Report) -> None:
    """Warn of each question with too much to read before it; a rule is written, and its text says by what names."""
    for step in lesson.steps:
        if step.choices and not step.form.problem and (many := words(step.body)) > MOST_ASKED:
            message = f"{many} words before a question; learners read about {MOST_ASKED}: leave some to its reasons"
            report.warn((step.line, 1), message)


def crowded_start(lesson: Lesson, terms: Sequence[Term]) -> Iterator[Problem]:
    """Yield warnings of the first screen of a topic: its words, and the terms that are new there."""
    step = lesson.steps[0]
    many, new = words(step.body), terms_in(step, terms)
    if many > MOST_FIRST:
        message = f"a topic begins with {many} words; begin with at most {MOST_FIRST}, and something to do"
        yield Problem(lesson.path, step.line, 1, message, "warning")
    if new > MOST_TERMS:
        message = f"a topic begins with {new} terms of the glossary; begin with at most {MOST_TERMS}"
        yield Problem(lesson.path, step.line, 1, message, "warning")
