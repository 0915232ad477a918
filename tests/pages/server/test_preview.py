"""A link that is shared has its title, a sentence and its main picture, on its page and on its bare stage."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

from pages.embed.preview import metas
from pages.player.modules import BUILD
from pages.server.preview import Preview
from tests.loop import awaited
from tests.pages.server.asking import ask, reply_of

PAGE = "<!doctype html><html><head><title>Streamlit</title></head><body></body></html>"
APP = Preview(Starlette(routes=[Route("/{rest:path}", lambda _: HTMLResponse(PAGE))]))


def told(html: str) -> dict[str, str]:
    return {name: unescape(text) for name, text in re.findall(r'<meta property="(og:[^"]+)" content="([^"]*)">', html)}


def test_a_topics_page_is_previewed_with_a_picture_that_is_there():
    reply = awaited(reply_of(APP, "/coin", "t=7&seed=3", host="app.example.edu"))
    assert int(reply.headers["content-length"]) == len(reply.body)
    found = told(reply.body.decode())
    assert found["og:title"] == "One coin"
    picture = urlsplit(found["og:image"])
    assert picture.netloc == "app.example.edu"
    assert picture.path == f"/play/{BUILD}/coin/take"
    drawn = ask("coin/take", **dict(parse_qsl(picture.query, keep_blank_values=True)))
    assert drawn.headers["content-type"] == "image/png"
    assert drawn.body.startswith(b"\x89PNG")


def test_a_lesson_has_its_own_words_and_withholds_what_it_asks():
    found = told(metas("crp_seating", {"lesson": "crp-seating", "step": "fifth"}, "https://x"))
    assert found["og:title"] == "Seating the first customers · Chinese restaurant"
    assert dict(parse_qsl(urlsplit(found["og:image"]).query))["t"] == "4"


@pytest.mark.parametrize("path", ["/", "/coin/more", "/none", "/coin?lesson=none"])
def test_other_pages_stay_as_they_are(path):
    path, _, query = path.partition("?")
    assert awaited(reply_of(APP, path, query)).body.decode() == PAGE


def test_what_an_address_says_is_no_markup():
    text = metas("coin", {"own": '"><script>', "x": "<b>"}, 'https://x/"><i>')
    assert "<script" not in text
    assert "<i>" not in text
