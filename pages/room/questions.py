"""A step's question as a room asks it: what learners see of it, what counts as an answer, and what is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from lessons.reader import Lesson, Step
from lessons.reader.guesses import read_guess, written
from lessons.reader.order import in_order
from lessons.reader.printed import inline
from pages.shell.lessons import library


def question(lesson: str, step: str) -> tuple[Lesson, Step] | None:
    """Return the step of a lesson that asks something; None if there is none of these names."""
    found = library().lesson(lesson)
    return next(((found, one) for one in found.steps if one.id == step and one.choices), None) if found else None


def described(lesson: str, step: str) -> dict[str, Any] | None:
    """Return what learners see of a question; None if there is none any more.

    Returns
    -------
    dict
        ``title`` and ``choices`` are HTML; the latter are empty where the answer is a number, which lies within
        ``limits`` and moves by ``step_by``.
    """
    return _described(lesson, step, library().token)


@lru_cache(256)
def _described(lesson: str, step: str, _token: str) -> dict[str, Any] | None:
    found = question(lesson, step)
    if found is None:
        return None
    asked, ask = found[1], found[1].ask
    choices = () if asked.takes_number else in_order(lesson, asked)
    return {
        "title": inline(asked.title),
        "kind": "pick" if asked.pick else "draw" if asked.draw else "number" if asked.number else "choices",
        "multiple": asked.multiple,
        "choices": [{"key": choice.key, "html": inline(choice.text)} for choice in choices],
        "limits": list(ask.limits) if ask and ask.limits else None,
        "step_by": getattr(ask, "step", 1) if asked.takes_number else None,
    }


def as_answer(asked: Step, keys: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return an answer as it is counted, each in one way of writing it; None if the question cannot have it."""
    if not asked.can_have(keys) or len({*keys}) != len(keys):
        return None
    if asked.takes_number:
        guess = read_guess(keys[0])
        return None if guess is None else (written(guess),)
    return keys


def tally(answers: Iterable[tuple[str, ...]]) -> dict[str, int]:
    """Return how often each choice was ticked, or each number given; numbers in their order, choices by their keys."""
    counts = Counter(key for keys in answers for key in keys)
    return dict(sorted(counts.items(), key=lambda pair: (read_guess(pair[0]) or 0.0, pair[0])))


def right(asked: Step) -> list[str] | float:
    """Return what is right: the keys of choices, or a number."""
    return asked.right_number if asked.takes_number else [one.key for one in asked.choices if one.correct]
