"""Warn of what STYLE.md asks of a lesson as a whole: its length, its questions, and the sums that it prints."""

import re

from lessons.check.crowded import warn_of_crowded
from lessons.check.sums import untrue
from lessons.format.lesson import Lesson
from lessons.format.problems import Position, Report

LONGEST = 12  # minutes
LISTS = ("one", "several")  # looks of a question that is ticked
TICKED = 4  # questions of a lesson, none of which is answered in the picture
SIDE = re.compile(  # of the screen, and not of a picture
    r"\b(?:chart|picture|plane|images|message|legend)s? (?:on|at|to) the (?:left|right)\b"
    r"|\b(?:left|right) of the bar\b|\bon the (?:left|right) (?:is|are)\b",
    re.IGNORECASE,
)


def warn_of_style(lesson: Lesson, minutes: Position, report: Report) -> None:
    """Warn of a long lesson, one whose questions are all ticked, texts that are long, and sums that do not add up."""
    if lesson.minutes > LONGEST:
        report.warn(minutes, f"{lesson.minutes} minutes; learners stay for about {LONGEST}: make two lessons of it")
    asked = [step for step in lesson.steps if step.choices]
    if len(asked) >= TICKED and all(step.form.look in LISTS and not step.ask.by_hand for step in asked):
        message = f"all {len(asked)} questions are ticked; ask where the thing is: pick, place, draw, share or picture"
        report.warn((asked[0].line, 1), message)
    for step in lesson.steps:
        texts = [step.body, *(text for choice in step.choices for text in (choice.text, choice.reason))]
        for said in (said for text in texts for part in text.split("\n\n") for said in untrue(part)):
            report.warn((step.line, 1), f"a reader who reckons finds another number: {said[:80]}")
        for side in SIDE.findall(" ".join(step.body.split())):
            report.warn((step.line, 1), f"on a phone it is elsewhere: '{side}'; name a chart by its title, in italics")
    warn_of_crowded(lesson, report)
