"""Pictures that lie beside a lesson: read, checked, and written as addresses that hold the picture itself.

A learner's browser shows them in an ``img`` element, in which a picture runs no script and loads nothing, SVG included.
"""

import base64
import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from urllib.parse import unquote
from xml.parsers import expat

LARGEST = 500 * 1024  # bytes; it is sent along whenever its step is drawn anew
KINDS = "PNG, JPEG, SVG, WebP or GIF"

# by media type: how a file begins, what stands near the end of one that is whole, and how near (in bytes)
_KINDS = (
    ("png", re.compile(rb"\x89PNG\r\n\x1a\n"), b"IEND", 1_024),
    ("jpeg", re.compile(rb"\xff\xd8\xff"), b"\xff\xd9", 65_536),  # cameras write more behind it
    ("gif", re.compile(rb"GIF8[79]a"), b";", 16),
    ("webp", re.compile(rb"(?s)RIFF....WEBP"), b"", 1),
)
_ON_THE_WEB = re.compile(r"https?://", re.IGNORECASE)
_SVG = re.compile(rb"\s*(?:<\?xml[^>]*\?>|<!--.*?-->|<!DOCTYPE[^>\[]*>|\s)*<(?:svg:)?svg[\s>/]", re.DOTALL)
BOTH = "#both"  # ends the address of a drawing for both themes; others have white paper

# What stays as it is: fenced code, code spans, escaped characters; then the beginning of a picture and its address.
_PICTURE = re.compile(
    r"(?ms:^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)|\Z))|(?P<ticks>`+)(?s:.*?)(?P=ticks)|\\."
    r"|(?P<open>!\[[^\]]*\]\([ \t]*)(?P<target><[^<>\n]*>|[^\s()<>]+)"
)


class PictureError(ValueError):
    """A picture cannot be shown; the message says why, and what to do."""


def is_on_the_web(address: str) -> bool:
    """Return whether a picture has an address on the web."""
    return _ON_THE_WEB.match(address) is not None


def path_of(folder: Path, address: str) -> Path:
    """Return the file that a picture's address means, seen from its lesson's folder.

    Raises
    ------
    PictureError
        If the address leads out of the folder, or is none of a file.
    """
    name = unquote(address)
    inside = PurePosixPath(name)
    if "\\" in name and ":" not in name:
        raise PictureError(f"a picture's folders have / between them; write {name.replace(chr(92), '/')[:60]}")
    if not name or ":" in name or "\\" in name or "?" in name or inside.is_absolute() or ".." in inside.parts:
        raise PictureError(
            f"no picture can be shown from {name[:40] or 'nowhere'}; put it beside the lesson, ![…](tables.png), or "
            "on the web, ![…](https://…)"
        )
    return _as_stored(folder / inside)


def read_picture(folder: Path, address: str) -> str:
    """Return a ``data:`` address with a picture in it that lies in a lesson's folder.

    The lesson has its address as ``tables.png`` or ``pictures/tables.png``.

    That of a drawing with colours for both themes ends in `BOTH`.

    Raises
    ------
    PictureError
        If it is not there, not inside the folder, too large, or no picture.
    """
    path = path_of(folder, address)
    name = path.name[:40]
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise PictureError(f"{name} is outside the lesson's folder; copy it beside the lesson")
        if not path.is_file():
            raise PictureError(f"there is no picture {unquote(address)[:60]} in the folder of this lesson")
        if (size := path.stat().st_size) > LARGEST:
            raise _too_large(name, size)
        data = path.read_bytes()
    except PictureError:
        raise
    except (OSError, ValueError) as error:
        raise PictureError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    both = BOTH if b"prefers-color-scheme" in data else ""
    return f"data:{media_type(data, name)};base64,{base64.b64encode(data).decode()}{both}"


def _as_stored(path: Path) -> Path:
    """Return the file of a name whose letters the disk composes otherwise: a zip from a Mac has ö as o and its dots."""
    wanted = unicodedata.normalize("NFC", path.name)
    with suppress(OSError):  # the disk may not have such a long name
        if path.exists() or path.name.isascii():
            return path
        return next((one for one in path.parent.iterdir() if unicodedata.normalize("NFC", one.name) == wanted), path)
    return path


def _too_large(name: str, size: int) -> PictureError:
    return PictureError(f"{name} has {size:,} bytes; a picture has at most {LARGEST:,}: save it smaller")


def media_type(data: bytes, name: str) -> str:
    """Return the media type of a picture by its content, whatever its name says.

    Raises
    ------
    PictureError
        If it is too large, or no picture that browsers show.
    """
    if len(data) > LARGEST:
        raise _too_large(name, len(data))
    for kind, opening, ending, near in _KINDS:
        if opening.match(data):
            length = 8 + int.from_bytes(data[4:8], "little") if kind == "webp" else 0
            if ending not in data[-near:] or len(data) < length:
                raise PictureError(f"{name} ends before the picture does; copy the file again")
            return f"image/{kind}"
    if _SVG.match(data.removeprefix(b"\xef\xbb\xbf")):
        try:
            expat.ParserCreate().Parse(data, True)
        except expat.ExpatError as error:
            raise PictureError(f"{name} is not valid SVG: {error}") from None
        return "image/svg+xml"
    raise PictureError(f"{name} is not a picture that browsers show; save it as {KINDS}")


def with_pictures(text: str, pictures: Mapping[str, str]) -> str:
    """Return Markdown in which each of these pictures has, in place of its name, the address that holds it."""
    if not pictures:
        return text

    def shown(match: re.Match[str]) -> str:
        if match["open"] is None:
            return match[0]
        name = unquote(match["target"].strip("<>"))
        return match["open"] + pictures.get(name, match["target"])

    return _PICTURE.sub(shown, text)
