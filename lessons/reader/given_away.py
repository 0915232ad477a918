"""Warn of choices that learners cannot tell apart, and of a heading that gives the right one away."""

from __future__ import annotations

import re

from lessons.reader.markdown import Section
from lessons.reader.problems import Report


def warn_of_choices(section: Section, report: Report) -> None:
    """Warn of a choice that has the words of another, and of a right one whose words are in the heading alone."""
    seen: set[str] = set()
    for choice in section.choices:
        words = " ".join(choice.text.split())
        if words in seen:
            message = "another choice of this question has the same words; learners cannot tell them apart"
            report.warn((section.choice_lines[choice.key], 1), message)
        seen.add(words)
    title = f" {_words(section.title)} "
    named = [choice for choice in section.choices if (words := _words(choice.text)) and f" {words} " in title]
    if len(section.choices) > 1 and named and all(choice.correct for choice in named):
        report.warn((section.line, 1), f"the heading has the right answer in it: '{named[0].text[:40]}'")


def _words(text: str) -> str:
    """Return words and numbers alone, in small letters, with a blank between."""
    return " ".join(re.findall(r"[^\W_]+(?:[.,/][^\W_]+)*", text.casefold()))
