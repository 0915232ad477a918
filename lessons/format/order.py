"""The order in which learners see a question's choices; it does not depend on the order in the file."""

import hashlib
import re

from lessons.format.lesson import Step
from lessons.format.questions.answers import Choice

_ABOUT = r"(?:(?:about|around|nearly|roughly|some|≈|~|\\approx)\s*)?"
_NUMBER = r"[+\-−]?(?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
_THOUSANDS = re.compile(r",(?=\d{3}(?:\D|$))")
_LEADING = re.compile(rf"(?i)\$?\s*{_ABOUT}\$?\s*({_NUMBER})(?:\s*/\s*({_NUMBER}))?(\s*\\?%)?(?!\w|[.,]\d)")


def in_order(lesson: str, step: Step) -> tuple[Choice, ...]:
    """Return the choices of a question as learners see them.

    With ``order: fixed``, and in kinds that say so, they keep their order in the file; if each begins with a number,
    they are sorted by it; all others are shuffled. That depends on nothing but the ids of lesson and step and on the
    choices themselves, so that a class and a reload see the same, on any machine.
    """
    if step.ask.fixed:
        return step.choices
    numbers = {choice: number for choice in step.choices if (number := leading_number(choice.text)) is not None}
    if len(numbers) == len(step.choices):
        return tuple(sorted(step.choices, key=lambda choice: numbers[choice]))
    return tuple(sorted(step.choices, key=lambda choice: _card(lesson, step.id, choice.key)))


def leading_number(text: str) -> float | None:
    """Return the number with which a text begins, None if there is none: "about 2 %" is 0.02, "1/3: …" a third."""
    match = _LEADING.match(text)
    if match is None:
        return None
    above, below = map(_read, (match[1], match[2] or "1"))
    if below == 0:
        return None
    return above / below / (100 if match[3] else 1)


def number_alone(text: str) -> float | None:
    """Return the number that a text is, None if it is anything else."""
    match = _LEADING.match(text)
    return None if match is None or text[match.end() :].strip(" $") else leading_number(text)


def _read(number: str) -> float:
    """Return a number: 1,300 has a thousands mark, 0,640 and 0,5 have a decimal comma."""
    whole = number if number.lstrip("+-−").startswith("0") else _THOUSANDS.sub("", number)
    return float(whole.replace(",", ".").replace("−", "-"))


def _card(*names: str) -> bytes:
    """Return a pseudo-random sort key, the same for the same names in every process."""
    return hashlib.sha256("\0".join(names).encode()).digest()
