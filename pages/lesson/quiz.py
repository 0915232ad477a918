"""Questions: choices to tick, and for every answer why it is right or wrong."""

from collections.abc import Sequence
from contextlib import nullcontext
from urllib.parse import urlencode

import streamlit as st

from lessons.flow import TOLD, Asked, name_of
from lessons.format.order import in_order
from lessons.format.questions.answers import Keys
from lessons.format.schema import Lesson, Step
from lessons.settings.written import is_rule
from pages.contract.case import RuleOption
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.drawing.numbers import significant
from pages.judge.desk import desk
from pages.lesson import guess
from pages.lesson.answers import answered, give, misses, take_back
from pages.lesson.language import aside, spoken
from pages.lesson.lessons import carried, prose
from pages.lesson.state import Topic
from pages.lesson.widgets import pending, pressed
from samplers.judge.bank import PROBLEMS
from samplers.judge.written import BETWEEN


def ask(place: Topic, asked: Asked) -> None:
    """Draw the question and, once it is answered, the reasons for the choices that were made."""
    lesson, step, given = asked.lesson, asked.step, asked.given
    with st.container(border=True, key="question"):
        if asked.outdated:
            st.caption("The question has changed since you answered it.")
        if step.form.hint:
            st.caption(step.form.hint)
        with spoken(lesson, "choices") if step.form.lists else nullcontext():
            chosen = _field(place, lesson, step, given)
        if given is None:
            # never disabled, since a guess may still be on its way
            if not step.form.problem and pressed("Check", _press(lesson, step), type="primary", key="check"):
                if chosen:
                    take(place, lesson, step, chosen)
                    st.rerun()
                st.caption(_missing(step))
            if step.lock:
                locked = "The player and controls are" if "controls" in step.lock else "The player is"
                with st.container(key="locked"):  # a class waits for its instructor instead
                    st.caption(f"{locked} locked until you have answered.")
            return
        with st.container(key="verdict"):  # here the keyboard's focus goes, see pages/player/focusing.js
            _verdict(lesson, step, given)
        if step.form.problem:
            query = urlencode(carried(problem=step.form.problem))
            st.markdown(f":material/museum: [Museum of errors](museum?{query})")
        if not asked.settled:
            _ways_on(place, lesson, step)
        elif not asked.right:
            _right_answer(lesson, step)


def _field(place: Topic, lesson: Lesson, step: Step, given: Keys | None) -> Keys:
    """Draw what the learner answers with, and return the answer as it is there."""
    if step.form.problem:
        _desk(place, lesson, step, given)
        return ()
    return guess.field(place, lesson, step, given) if step.ask.guessed else _choices(lesson, step, given)


def _desk(place: Topic, lesson: Lesson, step: Step, given: Keys | None) -> None:
    """Draw the desk for writing a rule, by which the stage moves if it can; what is proved there is the answer."""

    def write(texts: Sequence[str]) -> None:
        written = BETWEEN.join((step.form.problem, *texts)) if texts else ""
        if not written or is_rule(written):
            first = not place.settings.moves_by
            place.change(written=written)
            if first and not place.t:
                place.move(stage_of(place.stage).scored(place.settings))

    def proved(texts: Sequence[str]) -> None:
        if step.can_have(tuple(texts)) and answered(lesson, step) is None:
            take(place, lesson, step, step.answers.stored(tuple(texts)))

    problem, written = step.form.problem, ()
    case: Sequence[RuleOption] | None = None
    if problem in place.settings.ruled:
        case, written = _case(place, problem), tuple(place.settings.moves_by.split(BETWEEN)[1:])
    desk(problem, name_of(lesson, step), given, lesson.seed_for(step), proved, written, case, write)
    if case is not None and not written and given is None:
        st.caption("The player moves by your rule, once you have written it.")


def _case(place: Topic, problem: str) -> Sequence[RuleOption]:
    """Return the update on the stage as the lines of a rule may know it; nothing while it is computed."""
    stage = stage_of(place.stage)
    if stage.missing(place.settings):
        return []
    try:
        return stage.case(place.settings, place.seed, place.t, PROBLEMS[problem])
    except NotYet:
        return []


def _press(lesson: Lesson, step: Step) -> str:
    return f"check {lesson.id} {step.id}"


def leave(place: Topic) -> None:
    """Store an answer if the learner pressed *Check* and went on before the page had been drawn."""
    current = place.current()
    if current is None or not pending(_press(*current)) or answered(*current) is not None:
        return
    chosen = _set(place, *current)
    if chosen:
        take(place, *current, chosen)


def _set(place: Topic, lesson: Lesson, step: Step) -> Keys:
    """Return the answer in the question's widgets, drawn or not."""
    if step.ask.guessed:
        return tuple(filter(None, [place.here().waiting]))
    name = f"choice {lesson.id} {step.id}"
    if step.ask.several:
        return tuple(choice.key for choice in step.choices if st.session_state.get(f"{name} {choice.key}"))
    return tuple(filter(None, [st.session_state.get(name)]))


def take(place: Topic, lesson: Lesson, step: Step, chosen: Keys) -> None:
    """Store the answer to the open question, and do what its step says under `then`."""
    give(lesson, step, chosen)
    place.answered()


def _ways_on(place: Topic, lesson: Lesson, step: Step) -> None:
    """Let the learner try again, or see the right answer and its reason."""
    with st.container(horizontal=True):
        if pressed(step.form.again, key="again"):
            take_back(lesson, step)
            place.open(lesson, step)  # back to where the question is asked: the learner may have moved the run
            st.rerun()
        if pressed("Show the answer", type="tertiary", key="tell"):
            tell(lesson, step)
            st.rerun()


def _missing(step: Step) -> str:
    """Return what an answer needs, if there is none."""
    limits = None if step.form.lists else step.form.limits
    if limits is None:
        return "Answer first, then press **Check**."
    low, high = (significant(limit, grouped=True) for limit in limits)
    return f"Answer with a number from {low} to {high}, then press **Check**."


def tell(lesson: Lesson, step: Step) -> None:
    """Tell the right answer to a question that was answered wrong."""
    misses()[name_of(lesson, step)] = TOLD


def _choices(lesson: Lesson, step: Step, given: Keys | None) -> Keys:
    name = f"choice {lesson.id} {step.id}" + (" given" if given else "")  # an answer from a class was not chosen here
    texts = {choice.key: choice.text for choice in in_order(lesson.id, step)}
    if step.ask.several:
        ticks = {
            key: st.checkbox(text, key=f"{name} {key}", value=key in (given or ()), disabled=given is not None)
            for key, text in texts.items()
        }
        return tuple(key for key, ticked in ticks.items() if ticked)
    with st.container(key=step.form.look):  # the style sheet makes them look like lines
        chosen = st.radio(
            step.title,
            list(texts),
            format_func=lambda key: texts.get(key, key),
            index=list(texts).index(given[0]) if given else None,
            key=name,
            disabled=given is not None,
            label_visibility="collapsed",
        )
    return () if chosen is None else (chosen,)


def _verdict(lesson: Lesson, step: Step, given: Keys) -> None:
    ticked = step.chosen(given)
    how_far = guess.how_far(step, given)
    how_far = f"{aside(how_far, lesson)}\n\n" if how_far else ""
    with spoken(lesson, "reasons"):
        for choice in ticked:
            (st.success if choice.correct else st.warning)(
                how_far + prose(lesson, choice.reason),
                icon=":material/check:" if choice.correct else ":material/close:",
            )
    if step.ask.several and not step.is_right(given) and all(choice.correct for choice in ticked):
        st.info("True, but there is more.")


def _right_answer(lesson: Lesson, step: Step) -> None:
    with st.container(key="told"), spoken(lesson, "right"):
        for choice in step.choices:
            if choice.correct:
                st.info(f"**{choice.text}**\n\n{prose(lesson, choice.reason)}", icon=":material/lightbulb:")
