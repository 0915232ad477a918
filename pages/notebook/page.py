"""The page of a stage in a notebook: one piece of HTML with code, style, Vega, and the run around its place.

It asks the kernel for the rest. A page that is `alone` asks no kernel, as in a notebook's HTML.
"""

import json
from functools import cache
from html import escape
from typing import TypedDict

from lessons.catalogue import topic_info
from pages.contract.stage import stage_of
from pages.contract.waiting import patiently
from pages.embed.host import ANSWERED, Asked, Staged, staged
from pages.embed.page import BODY, style, whole
from pages.publish.bundle import INSTEAD, STAGE, charting, script
from pages.publish.crawl import crawl
from pages.publish.messages import Filed
from pages.publish.scenes import Needed

HERE = {
    **INSTEAD,
    "player/source.js": "notebook/source.js",
    "player/library.js": "notebook/library.js",
    "embed/leads.js": "notebook/leads.js",
}
LOCKED = ("controls",)  # what changes settings, in a page that is alone
SANDBOX = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"  # as embed/element.js has it
FRAME = "width: 100%; border: 0; height: {}px"


class Kept(TypedDict):
    """The parts of a page that need no kernel: the stage as it opens, and after its question, with its run."""

    topic: str
    search: str
    alone: bool
    staged: Staged
    answered: Staged | None
    films: dict[str, Filed]
    last: dict[str, int]  # the last iteration of each film
    packs: dict[str, str]


def kept(ask: Asked, search: str, many: int, *, alone: bool) -> Kept:
    """Return the stage of an address, with `many` iterations of its run from its place on."""
    opens = patiently(lambda: staged(ask))
    uncovers = json.dumps({"kind": ANSWERED})
    answered = patiently(lambda: staged(ask, uncovers)) if opens["asks"] else None
    stage, place = stage_of(ask.place.stage), ask.place
    found: Kept = {
        "topic": place.stage,
        "search": search,
        "alone": alone,
        "staged": opens,
        "answered": answered,
        "films": {},
        "last": {},
        "packs": {},
    }

    def write(path: str, text: str) -> None:
        found["packs"][path.removeprefix("packs/").removesuffix(".js")] = text.split('"')[3]

    messages = [told["message"] for told in (opens, answered) if told]
    ats, source = [message["at"] for message in messages], messages[0]["source"]
    last = min(max(ats) + many, messages[0]["total"])
    view = opens["view"] or next(iter(place.settings.views), "")
    run = Needed(place.settings, place.seed, {(view, t) for t in (*ats, last)})
    found["last"][source], found["films"][source] = last, crawl(stage, run, write)
    for message in messages if alone else ():
        message["total"] = last
        message["lock"] = [*dict.fromkeys((*message["lock"], *LOCKED))]
    return found


@cache
def _code() -> str:
    return _inline(script(STAGE, HERE))


@cache
def _vega() -> str:
    return _inline(charting())


def _inline(text: str) -> str:
    """Return a script as an element of a page; strings in it may name that element's end."""
    return "<script>" + text.replace("</script", "<\\/script").replace("<!--", "<\\!--") + "</script>"


def page(found: Kept) -> str:
    """Return the whole page."""
    data = json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")
    body = f'{BODY}<script type="application/json" id="kept">{data}</script>{_vega()}{_code()}'
    return whole(topic_info(found["topic"]).title, "data:text/css,", f"<style>{style()[0]}</style>", body)


def framed(found: Kept, height: int) -> str:
    """Return the page in a frame, for the HTML of a notebook without its kernel."""
    title = f"Samplescope: {topic_info(found['topic']).title}"
    return (
        f'<iframe title="{escape(title)}" style="{FRAME.format(height)}" sandbox="{SANDBOX}" '
        f'srcdoc="{escape(page(found))}"></iframe>'
    )
