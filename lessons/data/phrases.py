"""Pieces of the sentences about a learner's file: quoted names, lists that end, numbers with their nouns."""

from collections.abc import Sequence

NAMED = 3  # rows or columns that a message names; the rest it counts
LONGEST_NAME = 60


def short(text: str) -> str:
    """Return text in one line, cut off where it gets too long to read."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_NAME else f"{line[: LONGEST_NAME - 1]}…"


def quoted(texts: Sequence[str]) -> str:
    """Return texts in quotation marks, listed."""
    return listed([f"“{short(text)}”" for text in texts])


def rows_named(rows: Sequence[int]) -> str:
    """Return rows by their numbers."""
    return f"row{'' if len(rows) == 1 else 's'} {listed([str(row) for row in rows])}"


def listed(items: Sequence[str]) -> str:
    """List the first items and count the others."""
    named = [*items[:NAMED], f"{len(items) - NAMED:,} more"] if len(items) > NAMED + 1 else list(items)
    return " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]]))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{f'{number:,}' if number else 'no'} {noun}{'' if number == 1 else 's'}"


def be(number: int) -> str:
    """Return the verb that goes with a number."""
    return "is" if number == 1 else "are"


def have(number: int) -> str:
    """Return the verb that goes with a number."""
    return "has" if number == 1 else "have"
