"""Check the texts among the keys of a lesson or a course for what their author did not mean."""

import re

from lessons.format.placeholders import MESSAGE, is_placeholder
from lessons.format.problems import Report
from lessons.format.values import Values

TEXTS = ("title", "track", "objectives", "summary", "everyday", "source", "hand_in")  # keys that learners read
LISTS = ("objectives", "summary")
_QUOTED = re.compile(r"[“„«‘‚»”].*[“”»’‘«]")
CUT = "YAML reads what follows \" #\" as a comment, and learners read only '{}'; put the whole text in quotes"
QUOTES = 'learners read these quotes as well; write straight ones, "…", or leave them out'


def check_texts(values: Values, report: Report) -> None:
    """Warn of texts that are cut off, that have quotes of a word processor, or that a template wrote."""
    for location, (text, behind) in values.plain.items():
        if not any(part in TEXTS for part in location):
            continue
        if behind.startswith(" #"):
            report.warn(values.place(location), CUT.format(text[:40]))
        if _QUOTED.fullmatch(text):
            report.warn(values.place(location), QUOTES)
    for name in LISTS:
        for number, text in enumerate(found if isinstance(found := values.data.get(name), list) else ()):
            if isinstance(text, str) and is_placeholder(text):
                report.warn(values.place((name, number)), MESSAGE)
