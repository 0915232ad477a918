"""Addresses of more than one part, which no page has."""

import pytest
import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router

from app import app
from pages.server.nested import NESTED
from tests.loop import awaited
from tests.pages.server.asking import reply_of

OPENED = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
ROUTER = Router([NESTED, Route("/{path:path}", lambda _: PlainTextResponse("Streamlit's"))])


def led(path: str, query: str = "", accept: str = OPENED) -> str | None:
    reply = awaited(reply_of(ROUTER, path, query, accept=accept))
    return reply.headers.get("location")


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/crp_seating/week-3", "/crp_seating"),
        ("/a/b/c/", "/a"),
        ("//elsewhere.example/x", "/elsewhere.example"),
        ("/é b\\/x", "/%C3%A9%20b%5C"),
    ],
)
def test_they_lead_to_the_page_that_they_begin_with(path, there):
    assert led(path) == there
    assert led(path, "lesson=crp-seating&step=fifth") == f"{there}?lesson=crp-seating&step=fifth"


@pytest.mark.parametrize(
    "path", ["/", "/crp_seating", "/crp_seating/", "/_stcore/health", "/media/a.html", "/static/a/b"]
)
def test_others_are_left_to_those_who_have_them(path):
    assert led(path) is None


def test_what_a_page_itself_asks_for_is_found_or_not():
    assert led("/nowhere/_stcore/health", accept="application/json, text/plain, */*") is None


def test_below_a_path_of_its_own(monkeypatch):
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "course"}.get)
    assert led("/course/crp_seating") is None
    assert led("/course/crp_seating/x", "t=3") == "/course/crp_seating?t=3"


def test_the_app_has_them_before_streamlits_pages():
    assert NESTED in app._user_routes
