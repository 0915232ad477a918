"""Text of the templates that was not replaced: learners would read it."""

import re
from collections.abc import Sequence

from lessons.format.problems import Report

MESSAGE = "this is still the template's text, and learners would read it; write your own"
BEGINNINGS = ("Write here", "say here what", "TODO", "FIXME")
SENTENCES = (
    "This happens",
    "That happens",
    "Why this is right.",
    "Why this is wrong, and what learners overlook who choose it.",
    "The first line of what you have seen.",
    "The second line.",
    "The third line.",
)
_MARKS = re.compile(r"[ \t]*(?:>[ \t]*|[-*+][ \t]+|\[[ xX]\][ \t]+)*")  # of quotes, lists and boxes


def is_placeholder(text: str) -> bool:
    """Return whether a text is one of a template."""
    return text.startswith(BEGINNINGS) or text in SENTENCES


def check_placeholders(lines: Sequence[str], apart: set[int], report: Report) -> None:
    """Warn of each line that a template wrote, except those, from 0, that are no prose."""
    for number, line in enumerate(lines):
        if number not in apart and (match := _MARKS.match(line)) and is_placeholder(line[match.end() :].strip()):
            report.warn((number + 1, match.end() + 1), MESSAGE)
