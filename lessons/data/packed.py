"""The different texts of a column, numbered; many of them take little more room than the file does."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import overload

MOST_UNIQUE = 5_000  # texts that are looked up; of more, each further cell is a text of its own
_BETWEEN = "\0"  # in no text


class Packed(Sequence[str]):
    """Texts of cells, in the order in which they were first seen."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._unique: list[str] = []
        # of the further texts: each block's, joined, and the number of the first one
        self._blocks: list[str] = []
        self._starts: list[int] = []
        self._size = 0

    def add(self, cells: Sequence[str]) -> list[int]:
        """Return the number of each cell among the texts, which take in those that are new."""
        numbers = self._numbers
        if len(numbers) < MOST_UNIQUE:
            found = [numbers.setdefault(cell, len(numbers)) for cell in cells]
            new = len(numbers) - self._size
            self._unique += reversed([*islice(reversed(numbers), new)])
            self._size += new
            return found
        further = [cell for cell in cells if cell not in numbers]
        if further:
            self._blocks.append(_BETWEEN.join(further))
            self._starts.append(self._size)
        numbered = count(self._size)
        self._size += len(further)
        return [numbers[cell] if cell in numbers else next(numbered) for cell in cells]

    def __len__(self) -> int:
        """Return the number of texts."""
        return self._size

    def __iter__(self) -> Iterator[str]:
        """Yield the texts in order."""
        yield from self._unique
        for block in self._blocks:
            yield from block.split(_BETWEEN)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        """Return the text of a number."""
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        if place < len(self._unique):
            return self._unique[place]
        block = bisect_right(self._starts, place) - 1
        return self._blocks[block].split(_BETWEEN)[place - self._starts[block]]
