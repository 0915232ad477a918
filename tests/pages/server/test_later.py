"""Routes whose code is loaded later."""

import asyncio
import subprocess
import sys
from pathlib import Path

from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router

from pages.server.later import Later
from tests.pages.server.asking import reply_of

ROOT = Path(__file__).parents[3]


def test_routes_are_made_when_one_is_first_asked_for_and_once():
    made = []

    def make() -> list[Route]:
        made.append(1)
        return [Route("/play/a", lambda _: PlainTextResponse("here"))]

    app = Router([Later(["/play/"], make)])
    assert asyncio.run(reply_of(app, "/elsewhere")).status == 404
    assert not made
    assert [asyncio.run(reply_of(app, "/play/a")).body for _ in range(2)] == [b"here", b"here"]
    assert asyncio.run(reply_of(app, "/play/b")).status == 404
    assert made == [1]


def test_the_server_answers_before_what_computes_is_loaded():
    ask = "import app, sys; print(sorted({'numpy', 'scipy', 'altair', 'pydantic'} & {*sys.modules}))"
    said = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
