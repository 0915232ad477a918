"""The one page of a published course, and what lies beside it: scripts and the style sheet."""

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import quote

import streamlit

from lessons.catalogue import TOPICS, topic_info
from lessons.check.again import again_id
from lessons.course.plan import Part, Plan, moment
from lessons.format.glossary import Term
from lessons.format.language import attributes, direction
from lessons.format.lesson import Lesson
from lessons.format.printed import inline
from lessons.review import slug
from pages.embed.page import BODY, whole
from pages.lesson.sheet import sheet
from pages.publish.bundle import lean
from pages.publish.messages import Course, OnMap, OnReview, Section

HERE = Path(__file__).parent
BARE = "stage.html"  # the page of a stage alone
FONTS = {"SourceSansVF-Upright": ("Source Sans", "normal"), "SourceSansVF-Italic": ("Source Sans", "italic")}
FONTS |= {"SourceCodeVF-Upright": ("Source Code Pro", "normal")}


@cache
def fonts() -> dict[str, bytes]:
    """Return the fonts of the app, which come with Streamlit, by the names of their files."""
    found = (Path(streamlit.__file__).parent / "static").rglob("Source*VF-*.woff2")
    return {path.name: path.read_bytes() for path in found if path.name.split(".")[0] in FONTS}


def styles() -> str:
    """Return the style sheet: the app's own, its theme, and what Streamlit lays out there."""
    more = [HERE.parent / "form/form.css", HERE / "page.css"]
    return lean(sheet() + "".join(one.read_text("utf-8") for one in more))


def faces() -> str:
    """Return the style that has the fonts; main.js switches it on once the first picture is there."""
    rules = "".join(
        f'@font-face {{ font-family: "{family}"; font-style: {style}; font-weight: 100 900; font-display: swap; '
        f'src: url("app/{file}") format("woff2"); }}'
        for file in fonts()
        for family, style in [FONTS[file.split(".")[0]]]
    )
    return f'<style id="faces" media="not all">{rules}</style>'


def course(plan: Plan, glossary: Sequence[Term], files: dict[str, str], live: str, vega: str) -> Course:
    """Return the map of a plan's lessons; those without a file are left out."""
    parts = [(part, "") for part in plan.parts]
    if not parts:
        parts = [(Part(topic.title, plan.for_stage(topic.stage)), topic.line) for topic in TOPICS]
    sections: list[Section] = []
    for part, line in parts:
        there = [lesson for lesson in part.lessons if lesson.id in files]
        drawings = dict.fromkeys(topic_info(lesson.stage).drawing for lesson in there)
        if there:
            sections.append(
                {
                    "title": part.title,
                    "line": line,
                    "pictures": [f"data:image/svg+xml,{quote(drawing)}" for drawing in drawings],
                    "due": moment(part.due) if part.due else "",
                    "lessons": [_on_map(lesson, plan.number(lesson) or 1, files[lesson.id]) for lesson in there],
                }
            )
    return {
        "title": plan.title or "Samplescope",
        "language": plan.language or "en",
        "dir": direction(plan.language or "en"),
        "sections": sections,
        "review": [one for lesson in plan.lessons if lesson.id in files for one in _on_review(lesson, files)],
        "ideas": [
            (step.idea, lesson.id, step.id, inline(step.title))
            for lesson in plan.lessons
            if lesson.id in files
            for step in lesson.steps
            if step.idea
        ],
        "glossary": [(term.forms[0], term.meaning) for term in sorted(glossary, key=lambda one: one.forms[0].lower())],
        "hand_in": plan.hand_in,
        "ask": plan.ask,
        "live": (live or plan.live).rstrip("/"),
        "scorm": False,
        "vega": vega,
    }


def _on_map(lesson: Lesson, number: int, file: str) -> OnMap:
    return {
        "id": lesson.id,
        "number": number,
        "title": inline(lesson.title),
        "language": lesson.language,
        "dir": direction(lesson.language),
        "topic": topic_info(lesson.stage).title,
        "minutes": lesson.minutes,
        "questions": [step.id for step in lesson.steps if step.choices or step.goals],
        "asks": [step.id for step in lesson.steps if step.choices],
        "file": file,
    }


def _on_review(lesson: Lesson, files: dict[str, str]) -> list[OnReview]:
    """Return the questions of a lesson that can come back; one on another run needs that run's file."""
    return [
        {
            "idea": slug(step.idea),
            "term": step.idea,
            "lesson": lesson.id,
            "step": step.id,
            "title": inline(step.title),
            "id": name,
            "file": files.get(name, ""),
        }
        for step in lesson.steps
        if step.returns and ((name := again_id(lesson.id, step.id)) in files or not step.again)
    ]


def bare(found: Course, style: str, script: str) -> str:
    """Return the page that shows the stage of a step alone, in a frame of another page."""
    where: list[Section] = [{**section, "pictures": []} for section in found["sections"]]
    data = _as_script({**found, "glossary": [], "review": [], "ideas": [], "sections": where})
    return whole(found["title"], style, "", f'{BODY}{data}<script src="{script}"></script>')


def _as_script(found: Course) -> str:
    """Return the map as the page's script reads it."""
    data = json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="course">{data}</script>'


def index(found: Course, style: str, script: str, head: str = "") -> str:
    """Return the page, given the map, the addresses of style sheet and script, and what else its head has."""
    return (
        f'<!doctype html><html {attributes("en")}><head><meta charset="utf-8"><title>{escape(found["title"])}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><link rel="stylesheet" href="{style}">{faces()}{head}</head><body>'
        '<div data-testid="stApp" data-test-script-state="notRunning" class="stApp">'
        '<main class="stMain stMainBlockContainer" tabindex="-1"></main></div>'
        "<noscript>This course needs JavaScript: switch it on for this page.</noscript>"
        f'{_as_script(found)}<script src="{script}"></script></body></html>\n'
    )
