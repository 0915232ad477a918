"""Problems of a lesson file, each with its line and column."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FRAME = 100  # characters of a long line that are shown around the column


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
    """

    path: Path
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.path.as_posix()}:{self.line}:{self.column}: {self.message}"

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
