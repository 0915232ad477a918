"""The page of a bare stage: HTML of some lines, which has the player's code and all that it needs fetched at once."""

import hashlib
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from lessons.catalogue import topic_info
from pages.embed.preview import metas
from pages.lesson.sheet import sheet
from pages.player.modules import BUILD, VEGA, needed

ENTRY = "embed/stage.js"
HERE = Path(__file__).parent
BODY = (
    '<div class="st-key-stage"><div class="st-key-player"></div>'
    '<p class="asks" hidden>The lesson asks a question here first. <button type="button">Show the answer</button></p>'
    '<p role="status"></p><div class="st-key-views" role="group" aria-label="Inspector"></div></div>'
    "<noscript>This figure needs JavaScript: switch it on for this page.</noscript>"
)
THEMED = "<script>document.documentElement.dataset.theme=new URLSearchParams(location.search).get('theme')??''</script>"


@cache
def style() -> tuple[str, str]:
    """Return the style sheet, and the name of its file, which changes with it."""
    text = sheet() + (HERE / "stage.css").read_text("utf-8")
    return text, f"stage-{hashlib.sha256(text.encode()).hexdigest()[:12]}.css"


def page(topic: str, values: Mapping[str, str], site: str) -> str:
    """Return the page of an address that is in order, on a site whose address previews need."""
    play = f"../play/{BUILD}"
    asked = escape(f"{play}/{topic}/stage?{urlencode(values)}")
    ahead = "".join(f'<link rel="modulepreload" href="{play}/js/{name}">' for name in (*needed(ENTRY), VEGA))
    ahead += f'<link rel="preload" as="fetch" crossorigin href="{asked}">'
    script = f'<script type="module" src="{play}/js/{ENTRY}"></script>'
    return whole(topic_info(topic).title, f"{play}/{style()[1]}", metas(topic, values, site) + ahead + script, BODY)


def wrong(said: str) -> str:
    """Return the page of an address that is not: a sentence, never an empty frame."""
    link = '<a href="../" target="_blank" rel="noopener">Open Samplescope</a>'
    body = f'<p class="wrong"><b>This figure could not be shown.</b> {escape(said)} {link}</p>'
    return whole("No figure", f"../play/{BUILD}/{style()[1]}", "", body)


def whole(title: str, sheet: str, head: str, body: str) -> str:
    """Return a page with its style sheet's address; its own address may set its theme."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)} · Samplescope</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f'{THEMED}<link rel="stylesheet" href="{sheet}">{head}</head><body>'
        '<div data-testid="stApp" data-test-script-state="notRunning" class="stApp">'
        f'<main class="stMain" tabindex="-1">{body}</main></div></body></html>\n'
    )
