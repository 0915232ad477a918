"""Streamlit's font of icons, cut to those in use: each of these is there, and every other name stays a word."""

import io
import shutil

import pytest
from fontTools.ttLib import TTFont
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pages.server import symbols
from tests.loop import awaited
from tests.pages.server.asking import reply_of

(WHOLE,) = symbols.MEDIA.glob("MaterialSymbols-Rounded.*.woff2")
PATH = f"/static/media/{WHOLE.name}"
NAMES = frozenset({"check", "menu", "keyboard_double_arrow_right", "no_icon_has_this_name"})


def names_in(font: bytes) -> set[str]:
    found = TTFont(io.BytesIO(font))
    signs = {glyph: chr(sign) for sign, glyph in found.getBestCmap().items()}
    return {
        "".join(signs[part] for part in (first, *one.Component))
        for table in symbols._ligatures(found)
        for first, ligatures in table.ligatures.items()
        for one in ligatures
    }


def test_the_font_has_what_is_asked_for_and_no_more():
    made = symbols.cut(WHOLE.read_bytes(), NAMES)
    assert names_in(made) == NAMES - {"no_icon_has_this_name"}
    assert len(made) < 10_000 < len(WHOLE.read_bytes())


def test_icons_are_found_in_our_code_in_streamlits_and_in_lessons(tmp_path, monkeypatch):
    (tmp_path / "mine.md").write_text("Press :material/rocket_launch: now.")
    assert "rocket_launch" not in symbols.in_use()
    monkeypatch.setenv("SAMPLESCOPE_LESSONS", str(tmp_path))
    assert {"lock", "museum", "keyboard_arrow_down", "rocket_launch"} <= symbols.in_use()


@pytest.fixture
def app(tmp_path, monkeypatch) -> symbols.Symbols:
    monkeypatch.setattr(symbols, "CACHE", tmp_path)
    monkeypatch.setattr(symbols, "in_use", lambda: NAMES)
    symbols._cut_to.cache_clear()
    inner = Starlette(routes=[Route("/{rest:path}", lambda _: PlainTextResponse("Streamlit"))])
    yield symbols.Symbols(inner)
    symbols._cut_to.cache_clear()


def test_a_browser_gets_it_and_asks_whether_it_still_holds(app, tmp_path):
    first = awaited(reply_of(app, PATH))
    assert (first.status, first.headers["cache-control"]) == (200, "no-cache")
    (kept,) = tmp_path.iterdir()
    assert kept.read_bytes() == first.body
    assert awaited(reply_of(app, PATH, if_none_match=first.headers["etag"])).status == 304
    for other in ("/static/media/MaterialSymbols-Rounded.none.woff2", "/static/media/other.woff2", "/"):
        assert awaited(reply_of(app, other)).body == b"Streamlit"


def test_where_nothing_can_be_written_it_is_cut_all_the_same(app, tmp_path):
    shutil.rmtree(tmp_path)
    tmp_path.write_text("a file")
    assert awaited(reply_of(app, PATH)).status == 200
