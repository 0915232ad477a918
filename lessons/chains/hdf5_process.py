"""Read an HDF5 file from the standard input, below a line that asks for something; the answer is the standard output.

It runs in a process of its own: see `hdf5.py`.
"""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import h5py
import numpy as np

from lessons.chains.tree import AXES, MOST_LABELS, Variable, picked

SECONDS = 15  # of computing
MEMORY = 2_000_000_000  # bytes besides the file
MOST_VARIABLES = 5_000
UNLABELLED = b"This is a netCDF dimension but"  # how NetCDF begins the name of an axis without labels


def limit(size: int) -> None:
    """Limit time and memory of this process, where the system can do so."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY + 2 * size, MEMORY + 2 * size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def members(group: Any) -> Iterator[tuple[str, Any]]:
    """Yield the members that lie in a group itself: a link may lead to any file of this machine."""
    for name in group:
        if isinstance(group.get(name, getlink=True), h5py.HardLink):
            yield name, group[name]


def numeric(one: Any) -> bool:
    """Tell whether something is an array of numbers that lie in this file: others may lie in any file."""
    return isinstance(one, h5py.Dataset) and one.dtype.kind in "fiub" and not one.external and not one.is_virtual


def described(file: Any) -> dict[str, dict[str, Any]]:
    """Return the variables of numbers of each group, with their axes."""
    found: dict[str, dict[str, Any]] = {}
    top = dict(members(file))
    groups = {"": top} | {name: dict(members(one)) for name, one in top.items() if isinstance(one, h5py.Group)}
    for group, variables in groups.items():
        arrays = {name: one for name, one in variables.items() if numeric(one) and one.ndim}
        found[group] = {}
        for name, one in arrays.items():
            dims = axes_of(one)
            labels = [labels_of(variables.get(axis), axis) for axis in dims]
            found[group][name] = {"dims": dims, "shape": one.shape, "labels": labels}
        if sum(map(len, found.values())) > MOST_VARIABLES:
            raise ValueError(f"it has more than {MOST_VARIABLES:,} variables")
    return found


def axes_of(array: Any) -> list[str]:
    """Return the names of an array's axes: those that NetCDF gives them, or else chain and draw and then numbers."""
    names = []
    for place, axis in enumerate(array.dims):
        scales = [scale.name for scale in axis.values()] if len(axis) else []
        names.append(str(scales[0]).rpartition("/")[2] if scales else (*AXES, f"axis {place}")[min(place, 2)])
    return names


def labels_of(one: Any, axis: str) -> list[str]:
    """Return the labels along an axis, if the array of its name has some."""
    if axis in AXES or not isinstance(one, h5py.Dataset) or one.ndim != 1 or len(one) > MOST_LABELS:
        return []
    if one.external or one.is_virtual or bytes(one.attrs.get("NAME", b"")).startswith(UNLABELLED):
        return []
    if one.dtype.kind in "iu":
        return [str(label) for label in one[...].tolist()]
    if h5py.check_string_dtype(one.dtype):
        return [str(label)[:60] for label in one.asstr(errors="replace")[...].tolist()]
    return []


def drawn(file: Any, group: str, name: str, places: list[int]) -> bytes:
    """Return elements of a variable, chain by chain and draw by draw."""
    array = dict(members(dict(members(file))[group] if group else file))[name]
    if not numeric(array):
        raise ValueError(f"{name} is no array of numbers")
    found = picked(array, Variable(tuple(axes_of(array)), array.shape), places)
    return np.ascontiguousarray(found, "<f8").tobytes()


def main() -> None:
    """Answer one request."""
    asked = json.loads(sys.stdin.buffer.readline())
    content = sys.stdin.buffer.read()
    limit(len(content))
    with h5py.File(io.BytesIO(content), "r") as file:
        if asked is None:
            sys.stdout.write(json.dumps(described(file)))
        else:
            sys.stdout.buffer.write(b"".join(drawn(file, *one) for one in asked))


if __name__ == "__main__":
    main()
