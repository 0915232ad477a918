"""The same link has the same frames in the app, in a bare stage, and in a published folder: byte by byte."""

import base64
import json
import zlib
from typing import Any
from urllib.parse import parse_qsl

import pytest

from lessons.topics import STAGES
from pages.embed.host import asked, staged
from pages.lesson.lessons import library
from pages.lesson.state import Visit
from pages.publish.crawl import HUNDRED
from pages.publish.lesson import Writer
from tests.pages.server.asking import ask

LESSONS = ("coin-posterior", "crp-seating", "why-too-many")


@pytest.fixture(scope="module", params=LESSONS)
def published(request) -> tuple[Any, dict[str, bytes]]:
    """Return a lesson as a folder has it, and the contents of its packs by name."""
    texts: dict[str, str] = {}
    lesson = library().lesson(request.param)
    found = Writer(library(), frozenset()).published(lesson, texts.__setitem__)
    packs = {path[6:-3]: zlib.decompress(base64.b64decode(text.split('"')[3])) for path, text in texts.items()}
    return found, packs


def test_the_same_link_has_the_same_frames_in_app_stage_and_folder(published):
    found, packs = published
    lesson = library().lesson(found["id"])
    seen = set()
    for told in found["steps"]:
        link = {"lesson": lesson.id, "step": told["id"]}
        page = Visit(lesson.stage, STAGES[lesson.stage]())
        page.follow(link)
        stage = staged(asked(lesson.stage, link))["message"]
        folder = told["asked"]["message"]
        assert page.source() == stage["source"] == folder["source"]
        assert page.link() == stage["address"] == folder["address"]
        seen.add(folder["source"])
    assert seen
    for source in seen:
        values = dict(parse_qsl(source.partition("?")[2], keep_blank_values=True))
        filed = found["films"][source]
        assert ask(f"{lesson.stage}/film", **values).body == packs[filed["film"]]
        for start, name in filed["frames"].items():
            head = json.loads(packs[name][4 : 4 + int.from_bytes(packs[name][:4], "little")])
            first = int(start) * HUNDRED
            assert head["start"] == first
            answer = ask(f"{lesson.stage}/frames", **values, **{"from": first, "to": first + head["count"]})
            assert answer.body == packs[name]
