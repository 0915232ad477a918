"""Draws as Parquet: a row for each draw, as of text; the columns that are asked for are read and no others."""

import io
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from lessons.chains.source import DENSITY, DIVERGENT, LARGEST, File, Part, by_chain, check_rows, damaged
from lessons.chains.text import CHAIN_NAMES, COUNTING, spelled
from lessons.data.csv_text import OwnDataError
from lessons.data.phrases import quoted


class ParquetFile:
    """A table of draws as Parquet.

    See `lessons.chains.source.Source`.

    Raises
    ------
    OwnDataError
        If it is damaged, or has no column of numbers.
    """

    form = "Parquet"
    notes: tuple[str, ...] = ()

    def __init__(self, file: File) -> None:
        import pyarrow as pa  # here, as it takes 0.1 s to import
        from pyarrow import parquet

        try:
            self._file: Any = parquet.ParquetFile(io.BytesIO(file.content))
            kinds = [(field.name, field.type) for field in self._file.schema_arrow]
            rows = self._file.metadata.num_rows
        except Exception as error:  # Arrow's, and those of damaged names and numbers on their way to Python
            raise damaged("The Parquet file", str(error)) from None
        check_rows(rows, "The file")
        self._columns: dict[str, str] = {}
        for name, kind in kinds:
            if name.lower() in COUNTING or name.startswith("__index_level"):
                continue
            is_number = pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)
            if is_number or name.lower() in CHAIN_NAMES:
                self._columns.setdefault(spelled(name), name)
        if not self.names:
            there = quoted([name for name, _ in kinds]) or "no column"
            raise OwnDataError(f"No column of it is a parameter with numbers; there is {there}.")

    @cached_property
    def _chain(self) -> str:
        return next((name for name in self._columns if name.lower() in CHAIN_NAMES), "")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        own = [name for name in self._columns if name != self._chain and not name.endswith("__")]
        return (*own, *([DENSITY] if own and DENSITY in self._columns else ()))

    @cached_property
    def known(self) -> frozenset[str]:
        """Which of `DIVERGENT` and `DENSITY` there are."""
        return frozenset({DIVERGENT, DENSITY} & self._columns.keys())

    def chains(self, names: Sequence[str]) -> list[Part]:
        """Return the draws of some parameters, and of what is `known`, chain by chain; see `Source`."""
        wanted = list(dict.fromkeys([*names, *sorted(self.known)]))
        asked = [self._columns[name] for name in [*wanted, *filter(None, [self._chain])]]
        try:
            size = self._size_of({*asked})
            table = self._file.read(columns=asked) if size <= LARGEST else None
        except Exception as error:  # as above
            raise damaged("The Parquet file", str(error)) from None
        if table is None:
            raise damaged("The Parquet file", "unpacked it is too large", "Keep the parameters that you need.")
        columns = {name: table.column(self._columns[name]).to_numpy().astype(float) for name in wanted}
        labels = np.array(table.column(self._columns[self._chain]).to_pylist(), str) if self._chain else None
        return by_chain(columns, labels)

    def _size_of(self, names: set[str]) -> int:
        """Return how many bytes columns unpack to, as the file says."""
        about = self._file.metadata
        groups = [about.row_group(place) for place in range(about.num_row_groups)]
        columns = [group.column(place) for group in groups for place in range(group.num_columns)]
        return sum(one.total_uncompressed_size for one in columns if one.path_in_schema in names)
