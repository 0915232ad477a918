"""A learner's guess: where it is kept until it is checked, how it is set, and how the player draws it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from lessons.reader import Lesson, Step
from lessons.reader.guesses import read_guess, written
from pages.drawing.numbers import significant
from pages.player.player import AskedGuess
from pages.shell.answers import Keys, answered, of_a_class
from pages.shell.state import Topic
from pages.shell.typed import number_field
from pages.shell.widgets import bound

LABEL = "Your guess"


def waiting(place: Topic, lesson: Lesson, step: Step) -> str:
    """Return a question's unchecked guess; "" if there is none.

    A slider always has one: its low end, until the learner moves it.
    """
    if place.guess[:2] == (lesson.id, step.id):
        return place.guess[2]
    form = step.form
    return written(form.limits[0]) if form.slides and form.limits else ""


def placed(place: Topic, value: str) -> None:
    """Keep a guess that was placed on a chart, if it is a possible answer to the open question."""
    current = place.current()
    if current and answered(*current) is None and current[1].can_have((value,)):
        place.guess = (current[0].id, current[1].id, value)


def asked(place: Topic) -> AskedGuess | None:
    """Return how the player draws the open question; None if it asks for nothing on a chart.

    Returns
    -------
    dict
        The ``chart``; the ``axis`` for a place on it, or the ``field`` that identifies its marks; ``guess`` and
        ``outcome`` as text, None before there is one; the iteration from which on the outcome shows (``reveal``);
        whether learners can set the guess on the chart (``hand``), with its ``limits`` and ``step``; and whether the
        chart shows only its axes until the question is answered (``veil``).
    """
    current = place.current()
    chart = current[1].ask.on if current else None
    if current is None or not current[1].choices or chart is None:
        return None
    lesson, step = current
    ask, given = step.ask, answered(lesson, step)
    return {
        "chart": chart,
        **ask.drawn(step.choices),
        "guess": (None if of_a_class() else given[0]) if given else waiting(place, lesson, step) or None,
        "outcome": step.answers.right_keys[0] if given else None,
        "reveal": (step.at or 0) + step.then.advance,
        "hand": not given and ask.by_hand,
        "veil": not given and step.veiled,
    }


def field(place: Topic, lesson: Lesson, step: Step, given: Keys | None) -> Keys:
    """Draw the field or the choices for setting a guess, and return the guess."""
    now = given[0] if given else waiting(place, lesson, step)

    def take(value: Any) -> None:
        place.guess = (lesson.id, step.id, value if isinstance(value, str) else written(value))

    bind = partial(bound, place, f"guess {lesson.id} {step.id}", take=take)
    if step.form.lists:
        _choice(step, bind, now, given is not None)
    elif step.form.slides:
        _slider(step, bind, now, given is not None)
    else:
        name, form = f"guess {lesson.id} {step.id}", step.form

        def number(value: float | None) -> None:
            take("" if value is None else value)

        look = {"placeholder": form.empty, "disabled": given is not None}
        number_field(place, name, LABEL, read_guess(now, form.limits), form.limits, number, clears=True, **look)
    return (now,) if now else ()


def _slider(step: Step, bind: Callable[..., dict[str, Any]], now: str, disabled: bool) -> None:
    form = step.form
    grain, limits = form.grain, form.limits
    number: Any = int if all(each.is_integer() for each in (grain, *(limits or ()))) else float
    low, high = map(number, limits) if limits else (None, None)
    digits = "%d" if number is int else f"%.{len(written(grain).partition('.')[2])}f"
    guess = read_guess(now, limits)
    look = bind(None if guess is None else number(guess)) | {
        "step": number(grain),
        "format": digits,
        "disabled": disabled,
    }
    with st.container(key=form.look):  # the style sheet makes it look like a bar
        st.slider(LABEL, low, high, **look)


def _choice(step: Step, bind: Callable[..., dict[str, Any]], now: str, disabled: bool) -> None:
    texts = {choice.key: step.form.words(choice) for choice in step.choices}
    look, options = bind(now), list(texts)
    first = look.pop("value")
    index = options.index(first) if first in texts else None
    st.radio(LABEL, options, index, lambda key: texts.get(key, key), disabled=disabled, **look)


def how_far(step: Step, given: Keys) -> str:
    """Return a Markdown sentence that compares guess and outcome; "" for ticked choices."""
    return step.ask.how_far(step.choices, given, lambda off: significant(off, grouped=True))
