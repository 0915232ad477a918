"""The start of the server: what is loaded later, and what the log has."""

import asyncio
import logging
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router

from pages.server import routes, start
from pages.server.later import Later
from tests.loop import awaited
from tests.pages.server.asking import reply_of

ROOT = Path(__file__).parents[3]


def test_routes_are_made_when_one_is_first_asked_for_and_once():
    made = []

    def make() -> list[Route]:
        made.append(1)
        return [Route("/play/a", lambda _: PlainTextResponse("here"))]

    app = Router([Later(["/play/"], make)])
    assert awaited(reply_of(app, "/elsewhere")).status == 404
    assert not made
    assert [awaited(reply_of(app, "/play/a")).body for _ in range(2)] == [b"here", b"here"]
    assert awaited(reply_of(app, "/play/b")).status == 404
    assert made == [1]


def test_the_server_answers_before_what_computes_is_loaded():
    ask = "import app, sys; print(sorted({'numpy', 'scipy', 'altair', 'pydantic'} & {*sys.modules}))"
    said = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_a_topic_is_loaded_while_others_are_answered(monkeypatch):
    answered = threading.Event()
    monkeypatch.setattr(routes, "stage_of", lambda _: answered.wait(10) or pytest.fail("the server waited"))
    monkeypatch.delitem(sys.modules, "pages.stages.coin", raising=False)

    async def both() -> None:
        loading = asyncio.create_task(routes._loaded("coin"))
        await asyncio.sleep(0.05)
        assert not loading.done()
        answered.set()
        await loading

    awaited(both())


def test_opened_rooms_and_saved_answers_are_in_the_log_with_their_time(monkeypatch, capsys):
    log = logging.Logger("of a server")
    monkeypatch.setattr(start, "LOG", log)
    for _ in range(2):
        start.keep_a_log()
    log.info("a room was opened from %s", "192.0.2.0")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \S+ a room was opened from 192\.0\.2\.0\n", capsys.readouterr().err)
