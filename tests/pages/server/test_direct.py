"""Pages whose HTML says where their server is."""

import gzip
import re
from pathlib import Path

import pytest
import streamlit
import streamlit as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pages.server.direct import DirectConnection
from tests.loop import awaited
from tests.pages.server.asking import reply_of

HTML = "<html><head><title>Streamlit</title></head></html>"


async def answer(request: Request) -> Response:
    kind = "application/json" if "json" in request.url.path else "text/html"
    return HTMLResponse(HTML, media_type=kind, headers={"seen": request.headers.get("accept-encoding", "")})


APP = DirectConnection(Starlette(routes=[Route("/{path:path}", answer)]))


def told(path: str, **headers: str) -> int | None:
    """Return how many names of the page's address are not the server's; None if the page is not told."""
    reply = awaited(reply_of(APP, path, **headers))
    assert int(reply.headers["content-length"]) == len(reply.body)
    packed = reply.headers.get("content-encoding") == "gzip"
    assert packed or "gzip" not in headers.values()
    text = (gzip.decompress(reply.body) if packed else reply.body).decode()
    found = re.search(r"parts\.length - (\d)", text)
    assert (text == HTML) == (found is None)
    return int(found[1]) if found else None


@pytest.mark.parametrize(
    ("path", "names"), [("/", 0), ("/crp_seating", 1), ("/studio", 1), ("/work", 1), ("/draws/", 1)]
)
def test_a_page_is_told_its_server(path, names):
    assert told(path) == names
    assert told(path, accept_encoding="gzip") == names


@pytest.mark.parametrize("path", ["/nothing", "/static/js/index.js", "/j/KX7M-2PQ9", "/crp_seating/_stcore/health"])
def test_nothing_else_is(path):
    assert told(path) is None


def test_below_a_path_of_its_own(monkeypatch):
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "course/coin"}.get)
    assert (told("/course/coin/"), told("/course/coin/coin"), told("/course/coin")) == (0, 1, 0)


def test_streamlit_reads_where_its_server_is_and_does_not_say_so_itself():
    """Or `DirectConnection` can go, or has to say it in another way."""
    static = Path(streamlit.__file__).parent / "static"
    assert "__streamlit" not in (static / "index.html").read_text("utf-8")
    scripts = [path.read_text("utf-8") for path in (static / "static/js").glob("*.js")]
    reads = [script for script in scripts if "window.__streamlit" in script]
    assert any("BACKEND_BASE_URL" in script and ".HOST_CONFIG" in script for script in reads)
