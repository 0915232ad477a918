"""The page *Review*, the short question before a lesson, and what a question that came back has beside it."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from lessons.catalogue import topic_info
from lessons.check.again import again_id
from lessons.flow import name_of
from lessons.format.lesson import Lesson, Step
from lessons.review import (
    BEFORE,
    OFF,
    TRIES,
    Card,
    Returning,
    before,
    cards,
    deal,
    next_due,
    returning,
)
from pages.drawing.markdown import plain
from pages.drawing.numbers import counted
from pages.lesson.answers import answers, hear_first, misses, of_a_class
from pages.lesson.language import aside, spoken
from pages.lesson.lessons import carried, library, plan
from pages.lesson.page import begin, title
from pages.lesson.state import arrive, known_visit

ROUND, BACK = "review round", "review back"  # in the session: the lessons of a round, and the lesson that waits for it


def wanted() -> bool:
    """Return whether questions come back: a learner can switch that off, and a class's leader has no own answers."""
    return OFF not in answers() and not of_a_class()


def _asked() -> tuple[Returning, ...]:
    """Return the questions that can come back, in the order of the course."""
    course = plan()
    return returning(lesson for lesson in course.lessons if not course.opens(lesson))


def show() -> None:
    """Draw the page."""
    begin()
    arrive("review")
    hear_first()
    title("Review", ("work.py", "My work", ":material/assignment_ind:"))
    st.markdown(
        "What you answered comes back after a day, then after 3, 7, 16 and 35 days: each idea in another of its "
        "questions, where it can be on another run. A wrong answer brings it back the next day."
    )
    asked, now = _asked(), time.time()
    if not wanted():
        st.info("Review is switched off: nothing comes back.", icon=":material/notifications_off:")
    elif dealt := deal(asked, answers(), now):
        _deal(dealt)
    else:
        _nothing_due(next_due(asked, answers()), now)
    _ideas(cards(asked, answers()), now)
    label = "Ask me again what I have learned"
    st.toggle(label, OFF not in answers(), key="review on", on_change=_switch, help="Kept in this browser")


def _switch() -> None:
    answers().put(OFF, None if st.session_state["review on"] else ("off",))


def _deal(dealt: Sequence[Card]) -> None:
    """Draw what comes back now, by lesson, and the way to begin."""
    st.markdown(f"**{counted(len(dealt), 'question')}, about two minutes**")
    lines = []
    for lesson, many in Counter(card.ask.lesson for card in dealt).items():
        origin, _ = _origin(next(card.ask for card in dealt if card.ask.lesson == lesson))
        lines.append(f"- {topic_info(origin.stage).title} · {aside(plain(origin.title), origin)} · {many}")
    if sure := sum(card.missed for card in dealt):
        lines.append(f"- First {counted(sure, 'answer')} of which you were sure, and it was otherwise")
    st.markdown("\n".join(lines))
    if st.button("Begin", type="primary", key="begin"):
        _begin([card.ask for card in dealt], "")


def _nothing_due(due: float | None, now: float) -> None:
    if due is None:
        words = "Nothing yet: answer questions in lessons, and they come back here from the next day on."
    else:
        words = f"Nothing is due now. The next question comes {_when(due, now)}."
    st.info(words, icon=":material/event_available:")


def _when(due: float, now: float) -> str:
    """Return in words when something is due: "now", "tomorrow", "in 3 days"."""
    days = (due - now) / 86_400
    return "now" if days <= 0 else "within a day" if days <= 1 else f"in {counted(round(days), 'day')}"


def _ideas(met: Sequence[Card], now: float) -> None:
    """List the ideas that the learner has met, with the lesson that asks next and the day."""
    if not met:
        return
    with st.expander(f"{counted(len(met), 'idea')} so far"):
        lines = ["| Idea | Asked next in | Comes back |", "|---|---|---|"]
        for card in sorted(met, key=lambda card: card.due):
            lesson, step = _origin(card.ask)
            lines.append(f"| {plain(step.idea)} | {aside(plain(lesson.title), lesson)} | {_when(card.due, now)} |")
        st.markdown("\n".join(lines))


def _origin(ask: Returning) -> tuple[Lesson, Step]:
    """Return the lesson and the step of a question that comes back."""
    lesson = library().lesson(ask.lesson)
    assert lesson is not None  # the plan has just named it
    return lesson, next(step for step in lesson.steps if step.id == ask.step)


def _begin(asks: Sequence[Returning], back: str) -> None:
    """Ask these questions one after the other, and then go on with a lesson, if one waits."""
    names = [again_id(ask.lesson, ask.step) for ask in asks]
    for name, ask in zip(names, asks, strict=True):
        own = f"{name}/{ask.step}"
        misses().pop(own, None)
        for kept in (own, TRIES + own):
            answers().put(kept, None)
    st.session_state[ROUND], st.session_state[BACK] = names, back
    _open(names[0])


def _open(identifier: str) -> None:
    """Go to the first step of a lesson, or to the page if there is no such lesson."""
    lesson = library().lesson(identifier)
    if lesson is None:
        st.switch_page("review.py", query_params=carried())
    place = known_visit(lesson.stage)
    if place is not None:
        place.open(lesson, lesson.steps[0])  # its address may be the one that led there before
    st.switch_page(topic_info(lesson.stage).page, query_params=carried(lesson=identifier))


# ---- beside a question that came back -------------------------------------------------------------------------------


def then(lesson: Lesson, step: Step) -> None:
    """Say what the learner answered when the question was first asked, once it has been answered again."""
    origin = library().lesson(lesson.again_of)
    first = next((one for one in origin.steps if one.id == step.id), None) if origin else None
    keys = answers().get(name_of(origin, first)) if origin and first else None
    if origin is None or first is None or keys is None or not first.can_have(keys):
        return
    run = ", on another run," if step.again else ""
    it_was = (
        "that was right" if first.is_right(keys) else f"it was **{first.answers.in_words(first.answers.right_keys)}**"
    )
    with st.container(key="then"), spoken(lesson, "then"):
        st.caption(f"In the lesson{run} you said **{first.answers.in_words(keys)}**; {it_was}.")
    query = carried(lesson=origin.id, step=first.id)
    st.page_link(
        topic_info(origin.stage).page, label=plain(origin.title), icon=":material/menu_book:", query_params=query
    )


def onward(lesson: Lesson, *, done: bool) -> None:
    """Draw the way from a question that came back to the next one, to the lesson that waits, or to the page."""
    names, back = st.session_state.get(ROUND, []), library().lesson(st.session_state.get(BACK, ""))
    at = names.index(lesson.id) + 1 if lesson.id in names else 0
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="steps"):
        st.page_link("review.py", label="Review", icon=":material/replay:", query_params=carried())
        if len(names) > 1 and at:
            st.caption(f"{at} of {len(names)}")
        if 0 < at < len(names):
            label, goal = "Next question", names[at]
        elif at and back is not None:
            label, goal = "Go on", back.id
        else:
            label, goal = "Finish", ""
        if st.button(label, type="primary" if done else "secondary", key="next"):
            _open(goal)


# ---- before a lesson -------------------------------------------------------------------------------------------------


def before_you_go_on(lesson: Lesson) -> None:
    """Offer one question of an older lesson on the first step of a lesson; it can be skipped."""
    if not wanted() or lesson.again_of:
        return
    ask = before(_asked(), _questions(), answers(), lesson.id, time.time())
    if ask is None:
        return
    origin, _ = _origin(ask)
    with st.container(border=True, key="before"):
        st.markdown(f"**Before you go on** · one question from *{aside(plain(origin.title), origin)}*")
        with st.container(horizontal=True):
            if st.button("Answer it", key="before ask"):
                answers().put(BEFORE + lesson.id, ("asked",))
                _begin([ask], lesson.id)
            st.button("Skip", type="tertiary", key="before skip", on_click=_skip, args=(lesson.id,))


def _skip(lesson: str) -> None:
    answers().put(BEFORE + lesson, ("skipped",))


def _questions() -> Mapping[str, Sequence[str]]:
    """Return the names of the answers of each lesson of the course, in order."""
    return {lesson.id: [name_of(lesson, step) for step in lesson.steps if step.choices] for lesson in plan().lessons}
