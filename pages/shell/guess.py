"""A learner's guess: where it waits to be checked, how it is set, and what the player draws of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from lessons.reader import Lesson, Step
from lessons.reader.guesses import AskPick, read_guess, written
from pages.drawing.numbers import significant
from pages.player.player import AskedGuess
from pages.shell.answers import Keys, answered
from pages.shell.state import Topic
from pages.shell.widgets import bound

LABEL = "Your guess"


def waiting(place: Topic, lesson: Lesson, step: Step) -> str:
    """Return the guess that has been made at a question and not been checked; "" if there is none.

    A slider always has one: that of its low end, until it is moved.
    """
    if place.guess[:2] == (lesson.id, step.id):
        return place.guess[2]
    return written(step.number.limits[0]) if step.number and step.number.limits else ""


def placed(place: Topic, value: str) -> None:
    """Take in a guess that was placed on a chart; what the question cannot have is left alone."""
    current = place.current()
    if current and answered(*current) is None and current[1].can_have((value,)):
        place.guess = (current[0].id, current[1].id, value)


def asked(place: Topic) -> AskedGuess | None:
    """Return what the player draws of the question that is open; None if nothing is asked for on a chart.

    Returns
    -------
    dict
        The ``chart``; the ``axis`` for a place on it, or the ``field`` by which marks are known; ``guess`` and
        ``outcome``, if there are any yet, as text, and from which iteration on the outcome is to be seen (``reveal``);
        whether learners can set the guess there (``hand``), and within which ``limits`` and in which ``step``.
    """
    current = place.current()
    ask = current[1].ask if current else None
    if current is None or ask is None or ask.chart is None:
        return None
    lesson, step = current
    given = answered(lesson, step)
    return {
        "chart": ask.chart,
        "axis": None if isinstance(ask, AskPick) else ask.axis,
        "field": ask.field if isinstance(ask, AskPick) else None,
        "limits": ask.limits,
        "step": 1 if isinstance(ask, AskPick) else step.grain,
        "guess": (given[0] if given else waiting(place, lesson, step)) or None,
        "outcome": outcome(step) if given else None,
        "reveal": (step.at or 0) + step.then.advance,
        "hand": not given and step.number is None,
    }


def outcome(step: Step) -> str:
    """Return what is right: a number as it is written in the lesson, or the mark's value."""
    right = next(choice for choice in step.choices if choice.correct)
    return right.text.replace(",", "").replace("−", "-") if step.takes_number else right.key


def field(place: Topic, lesson: Lesson, step: Step, given: Keys | None) -> Keys:
    """Draw the field or the choices by which a guess can be set, and return it."""
    now = given[0] if given else waiting(place, lesson, step)

    def take(value: Any) -> None:
        place.guess = (lesson.id, step.id, value if isinstance(value, str) else written(value))

    bind = partial(bound, place, f"guess {lesson.id} {step.id}", take=take)
    draw = _number if step.takes_number else _choice
    draw(step, bind, now, given is not None)
    return (now,) if now else ()


def _number(step: Step, bind: Callable[..., dict[str, Any]], now: str, disabled: bool) -> None:
    ask = step.ask
    grain, limits = step.grain, ask.limits if ask else None
    number: Any = int if all(each.is_integer() for each in (grain, *(limits or ()))) else float
    low, high = map(number, limits) if limits else (None, None)
    form = "%d" if number is int else f"%.{len(written(grain).partition('.')[2])}f"
    guess = read_guess(now, limits)
    look = bind(None if guess is None else number(guess)) | {
        "step": number(grain),
        "format": form,
        "disabled": disabled,
    }
    if step.number and limits:
        st.slider(LABEL, low, high, **look)
    else:
        how = "Click it, or type its number" if step.pick else "Type a number"
        st.number_input(LABEL, low, high, placeholder=how, **look)


def _choice(step: Step, bind: Callable[..., dict[str, Any]], now: str, disabled: bool) -> None:
    texts = {choice.key: choice.text for choice in step.choices}
    look, options = bind(now), list(texts)
    first = look.pop("value")
    index = options.index(first) if first in texts else None
    st.radio(LABEL, options, index, lambda key: texts.get(key, key), disabled=disabled, **look)


def how_far(step: Step, given: Keys) -> str:
    """Return a sentence on guess and outcome, in Markdown."""
    if step.pick:
        right = next(choice.text for choice in step.choices if choice.correct)
        picked = given[0] if step.takes_number else step.chosen(given)[0].text
        return f"**{right}** it is." if picked == right else f"You picked **{picked}**; it is **{right}**."
    off = float(given[0]) - step.right_number
    said, told = (text.replace("-", "−") for text in (given[0], outcome(step)))
    if step.is_right(given) and abs(off) < 1e-9:
        return f"**{told}** it is."
    side = "high" if off > 0 else "low"
    near = ", near enough" if step.is_right(given) else ""
    by = significant(abs(off), grouped=True)
    return f"You said **{said}**, and it is **{told}**: {by} too {side}{near}."
