"""From the bytes of a learner's file to its text: one decoder for tables of numbers and for messages."""

import codecs
import re
import string
from typing import NamedTuple

WINDOWS = "Windows-1252"
ENCODINGS = (
    "UTF-8",
    WINDOWS,
    "Mac Roman",
    "Windows-1250",
    "Windows-1251",
    "KOI8-R",
    "UTF-16",
    "Shift JIS",
    "GB18030",
    "Big5",
    "EUC-KR",
)
"""Encodings that can be asked for."""
BYTE_ORDER_MARKS = {  # UTF-32's first: it begins with UTF-16's
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
OTHER_FILES = {
    b"PK\x03\x04": "a spreadsheet or a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
}


_PRIVATE = re.compile("[\ue000-\uf8ff]")  # of no script


class Decoded(NamedTuple):
    """The text of a file."""

    text: str  # without a byte order mark, its lines ended by newlines
    encoding: str  # in which it was read
    guess: str  # why that had to be guessed, as ``"byte 0xe9 in line 3"``, which is not UTF-8; "" if it had not


class DamagedTextError(ValueError):
    """The text is not in the encoding that its byte order mark or its zeros announce; the message names the place."""


def other_kind(raw: bytes) -> str:
    """Return the kind of a file that is no text, by its first bytes; "" if it may be text."""
    return next((kind for beginning, kind in OTHER_FILES.items() if raw.startswith(beginning)), "")


def decode(raw: bytes, line: str = "line", asked: str = "") -> Decoded:
    """Return the text of a file in UTF-8, UTF-16 or UTF-32, else in Windows-1252 or another that is likely.

    Messages call a line by the word `line`. An encoding that is `asked` for takes the place of the guess.

    Raises
    ------
    DamagedTextError
        If it begins as UTF-16 or UTF-32 and does not go on so.
    """
    encoding, guess = asked or _encoding(raw), ""
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        before = raw[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        number = before.count(b"\n") + 1
        place = f"byte 0x{raw[error.start]:02x} in {line} {number}"
        if asked or encoding != "UTF-8":
            raise DamagedTextError(f"{place} is not {encoding}") from None
        encoding, text = _other_text(raw)
        guess = place
    return Decoded(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), encoding, guess)


def _encoding(raw: bytes) -> str:
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if raw.startswith(mark):
            return encoding
    beginning = raw[:1000]  # without a mark, UTF-16 shows by zeros in every other byte
    for zeros, others, encoding in ((1, 0, "UTF-16-LE"), (0, 1, "UTF-16-BE")):
        if beginning[zeros::2].count(0) > 0.4 * len(beginning) and not beginning[others::2].count(0):
            return encoding
    return "UTF-8"


def _other_text(raw: bytes) -> tuple[str, str]:
    """Return the likely encoding of bytes that are not UTF-8 throughout, and their text."""
    text = raw.decode("UTF-8", errors="replace")
    damaged = text.count("\ufffd")
    if len(text.encode("ascii", errors="ignore")) + 2 * damaged <= len(text):  # most others are letters of UTF-8
        return "UTF-8", raw.decode("UTF-8", errors=_AS_WINDOWS)
    for encoding in _likely(raw):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _PRIVATE.search(text):
            return encoding, text
    return WINDOWS, _windows_text(raw)


def _likely(raw: bytes) -> list[str]:
    """Return encodings of scripts other than Latin that bytes may have, if most of their letters are of such."""
    latin = sum(map(raw.count, string.ascii_letters.encode()))
    low, capital, small = (sum(map(raw.count, range(first, first + 32))) for first in (0x80, 0xC0, 0xE0))
    signs = sum(map(raw.count, range(0xA0, 0xC0)))
    if low + signs + capital + small <= latin:
        return []
    if 5 * low > signs + capital + small:
        return ["Shift JIS"]
    cyrillic = ["Windows-1251" if small > capital else "KOI8-R"] if small + capital > 9 * (signs + low) else []
    return [*(["GB18030", "Big5"] if capital + signs > small else []), *cyrillic]


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    """Return the bytes that are not UTF-8 as Windows-1252 has them, and where to go on."""
    assert isinstance(error, UnicodeDecodeError)
    return _windows_text(error.object[error.start : error.end]), error.end


_AS_WINDOWS = "as-windows"
codecs.register_error(_AS_WINDOWS, _as_windows)


def _windows_text(raw: bytes) -> str:
    """Decode Windows-1252; five bytes that it leaves out are control characters, as in Latin-1."""
    text = raw.decode("cp1252", errors="replace")
    if "\ufffd" in text:
        latin = raw.decode("latin-1")
        text = "".join(other if letter == "\ufffd" else letter for letter, other in zip(text, latin, strict=True))
    return text
