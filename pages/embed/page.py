"""The page of a bare stage: HTML of some lines, which has the player's code and all that it needs fetched at once."""

import hashlib
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from lessons.catalogue import topic_info
from pages.lesson.sheet import sheet
from pages.player.modules import BUILD, VEGA, needed

ENTRY = "embed/stage.js"
THEMES = ("light", "dark")
HERE = Path(__file__).parent


@cache
def style() -> tuple[str, str]:
    """Return the style sheet, and the name of its file, which changes with it."""
    text = sheet() + (HERE / "stage.css").read_text("utf-8")
    return text, f"stage-{hashlib.sha256(text.encode()).hexdigest()[:12]}.css"


def page(topic: str, values: Mapping[str, str]) -> str:
    """Return the page of an address that is in order."""
    play, title = f"../play/{BUILD}", topic_info(topic).title
    asked = f"{play}/{topic}/stage?{urlencode(values)}"
    fetched = (
        "".join(f'<link rel="modulepreload" href="{play}/js/{name}">' for name in (*needed(ENTRY), VEGA))
        + f'<link rel="preload" as="fetch" crossorigin href="{escape(asked)}">'
    )
    return _whole(
        title,
        f'{fetched}<script type="module" src="{play}/js/{ENTRY}"></script>',
        '<div class="st-key-stage"><div class="st-key-player"></div>'
        '<p class="asks" hidden>The lesson asks a question here first. '
        '<button type="button">Show the answer</button></p>'
        '<p role="status"></p><div class="st-key-views" role="group" aria-label="Inspector"></div></div>'
        "<noscript>This figure needs JavaScript: switch it on for this page.</noscript>",
        values.get("theme", ""),
    )


def wrong(said: str, values: Mapping[str, str]) -> str:
    """Return the page of an address that is not: a sentence, never an empty frame."""
    words = f'<p class="wrong"><b>This figure could not be shown.</b> {escape(said)} <a href="../" target="_blank" '
    return _whole("Samplescope", "", f'{words}rel="noopener">Open Samplescope</a></p>', values.get("theme", ""))


def _whole(title: str, head: str, body: str, theme: str) -> str:
    look = f' data-theme="{theme}"' if theme in THEMES else ""
    return (
        f'<!doctype html><html lang="en"{look}><head><meta charset="utf-8"><title>{escape(title)} · Samplescope</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="../play/{BUILD}/{style()[1]}">{head}</head><body>'
        '<div data-testid="stApp" data-test-script-state="notRunning" class="stApp">'
        f'<main class="stMain" tabindex="-1">{body}</main></div></body></html>\n'
    )
