"""Streamlit's font of icons, cut to those in use: 4,000 icons weigh 375 kB, and a page shows a few dozen.

An icon is a ligature: its name, letter by letter, becomes one glyph. The ligatures of other names are left out, with
their glyphs. Names are looked for in our code, in Streamlit's own, and in the lessons as they are now.
"""

import hashlib
import io
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import anyio
import streamlit
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lessons.format.folders import folders
from lessons.installed import CACHE, ROOT

STATIC = Path(streamlit.__file__).parent / "static/static"
MEDIA = STATIC / "media"
FOLDER, FONT = "/static/media/", re.compile(r"MaterialSymbols-Rounded\.[\w-]+\.woff2")
NAME = re.compile(rb":material/([a-z0-9_]+):")
PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789_ "
AGAIN = "no-cache"  # a lesson may have brought an icon: the browser asks whether its copy still holds


def _named(files: Iterable[Path]) -> frozenset[str]:
    return frozenset(name.decode() for file in files for name in NAME.findall(file.read_bytes()))


@cache
def _of_code() -> frozenset[str]:
    """Return the icons of the app's and of Streamlit's code."""
    return _named([*(ROOT / "pages").rglob("*.py"), *(STATIC / "js").glob("*.js")])


def in_use() -> frozenset[str]:
    """Return the names of all icons that a page may show now."""
    return _of_code() | _named(file for folder in folders() for file in folder.glob("*.md"))


def cut(font: bytes, names: frozenset[str]) -> bytes:
    """Return a font of icons with these alone; its letters stay, as an unknown name is shown in letters."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    found = TTFont(io.BytesIO(font))
    letters = found.getBestCmap()
    of_name = {
        tuple(letters[ord(sign)] for sign in name) for name in names if all(ord(sign) in letters for sign in name)
    }
    for table in _ligatures(found):
        for first, ligatures in [*table.ligatures.items()]:
            kept = [one for one in ligatures if (first, *one.Component) in of_name]
            table.ligatures[first] = kept
            if not kept:
                del table.ligatures[first]
    options = subset.Options(layout_features=["*"], flavor="woff2", notdef_outline=True)
    tool = subset.Subsetter(options)
    tool.populate(text=PLAIN)
    tool.subset(found)
    found.flavor = "woff2"
    made = io.BytesIO()
    found.save(made)
    return made.getvalue()


def _ligatures(font: Any) -> Iterable[Any]:
    """Yield the tables of ligatures of a font."""
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            inner = getattr(table, "ExtSubTable", table)
            if hasattr(inner, "ligatures"):
                yield inner


@lru_cache(2)
def _cut_to(name: str, names: frozenset[str]) -> bytes:
    """Return the font of a file name, cut; from the disk if it was cut to the same names before."""
    font = (MEDIA / name).read_bytes()
    seal = hashlib.sha256(font + repr(sorted(names)).encode()).hexdigest()[:12]
    kept = CACHE / f"icons-{seal}.woff2"
    if kept.is_file() and kept.stat().st_size:
        return kept.read_bytes()
    made = cut(font, names)
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(".part")
        part.write_bytes(made)
        part.replace(kept)
    except OSError:  # a read-only installation cuts it again at its next start
        pass
    return made


class Symbols:
    """ASGI middleware that answers with the cut font where a browser asks for Streamlit's."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for the font; hand on any other."""
        name = scope["path"].rpartition(FOLDER)[2] if scope["type"] == "http" and FOLDER in scope["path"] else ""
        answer = await _font(name, Request(scope)) if FONT.fullmatch(name) and (MEDIA / name).is_file() else self.app
        await answer(scope, receive, send)


async def _font(name: str, request: Request) -> Response:
    made = await anyio.to_thread.run_sync(lambda: _cut_to(name, in_use()))
    tag = f'"{hashlib.sha256(made).hexdigest()[:16]}"'
    headers = {"cache-control": AGAIN, "etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    return Response(made, media_type="font/woff2", headers=headers)
