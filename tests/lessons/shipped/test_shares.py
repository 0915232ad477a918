"""A share that is guessed on a chart can be any from 0 to 1: the end of a chart's axis says nothing of the answer."""

import re

from lessons.format.questions.draw import Draw
from pages.lesson.lessons import library

OF_SHARES = re.compile(r"\b(?:share|how (?:probable|likely))\b", re.IGNORECASE)


def asks_for_a_share(text):
    """Return whether a question in the text, which may go on over lines, asks for a share or a probability."""
    asked = [sentence for sentence in re.split(r"(?<=[.?!])\s", text) if sentence.endswith("?")]
    return any(OF_SHARES.search(sentence) for sentence in asked)


def test_a_share_can_be_guessed_from_0_to_1():
    limits = {
        f"{lesson.id}#{step.id}": tuple(step.ask.limits)
        for lesson in library().lessons
        for step in lesson.steps
        if isinstance(step.ask, Draw) and asks_for_a_share(step.body) and max(step.ask.limits) < 2
    }
    assert len(limits) > 4
    assert {step: found for step, found in limits.items() if found != (0, 1)} == {}
