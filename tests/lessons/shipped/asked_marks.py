"""The marks that the text of a question names."""

import re

from lessons.format.lesson import Lesson, Step
from lessons.topics import STAGES

THINGS = ("point", "hour", "message", "image", "row", "customer", "document")  # the others are names of colours
LINK = re.compile(r"\(#mark:([\w-]+)\)")


def named(lesson: Lesson, step: Step) -> list[str]:
    """Return the marks that a question points at, and the things named by number: "point 3" if there is `point-N`."""
    text = f"{step.title}\n{step.body}"
    found = LINK.findall(text)
    for kind in THINGS:
        if f"{kind}-N" in STAGES[lesson.stage].marks:
            found += [f"{kind}-{number}" for number in re.findall(rf"\b{kind} ([1-9]\d*)\b", text, re.IGNORECASE)]
    return list(dict.fromkeys(found))
