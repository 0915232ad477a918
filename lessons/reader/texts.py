"""Check the texts among the keys of a lesson or a course: what YAML cuts off, and quotes that learners would read."""

import re

from lessons.reader.problems import Report
from lessons.reader.values import Values

TEXTS = ("title", "track", "objectives", "summary", "everyday", "source", "hand_in")  # keys that learners read
_QUOTED = re.compile(r"[“„«‘‚»”].*[“”»’‘«]")
CUT = "YAML reads what follows \" #\" as a comment, and learners read only '{}'; put the whole text in quotes"
QUOTES = 'learners read these quotes as well; write straight ones, "…", or leave them out'


def check_texts(values: Values, report: Report) -> None:
    """Warn of texts without quotes that are not all that was written, or that have quotes of a word processor."""
    for location, (text, behind) in values.plain.items():
        if not any(part in TEXTS for part in location):
            continue
        if behind.startswith(" #"):
            report.warn(values.place(location), CUT.format(text[:40]))
        if _QUOTED.fullmatch(text):
            report.warn(values.place(location), QUOTES)
