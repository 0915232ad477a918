"""A lesson as a hand-out: text, first picture of each step, questions with room to write, answers on another page."""

import html
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import segno

from lessons.catalogue import topic_info
from lessons.format.beats import allotted
from lessons.format.guesses import ELSE
from lessons.format.language import attributes, english_within
from lessons.format.lesson import Lesson, Step
from lessons.format.order import in_order
from lessons.format.pictures import with_pictures
from lessons.format.printed import as_html, inline
from lessons.review import ASKED, LEVELS
from pages.contract.stage import Stage
from pages.download.figures import Figures
from pages.form.value import asking

STYLE = Path(__file__).with_suffix(".css")
FEW = 6  # steps; of more the pictures are smaller, so that all fits on four pages
LINES = 2  # to write on, below a question
DIGITS = 6  # after the point, of numbers that count


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
    figures = Figures(lesson, stage) if stage else None
    steps, answers = [], []
    for number, step in enumerate(lesson.steps, 1):
        figure = figures.of(step) if figures else ""
        title, drawn = f"{number}. {inline(step.title)}", " class='drawn'" if figure else ""
        asked = f"{_text(lesson, step.body)}{_to_do(lesson, step)}"
        steps.append(f"<section{drawn}><h2>{title}</h2>{figure}{asked}</section>")
        if told := _answer(lesson, step):
            answers.append(f"<dt>{title}</dt>{told}")
    ours = english_within(lesson.language)
    many = "many" if len(lesson.steps) > FEW else "few"
    head = f'{_head(lesson, address)}<p class="name"{ours}><span>Name</span><span>Date</span></p>'
    last = f'<div class="answers"><h1{ours}>Answers</h1><p>{inline(lesson.title)}</p><dl>{"".join(answers)}</dl></div>'
    return _page(lesson, f"<header>{head}</header>{''.join(steps)}{last if answers else ''}", many)


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
    source = f"<p class='source'>{inline(lesson.source)}</p>" if lesson.source else ""
    return (
        f"{_way(lesson, address) if address else ''}<h1>{inline(lesson.title)}</h1>"
        f"<p{ours}>Samplescope, {html.escape(topic_info(lesson.stage).title)}: about {lesson.minutes} minutes</p>"
        f"<ul>{goals}</ul>{source}"
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


# ---- questions and answers -------------------------------------------------------------------------------------------


def _to_do(lesson: Lesson, step: Step) -> str:
    ours = english_within(lesson.language)
    room = f'<div class="room">{"<i></i>" * LINES}</div>'
    task = (step.veiled and step.ask.unseen) or step.ask.printed
    levels = " · ".join(f"☐ {words}" for words in LEVELS.values())
    sure = f'<p class="do"{ours}>{ASKED} {levels}</p>' if step.choices and lesson.asks_sure(step) else ""
    beats = f'<p class="do"{ours}>{allotted(step.yours)}</p>' if step.yours else ""
    if step.choices and task:
        return f'{beats}<p class="do"{ours}>{task}</p>{sure}{room}'
    if step.choices:
        options = asking(lesson, step, lettered=False)["options"]
        listed = "".join(f"<li>{option['html']}</li>" for option in options)
        ticked = "" if step.ask.by_hand else step.ask.form(step.choices).hint
        how = f'<p class="do"{ours}>{ticked}</p>' if ticked else ""
        return f'{beats}{how}<ul class="ask">{listed}</ul>{sure}{room}'
    if step.goals:
        return "<ul class='ask'>" + "".join(f"<li>{inline(goal.text)}</li>" for goal in step.goals) + f"</ul>{room}"
    if step.until is not None:
        unit = lesson.settings_for(step).counted_as
        return f'<p class="do"{ours}>Run to {unit} {step.until}. What do you see?</p>{room}'
    return ""


def _answer(lesson: Lesson, step: Step) -> str:
    """Return the right answer and its reason, then why the others are wrong; nothing where nothing is asked."""
    said, ours = [], english_within(lesson.language)
    for choice in sorted(in_order(lesson.id, step), key=lambda choice: not choice.correct):
        mark = "✓" if choice.correct else "–"
        text = f"<bdi{ours}>Any other answer</bdi>" if choice.text == ELSE else inline(choice.text)
        if choice.correct and (also := _near_enough(step)):
            text += f" <bdi{ours}>({also})</bdi>"
        said.append(f"<dd>{mark} {text} {_text(lesson, choice.reason)}</dd>")
    return "".join(said)


def _near_enough(step: Step) -> str:
    """Return which numbers count as right beside the right one itself; "" if there are none."""
    low, high = next(((found.low, found.high) for found, line in step.answers.lines if line.correct), (0.0, 0.0))
    least, most = step.form.limits or (low, high)
    ends = [f"{round(end, DIGITS) + 0.0:g}".replace("-", "−") for end in (max(low, least), min(high, most))]
    return f"{ends[0]} to {ends[1]} count" if ends[0] != ends[1] else ""


def _text(lesson: Lesson, markdown: str) -> str:
    return as_html(with_pictures(markdown, lesson.pictures))
