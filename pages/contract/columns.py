"""The columns of a film: numbers that change with the frame, each declared once, by its data set, field and type."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

SAY, PAST = "say", "past"  # the sets that fill captions, and that add a row a frame
Name = tuple[str, str]  # of a column: its data set and its field
Columns = dict[Name, Any]  # values by the names of their columns


@dataclass(frozen=True)
class Column:
    """A field of a data set that changes with the frame.

    Attributes
    ----------
    type : str
        What it is sent as: one of `pages.contract.wire.TYPES`.
    rows : int
        How many rows its data set has; 0 for as many as the fields that stay have, or one.
    """

    type: str
    rows: int = 0

    def of(self, rows: int) -> Column:
        """Return the same in a data set with this number of rows, in which every field changes."""
        return replace(self, rows=rows)

    def sent(self, values: Any, frames: int) -> np.ndarray:
        """Return values as they are sent, shape (frames, rows): a number for each frame is that of all rows."""
        found = np.asarray(values, self.type)
        wide = found[:, None] if found.ndim == 1 else found
        whole = frames, self.rows
        return wide if wide.shape == whole else np.broadcast_to(wide, whole)


FLOAT32, UINT8, INT16, UINT16 = map(Column, ("float32", "uint8", "int16", "uint16"))
Data = dict[str, dict[str, Any]]  # of a data set and its field, one value a row, or a `Column`


class UndeclaredError(LookupError):
    """Something reads or makes a column that its film does not declare."""

    @classmethod
    def of(cls, who: str, name: Name, known: Collection[Name]) -> UndeclaredError:
        """Return the error that says who it is, and which declared column may be meant."""
        near = get_close_matches(".".join(name), [".".join(one) for one in known], 1, 0)
        said = f"; the nearest one is {near[0]}" if near else ""
        return cls(f"{who} {'.'.join(name)}, which is not declared{said}")


def declared(data: Mapping[str, Mapping[str, Any]]) -> dict[Name, Column]:
    """Return the columns of a film by data set and field, with their numbers of rows.

    Raises
    ------
    ValueError
        If the fields of a data set have different numbers of rows.
    """
    found: dict[Name, Column] = {}
    for name, fields in data.items():
        columns = {field: column for field, column in fields.items() if isinstance(column, Column)}
        rows = {len(values) for values in fields.values() if not isinstance(values, Column)}
        rows |= {column.rows for column in columns.values() if column.rows}
        if len(rows) > 1 or (name in (SAY, PAST) and rows - {1}):
            raise ValueError(f"the fields of {name} have different numbers of rows: {sorted(rows)}")
        found |= {(name, field): column.of(max(rows, default=1)) for field, column in columns.items()}
    return found


def staying(
    data: Mapping[str, Mapping[str, Any]], columns: Mapping[Name, Column]
) -> dict[str, dict[str, Sequence[Any]]]:
    """Return what the browser has before there are frames: the fields that stay, and room for the others."""
    return {
        name: {
            field: [None] * columns[name, field].rows if isinstance(values, Column) else values
            for field, values in fields.items()
        }
        for name, fields in data.items()
        if name not in (SAY, PAST)
    }


def frames_of(
    columns: Mapping[Name, Column], make: Columns | Callable[[int, int], Columns], start: int, stop: int
) -> dict[Name, np.ndarray]:
    """Return frames from `start` and below `stop`, each column of the type and the rows that it was declared with.

    Raises
    ------
    UndeclaredError
        If other columns are made than those that are declared.
    """
    if callable(make):
        found = make(start, stop)
    else:
        found = {name: np.asarray(values)[start:stop] if np.ndim(values) else values for name, values in make.items()}
    for name in found.keys() - columns.keys():
        raise UndeclaredError.of("frames have the column", name, columns)
    if len(found) < len(columns):
        raise UndeclaredError(f"frames lack {', '.join('.'.join(name) for name in columns if name not in found)}")
    return {name: columns[name].sent(values, stop - start) for name, values in found.items()}


def along(**numbers: Any) -> Columns:
    """Return the columns of numbers that a chart follows along the run, and that captions say as well."""
    return {(name, field): values for name in (PAST, SAY) for field, values in numbers.items()}
