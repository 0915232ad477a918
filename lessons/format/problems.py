"""Problems of a lesson file, each with its line and column."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FRAME = 100  # characters of a long line that are shown around the column

Position = tuple[int, int]  # line and column, both from 1


class Report:
    """Takes in the problems of one file, in any order; call it with a place and a message.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    problems, warnings, notes : list of Problem
        What was reported.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self.notes: list[Problem] = []

    def __call__(self, place: Position, message: str) -> None:
        """Take in a problem."""
        self.problems.append(Problem(self.path, *place, message))

    def warn(self, place: Position, message: str) -> None:
        """Take in a warning."""
        self.warnings.append(Problem(self.path, *place, message, "warning"))

    def note(self, place: Position, message: str) -> None:
        """Take in what an author should know, though nothing is wrong."""
        self.notes.append(Problem(self.path, *place, message, "note"))


@dataclass(frozen=True)
class Problem:
    """One thing to put right in a lesson file.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    line, column : int
        Where, both from 1; the column counts characters (bytes if the file is not text).
    message : str
        What is wrong and, where it is not plain, what to write instead.
    kind : {"", "warning", "note"}, optional
        Of a valid lesson: a warning of what is likely not to be what its author means, or a note on what was read.
    """

    path: Path
    line: int
    column: int
    message: str
    kind: Literal["", "warning", "note"] = ""

    def __str__(self) -> str:
        kind = f"{self.kind}: " if self.kind else ""
        return f"{self.path.as_posix()}:{self.line}:{self.column}: {kind}{self.message}"

    def framed(self, source: str) -> str:
        """Return the problem with the line of the source that it is about, and a caret under the column."""
        lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if not source or self.line > len(lines):
            return str(self)
        # a tab is as wide as the terminal likes, and an escape character would be obeyed
        line = "".join(character if character.isprintable() else " " for character in lines[self.line - 1])
        start = max(0, self.column - FRAME // 2) if len(line) > FRAME else 0
        shown = ("…" if start else "") + line[start : start + FRAME] + ("…" if line[start + FRAME :] else "")
        offset = self.column - 1 - start + bool(start)
        gutter = f"{self.line:5} | "
        return f"{self}\n{gutter}{shown}\n{' ' * len(gutter)}{' ' * offset}^"
