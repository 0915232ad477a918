"""Sums and products that a text prints with their value, in HTML or Markdown."""

import re

from lessons.check import sums
from tests.pages.html import words

APART = re.compile(r"</?(?:td|tr|th|p|caption|section|h4|li|div|table|br)\b[^>]*>|\n\n|\n *[->]")
BADGE = re.compile(r'<span class="badge[^>]*>[^<]*</span>|<i[ >][^<]*</i>')  # the number of a class before its sum
POWER = re.compile(r"(?<=\d)·10<sup>([−\d]+)</sup>")


def untrue(text: str) -> list[str]:
    """Return the equations of a text, HTML or Markdown, of numbers whose value is not the number that is told."""
    return [said for part in APART.split(POWER.sub(r"e\1", BADGE.sub(" ", text))) for said in sums.untrue(words(part))]
