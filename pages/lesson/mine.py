"""The page *My work*: a learner's answers and kept moments, to read, hand in, or move to another browser."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from lessons.catalogue import TOPICS, topic_info
from lessons.course.plan import moment
from lessons.course.recorded import lesson_of, seen_of, whole
from lessons.course.work import (
    LARGEST,
    LONGEST_LINK,
    LONGEST_NAME,
    LONGEST_NOTE,
    MOST_MOMENTS,
    Given,
    KeptMoment,
    Tries,
    Verdict,
    Work,
    judged,
    merged,
    read_work,
    version,
)
from lessons.flow import name_of
from lessons.format.lesson import Lesson
from lessons.review import IDEA, SURE
from pages.drawing.markdown import plain
from pages.drawing.numbers import counted
from pages.lesson.answers import LEFT, MOMENT, answers, hear_first, misses, put_tries, tries_of
from pages.lesson.ending import NONE, PART, RIGHT, WRONG
from pages.lesson.handed_in import as_html
from pages.lesson.language import aside, spoken
from pages.lesson.lessons import library, plan
from pages.lesson.page import begin, title
from pages.lesson.state import arrive
from pages.lesson.sure import curve_of_mine

NAME, NUMBER = "own name", "own number"  # in the session; only the files that a learner downloads keep them
BROUGHT, SAID = "brought", "brought said"  # a file from another browser; whether it was accepted, with a message


def show() -> None:
    """Draw the page."""
    begin()
    arrive("work")
    hear_first()
    here = work()
    verdicts = [judged(given, library()) for given in here.answers]
    title(
        "My work", ("review.py", "Review", ":material/replay:"), ("museum.py", "Museum of errors", ":material/museum:")
    )
    st.caption("Kept only in this browser, without an account. Others see it only if you hand it in.")
    if verdicts or here.moments:
        _take_along(here, verdicts)
        curve_of_mine()
        _moments()
        for lesson, mine in _by_lesson(verdicts):
            _lesson(lesson, mine)
        _lost([verdict for verdict in verdicts if verdict.step is None])
    else:
        st.info("Nothing yet: your answers will appear here.", icon=":material/assignment_ind:")
    _bring()
    if here.answers or here.moments:
        _forget()


def work() -> Work:
    """Return all answers and moments that the browser keeps, in the form of the file."""
    given = []
    for name, keys in sorted(answers().items()):
        first, _, second = name.rpartition("/")
        lesson = None if name.startswith(".") else library().lesson(first)
        if not name.startswith(".") and not (lesson and lesson.again_of):
            step = next((step for step in lesson.steps if step.id == second), None) if lesson else None
            one = Given(lesson=first, step=second, answer=keys, version=version(step) if step else "")
            given.append(one.model_copy(update=_tries(name)))
    more = {name: tuple(keys) for name, keys in answers().items() if name.startswith((SURE, IDEA))}
    return Work(answers=tuple(sorted(given, key=_place)), moments=tuple(_kept().values()), kept=more)


def _kept() -> dict[str, KeptMoment]:
    """Return the kept moments by their names in the browser, oldest first."""
    found, topics = {}, [info.stage for info in TOPICS]
    for name, keys in sorted(answers().items()):
        topic, link, note = (*keys, "", "", "")[:3]
        if name.startswith(MOMENT) and topic in topics:
            found[name] = KeptMoment(topic=topic, link=link[:LONGEST_LINK], note=note[:LONGEST_NOTE])
    return dict([*found.items()][:MOST_MOMENTS])


def _tries(name: str) -> dict[str, Any]:
    """Return the number, times and first answer of the tries at a question, in the form of the file."""
    tries = tries_of(name)
    if tries is None:
        return {}
    return {"tries": tries.many, "began": tries.began, "at": tries.at, "first": tries.first}


def _place(given: Given) -> tuple[int, int, int]:
    """Return the place of an answer in the course, for sorting; last if its lesson is gone."""
    lesson = library().lesson(given.lesson)
    if lesson is None:
        return len(TOPICS), 0, 0
    steps = [step.id for step in lesson.steps]
    topic = TOPICS.index(topic_info(lesson.stage))
    ids = [other.id for other in library().for_stage(lesson.stage)]  # by now it may be another version, or gone
    number = ids.index(lesson.id) if lesson.id in ids else len(ids)
    return topic, number, steps.index(given.step) if given.step in steps else len(steps)


def _by_lesson(verdicts: list[Verdict]) -> Iterator[tuple[Lesson, list[Verdict]]]:
    placed = [verdict for verdict in verdicts if verdict.step is not None]
    for _, group in groupby(placed, lambda verdict: verdict.lesson and verdict.lesson.id):
        mine = list(group)
        assert mine[0].lesson is not None
        yield mine[0].lesson, mine


def _take_along(here: Work, verdicts: list[Verdict]) -> None:
    """Draw a count of the answers, and the buttons for the two files."""
    right, many = sum(verdict.right is True for verdict in verdicts), len(verdicts)
    lessons = {verdict.lesson.id: verdict.lesson for verdict in verdicts if verdict.lesson}
    asked = sum(questions(lesson) for lesson in lessons.values())
    st.markdown(f"**{right} of {asked} right, {many} answered** · {counted(len(here.moments), 'kept moment')}")
    if to := plan().hand_in:
        st.info(f"**Hand in:** {plain(to)}", icon=":material/outbox:")
    _due({*lessons})
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Your name, if you hand it in", key=NAME, max_chars=LONGEST_NAME, width=260)
        ask = plan().ask
        number = st.text_input(plain(ask), key=NUMBER, max_chars=LONGEST_NAME, width=180) if ask else ""
        who = {"name": name, "number": number}
        here, course, base = here.model_copy(update=who), library(), address()  # for files made on a click
        st.download_button(
            "To print or hand in",
            lambda: as_html(here, course, base),
            "my-work.html",
            "text/html",
            icon=":material/print:",
            type="primary",
            on_click="ignore",
            help="One web page with all your answers, for any browser",
        )
        st.download_button(
            "As a file",
            here.as_json,
            "my-work.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
            help="To carry on in another browser, or for your class's table of answers",
        )


def questions(lesson: Lesson) -> int:
    """Return the number of a lesson's steps that have a question or goals."""
    return sum(bool(step.choices or step.goals) for step in lesson.steps)


def _due(worked: set[str]) -> None:
    """Draw when each section of the course is due, and how many of its lessons have been begun."""
    for part in plan().parts:
        if part.due:
            done = sum(lesson.id in worked for lesson in part.lessons)
            many = counted(len(part.lessons), "lesson")
            st.caption(f"**{plain(part.title)}** is due on {moment(part.due)} · {done} of {many} begun")


def address() -> str:
    """Return the app's address without a final slash."""
    parts = urlsplit(st.context.url or "")
    path = parts.path.rstrip("/").removesuffix("/work")
    return f"{parts.scheme}://{parts.netloc}{path}" if parts.netloc else ""


def _moments() -> None:
    """Draw the kept moments, each with its link, and the offer to make lessons from them."""
    kept = _kept()
    for name, one in kept.items():
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            info = topic_info(one.topic)
            label = f"{info.title} · {plain(one.note)}" if one.note else info.title
            link = f"{one.topic}?{urlencode(parse_qsl(one.link))}"  # encoded, so that no character ends the link early
            st.markdown(f":material/bookmark: [{label}]({link})")
            look: dict[str, Any] = {"icon": ":material/close:", "type": "tertiary", "help": "Remove this moment"}
            st.button("Remove", key=f"remove {name}", on_click=answers().put, args=(name, None), **look)
    if kept:
        _as_lessons([*kept.values()])


def _as_lessons(moments: list[KeptMoment]) -> None:
    """Offer the moments of each topic as the draft of a lesson."""
    with st.expander("Make a lesson of these moments", icon=":material/edit_note:"):
        st.markdown(
            "One step for each moment, in this order. Each opens as you saw it, and asks a question before it goes "
            "on. Write the words in an editor or in the studio."
        )
        for topic in dict.fromkeys(one.topic for one in moments):
            seen = [seen_of(one.topic, whole(one.link, library()), one.note) for one in moments if one.topic == topic]
            label = f"{topic_info(topic).title}: {counted(len(seen), 'step')}"
            try:
                text = lesson_of(seen)
            except ValueError as reason:
                st.caption(f"{label}. {reason}")
                continue
            look: dict[str, Any] = {"icon": ":material/download:", "on_click": "ignore"}
            st.download_button(label, text, "my-lesson.md", "text/markdown", key=f"as lesson {topic}", **look)


def _lesson(lesson: Lesson, verdicts: list[Verdict]) -> None:
    """Draw the answers of one lesson."""
    right = sum(verdict.right is True for verdict in verdicts)
    info = topic_info(lesson.stage)
    with st.expander(f"{info.title} · **{aside(plain(lesson.title), lesson)}** · {right} of {questions(lesson)} right"):
        with spoken(lesson, lesson.id):
            for verdict in verdicts:
                assert verdict.step is not None
                some = verdict.right is False and verdict.some
                mark = PART if some else {True: RIGHT, False: WRONG, None: NONE}[verdict.right]
                remark = f" · *{aside(verdict.remark, lesson)}*" if verdict.remark else ""
                link = f"{lesson.stage}?lesson={lesson.id}&step={verdict.step.id}"
                tries = tries_of(name_of(lesson, verdict.step))
                again = (
                    f" · {aside(f'{tries.many} tries', lesson)}"
                    if tries and tries.many > 1 and verdict.step.choices
                    else ""
                )
                st.markdown(f"{mark} [{verdict.step.title}]({link}) · **{verdict.answer}**{again}{remark}")
        st.button("Ask me again", key=f"again {lesson.id}", icon=":material/replay:", on_click=_again, args=(lesson,))


def _again(lesson: Lesson) -> None:
    """Take back all answers to a lesson."""
    known = answers()
    for step in lesson.steps:
        misses().pop(name_of(lesson, step), None)
        if known.get(name_of(lesson, step)) is not None:
            known.put(name_of(lesson, step), None)
    if known.get(LEFT + lesson.id) is not None:
        known.put(LEFT + lesson.id, None)


def _lost(verdicts: list[Verdict]) -> None:
    """List the answers whose questions no longer exist."""
    if verdicts:
        with st.expander(f"{counted(len(verdicts), 'answer')} to questions that are no longer here"):
            st.markdown("\n".join(f"- {plain(verdict.answer)}: {verdict.remark}" for verdict in verdicts))


def _bring() -> None:
    """Offer to import a file from another browser; answers that are only here stay."""
    with st.expander("Bring it from another browser", icon=":material/upload:"):
        label = "The file that *As a file* made there"
        if st.file_uploader(label, type="json", key=BROUGHT, on_change=_take_file) is not None:
            fine, words = st.session_state[SAID]
            (st.success if fine else st.error)(words)


def _take_file() -> None:
    """Import a file before the page is drawn, because it may fill the name's field, which must not be drawn yet."""
    file = st.session_state[BROUGHT]
    if file is None:
        return
    try:
        if file.size > LARGEST:
            raise ValueError(f"a “My work” file has at most {LARGEST:,} bytes")
        found = read_work(file.getvalue())
    except ValueError as error:
        st.session_state[SAID] = False, f"{plain(file.name)}: {plain(str(error))}."
        return
    stayed = _take_in(found)
    words = f"{counted(len(found.answers), 'answer')} and {counted(len(found.moments), 'moment')} are here now."
    better = f" Where this browser's answer was right, or newer, it stays: {stayed}." if stayed else ""
    st.session_state[SAID] = True, words + better


def _take_in(found: Work) -> int:
    """Import a file's content, and return how many of this browser's answers stay in place of the file's."""
    known, stayed = answers(), 0
    for given in found.answers:
        name = f"{given.lesson}/{given.step}"
        here, taken = known.get(name), given
        if here is not None:
            mine = Given(lesson=given.lesson, step=given.step, answer=here).model_copy(update=_tries(name))
            taken = merged(mine, given, library())
            stayed += taken.answer == here != given.answer
        known.put(name, taken.answer)
        if taken.tries and taken.began and taken.at and taken.first:
            put_tries(name, Tries(taken.tries, taken.began, taken.at, taken.first))
    for name, keys in found.kept.items():
        if name not in known or (name.startswith(IDEA) and keys[1:2] > tuple(known[name])[1:2]):
            known.put(name, keys)
    there = {keys[:2] for name, keys in known.items() if name.startswith(MOMENT)}
    for number, kept in enumerate(found.moments):
        if (kept.topic, kept.link) not in there:
            known.put(f"{MOMENT}brought-{len(there) + number}", (kept.topic, kept.link, kept.note))
    for key, said in ((NAME, found.name), (NUMBER, found.number)):
        st.session_state[key] = st.session_state.get(key) or said
    return stayed


def _forget() -> None:
    """Offer to delete everything from this browser."""
    with st.popover("Delete everything", icon=":material/delete:", type="tertiary"):
        st.markdown("This deletes all answers, kept moments and places in lessons from this browser, for good.")
        st.button("Delete everything", on_click=_delete, key="delete")


def _delete() -> None:
    for name in [*answers()]:
        answers().put(name, None)
    misses().clear()
