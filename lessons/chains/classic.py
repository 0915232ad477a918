"""NetCDF of the classic kind, version 3, by SciPy."""

import io
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from lessons.chains.source import File, damaged
from lessons.chains.tree import MOST_LABELS, Asked, Variable, picked

CLASSIC = (b"CDF\x01", b"CDF\x02")


class ClassicStore:
    """A NetCDF file of version 3, which has no groups.

    See `lessons.chains.tree.Store`.
    """

    form = "NetCDF 3"

    def __init__(self, file: File) -> None:
        from scipy.io import netcdf_file  # here, as few files are of this kind

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._file: Any = netcdf_file(io.BytesIO(file.content), mmap=False)
        except Exception as error:  # SciPy checks nothing, so that anything may be raised on damaged bytes
            raise damaged("The NetCDF file", str(error) or "it is damaged") from None

    @cached_property
    def groups(self) -> Mapping[str, Mapping[str, Variable]]:
        """The variables, all in the group ""."""
        found = {}
        for name, array in self._file.variables.items():
            if array.data.dtype.kind in "fiub":
                labels = tuple(self._labels(axis) for axis in array.dimensions)
                found[name] = Variable(tuple(array.dimensions), tuple(array.data.shape), labels)
        return {"": found}

    def _labels(self, axis: str) -> tuple[str, ...]:
        there = self._file.variables.get(axis)
        if there is None or there.data.ndim != 1 or there.data.dtype.kind not in "iu" or len(there.data) > MOST_LABELS:
            return ()
        return tuple(map(str, there.data.tolist()))

    def read(self, asked: Sequence[Asked]) -> list[np.ndarray]:
        """Return elements of variables; see `Store`."""
        arrays = self._file.variables
        return [picked(arrays[name].data, self.groups[group][name], places) for group, name, places in asked]
