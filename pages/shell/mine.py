"""My work: a learner's answers and the moments that were kept, to look at, to hand in, and to take elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from lessons.reader import Lesson
from lessons.reader.work import (
    LARGEST,
    LONGEST_NAME,
    LONGEST_NOTE,
    MOST_MOMENTS,
    Given,
    Moment,
    Verdict,
    Work,
    judged,
    read_work,
    version,
)
from lessons.topics import TOPICS, topic_info
from pages.drawing.numbers import counted
from pages.shell.answers import LEFT, MOMENT, answers, hear_first, name_of
from pages.shell.ending import NONE, RIGHT, WRONG
from pages.shell.handed_in import as_html
from pages.shell.language import aside, spoken
from pages.shell.lessons import carried, library
from pages.shell.page import begin, plain, view_options
from pages.shell.state import arrive, misses

NAME = "own name"  # the session's; it is kept in no other place than the files that are made
BROUGHT, SAID = "brought", "brought said"  # a file from another browser, and whether it was taken in, with words


def show() -> None:
    """Draw the page."""
    begin()
    arrive("work")
    hear_first()
    here = work()
    verdicts = [judged(given, library()) for given in here.answers]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("My work", anchor=False)
        st.page_link("home.py", label="Course map", icon=":material/map:", query_params=carried())
        view_options()
    st.caption("Kept in this browser alone, without an account: others see it only if you hand it in.")
    if verdicts or here.moments:
        _take_along(here, verdicts)
        _moments(here.moments)
        for lesson, mine in _by_lesson(verdicts):
            _lesson(lesson, mine)
        _lost([verdict for verdict in verdicts if verdict.step is None])
    else:
        st.info("Nothing yet: your answers will appear here.", icon=":material/assignment_ind:")
    _bring()
    if here.answers or here.moments:
        _forget()


def work() -> Work:
    """Return all that the browser keeps, as a file has it."""
    given, moments = [], []
    for name, keys in sorted(answers().all().items()):
        first, _, second = name.rpartition("/")
        if name.startswith(MOMENT):
            topic, link, note = (*keys, "", "", "")[:3]
            if topic in [info.stage for info in TOPICS]:
                moments.append(Moment(topic=topic, link=link, note=note[:LONGEST_NOTE]))
        elif not name.startswith(LEFT):
            lesson = library().lesson(first)
            step = next((step for step in lesson.steps if step.id == second), None) if lesson else None
            given.append(Given(lesson=first, step=second, answer=keys, version=version(step) if step else ""))
    ordered = sorted(given, key=lambda one: _place(one))
    return Work(answers=tuple(ordered), moments=tuple(moments[:MOST_MOMENTS]))


def _place(given: Given) -> tuple[int, int, int]:
    """Return the place of an answer in the course; last if its lesson is gone."""
    lesson = library().lesson(given.lesson)
    if lesson is None:
        return len(TOPICS), 0, 0
    steps = [step.id for step in lesson.steps]
    topic = TOPICS.index(topic_info(lesson.stage))
    number = library().for_stage(lesson.stage).index(lesson)
    return topic, number, steps.index(given.step) if given.step in steps else len(steps)


def _by_lesson(verdicts: list[Verdict]) -> Iterator[tuple[Lesson, list[Verdict]]]:
    placed = [verdict for verdict in verdicts if verdict.step is not None]
    for _, group in groupby(placed, lambda verdict: verdict.lesson and verdict.lesson.id):
        mine = list(group)
        assert mine[0].lesson is not None
        yield mine[0].lesson, mine


def _take_along(here: Work, verdicts: list[Verdict]) -> None:
    """Draw how much there is, and the two files that hold it."""
    right, many = sum(verdict.right is True for verdict in verdicts), len(verdicts)
    st.markdown(f"**{counted(many, 'answer')}, {right} of them right** · {counted(len(here.moments), 'kept moment')}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Your name, if you hand it in", key=NAME, max_chars=LONGEST_NAME, width=260)
        here, course, base = here.model_copy(update={"name": name}), library(), address()  # files are made later
        st.download_button(
            "To print or hand in",
            lambda: as_html(here, course, base),
            "my-work.html",
            "text/html",
            icon=":material/print:",
            type="primary",
            on_click="ignore",
            help="One web page with all of your answers, which opens in any browser",
        )
        st.download_button(
            "As a file",
            here.as_json,
            "my-work.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
            help="To go on in another browser, or for the table of a class",
        )


def address() -> str:
    """Return the app's address, without a slash at its end."""
    parts = urlsplit(st.context.url or "")
    path = parts.path.rstrip("/").removesuffix("/work")
    return f"{parts.scheme}://{parts.netloc}{path}" if parts.netloc else ""


def _moments(moments: tuple[Moment, ...]) -> None:
    for moment in moments:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            info = topic_info(moment.topic)
            label = f"{info.title} · {plain(moment.note)}" if moment.note else info.title
            link = f"{moment.topic}?{urlencode(parse_qsl(moment.link))}"  # in which no character ends a link
            st.markdown(f":material/bookmark: [{label}]({link})")


def _lesson(lesson: Lesson, verdicts: list[Verdict]) -> None:
    """Draw the answers of one lesson."""
    questions = sum(bool(step.choices or step.goals) for step in lesson.steps)
    right = sum(verdict.right is True for verdict in verdicts)
    info = topic_info(lesson.stage)
    with st.expander(f"{info.title} · **{aside(plain(lesson.title), lesson)}** · {right} of {questions} right"):
        with spoken(lesson, lesson.id):
            for verdict in verdicts:
                assert verdict.step is not None
                mark = {True: RIGHT, False: WRONG, None: NONE}[verdict.right]
                remark = f" · *{aside(verdict.remark, lesson)}*" if verdict.remark else ""
                link = f"{lesson.stage}?lesson={lesson.id}&step={verdict.step.id}"
                st.markdown(f"{mark} [{verdict.step.title}]({link}) · **{verdict.answer}**{remark}")
        st.button("Ask me again", key=f"again {lesson.id}", icon=":material/replay:", on_click=_again, args=(lesson,))


def _again(lesson: Lesson) -> None:
    """Take all answers of a lesson back."""
    known = answers()
    for step in lesson.steps:
        misses().pop((lesson.id, step.id), None)
        if known.get(name_of(lesson, step)) is not None:
            known.put(name_of(lesson, step), None)
    if known.get(LEFT + lesson.id) is not None:
        known.put(LEFT + lesson.id, None)


def _lost(verdicts: list[Verdict]) -> None:
    """Say which answers belong to nothing that is there."""
    if verdicts:
        with st.expander(f"{counted(len(verdicts), 'answer')} to questions that are no longer here"):
            st.markdown("\n".join(f"- {plain(verdict.answer)}: {verdict.remark}" for verdict in verdicts))


def _bring() -> None:
    """Offer to take in a file from another browser; what is here and not in the file stays."""
    with st.expander("Bring it from another browser", icon=":material/upload:"):
        label = "The file that *As a file* made there"
        if st.file_uploader(label, type="json", key=BROUGHT, on_change=_take_file) is not None:
            fine, words = st.session_state[SAID]
            (st.success if fine else st.error)(words)


def _take_file() -> None:
    """Take in a file before the page is drawn: the field of the name, which it may fill, has not been drawn then."""
    file = st.session_state[BROUGHT]
    if file is None:
        return
    try:
        if file.size > LARGEST:
            raise ValueError(f"one of “My work” has at most {LARGEST:,} bytes")
        found = read_work(file.getvalue())
    except ValueError as error:
        st.session_state[SAID] = False, f"{plain(file.name)}: {plain(str(error))}."
        return
    stayed = _take_in(found)
    words = f"{counted(len(found.answers), 'answer')} and {counted(len(found.moments), 'moment')} are here now."
    better = f" Where this browser had a right answer and the file another one, it stays: {stayed}." if stayed else ""
    st.session_state[SAID] = True, words + better


def _take_in(found: Work) -> int:
    """Take in what a file holds, and return how many right answers of this browser stay in place of the file's."""
    known, stayed = answers(), 0
    for given in found.answers:
        name = f"{given.lesson}/{given.step}"
        here = known.get(name)
        if here is None or here == given.answer or not _is_better(here, given):
            known.put(name, given.answer)
        else:
            stayed += 1
    there = {keys[:2] for name, keys in known.all().items() if name.startswith(MOMENT)}
    for number, moment in enumerate(found.moments):
        if (moment.topic, moment.link) not in there:
            known.put(f"{MOMENT}brought-{len(there) + number}", (moment.topic, moment.link, moment.note))
    st.session_state[NAME] = st.session_state.get(NAME) or found.name
    return stayed


def _is_better(here: tuple[str, ...], given: Given) -> bool:
    """Return whether an answer of this browser is right, and the file's is not."""
    mine = judged(given.model_copy(update={"answer": here, "version": ""}), library())
    return mine.right is True and judged(given, library()).right is not True


def _forget() -> None:
    """Offer to delete everything from this browser."""
    with st.popover("Delete everything", icon=":material/delete:", type="tertiary"):
        st.markdown("This deletes all answers, kept moments and places in lessons from this browser, for good.")
        st.button("Delete everything", on_click=_delete, key="delete")


def _delete() -> None:
    for name in answers().all():
        answers().put(name, None)
    misses().clear()
