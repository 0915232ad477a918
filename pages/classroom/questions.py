"""A step's question as a room asks it: what learners see of it, what counts as an answer, and what is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from lessons.reader import Lesson, Step
from lessons.reader.guesses import read_guess, written
from lessons.reader.language import ENGLISH, direction
from lessons.reader.order import in_order
from lessons.reader.printed import as_html, inline
from pages.classroom.messages import Question
from pages.shell.lessons import library

MOST_TEXT = 2_000  # characters of HTML


def question(lesson: str, step: str) -> tuple[Lesson, Step] | None:
    """Return the step of a lesson that asks something; None if there is none of these names."""
    found = library().lesson(lesson)
    return next(((found, one) for one in found.steps if one.id == step and one.choices), None) if found else None


def described(lesson: str, step: str) -> Question | None:
    """Return a question as learners see it; None if there is none any more.

    Returns
    -------
    dict
        ``title``, ``text`` and ``choices`` are HTML in a language, ``lang``, that is read in a direction, ``dir``.
        There are no choices where the answer is a number, which lies within ``limits`` and moves by ``step_by``.
    """
    return _described(lesson, step, library().token)


@lru_cache(256)
def _described(lesson: str, step: str, _token: str) -> Question | None:
    found = question(lesson, step)
    if found is None:
        return None
    asked, ask = found[1], found[1].ask
    choices = () if asked.takes_number else in_order(lesson, asked)
    return {
        "title": inline(asked.title),
        "text": _text(asked),
        "lang": found[0].language,
        "dir": direction(found[0].language),
        "kind": "pick" if asked.pick else "draw" if asked.draw else "number" if asked.number else "choices",
        "multiple": asked.multiple,
        "choices": [{"key": choice.key, "html": inline(choice.text)} for choice in choices],
        "limits": list(ask.limits) if ask and ask.limits else None,
        "step_by": asked.grain if asked.takes_number else None,
    }


def forgotten() -> Question:
    """Return a question that is no longer in its lesson, as learners see it."""
    return {
        "title": "This question is no longer in its lesson.",
        "text": "",
        "lang": ENGLISH,
        "dir": "ltr",
        "kind": "choices",
        "multiple": False,
        "choices": [],
        "limits": None,
        "step_by": None,
    }


def _text(asked: Step) -> str:
    """Return the step's text, for learners who are elsewhere; "" if it has pictures or is too long for a message."""
    text = as_html(asked.body)
    return text if "<img" not in text and len(text) <= MOST_TEXT else ""


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
    """Return the right answer: the keys of choices, or a number."""
    return asked.right_number if asked.takes_number else [one.key for one in asked.choices if one.correct]
