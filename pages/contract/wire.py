"""The format of frames on their way to the browser: a JSON header, then arrays that need no parsing."""

import json
import struct
from collections.abc import Mapping
from typing import Any, Literal, TypedDict, get_args

import numpy as np

Type = Literal["uint8", "int16", "uint16", "float32"]
TYPES: tuple[Type, ...] = get_args(Type)


class PackedColumn(TypedDict):
    """The column of an array, its type, and its `width`: how many numbers a frame has."""

    set: str
    field: str
    type: Type
    width: int


class FramesHead(TypedDict):
    """The header of a message of frames."""

    chain: str
    start: int
    count: int
    columns: list[PackedColumn]


def pack(head: Mapping[str, Any], columns: Mapping[tuple[str, str], np.ndarray]) -> bytes:
    """Return a message: four bytes of length, a JSON header, then each array, padded to four bytes.

    Parameters
    ----------
    head : mapping
        Values for JSON.
    columns : mapping of (str, str) to array of shape (frames, rows)
        Each of a type in `TYPES`.

    Raises
    ------
    ValueError
        If an array has another type, which the browser could not read.
    """
    described = []
    for (data_set, name), array in columns.items():
        if array.dtype.name not in TYPES:
            raise ValueError(f"column {data_set}.{name} is {array.dtype.name}; the player reads {', '.join(TYPES)}")
        described.append({"set": data_set, "field": name, "type": array.dtype.name, "width": array.shape[1]})
    blob = json.dumps({**head, "columns": described}, separators=(",", ":"), allow_nan=False).encode()
    blob += b" " * (-len(blob) % 4)
    parts = [struct.pack("<I", len(blob)), blob]
    for array in columns.values():
        raw = np.ascontiguousarray(array).tobytes()
        parts += [raw, b"\0" * (-len(raw) % 4)]
    return b"".join(parts)
