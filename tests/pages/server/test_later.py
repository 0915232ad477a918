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
from starlette.types import Receive, Scope, Send

from pages.player.modules import BUILD
from pages.server import routes, start
from pages.server.door import Door
from pages.server.headers import SecurityHeaders
from pages.server.later import Later
from pages.server.straight import StraightOn
from tests.loop import awaited
from tests.pages.server.asking import Reply, reply_of

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


def test_films_and_code_take_the_short_way_and_nothing_else_does():
    async def long_way(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("by the long way")(scope, receive, send)

    def asked(path: str, **more: str) -> Reply:
        return awaited(reply_of(SecurityHeaders(Door(StraightOn(long_way, start.OWN))), path, **more))

    code = asked(f"/play/{BUILD}/js/player/player.js")
    assert code.status == 200
    assert b"import" in code.body
    said = asked(f"/play/{BUILD}/nothing/film")
    assert (said.status, said.body) == (400, b"There is no topic of that name.")
    assert said.headers["x-content-type-options"] == "nosniff"
    assert "script-src" in said.headers["content-security-policy"]
    for path in (
        f"/play/{BUILD}/../../../etc/passwd",
        f"/play/{BUILD}/js/../../app.py",
        "/play/an-older-build/coin/film",
    ):
        assert asked(path).status == 404
    assert asked(f"/play/{BUILD}/coin/film", method="DELETE").status == 405
    for path in ("/", "/coin", "/play", "/room", "/static/play/index.js"):
        assert asked(path).body == b"by the long way"


def test_the_server_answers_before_what_computes_is_loaded():
    ask = "import app, sys; print(sorted({'numpy', 'scipy', 'altair', 'pydantic'} & {*sys.modules}))"
    said = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_scipy_loads_without_what_reads_fortran_which_is_there_when_named():
    ask = """
from pages.server.start import load_pages; import sys
load_pages(); loaded = {"scipy.special", "numpy.f2py"} & {*sys.modules}
import numpy; print(sorted(loaded), numpy.f2py.__name__)
"""
    said = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "['scipy.special'] numpy.f2py"


def test_a_topic_is_loaded_while_others_are_answered(monkeypatch):
    answered = threading.Event()
    monkeypatch.setattr(routes, "stage_of", lambda _: answered.wait(10) or pytest.fail("the server waited"))
    monkeypatch.delitem(sys.modules, "pages.topics.coin", raising=False)

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
