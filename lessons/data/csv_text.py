"""From the bytes of a learner's file to its text, and from a cell to a number."""

import math
import re

from lessons.data.decode import WINDOWS, DamagedTextError, decode, other_kind
from lessons.data.numbers import LARGEST_NUMBER, Mark, plain, written
from lessons.data.phrases import quoted

LARGEST_FILE = 20_000_000  # bytes
MOST_CELLS = 3_000_000
MISSING = {
    "",
    "na",
    "n/a",
    "#n/a",
    "nan",
    "null",
    "none",
    "missing",
    "<na>",
    "(null)",
    "\\n",
    "n.a.",
    ".",
    "..",
    "…",
    "-",
    "—",
    "?",
    ":",
}  # in lower case
INFINITE = {"inf", "-inf", "+inf", "infinity", "-infinity"}
SEPARATOR_LINE = re.compile(r'\A"?sep=.?"?\n')  # Excel's own hint, which is not needed
OTHER_TEXTS = {"@relation": "an ARFF file of Weka", "{\\rtf": "a document of a word processor"}
OTHER_TEXTS |= dict.fromkeys(("<!doctype", "<html", "<table", "<?xml"), "a web page or XML")
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_TWICE = re.compile("Ã[\x80-\xbf\u0152-\u2122]|â€[\u0153-\u2122\x90-\x9f]")  # UTF-8 taken for Windows-1252
MOST_CONTROLS = 0.1  # of all characters: no text has more
SAVE_AS_CSV = "In the program that it comes from, save it as CSV (UTF-8) and load that file."


class OwnDataError(ValueError):
    """The file or the choice of columns cannot be used; the message names cause, place and remedy."""


def check_size(size: int, most: int = LARGEST_FILE, what: str = "columns and rows") -> None:
    """Raise an `OwnDataError` if a file of this size in bytes is too large."""
    if size > most:
        raise OwnDataError(
            f"The file has {size / 1e6:,.1f} MB; at most {most / 1e6:g} MB can be read. Keep the {what} that you need."
        )


def decoded(raw: bytes, encoding: str = "", *, texts: bool = False) -> tuple[str, str, list[str]]:
    """Return the text of a file, its lines ended by newlines, its encoding, and a note if that had to be guessed.

    In a file of texts there may be some control characters; they are removed later.

    Raises
    ------
    OwnDataError
        If the file is too large, is of another kind, has damaged text or is empty.
    """
    check_size(len(raw))
    if kind := other_kind(raw):
        raise OwnDataError(f"By its first bytes this is {kind}, not a CSV file. {SAVE_AS_CSV}")
    try:
        text, encoding, guess = decode(raw, "row", encoding)
    except DamagedTextError as damage:
        raise OwnDataError(f"The text is damaged: {damage}. {SAVE_AS_CSV}") from None
    notes = []
    if guess and encoding == "UTF-8":
        notes.append(f"The file is UTF-8, but for {guess}, which was read as {WINDOWS}: look if it is right there.")
    elif guess:
        notes.append(
            f"The file is not UTF-8 ({guess}), so it was read as {encoding}: check its letters and money signs. If "
            "they are wrong, choose another encoding, or save the file as UTF-8."
        )
    if not text.isascii() and (twice := _TWICE.search(text)):
        notes.append(
            f"{quoted([twice[0]])} in row {_row(text, twice)} looks like letters that were saved in a wrong encoding: "
            "save the file anew from where it comes."
        )
    text = text.rstrip("\x1a")  # with which old programs end a file
    _check_characters(text, bool(guess), texts)
    text = SEPARATOR_LINE.sub("\n", text)
    beginning = text[:1000].lstrip().lower()
    if kind := next((kind for start, kind in OTHER_TEXTS.items() if beginning.startswith(start)), ""):
        raise OwnDataError(f"By its beginning this is {kind}, not a CSV file. {SAVE_AS_CSV}")
    if not text.strip('",;\t\n ').strip():
        wanted = "one message a line, or a label, a tab and the message" if texts else "names of columns and rows below"
        raise OwnDataError(f"The file is empty. Load one that has {wanted}.")
    return text, encoding, notes


def _check_characters(text: str, guessed: bool, texts: bool) -> None:
    """Raise an `OwnDataError` if a text has characters that no text has, or more of them than any has."""
    found = CONTROL_CHARACTER.search(text)
    if texts:
        controls = len(CONTROL_CHARACTER.findall(text)) if found else 0
        if "\0" not in text and controls <= MOST_CONTROLS * len(text) + 1:
            return
    odd = re.search("[\x80-\x9f]", text) if guessed else None
    if odd and not texts:
        place = f"byte 0x{ord(odd[0]):02x} in row {_row(text, odd)}"
        raise OwnDataError(f"The text is damaged: {place} is not a letter in any known encoding. {SAVE_AS_CSV}")
    if found:
        character = f"U+{ord(found[0]):04X}"
        raise OwnDataError(
            f"This is not a text file: row {_row(text, found)} has the character {character}. {SAVE_AS_CSV}"
        )


def _row(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1


def missing(cell: str) -> bool:
    """Tell whether a cell says that there is nothing."""
    return plain(cell).lower() in MISSING


def value_of(cell: str, mark: Mark = "") -> float | None:
    """Return the number in a cell: NaN if there is none or one out of all bounds, and None for any other text."""
    if missing(cell):
        return math.nan
    found = written(cell)
    value = found and found.by(mark)
    if value is None:
        return math.nan if cell.strip().lower() in INFINITE else None
    return value if abs(value) <= LARGEST_NUMBER else math.nan


def is_number(cell: str) -> bool:
    """Tell whether a cell holds a finite number."""
    value = value_of(cell)
    return value is not None and not math.isnan(value)
