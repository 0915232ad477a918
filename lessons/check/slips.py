"""Warn of what is valid in a question and likely a slip: two equal answers, and a run that stops elsewhere."""

import re

from lessons.format.lesson import Lesson, Step
from lessons.format.markdown import Section
from lessons.format.order import number_alone
from lessons.format.problems import Report


def warn_of_equals(section: Section, report: Report) -> None:
    """Warn of a choice that is the same number as another one, such as 2/4 beside 1/2."""
    first: dict[float, str] = {}
    for choice in section.choices:
        if (number := number_alone(choice.text)) is None:
            continue
        if first.setdefault(number, choice.text) != choice.text:
            place = section.choice_lines[choice.key], 1
            message = f"'{choice.text[:40]}' is the same number as '{first[number][:40]}'; give it another value"
            report.warn(place, message)


def warn_of_ends(lesson: Lesson, report: Report) -> None:
    """Warn of questions about the run's outcome whose text speaks of a later iteration than that of the answer."""
    for step in lesson.steps:
        if step.kind == "predict" and step.ask.outcome is not None:
            _warn_of_end(lesson, step, report)


def _warn_of_end(lesson: Lesson, step: Step, report: Report) -> None:
    settings, end = lesson.settings_after(step), (step.at or 0) + step.then.advance
    counted = settings.counted_as
    one, many = re.escape(counted), re.escape(settings.unit)
    text = f"{step.title}\n{step.body}".replace(",", "")
    asked = [int(match[1] or match[2]) for match in re.finditer(rf"\b{one} (\d{{1,9}})\b|\b(\d{{1,9}}) {many}\b", text)]
    if asked and end < max(asked) <= settings.iterations:
        place = next(
            (step.places[key] for key in (("then", "advance"), ("then",), ("at",)) if key in step.places),
            (step.line, 1),
        )
        message = f"the text speaks of {counted} {max(asked)}, and the answer is that of {counted} {end}"
        report.warn(place, f"{message}; let then advance by {max(asked) - (step.at or 0)}")
