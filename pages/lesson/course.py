"""The course map: topics, their lessons, the learner's progress, and files with problems."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from html import escape
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, urlencode

import streamlit as st

from lessons.catalogue import TOPICS, TopicInfo, topic_info
from lessons.course.plan import Part, Plan, moment
from lessons.course.saving import digest_of
from lessons.format.folders import named
from lessons.format.glossary import Term
from lessons.format.language import attributes
from lessons.format.lesson import Lesson
from lessons.format.problems import Problem
from lessons.topics.coin import CoinSettings
from pages.drawing.markdown import plain
from pages.drawing.numbers import counted
from pages.lesson.answers import answers, finished, left_at
from pages.lesson.cover import next_of
from pages.lesson.gate import way_in
from pages.lesson.language import spoken
from pages.lesson.lessons import carried, library, plan, terms, titled
from pages.lesson.options import wants
from pages.lesson.page import begin, class_doors, view_options
from pages.lesson.review import wanted
from pages.lesson.state import arrive
from samplers import Chain

ACROSS = 4  # cards in a row
DRAWINGS = {topic.stage: quote(topic.drawing) for topic in TOPICS}

_HERE = Path(__file__).parent
_toss = st.components.v2.component(
    "samplescope_toss",
    html=(_HERE / "toss.html").read_text("utf-8"),
    css=(_HERE / "toss.css").read_text("utf-8"),
    js=(_HERE / "toss.js").read_text("utf-8"),
)


def show() -> None:
    """Draw the course map: the sections of a course, or else all topics with their lessons."""
    begin()
    arrive("map")
    course = plan()
    topics = [topic for topic in TOPICS if course.shows(topic.stage)]
    by_topics = [lesson for topic in topics for lesson in course.for_stage(topic.stage)]
    lessons = [lesson for lesson in course.lessons if not course.opens(lesson)] if course.parts else by_topics
    following = next_of(lessons)
    way = "Start here" if following in lessons[:1] else "Go on here"
    _hero(course, following, way)
    for part in course.parts:
        _part(part, course, following, way)
    if course.parts:
        with st.expander("Play freely", icon=":material/experiment:"):
            for topic in topics:
                st.page_link(topic.page, label=f"**{topic.title}** · {topic.line}", query_params=carried())
    else:
        here = following.stage if following else topics[0].stage if topics else ""
        cards = [partial(_card, n, topic, course, way * (topic.stage == here)) for n, topic in enumerate(topics, 1)]
        _in_rows([(topic.stage, card) for topic, card in zip(topics, cards, strict=True)])
    _glossary(terms(), lessons)
    st.page_link("teaching.py", label="How this teaches", icon=":material/school:", query_params=carried())
    if problems := library().problems:
        _broken(problems)
    if wants("instructor") and (own := [lesson for lesson in library().lessons if lesson.path.parent in named()]):
        _wrong_runs(own)


def _tossed(following: Lesson | None) -> int:
    """Draw the coin to press, that of the next lesson if it begins with one, and return how often it was tossed."""
    step = left_at(following) if following else None
    settings = following.settings_for(step) if following and step is following.steps[0] else None
    if following is None or step is None or not isinstance(settings, CoinSettings):
        _toss(key="toss", data=[None])
        return 0
    chain = Chain(settings.sampler(), following.seed_for(step))
    heads = [chain[t].heads for t in range(settings.tosses + 1)]
    known = {"theta": settings.bias, "tosses": [after > before for before, after in pairwise(heads)]}
    found = _toss(key="toss of the lesson", data=[known], on_tosses_change=lambda: None)
    return min(int(found.tosses or 0), settings.tosses)


def _hero(course: Plan, following: Lesson | None, way: str) -> None:
    """Draw the top of the map: a description of the app, a coin to press, and the way to go on with it."""
    with st.container(key="hero"):
        if course.title:
            _heading("h1", course.title, course)
        else:
            st.title("See samplers work", anchor=False)
        st.markdown(
            "Watch a computer learn by guessing, one random choice at a time. Rewind it."
            " Compare it with the exact answer."
        )
        tossed = _tossed(following)
        with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center"):
            if following:
                label = "Go on with this coin" if tossed else way
                _link(following, f"**{label} · {following.minutes} min**", **({"t": str(tossed)} if tossed else {}))
            if answers():
                st.page_link("work.py", label="My work", icon=":material/assignment_ind:", query_params=carried())
                if wanted():
                    st.page_link("review.py", label="Review", icon=":material/replay:", query_params=carried())
            way_in()
            with st.popover("Class", icon=":material/groups:"):
                class_doors()
            view_options()


def _heading(level: str, title: str, course: Plan) -> None:
    """Draw a heading of the course, in its language."""
    st.html(f'<{level} class="course" {attributes(course.language)}>{escape(title)}</{level}>')


def _link(lesson: Lesson, label: str, **more: str) -> None:
    step = left_at(lesson)
    link = {"lesson": lesson.id} | ({} if step is lesson.steps[0] else {"step": step.id}) | more
    st.page_link(topic_info(lesson.stage).page, label=label, query_params=carried(**link))


def _in_rows(cards: Sequence[tuple[str, Callable[[], None]]]) -> None:
    """Draw cards side by side, each under its own name."""
    for start in range(0, len(cards), ACROSS):
        for column, (name, card) in zip(st.columns(ACROSS), cards[start : start + ACROSS], strict=False):
            with column.container(border=True, height="stretch", key=f"card {name}"):
                card()


def _part(part: Part, course: Plan, following: Lesson | None, way: str) -> None:
    """Draw a section of a course: its lessons, or the time at which they open."""
    _heading("h2", part.title, course)
    if part.opens:
        minutes = sum(lesson.minutes for lesson in part.lessons)
        st.caption(f"Opens on {moment(part.opens)} · {counted(len(part.lessons), 'lesson')} · {minutes} min")
        if not course.early:
            return
    if part.due:
        st.caption(f"Due on {moment(part.due)}")
    _in_rows([(lesson.id, partial(_lesson, lesson, course, way * (lesson is following))) for lesson in part.lessons])


def _lesson(lesson: Lesson, course: Plan, way: str) -> None:
    """Draw a lesson of a course: the picture of its topic, its number and title, and its minutes."""
    _picture(lesson.stage)
    with spoken(lesson, lesson.id):
        _link(lesson, f"**{course.number(lesson)} · {plain(titled(lesson))}**")
    progress = "✓ done" if finished(lesson) else f"{lesson.minutes} min"
    st.caption(f"{topic_info(lesson.stage).title}\n\n{f'**{way}** · {progress}' if way else progress}")


def _glossary(terms: Sequence[Term], lessons: Sequence[Lesson]) -> None:
    """Draw the glossary: each term, its meaning, and the steps that ask about it."""
    if not terms:
        return
    asked: dict[str, list[str]] = {}
    for lesson in lessons:
        for step in lesson.steps:
            if step.idea:
                link = urlencode(carried(lesson=lesson.id, step=step.id))
                asked.setdefault(step.idea, []).append(f"[{step.title}]({lesson.stage}?{link})")
    with st.expander("Glossary", icon=":material/book_2:"):
        ordered = sorted(terms, key=lambda term: term.forms[0].lower())
        lines = [f"**{plain(term.forms[0])}** · {plain(term.meaning)}" for term in ordered]
        steps = [" · ".join(asked.get(term.forms[0], ())) for term in ordered]
        st.markdown("\n\n".join(f"{line}  \n{said}" if said else line for line, said in zip(lines, steps, strict=True)))


def _card(number: int, topic: TopicInfo, course: Plan, way: str) -> None:
    """Draw a topic: its picture, number, name, description, and the learner's progress."""
    _picture(topic.stage)
    st.page_link(topic.page, label=f"**{number} · {topic.title}**", query_params=carried())
    lessons = course.for_stage(topic.stage)
    done, minutes = sum(map(finished, lessons)), sum(lesson.minutes for lesson in lessons)
    many = counted(len(lessons), "lesson")
    progress = "✓ done" if done == len(lessons) > 0 else f"{done} of {many} done" if done else f"{many} · {minutes} min"
    st.caption(f"{topic.line}\n\n{f'**{way}** · {progress}' if way else progress}")


def _picture(stage: str) -> None:
    st.html(f'<img class="thumbnail" alt="" src="data:image/svg+xml,{DRAWINGS[stage]}">')


def _broken(files: Mapping[Path, Sequence[Problem]]) -> None:
    """Note that lessons are being edited; for instructors, list all problems by file."""
    if many := sum(path.suffix == ".md" for path in files):
        some = "A lesson is" if many == 1 else f"{many} lessons are"
        st.caption(f"{some} being edited at the moment; the rest of the course works.")
    if wants("instructor"):
        _listed(files)


def _wrong_runs(own: Sequence[Lesson]) -> None:
    """List, for their instructor, the lessons on show in which a run does not end as the text says."""
    with st.spinner("Repeating the runs of your lessons"):
        found = {lesson.path: wrong_runs(lesson.path, digest_of(lesson.path)) for lesson in own}
    if wrong := {path: problems for path, problems in found.items() if problems}:
        st.warning("Learners can open these lessons, but some runs do not end as the text says.")
        _listed(wrong)


@lru_cache(256)
def wrong_runs(path: Path, _digest: str) -> tuple[Problem, ...]:
    """Return the problems of a lesson's runs that do not end as its text says; the digest is that of its file."""
    from lessons.check.runs import run_steps  # loads SciPy, which the map does not need

    return tuple(problem for lesson in library().lessons if lesson.path == path for problem in run_steps(lesson))


def _listed(files: Mapping[Path, Sequence[Problem]]) -> None:
    for path, problems in files.items():
        short = Path(path.parent.name, path.name)
        lines = [str(replace(problem, path=short)) for problem in problems]
        st.code("\n".join(lines), language=None, wrap_lines=True)
