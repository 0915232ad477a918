"""A block of cells that are all numbers, written in one way: both readings at once, in a sixth of the time."""

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

import numpy as np

from lessons.data.numbers import LARGEST_NUMBER, Mark, plain

_SIGNS = re.compile(r"[0-9eE+\-., '\n]*")
_PERCENT = re.compile(r" ?%(?=\n|\Z)")
_ZERO = re.compile(r"^0\d", re.MULTILINE)
_NO_DECIMALS = re.compile(r",(?!\d)")  # as in "1,", which is no number; "1." is one
_GROUP = {mark: re.compile(rf"[+-]?[1-9]\d{{0,2}}{re.escape(mark)}\d{{3}}", re.ASCII) for mark in ".,"}
_MARKED = {
    (mark, point): re.compile(
        rf"[+-]?(?:{'[1-9]' if mark in '.,' else '[0-9]'}\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+|\d+)"
        rf"(?:{re.escape(point)}\d+)?",
        re.ASCII,
    )
    for mark, point in ((",", "."), (".", ","), ("'", "."), ("'", ","), (" ", "."), (" ", ","))
}


class Block(NamedTuple):
    """Numbers that a column's cells hold."""

    # point, comma: the numbers by a decimal point and by a decimal comma, NaN beyond all bounds, shape (cells,)
    point: np.ndarray
    comma: np.ndarray
    firsts: dict[str, int]  # the first cell of each kind of writing that was not known, as `Gathered.firsts` names them


def read_block(cells: Sequence[str], known: Container[str]) -> Block | None:
    """Read cells at once; None if they are not all numbers, or are written in several ways.

    Parameters
    ----------
    cells : sequence of str
        Without blanks around them.
    known : container of str
        The kinds of writing of which the column had a cell before.
    """
    joined = "\n".join(cells)
    if not joined.isascii():
        joined = plain(joined)
    bare, percents = _PERCENT.subn("", joined) if "%" in joined else (joined, 0)
    if percents not in (0, len(cells)) or not _SIGNS.fullmatch(bare):
        return None
    texts = bare.split("\n")
    for mark, point in _ways(bare):
        values = _values(bare, texts, mark, point)
        if values is not None:
            break
    else:
        return None
    firsts = {"%" if percents else "bare": 0}
    if "0" not in known and (zero := _ZERO.search(bare)):
        firsts["0"] = bare.count("\n", 0, zero.start())
    other = _other(texts, values, mark, point, known, firsts) if mark or point in bare else values
    values, other = bounded(values), bounded(other)
    return Block(values, other, firsts) if point == "." else Block(other, values, firsts)


def bounded(values: np.ndarray) -> np.ndarray:
    """Return numbers with NaN in place of those beyond all bounds."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) <= LARGEST_NUMBER, values, np.nan)


def _ways(text: str) -> list[tuple[str, Mark]]:
    """Return the possible marks between thousands ("" for nothing) and before decimals, the likelier first."""
    points: list[Mark] = [sign for sign in (".", ",") if sign in text]
    odd = [mark for mark in "' " if mark in text]
    if odd:
        return [(odd[0], (points or ["."])[0])] if len(odd) == 1 and len(points) < 2 else []
    if len(points) == 2:
        return [(",", "."), (".", ",")]
    if not points:
        return [("", ".")]
    return [("", "."), (".", ",")] if points == ["."] else [("", ","), (",", ".")]


def _values(text: str, texts: Sequence[str], mark: str, point: Mark) -> np.ndarray | None:
    """Return the numbers of a text, one a line; None if one is none in this way."""
    if mark:
        if not all(map(_MARKED[mark, point].fullmatch, texts)):
            return None
        text = text.replace(mark, "")
    elif point == "," and _NO_DECIMALS.search(text):
        return None
    try:
        return np.array(list(map(float, text.replace(",", ".").split("\n"))))
    except ValueError:
        return None


def _other(
    texts: Sequence[str], values: np.ndarray, mark: str, point: Mark, known: Container[str], firsts: dict[str, int]
) -> np.ndarray:
    """Return the numbers as the other sign before decimals makes them, and note the first of each kind."""

    def note(key: str, which: np.ndarray) -> None:
        if which.any():
            firsts[key] = int(which.argmax())

    other, marked = values, np.zeros(len(texts), bool)
    if mark in _GROUP:  # 1,150 is 1.15 with a decimal comma
        marked, group = _having(mark, texts), _grouped(mark, texts)
        other = np.where(group, values / 1000, other)
        note(2 * mark, group)
        note(f"1{point}", marked & ~group)
    if point not in known:  # 1.150 is 1150 with a decimal comma; in a column with 1.5 no other reading is asked for
        group = _grouped(point, texts)
        other = np.array(other)
        other[group] = np.round(values[group] * 1000)
        note(2 * point, group)
        note(point, _having(point, texts) & ~marked & ~group)
    return other


def _having(sign: str, texts: Sequence[str]) -> np.ndarray:
    return np.array([sign in text for text in texts])


def _grouped(mark: str, texts: Sequence[str]) -> np.ndarray:
    return np.array([bool(found) for found in map(_GROUP[mark].fullmatch, texts)])
