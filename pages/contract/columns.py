"""The columns of a film: numbers that change with the frame, each declared once, by its data set, field and type."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

SAY, PAST = "say", "past"  # the set that fills captions, and the set that gains a row per frame
Name = tuple[str, str]  # a column's data set and field
Columns = dict[Name, Any]  # values by the names of their columns


@dataclass(frozen=True)
class Column:
    """A field of a data set that changes with the frame."""

    type: str  # the type in which the browser receives it: one of `pages.contract.wire.TYPES`
    # the number of rows of its data set; 0 for as many as the set's constant fields have, or one if there are none
    rows: int = 0
    # those of all frames, as `pages.contract.film.Film` has them, if they are known; or else they come with the film's
    # `columns`
    values: Any = field(default=None, compare=False, repr=False)

    def made(self, **values: Any) -> "dict[str, Column]":
        """Return fields of this type with their values in all frames: declared and made at once."""
        return {name: replace(self, values=each) for name, each in values.items()}

    def of(self, rows: int) -> "Column":
        """Return the same column for a data set with this number of rows, in which every field changes."""
        return replace(self, rows=rows)

    def sent(self, values: Any, frames: int) -> np.ndarray:
        """Return values in the type that is sent, shape (frames, rows); one number per frame holds for all rows."""
        found = np.asarray(values, self.type)
        wide = found[:, None] if found.ndim == 1 else found
        whole = frames, self.rows
        return wide if wide.shape == whole else np.broadcast_to(wide, whole)


FLOAT32, UINT8, INT16, UINT16 = map(Column, ("float32", "uint8", "int16", "uint16"))
Data = dict[str, dict[str, Any]]  # by data set and field: one value per row, or a `Column`


class UndeclaredError(LookupError):
    """A reader or a maker of frames names a column that the film does not declare."""

    @classmethod
    def of(cls, who: str, name: Name, known: Collection[Name]) -> "UndeclaredError":
        """Return the error, with who named the column and the nearest declared name."""
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


def along(**numbers: Any) -> Columns:
    """Return columns of numbers for both a chart along the run and the captions."""
    return {(name, field): values for name in (PAST, SAY) for field, values in numbers.items()}
