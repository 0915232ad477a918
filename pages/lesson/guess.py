"""A learner's guess: where it is kept until it is checked, and how it is set."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from lessons.format.guesses import read_guess, written
from lessons.format.questions.answers import Keys
from lessons.format.schema import Lesson, Step
from pages.drawing.numbers import significant
from pages.lesson.answers import answered
from pages.lesson.state import Topic
from pages.lesson.typed import number_field
from pages.lesson.widgets import bound

LABEL = "Your guess"


def placed(place: Topic, value: str) -> None:
    """Keep a guess that was placed on a chart, if it is a possible answer to the open question."""
    current = place.current()
    if current and answered(*current) is None and current[1].can_have((value,)):
        place.guess = (current[0].id, current[1].id, value)


def field(place: Topic, lesson: Lesson, step: Step, given: Keys | None) -> Keys:
    """Draw the field or the choices for setting a guess, and return the guess."""
    now = given[0] if given else place.here().waiting

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

        look: dict[str, Any] = {"placeholder": form.empty, "disabled": given is not None}
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
