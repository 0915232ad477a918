"""The cells of one column while they are read: numbers in both readings, and the words among them."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import compress

import numpy as np

from lessons.data.csv_text import INFINITE, MISSING, missing
from lessons.data.numbers import LARGEST_NUMBER, Mark, Written, plain, written

MOST_SPELLED = 1_000  # different cells of a column up to which numbers are kept as they are spelled too
GAPS = MISSING | {word.upper() for word in MISSING} | {"NaN", "None", "Missing"}  # as programs write them
SPELLED = -1  # in place of a cell's number among the words: its number says it
_PLAIN_SIGNS = re.compile(r"[0-9.eE+\-\n]*")
_COMMA_SIGNS = re.compile(r"[0-9,eE+\-\n]*")
_POINT_GROUP = re.compile(r"^[+-]?[1-9]\d{0,2}\.\d{3}$", re.MULTILINE)
_COMMA_GROUP = re.compile(r"^[+-]?[1-9]\d{0,2},\d{3}$", re.MULTILINE)

Cell = tuple[int, str]  # place of its row, what it says


class Gathered:
    """One column while it is read.

    Attributes
    ----------
    words : dict of str to int
        Different cells, numbered: all that are no number, and numbers as long as there are few.
    firsts : dict of str to Cell
        The first cell of each kind of writing: ``","`` and ``"."`` for a certain decimal comma or point, ``",,"`` and
        ``".."`` for one that may stand between thousands, ``"1,"`` and ``"1."`` for a number with marks between
        thousands and decimals, ``"%"`` with and ``"bare"`` without a sign of per cent.
    texts : dict of str to Cell
        The words that are neither a number nor missing, each with its first cell.
    count, other, gaps : int
        How many numbers there are, how many cells that are neither, and how many that are missing.
    """

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.firsts: dict[str, Cell] = {}
        self.texts: dict[str, Cell] = {}
        self.count = self.other = self.gaps = self.size = 0
        self._codes: list[np.ndarray] = []
        self._points: list[np.ndarray] = []
        self._commas: list[np.ndarray] = []

    def extend(self, cells: Sequence[str]) -> None:
        """Read further cells."""
        cells = [cell.strip() for cell in cells]
        point, comma = self._quick(cells) or self._with_gaps(cells) or self._slow(cells)
        if len(self.words) <= MOST_SPELLED:
            number = self.words
            codes = [number.setdefault(cell, len(number)) for cell in cells]
        else:
            codes = self._of_words(cells, point)
        self._codes.append(np.array(codes, np.int32))
        self._points.append(point)
        self._commas.append(comma)
        self.size += len(cells)

    def numbers(self, mark: Mark) -> np.ndarray:
        """Return the numbers by a sign before decimals, NaN where there is none."""
        return np.concatenate(self._commas if mark == "," else self._points)

    def codes(self) -> np.ndarray:
        """Return the number of each cell among the words."""
        return np.concatenate(self._codes)

    def _of_words(self, cells: list[str], point: np.ndarray) -> list[int]:
        number, numeric = self.words, np.isfinite(point)
        if numeric.all():
            return [SPELLED] * len(cells)
        return [
            SPELLED if value else number.setdefault(cell, len(number))
            for cell, value in zip(cells, numeric.tolist(), strict=True)
        ]

    def _quick(self, cells: list[str], places: Sequence[int] = ()) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the readings of cells that are all numbers without thousands; None if they are not, or may be.

        Their places are given if they do not follow one another.
        """
        joined = "\n".join(cells)
        if not joined.isascii():
            joined = plain(joined)
        percent = joined.count("%") == len(cells)
        if percent:
            joined = joined.replace(" %", "").replace("%", "")
        if _PLAIN_SIGNS.fullmatch(joined):
            mark, group, text = ".", _POINT_GROUP, joined
        elif _COMMA_SIGNS.fullmatch(joined):
            mark, group, text = ",", _COMMA_GROUP, joined.replace(",", ".")
        else:
            return None
        groups = group.findall(joined) if mark in joined and mark not in self.firsts else []
        if groups and (mark == "," or f"{mark}{mark}" not in self.firsts):
            return None  # each is looked at
        try:
            values = np.array(list(map(float, text.split("\n"))))
        except ValueError:
            return None
        places = places or range(self.size, self.size + len(cells))
        if mark in joined and mark not in self.firsts and len(groups) < joined.count(mark):
            self._first(mark, cells, places, lambda cell: mark in cell and not group.fullmatch(cell))
        self._first("%" if percent else "bare", cells, places, lambda cell: True)
        values = _bounded(values)
        self.count += int(np.isfinite(values).sum())
        return values, values

    def _with_gaps(self, cells: list[str]) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the readings of cells that are missing or numbers without thousands; None if they are not."""
        there = [cell not in GAPS for cell in cells]
        if all(there) or not any(there):
            return None
        places = [self.size + place for place in compress(range(len(cells)), there)]
        found = self._quick(list(compress(cells, there)), places)
        if found is None:
            return None
        self.gaps += len(cells) - len(places)
        values = np.full(len(cells), np.nan)
        values[there] = found[0]
        return values, values

    def _slow(self, cells: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return the two readings of cells, of which a few may be numbers."""
        found = [_read(cell) for cell in cells]
        for place, (cell, one) in enumerate(zip(cells, found, strict=True), self.size):
            if one is None:
                self.gaps += 1
            elif isinstance(one, str):
                self.other += 1
                if len(self.texts) <= MOST_SPELLED:
                    self.texts.setdefault(cell, (place, cell))
            else:
                self._note(place, cell, one)
        there = [isinstance(one, Written) for one in found]
        point, comma = np.full(len(cells), np.nan), np.full(len(cells), np.nan)
        numbers = [one for one in found if isinstance(one, Written)]
        point[there] = [np.nan if (value := one.by(".")) is None else value for one in numbers]
        comma[there] = [np.nan if one.comma is None else one.comma for one in numbers]
        odd = np.isnan(point)  # a decimal comma alone has one reading, whatever the sign of the others
        point[odd] = comma[odd]
        comma[np.isnan(comma)] = point[np.isnan(comma)]
        self.count += len(numbers)
        return _bounded(point), _bounded(comma)

    def _note(self, place: int, cell: str, one: Written) -> None:
        if "%" in cell:
            self.firsts.setdefault("%", (place, cell))
        else:
            self.firsts.setdefault("bare", (place, cell))
        signs = [sign for sign in cell if sign in ".,"]
        if not signs:
            return
        if one.certain:
            key = one.mark or signs[-1]
            groups = len(set(signs)) < len(signs) or len(set(signs)) > 1
            self.firsts.setdefault(f"1{key}" if groups else key, (place, cell))
        else:
            self.firsts.setdefault(2 * signs[0], (place, cell))

    def _first(self, key: str, cells: list[str], places: Sequence[int], fits: Callable[[str], bool]) -> None:
        if key not in self.firsts:
            found = next(compress(zip(places, cells, strict=True), map(fits, cells)), None)
            if found is not None:
                self.firsts[key] = found


@lru_cache(maxsize=20_000)
def _read(cell: str) -> Written | str | None:
    """Return a cell as a number, as text, or None if it is missing."""
    try:
        value = float(cell) if "_" not in cell and "." not in cell else None
    except ValueError:
        value = None
    if value is not None and cell.isascii():
        return Written(value, value) if np.isfinite(value) else None
    if missing(cell) or cell.lower() in INFINITE:
        return None
    return written(cell) or cell


def _bounded(values: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(values) <= LARGEST_NUMBER, values, np.nan)
