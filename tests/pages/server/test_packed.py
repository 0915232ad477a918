"""Streamlit's files, packed when they are first asked for."""

import asyncio
import gzip
import threading
from pathlib import Path

import brotli
import pytest
import streamlit as st
from starlette.applications import Starlette
from streamlit import file_util
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_assets_routes

from pages.server.packed import Packed
from tests.loop import awaited
from tests.pages.server.asking import reply_of

STATIC = Path(file_util.get_static_dir())
FILE = min((STATIC / "static/js").glob("index.*.js"))
PATH = f"/{FILE.relative_to(STATIC)}"


@pytest.fixture
def app():
    return Packed(Starlette(routes=create_streamlit_static_assets_routes(None)))


def ask(app, path=PATH, method="GET", **headers):
    return awaited(reply_of(app, path, method=method, **headers))


@pytest.mark.parametrize(
    ("accepted", "encoding", "unpack"),
    [("gzip, deflate", "gzip", gzip.decompress), ("gzip, deflate, br;q=1.0, zstd", "br", brotli.decompress)],
)
def test_it_is_the_same_file_in_fewer_bytes(app, accepted, encoding, unpack):
    plain, packed = ask(app), ask(app, accept_encoding=accepted)
    assert plain.body == unpack(packed.body) == FILE.read_bytes()
    assert len(packed.body) < 0.35 * len(plain.body)
    assert packed.headers["content-encoding"] == encoding
    assert packed.headers["vary"] == "Accept-Encoding"
    assert packed.headers["content-length"] == str(len(packed.body))
    for name in ("content-type", "cache-control", "last-modified"):
        assert packed.headers[name] == plain.headers[name]
    again = ask(app, accept_encoding="gzip", if_none_match=packed.headers["etag"])
    assert (again.status, again.body) == (304, b"")


def test_those_who_cannot_unpack_it_get_it_as_it_is(app):
    for headers in ({}, {"accept_encoding": "deflate"}, {"accept_encoding": "gzip", "range": "bytes=0-9"}):
        reply = ask(app, **headers)
        assert "content-encoding" not in reply.headers
        assert FILE.read_bytes().startswith(reply.body)
    assert ask(app, method="HEAD", accept_encoding="gzip").body == b""


def test_a_class_that_comes_at_once_has_each_file_packed_once(app, monkeypatch):
    done: list[str] = []
    pack = gzip.compress

    def packed(*given, **more) -> bytes:
        done.append(threading.current_thread().name)
        return pack(*given, **more)

    monkeypatch.setattr(gzip, "compress", packed)

    async def many():
        return await asyncio.gather(*(reply_of(app, PATH, accept_encoding="gzip") for _ in range(30)))

    assert len({reply.body for reply in awaited(many())}) == 1
    assert len(done) == 1
    assert done[0] != threading.main_thread().name, "the server goes on meanwhile"


@pytest.mark.parametrize("path", ["/", "/draws", "/static/js/made-up.js", "/static/js/made-up.css", "/static/media/x"])
def test_nothing_else_is_packed_or_kept(app, path):
    reply = ask(app, path, accept_encoding="gzip")
    assert "content-encoding" not in reply.headers
    assert not app._answers


def test_below_a_path_of_its_own(monkeypatch):
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "course"}.get)
    app = Packed(Starlette(routes=create_streamlit_static_assets_routes("course")))
    assert "content-encoding" in ask(app, f"/course{PATH}", accept_encoding="gzip").headers


def test_a_packing_that_fails_is_not_kept(app, monkeypatch, caplog):
    def fails(*given, **more):
        raise OSError("no more threads")

    with monkeypatch.context() as patch:
        patch.setattr(gzip, "compress", fails)
        reply = ask(app, accept_encoding="gzip")
    assert (reply.status, reply.body) == (200, FILE.read_bytes())
    assert "could not be packed" in caplog.text
    assert ask(app, accept_encoding="gzip").headers["content-encoding"] == "gzip"
