"""Draws as text: CmdStan's CSV, and tables with a column for each parameter.

Lines that begin with ``#`` are comments, as CmdStan writes them. Only the columns that are asked for become numbers:
with 200 parameters that is a tenth of the time.
"""

import csv
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from lessons.chains.source import ANOTHER, DENSITY, DIVERGENT, File, Part, by_chain, check_rows, damaged
from lessons.data.csv_text import OwnDataError
from lessons.data.decode import other_kind
from lessons.data.phrases import counted, quoted, rows_named

CHAIN_NAMES = {".chain", "chain", "chain__", "chain_id"}
COUNTING = {".draw", "draw", "draw__", ".iteration", "iteration", "iter", "iter__", "index", "unnamed: 0", ""}
MOST_COLUMNS = 20_000
MOST_COMMENTS = 20_000
LONGEST_HEADER = 2_000_000  # bytes
BLOCK = 1 << 20  # bytes that are read at a time: they fit the cache
ENDED = b"# Adaptation terminated"  # CmdStan's line between the warm-up, if it was saved, and the draws
_METHOD = re.compile(rb"#\s*method = (\w+)")
_DOTS = re.compile(r"(.*?)((?:\.\d+)+)\.?$")
_POINTS = ("optimize", "laplace", "variational", "pathfinder")  # methods of CmdStan whose rows are no chain


def spelled(name: str) -> str:
    """Return a column's name with its indices in brackets: ``theta.1.2`` is ``theta[1,2]``."""
    plain = name.strip()
    if found := _DOTS.fullmatch(plain):
        return f"{found[1]}[{','.join(found[2][1:].split('.'))}]" if found[1] else plain
    return re.sub(r"\s*,\s*", ",", plain)


class TextFile:
    """A table of draws: CmdStan's CSV, or a row for each draw and perhaps a column with the chain's number.

    See `lessons.chains.source.Source`.

    Raises
    ------
    OwnDataError
        If it has no names of columns, or no numbers below them.
    """

    def __init__(self, file: File) -> None:
        self._raw = file.content.removeprefix(b"\xef\xbb\xbf")
        if kind := other_kind(self._raw):
            raise OwnDataError(f"By its first bytes this is {kind}, not a file of draws. {ANOTHER}")
        if b"\0" in self._raw[:4_096]:
            raise OwnDataError(f"By its first bytes this is no text. {ANOTHER}")
        if self._raw.count(b"\n#") > MOST_COMMENTS:
            raise OwnDataError(f"More than {MOST_COMMENTS:,} lines of it are comments. {ANOTHER}")
        self._start = _after_comments(self._raw)
        line, _, _ = self._raw[self._start : self._start + LONGEST_HEADER].partition(b"\n")
        if not line.strip():
            raise OwnDataError("The file is empty, or has comments alone. Load one with names of columns and draws.")
        if len(line) == LONGEST_HEADER:
            raise OwnDataError(f"Its first row has more than {LONGEST_HEADER:,} letters. {ANOTHER}")
        self._header = line.decode("utf-8", "replace").rstrip("\r")
        self.notes: tuple[str, ...] = ()
        self._check()

    # ---- columns -----------------------------------------------------------------------------------------------------

    @cached_property
    def _separator(self) -> str:
        plain = re.sub(r'"[^"]*"|\[[^\]]*\]', "", self._header)
        return max(",;\t", key=plain.count)

    @cached_property
    def _cells(self) -> list[str]:
        try:
            (found,) = csv.reader([self._header], delimiter=self._separator)
        except (csv.Error, ValueError):
            raise OwnDataError(f"Row 1 is no row of names. {ANOTHER}") from None
        return found

    @cached_property
    def _places(self) -> dict[str, int]:
        """The columns by their names, without those that only count the rows."""
        found: dict[str, int] = {}
        for place, cell in enumerate(self._cells):
            name = spelled(cell)
            if name.lower() not in COUNTING and name not in found:
                found[name] = place
        return found

    @cached_property
    def _chain(self) -> str:
        """The name of the column of chains; "" if there is none."""
        return next((name for name in self._places if name.lower() in CHAIN_NAMES), "")

    @cached_property
    def _first(self) -> list[str]:
        """The cells of the first row below the names."""
        start, stop = next(iter(self._spans), (0, 0))
        line = self._raw[start : min(stop, start + 10 * len(self._header) + 1_000)].lstrip(b"\r\n").partition(b"\n")[0]
        try:
            rows = list(csv.reader([line.decode("utf-8", "replace").rstrip("\r")], delimiter=self._separator))
        except (csv.Error, ValueError):
            return []
        return rows[0] if rows else []

    @cached_property
    def _decimal(self) -> str:
        """The sign before decimals: a comma where cells are separated by others, and one has one."""
        return "," if self._separator != "," and any("," in cell and "." not in cell for cell in self._first) else "."

    @property
    def stan(self) -> bool:
        """Whether CmdStan wrote it, by its own columns or comments."""
        return "accept_stat__" in self._places or b"stan_version" in self._raw[: self._start]

    @property
    def form(self) -> str:
        """The kind of file, in a word or two."""
        return "CmdStan’s CSV" if self.stan else "a table"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters: the columns of numbers, without Stan's own, but with its log density."""
        first = dict(enumerate(self._first))
        numbers = [
            name
            for name, place in self._places.items()
            if name != self._chain and _is_number(first.get(place, "0"), self._decimal)
        ]
        own = [name for name in numbers if not name.endswith("__")]
        return (*own, *([DENSITY] if own and DENSITY in numbers else ()))

    @cached_property
    def known(self) -> frozenset[str]:
        """Which of `DIVERGENT` and `DENSITY` there are."""
        return frozenset({DIVERGENT, DENSITY} & self._places.keys())

    def _check(self) -> None:
        if len(self._cells) > MOST_COLUMNS:
            raise OwnDataError(
                f"It has {len(self._cells):,} columns; at most {MOST_COLUMNS:,} can be read. Keep the parameters that "
                "you need."
            )
        if all(_is_number(cell, ".") for cell in self._cells):
            raise OwnDataError(
                "Its first row has numbers and no names of columns. Put a row of names above the draws, as "
                "“chain,draw,mu,sigma”."
            )
        found = _METHOD.search(self._raw[: self._start])
        if found and found[1].decode() in _POINTS:
            method = found[1].decode()
            raise OwnDataError(f"CmdStan wrote it by “{method}”, whose rows are no chain. Load what “sample” wrote.")
        if not self.names:
            there = f"it has {quoted(self._cells)}" if self._cells else "it has none"
            raise OwnDataError(f"No column of it is a parameter with numbers; {there}. {ANOTHER}")

    # ---- draws -------------------------------------------------------------------------------------------------------

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        """Where the rows below the names begin and end, between comments."""
        return [span for span in self._cut[0] if self._raw[slice(*span)].strip()]

    @cached_property
    def _cut(self) -> tuple[list[tuple[int, int]], int]:
        """All that lies between comments below the names, and how many rows of it are warm-up."""
        place, warmup, found = self._raw.find(b"\n", self._start) + 1 or len(self._raw), 0, list[tuple[int, int]]()
        while True:
            mark = place if self._raw.startswith(b"#", place) else self._raw.find(b"\n#", place) + 1
            found.append((place, mark or len(self._raw)))
            if not mark:
                return found, warmup
            place = self._raw.find(b"\n", mark) + 1 or len(self._raw)
            if self._raw.startswith(ENDED, mark):
                warmup = sum(self._raw.count(b"\n", *span) for span in found)

    def _rows(self) -> Any:
        """Return the rows below the names as a buffer of Arrow, without a copy if they lie together."""
        import pyarrow as pa  # here, as it takes 0.1 s to import

        if len(self._spans) == 1:
            (start, stop), whole = self._spans[0], self._raw
        else:
            whole = b"".join(self._raw[slice(*span)] for span in self._spans)
            start, stop = 0, len(whole)
        if not whole.isascii():  # texts that are no UTF-8 are no numbers either
            whole = whole[start:stop].decode("utf-8", "replace").encode()
            start, stop = 0, len(whole)
        return pa.py_buffer(whole).slice(start, stop - start)

    def chains(self, names: Sequence[str]) -> list[Part]:
        """Return the draws of some parameters, and of what is `known`, chain by chain; see `Source`."""
        wanted = list(dict.fromkeys([*names, *sorted(self.known)]))
        table = self._read([*wanted, *([self._chain] if self._chain else [])])
        columns = {name: table[name] for name in wanted}
        return by_chain(columns, table[self._chain] if self._chain else None, self._cut[1])

    def _read(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Return columns; that of the chains as texts."""
        import pyarrow as pa  # here, as it takes 0.1 s to import
        from pyarrow import csv as arrow

        check_rows(sum(self._raw.count(b"\n", *span) for span in self._spans), "The file")
        odd: list[int] = []

        def leave_out(row: arrow.InvalidRow) -> str:
            odd.append(row.number or 0)
            return "skip"

        kinds = {str(self._places[name]): pa.string() if name == self._chain else pa.float64() for name in names}
        try:
            table = arrow.read_csv(
                pa.BufferReader(self._rows()),
                arrow.ReadOptions(
                    column_names=[*map(str, range(len(self._cells)))],
                    use_threads=False,  # one thread is faster, as the blocks stay in its cache
                    block_size=max(BLOCK, 120 * len(self._cells)),
                ),
                arrow.ParseOptions(delimiter=self._separator, invalid_row_handler=leave_out),
                arrow.ConvertOptions(
                    include_columns=[*kinds], column_types=kinds, decimal_point=self._decimal, strings_can_be_null=True
                ),
            )
        except (pa.ArrowException, UnicodeDecodeError, MemoryError) as error:
            raise self._refused(str(error)) from None
        self._say(odd, table.num_rows)
        found = {name: table.column(str(self._places[name])) for name in names}
        return {
            name: np.array(each.to_pylist(), str) if name == self._chain else each.to_numpy().astype(float)
            for name, each in found.items()
        }

    def _refused(self, why: str) -> OwnDataError:
        """Return an error in our words."""
        if "Empty CSV" in why:
            return OwnDataError("There is no draw below the names of columns: the sampler had made none yet.")
        if found := re.search(r"In CSV column #(\d+)(?:: Row #(\d+))?: .*?invalid value '(.*)'", why, re.DOTALL):
            name = self._cells[int(found[1])] if int(found[1]) < len(self._cells) else ""
            return OwnDataError(
                f"{quoted([name])} has {quoted([found[3]])}, which is no number. Delete that row, or choose another "
                "parameter."
            )
        return damaged("The table", why)

    def _say(self, odd: Sequence[int], rows: int) -> None:
        if len(odd) > rows:
            raise OwnDataError(
                f"{counted(len(odd), 'row')} of it {'has' if len(odd) == 1 else 'have'} more or fewer cells than the "
                f"{len(self._cells)} of the names. {ANOTHER}"
            )
        if odd:
            said = f"{counted(len(odd), 'row')} with more or fewer cells than the names {_was(odd)} left out"
            self.notes = (f"{said}: below the names, {rows_named(sorted(odd))}.",)


def _was(rows: Sequence[int]) -> str:
    return "was" if len(rows) == 1 else "were"


def _after_comments(raw: bytes) -> int:
    """Return where the first line begins that is neither empty nor a comment."""
    place = 0
    while place < len(raw) and raw[place : place + 1] in (b"#", b"\n", b"\r", b" "):
        place = raw.find(b"\n", place) + 1 or len(raw)
    return place


def _is_number(cell: str, decimal: str) -> bool:
    """Tell whether a cell is a number, or nothing."""
    plain = cell.strip().replace(decimal, ".")
    if not plain or plain.lower() in ("na", "nan", "inf", "-inf"):
        return True
    try:
        float(plain)
    except ValueError:
        return False
    return "_" not in plain
