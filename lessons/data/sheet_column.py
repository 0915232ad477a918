"""A column of a table: its cells with the type that they have, and the reason for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from lessons.data.csv_text import missing
from lessons.data.gathered import SPELLED
from lessons.data.judged import Judged

Kind = Literal["number", "category", "text", "running number", "empty"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, eq=False)
class SheetColumn:
    """A column of a file."""

    name: str  # of at most about 60 characters, plain text whatever it looks like
    kind: Kind  # its type
    why: str  # the reason, in a clause
    values: np.ndarray  # its cells as numbers, NaN where there is none, shape (rows,), read-only
    judged: Judged  # how its numbers were read, and what keeps it from being one of numbers
    _codes: np.ndarray
    _words: Sequence[str]

    def cell(self, place: int) -> str:
        """Return the text of a cell."""
        code = int(self._codes[place])
        return f"{self.values[place]:.15g}" if code == SPELLED else self._words[code]

    @cached_property
    def cells(self) -> list[str]:
        """The cells' texts, in one line each, "" where one is missing."""
        said = ["" if missing(word) else " ".join(word.split()) for word in self._words]
        return [
            said[code] if code != SPELLED else f"{value:.15g}"
            for code, value in zip(self._codes.tolist(), self.values.tolist(), strict=True)
        ]

    def level(self, place: int) -> str:
        """Return the level of a cell: its text, but numbers that are written in several ways are one."""
        code = int(self._codes[place])
        return self.cell(place) if code == SPELLED else self._level_of[code]

    def places(self, levels: Sequence[str]) -> np.ndarray:
        """Return the number of each cell among some of the column's levels, -1 where it is none of them."""
        number_of = {level: number for number, level in enumerate(levels)}
        found = [number_of.get(level, -1) for level in self._level_of]
        return np.array([*found, -1])[self._codes]  # a cell that its number spells is the last one

    def varied(self, most: int) -> int:
        """Return how many different values there are; `most` + 1 if there are more."""
        found: set[str] = set()
        for cell in self._words:  # numbers that are not among them are more than a thousand
            if not missing(cell):
                found.add(" ".join(cell.split()))
            if len(found) > most:
                break
        return len(found)

    @cached_property
    def levels(self) -> list[str]:
        """The different values, sorted: as numbers if all are, and else as text."""
        spelled = set(self.cells) if (self._codes == SPELLED).any() else set()
        found = {*self._level_of, *spelled} - {""}
        if self.judged.all_numbers:
            value = {self.level(place): float(self.values[place]) for place in self._first_places.tolist()}
            return sorted(found, key=lambda level: value.get(level, 0.0))
        return sorted(found)

    @cached_property
    def _level_of(self) -> list[str]:
        """The level of each word, "" of one that is missing."""
        words = ["" if missing(word) else " ".join(word.split()) for word in self._words]
        if not self.judged.all_numbers or self.judged.code:
            return words
        value_of = dict(zip(self._codes[self._first_places].tolist(), self._first_places.tolist(), strict=True))
        first: dict[float, str] = {}
        return [word and first.setdefault(float(self.values[value_of[code]]), word) for code, word in enumerate(words)]

    @cached_property
    def _first_places(self) -> np.ndarray:
        return np.unique(self._codes, return_index=True)[1]
