"""A file of chains as a reader has opened it: which parameters are in it, and the draws of those that are asked for.

A file may have hundreds of parameters, of which two are looked at. So opening it reads names alone, and the draws of
the others are never in memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from lessons.data.csv_text import OwnDataError

DIVERGENT, DENSITY = "divergent__", "lp__"  # Stan's names of what comes with a draw
LARGEST = 250_000_000  # bytes, of all files together and of what they unpack to
MOST_FILES = 40
MOST_ROWS = 1_000_000  # of a file, before some are left out
ANOTHER = "Save the draws as CSV, with a row for each draw, and load that file."


class File(NamedTuple):
    """A file of somebody."""

    name: str  # as it is called in messages
    content: bytes


@dataclass(frozen=True)
class Part:
    """The draws of one chain."""

    columns: dict[str, np.ndarray]  # what was asked for, by name, shape (rows,) each
    warmup: int  # rows at the beginning that are no draws


class Source(Protocol):
    """A file of chains that has been opened."""

    @property
    def form(self) -> str:
        """The kind of file, in a word or two."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, as ``theta[1]``."""

    @property
    def known(self) -> frozenset[str]:
        """Which of `DIVERGENT` and `DENSITY` there are."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was read in a way that might surprise; reading the draws may add some."""

    def chains(self, names: Sequence[str]) -> list[Part]:
        """Return the draws of some parameters, and of what is `known`, chain by chain.

        Raises
        ------
        OwnDataError
            If they cannot be read.
        """


def damaged(what: str, why: str, remedy: str = ANOTHER) -> OwnDataError:
    """Return the error of a file that cannot be read: its kind, the reason, and what to do."""
    said = " ".join(why.split())[:160].rstrip(".")
    return OwnDataError(f"{what} cannot be read: {said}. {remedy}")


def check_rows(rows: int, what: str) -> None:
    """Raise an `OwnDataError` if there are more rows than are read."""
    if rows > MOST_ROWS:
        raise OwnDataError(f"{what} has {rows:,} draws; at most {MOST_ROWS:,} can be read. Keep every tenth, say.")


def elements(name: str, shape: Sequence[int], labels: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of a variable's elements in the order in which they are stored: ``theta[1,2]``."""
    found = [""]
    for axis, size in enumerate(shape):
        own = labels[axis] if axis < len(labels) and len(labels[axis]) == size else [*map(str, range(size))]
        found = [f"{before},{label}" if before else label for before in found for label in own]
    return [f"{name}[{index}]" for index in found] if shape else [name]


def family(name: str) -> str:
    """Return the name of the vector that a parameter belongs to; "" if it belongs to none."""
    base, bracket, index = name.partition("[")
    return base if bracket and "," not in index else ""


def by_chain(columns: dict[str, np.ndarray], labels: np.ndarray | None, warmup: int = 0) -> list[Part]:
    """Return a table's draws chain by chain, in the order in which the labels of chains first come; or as one chain."""
    if labels is None:
        rows = min((len(values) for values in columns.values()), default=0)
        return [Part(columns, min(warmup, rows))]
    _, first, of_row = np.unique(labels, return_index=True, return_inverse=True)
    chosen = [of_row == number for number in np.argsort(first)]
    return [Part({name: values[rows] for name, values in columns.items()}, 0) for rows in chosen]
