"""The cells of one column while they are read: numbers in both readings, and the words among them."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress

import numpy as np

from lessons.data.blocks import bounded, read_block
from lessons.data.csv_text import INFINITE, MISSING
from lessons.data.numbers import Mark, Written, may_be_number, plain, written
from lessons.data.packed import Packed

MOST_SPELLED = 1_000  # different cells of a column up to which numbers are kept as they are spelled too
GAPS = MISSING | {word.upper() for word in MISSING} | {"NaN", "None", "Missing"}  # as programs write them
LEAST_DIGITS = 3  # of a code: 01 to 12 are months, 00 to 23 hours, and numbers
MOST_DIGITS = 15  # of a number that is kept as it is
LAST = 3  # rows at the end, of which one may sum the others up
_NO_NUMBER = MISSING | INFINITE
LONGEST_GAP = max(map(len, _NO_NUMBER))
SPELLED = -1  # in place of a cell's number among the words: its number says it

Cell = tuple[int, str]  # place of its row, what it says


class Gathered:
    """One column while it is read.

    Attributes
    ----------
    words : Packed
        Different cells, numbered: all that are no number, and numbers as long as there are few.
    firsts : dict of str to Cell
        The first cell of each kind of writing: ``","`` and ``"."`` for a certain decimal comma or point, ``",,"`` and
        ``".."`` for one that may stand between thousands, ``"1,"`` and ``"1."`` for a number with marks between
        thousands and decimals, ``"%"`` with and ``"bare"`` without a sign of per cent, ``"0"`` with a zero in front.
    texts : dict of str to Cell
        The words that are neither a number nor missing, each with its first cell.
    count, other, gaps : int
        How many numbers there are, how many cells that are neither, and how many that are missing.
    digits : int
        How many digits each number is written with, if they are digits alone and equally many: else 0, at first -1.
    last : list of str
        The last cells.
    """

    def __init__(self) -> None:
        self.words = Packed()
        self.firsts: dict[str, Cell] = {}
        self.texts: dict[str, Cell] = {}
        self.count = self.other = self.gaps = self.size = 0
        self.digits = -1
        self.last: list[str] = []
        self._codes: list[np.ndarray] = []
        self._points: list[np.ndarray] = []
        self._commas: list[np.ndarray] = []

    def extend(self, cells: Sequence[str]) -> None:
        """Read further cells."""
        cells = [cell.strip() for cell in cells]
        point, comma = self._quick(cells) or self._with_gaps(cells) or self._wordy(cells) or self._slow(cells)
        spelled = len(self.words) <= MOST_SPELLED or self.codes_so_far
        codes = self.words.add(cells) if spelled else self._of_words(cells, point)
        self._codes.append(np.array(codes, np.int32))
        self._points.append(point)
        self._commas.append(comma)
        self.size += len(cells)
        self.last = cells[-LAST:]

    @property
    def codes_so_far(self) -> bool:
        """Whether the numbers are written as codes are: equally many digits, a zero in front or more than is exact."""
        return self.digits > MOST_DIGITS or (self.digits >= LEAST_DIGITS and "0" in self.firsts)

    def numbers(self, mark: Mark) -> np.ndarray:
        """Return the numbers by a sign before decimals, NaN where there is none."""
        return np.concatenate(self._commas if mark == "," else self._points)

    def codes(self) -> np.ndarray:
        """Return the number of each cell among the words."""
        return np.concatenate(self._codes)

    def _of_words(self, cells: list[str], point: np.ndarray) -> list[int]:
        numeric = np.isfinite(point).tolist()
        numbers = iter(self.words.add([cell for cell, value in zip(cells, numeric, strict=True) if not value]))
        return [SPELLED if value else next(numbers) for value in numeric]

    def _quick(self, cells: list[str], places: Sequence[int] = ()) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the two readings of cells that are all numbers written in one way; None if they are not.

        Their places are given if they do not follow one another.
        """
        block = read_block(cells, self.firsts)
        if block is None:
            return None
        places = places or range(self.size, self.size + len(cells))
        for key, first in block.firsts.items():
            self.firsts.setdefault(key, (places[first], cells[first]))
        self.count += int(np.isfinite(block.point).sum())
        self._measure(cells)
        return block.point, block.comma

    def _with_gaps(self, cells: list[str]) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the readings of cells that are missing or such numbers; None if they are not."""
        there = [cell not in GAPS for cell in cells]
        if all(there) or not any(there):
            return None
        places = [self.size + place for place in compress(range(len(cells)), there)]
        found = self._quick(list(compress(cells, there)), places)
        if found is None:
            return None
        self.gaps += len(cells) - len(places)
        point, comma = np.full(len(cells), np.nan), np.full(len(cells), np.nan)
        point[there], comma[there] = found
        return point, comma

    def _wordy(self, cells: list[str]) -> tuple[np.ndarray, np.ndarray] | None:
        """Take in cells without a possible number, and return that there are none; None if one is possible."""
        if any(map(may_be_number, cells)):
            return None
        gaps = [len(cell) <= LONGEST_GAP and _says_nothing(cell) for cell in cells]
        self.gaps += sum(gaps)
        self.other += len(cells) - sum(gaps)
        if len(self.texts) <= MOST_SPELLED:
            for place, (cell, gap) in enumerate(zip(cells, gaps, strict=True), self.size):
                if not gap:
                    self.texts.setdefault(cell, (place, cell))
        none = np.full(len(cells), np.nan)
        return none, none

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
        self._measure([*compress(cells, there)])
        point, comma = np.full(len(cells), np.nan), np.full(len(cells), np.nan)
        numbers = [one for one in found if isinstance(one, Written)]
        point[there] = [np.nan if (value := one.by(".")) is None else value for one in numbers]
        comma[there] = [np.nan if one.comma is None else one.comma for one in numbers]
        odd = np.isnan(point)  # a decimal comma alone has one reading, whatever the sign of the others
        point[odd] = comma[odd]
        comma[np.isnan(comma)] = point[np.isnan(comma)]
        point = bounded(point)
        self.count += int(np.isfinite(point).sum())
        return point, bounded(comma)

    def _measure(self, cells: Sequence[str]) -> None:
        """Take further numbers into the number of digits."""
        if not self.digits or not cells:
            return
        lengths = {self.digits, *map(len, cells)} - {-1}
        self.digits = lengths.pop() if len(lengths) == 1 and "".join(cells).isdecimal() else 0

    def _note(self, place: int, cell: str, one: Written) -> None:
        if "%" in cell:
            self.firsts.setdefault("%", (place, cell))
        else:
            self.firsts.setdefault("bare", (place, cell))
        if cell[0] == "0" and cell[1:2].isdecimal():
            self.firsts.setdefault("0", (place, cell))
        signs = [sign for sign in cell if sign in ".,"]
        if not signs:
            return
        if one.certain:
            key = one.mark or signs[-1]
            groups = len(set(signs)) < len(signs) or len(set(signs)) > 1
            self.firsts.setdefault(f"1{key}" if groups else key, (place, cell))
        else:
            self.firsts.setdefault(2 * signs[0], (place, cell))


@lru_cache(maxsize=20_000)
def _read(cell: str) -> Written | str | None:
    """Return a cell as a number, as text, or None if it is missing."""
    if may_be_number(cell) and (found := written(cell)):
        return found
    return None if _says_nothing(cell) else cell


def _says_nothing(cell: str) -> bool:
    return plain(cell).lower() in _NO_NUMBER
