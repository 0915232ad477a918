"""Questions: choices to tick, and for every answer the reason why it is right or wrong."""

from __future__ import annotations

import streamlit as st

from lessons.reader import Lesson, Step
from pages.parts.state import Topic, answers


def answered(lesson: Lesson, step: Step) -> tuple[int, ...] | None:
    """Return the choices that the learner made in this step, or None."""
    return answers().get((lesson.id, step.id))


def pending(place: Topic) -> bool:
    """Return whether there is a question that the learner has not answered yet."""
    current = place.current()
    return current is not None and bool(current[1].choices) and answered(*current) is None


def ask(place: Topic, lesson: Lesson, step: Step) -> None:
    """Show the question; once it is answered, what speaks for and against what was chosen."""
    given = answered(lesson, step)
    with st.container(border=True, key="question"):
        chosen = _choices(lesson, step, given)
        if given is None:
            if st.button("Check", type="primary", disabled=not chosen, key="check"):
                answers()[lesson.id, step.id] = chosen
                _then(place, step)
                st.rerun()
            if step.lock:
                st.caption("The player is locked until you have answered.")
            return
        _verdict(step, given)
        if not _right(step, given) and st.button("Try again", key="again"):
            del answers()[lesson.id, step.id]
            st.rerun()


def _choices(lesson: Lesson, step: Step, given: tuple[int, ...] | None) -> tuple[int, ...]:
    name = f"choice {lesson.id} {step.id}"
    if step.multiple:
        st.caption("Several may be right.")
        ticks = [
            st.checkbox(
                choice.text, key=f"{name} {i}", value=given is not None and i in given, disabled=given is not None
            )
            for i, choice in enumerate(step.choices)
        ]
        return tuple(i for i, ticked in enumerate(ticks) if ticked)
    chosen = st.radio(
        step.title,
        range(len(step.choices)),
        format_func=lambda i: step.choices[i].text,
        index=given[0] if given else None,
        key=name,
        disabled=given is not None,
        label_visibility="collapsed",
    )
    return () if chosen is None else (chosen,)


def _right(step: Step, given: tuple[int, ...]) -> bool:
    return all(choice.correct == (i in given) for i, choice in enumerate(step.choices))


def _verdict(step: Step, given: tuple[int, ...]) -> None:
    for i in given:
        choice = step.choices[i]
        (st.success if choice.correct else st.warning)(
            choice.reason, icon=":material/check:" if choice.correct else ":material/close:"
        )
    if step.multiple and not _right(step, given) and all(step.choices[i].correct for i in given):
        st.info("True, but there is more.")


def _then(place: Topic, step: Step) -> None:
    if step.then.open:
        place.view = step.then.open
    if step.then.advance:
        place.move(place.t + step.then.advance, walk=True)
