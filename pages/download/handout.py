"""A lesson as a hand-out: text, first picture of each step, questions with room to write, answers on another page."""

import base64
import html
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import segno

from lessons.reader import Lesson, Step
from lessons.reader.guesses import ELSE
from lessons.reader.language import attributes, english_within
from lessons.reader.order import in_order
from lessons.reader.pictures import with_pictures
from lessons.reader.printed import as_html, inline
from lessons.stages.settings import StageSettings
from lessons.topics import topic_info
from pages.contract.stage import Stage
from pages.contract.waiting import NotYet
from pages.download.picture import picture

STYLE = Path(__file__).with_suffix(".css")
WIDE = 340  # pixels of a picture, on which its type is as large as a footnote
FEW = 6  # steps; of more the pictures are smaller, so that all fits on four pages
LINES = 2  # to write on, below a question


@dataclass
class RunPlace:
    """The place of a learner in a lesson: its settings, seed and iteration."""

    settings: StageSettings | None = None
    seed: int = 0
    t: int = 0

    def open(self, lesson: Lesson, step: Step) -> None:
        """Go to a step, as the page does."""
        settings, seed = lesson.settings_for(step), lesson.seed_for(step)
        if (settings, seed) != (self.settings, self.seed) or step.at is not None:
            self.t = step.at or 0
        self.settings, self.seed = settings, seed

    def leave(self, lesson: Lesson, step: Step) -> None:
        """Leave a step as it is once all has been done in it."""
        self.settings = lesson.settings_after(step)
        self.t = step.until or self.t + step.then.advance


def handout(lesson: Lesson, stage: Stage[Any] | None = None, address: str = "") -> str:
    """Return a lesson's hand-out as one HTML page, which needs no other file and prints on A4.

    Parameters
    ----------
    lesson : Lesson
        What is printed.
    stage : Stage, optional
        That of the lesson, which draws the pictures; without it there are none.
    address : str, optional
        The app's, for the lesson's link and its QR code; without it there are none.
    """
    place, drawn = RunPlace(), set[bytes]()
    steps, answers = [], []
    for number, step in enumerate(lesson.steps, 1):
        place.open(lesson, step)
        figure = _figure(lesson, step, place, stage, drawn) if stage else ""
        title = f"{number}. {inline(step.title)}"
        steps.append(f"<section><h2>{title}</h2>{figure}{_text(lesson, step.body)}{_to_do(lesson, step)}</section>")
        if told := _answer(lesson, step):
            answers.append(f"<dt>{title}</dt>{told}")
        place.leave(lesson, step)
    ours = english_within(lesson.language)
    many = "many" if len(lesson.steps) > FEW else "few"
    source = f"<footer>{inline(lesson.source)}</footer>" if lesson.source else ""
    head = f'{_head(lesson, address)}<p class="name"{ours}><span>Name</span><span>Date</span></p>'
    last = f'<div class="answers"><h1{ours}>Answers</h1><p>{inline(lesson.title)}</p><dl>{"".join(answers)}</dl></div>'
    return _page(lesson, f"<header>{head}</header>{''.join(steps)}{source}{last if answers else ''}", many)


def notes(lesson: Lesson, address: str = "") -> str:
    """Return the sheet of who teaches a lesson: the notes of each step, what is right, and where the step ends."""
    ours, found = english_within(lesson.language), []
    for number, step in enumerate(lesson.steps, 1):
        right = "".join(f"<li>✓ {inline(choice.text)}</li>" for choice in step.choices if choice.correct)
        goals = "".join(f"<li>□ {inline(goal.text)}</li>" for goal in step.goals)
        told = _text(lesson, step.instructor) if step.instructor else f"<p class='none'{ours}>No notes.</p>"
        listed = f'<ul class="right">{right}{goals}</ul>' if right or goals else ""
        found.append(f"<section><h2>{number}. {inline(step.title)}</h2>{listed}{told}</section>")
    return _page(lesson, f"<header>{_head(lesson, address)}</header>{''.join(found)}", "notes")


def _head(lesson: Lesson, address: str) -> str:
    """Return the title, how long it takes, what it is for and, if there is an address, the way to it."""
    ours = english_within(lesson.language)
    goals = "".join(f"<li>{inline(goal)}</li>" for goal in lesson.objectives)
    return (
        f"{_way(lesson, address) if address else ''}<h1>{inline(lesson.title)}</h1>"
        f"<p{ours}>Samplescope, {html.escape(topic_info(lesson.stage).title)}: about {lesson.minutes} minutes</p>"
        f"<ul>{goals}</ul>"
    )


def _way(lesson: Lesson, address: str) -> str:
    """Return the lesson's link, to be read and to be scanned."""
    link = f"{address.rstrip('/')}/{lesson.stage}?{urlencode({'lesson': lesson.id})}"
    shown = html.escape(link.partition("://")[2] or link)
    return (
        f'<p class="way"><img alt="" src="{segno.make(link, error="m").svg_data_uri(scale=3, border=0)}">'
        f'<a href="{html.escape(link)}">{shown}</a></p>'
    )


def _page(lesson: Lesson, body: str, kind: str) -> str:
    return (
        f'<!doctype html><html {attributes(lesson.language)}><head><meta charset="utf-8">'
        f"<title>{html.escape(lesson.title)}</title>"
        f"<style>{STYLE.read_text('utf-8')}</style></head><body class='{kind}'>{body}</body></html>\n"
    )


# ---- pictures --------------------------------------------------------------------------------------------------------


def _figure(lesson: Lesson, step: Step, place: RunPlace, stage: Stage[Any], drawn: set[bytes]) -> str:
    """Return the main picture as a step opens; nothing if it is hidden, empty, or drawn by now."""
    settings = place.settings
    if settings is None or stage.missing(settings):
        return ""
    while True:  # what a page waits for in slices
        try:
            film = stage.film(settings, place.seed)
            t = min(place.t, film.total)
            film.reach(t)
            charts = {chart.name: chart for chart in film.charts}
            wanted = [name for name in lesson.charts_for(step) if name in charts] or list(charts)
            if step.ask.on in charts:  # what you guess on is what you draw on
                wanted.insert(0, step.ask.on)
            seen = next((name for name in wanted if name not in lesson.charts_hidden(step)), None)
            if seen is None:
                return ""
            svg = picture(film, seen, t, theme="print", told="captions" not in step.hide, wide=WIDE)
            if svg in drawn or not (step.ask.on or _shows(svg)):
                return ""
            break
        except NotYet as wait:
            if wait.endless:
                return ""
    drawn.add(svg)
    address = f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"
    chart, ours = charts[seen], english_within(lesson.language)
    unit = settings.counted_as
    when = f"at {unit} {t}" if settings.opened is None else f"within {unit} {settings.opened}"
    caption = f"{html.escape(chart.title)}, {when}"
    return (
        f'<figure{ours}><img src="{address}" alt="{html.escape(chart.alt)}"><figcaption>{caption}</figcaption></figure>'
    )


def _shows(svg: bytes) -> bool:
    """Return whether a picture has any mark: an empty one has axes alone."""
    groups = (group for group in ElementTree.fromstring(svg).iter() if " role-mark" in group.get("class", ""))
    return any(_drawn(mark) for group in groups for mark in group)


def _drawn(mark: ElementTree.Element) -> bool:
    """Return whether a mark can be seen: a line through no points has a path without a way, a text no words."""
    if mark.tag.endswith("text"):
        return bool("".join(mark.itertext()).strip())
    shown = mark.get("opacity") != "0" and mark.get("d") not in ("", None)
    return shown or mark.tag.endswith(("image", "line", "rect")) or any(map(_drawn, mark))


# ---- questions and answers -------------------------------------------------------------------------------------------


def _to_do(lesson: Lesson, step: Step) -> str:
    ours = english_within(lesson.language)
    room = f'<div class="room">{"<i></i>" * LINES}</div>'
    task = (step.veiled and step.ask.unseen) or step.ask.printed
    if step.choices and task:
        return f'<p class="do"{ours}>{task}</p>{room}'
    if step.choices:
        listed = "".join(f"<li>{inline(choice.text)}</li>" for choice in in_order(lesson.id, step))
        return f'<ul class="ask">{listed}</ul>{room}'
    if step.goals:
        return "<ul class='ask'>" + "".join(f"<li>{inline(goal.text)}</li>" for goal in step.goals) + f"</ul>{room}"
    if step.until is not None:
        unit = lesson.settings_for(step).counted_as
        return f'<p class="do"{ours}>Run to {unit} {step.until}. What do you see?</p>{room}'
    return ""


def _answer(lesson: Lesson, step: Step) -> str:
    """Return what is right and why, then why the others are not; nothing where nothing is asked."""
    said, ours = [], english_within(lesson.language)
    for choice in sorted(in_order(lesson.id, step), key=lambda choice: not choice.correct):
        mark = "✓" if choice.correct else "–"
        text = f"<bdi{ours}>Any other answer</bdi>" if choice.text == ELSE else inline(choice.text)
        said.append(f"<dd>{mark} {text} {_text(lesson, choice.reason)}</dd>")
    return "".join(said)


def _text(lesson: Lesson, markdown: str) -> str:
    return as_html(with_pictures(markdown, lesson.pictures))
