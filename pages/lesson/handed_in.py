"""*My work* as one web page to print or hand in, without other files or scripts."""

import datetime
from collections.abc import Iterator, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from lessons.catalogue import topic_info
from lessons.course.library import Library
from lessons.course.recorded import whole
from lessons.course.work import KeptMoment, Verdict, Work, judged
from lessons.format.language import attributes, english_within
from lessons.format.pictures import with_pictures
from lessons.format.printed import as_html as printed
from lessons.format.printed import inline
from lessons.settings.settings import StageSettings, flags_of
from pages.download.picture import figure

CSS = (Path(__file__).parent / "printed.css").read_text("utf-8")
MARKS = {True: "✓", False: "✗", None: "–"}
SOME = "◐"  # some of the goals


def as_html(work: Work, library: Library, address: str) -> str:
    """Return all answers as HTML, with their questions, their settings, and links to their steps in the app."""
    verdicts = [judged(given, library) for given in work.answers]
    right, many = sum(verdict.right is True for verdict in verdicts), len(verdicts)
    who = "".join(f"{escape(said)} · " for said in (work.name, work.number) if said)
    made = datetime.date.today().strftime("%d %B %Y").lstrip("0")
    body = [f"<h1>My work</h1><p class=made>{who}{made} · {right} of {many} answers right</p>"]
    body += _moments(work.moments, library, address)
    for _, group in groupby(verdicts, lambda verdict: verdict.lesson and verdict.lesson.id):
        body += _lesson([*group], address)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>My work</title>'
        f'<meta name="viewport" content="width=device-width"><style>{CSS}</style></head><body>{"".join(body)}'
        "</body></html>"
    )


def _moments(moments: tuple[KeptMoment, ...], library: Library, address: str) -> Iterator[str]:
    if not moments:
        return
    yield "<section><h2>Kept moments</h2>"
    for moment in moments:
        names = dict(parse_qsl(moment.link))
        link = f"{address}/{moment.topic}?{urlencode(names)}"
        said = ", ".join(f"{escape(name)} {escape(value)}" for name, value in names.items())
        drawn = figure(moment.topic, whole(moment.link, library))
        yield (
            f'<article><h3><a href="{escape(link)}">{escape(topic_info(moment.topic).title)}</a></h3>'
            f"<p>{escape(moment.note)}</p>{drawn}<p class=set>{said}</p></article>"
        )
    yield "</section>"


def set_to(settings: StageSettings) -> Iterator[str]:
    """Yield the settings that matter, each with its control's name and word."""
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if value not in (None, "") and name in settings.controls and settings.matters(name):
            words: Mapping[Any, str] = flags_of(field).get("words", {})
            shown = f"{value:g}" if isinstance(value, float) else words.get(value, value)
            yield f"{field.title} {shown}"


def _lesson(verdicts: list[Verdict], address: str) -> Iterator[str]:
    """Yield the answers to one lesson's questions, with the settings and the seed of each."""
    lesson = verdicts[0].lesson
    if lesson is None:
        return
    words, ours = attributes(lesson.language), english_within(lesson.language)
    yield f"<section><h2>{escape(topic_info(lesson.stage).title)}: <bdi {words}>{inline(lesson.title)}</bdi></h2>"
    for verdict in verdicts:
        step = verdict.step
        if step is None:
            continue
        link = f"{address}/{lesson.stage}?lesson={lesson.id}&step={step.id}"
        told = "".join(f"<p>{printed(choice.reason)}</p>" for choice in step.choices if choice.correct)
        right = "; ".join(inline(choice.text) for choice in step.choices if choice.correct)
        reasons = (
            f"<details open><summary><bdi{ours}>It is</bdi> {right}</summary>{told}</details>" if step.choices else ""
        )
        remark = f"<p class=remark{ours}>{escape(verdict.remark)}</p>" if verdict.remark else ""
        settings = ", ".join([*set_to(lesson.settings_for(step)), f"seed {lesson.seed_for(step)}"])
        mark = SOME if verdict.right is False and verdict.some else MARKS[verdict.right]
        question = printed(with_pictures(step.body, lesson.pictures))
        yield (
            f'<article {words}><h3><a href="{escape(link)}">{inline(step.title)}</a></h3>{question}'
            f"<p class=answer>{mark} {inline(verdict.answer)}</p>{remark}{reasons}"
            f"<p class=set{ours}>{escape(settings)}</p></article>"
        )
    yield "</section>"
