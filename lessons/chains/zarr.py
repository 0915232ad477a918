"""A Zarr store in a zip archive, of format 2 or 3, as xarray and ArviZ write it.

What is read are plain arrays of numbers, in chunks that are not packed, or by zlib, gzip, Zstandard, LZ4 or Blosc. Of
other stores the reason is said. The library Zarr itself would bring four others, and 20 MB.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from lessons.chains.blosc import inflated, lz4, unpacked, zstd
from lessons.chains.source import ANOTHER, damaged
from lessons.chains.tree import MOST_LABELS, Asked, Variable, picked
from lessons.data.csv_text import OwnDataError

META = (".zarray", "zarr.json")
LARGEST_CHUNK = 256_000_000  # bytes
MOST_CHUNKS = 100_000
CRC = 4  # bytes of a checksum at a chunk's end
Unpack = Callable[[bytes, int], bytes]  # a chunk's bytes as they are stored, and how many they become


@dataclass(frozen=True)
class Array:
    """An array as its metadata describe it."""

    path: str
    shape: tuple[int, ...]
    chunks: tuple[int, ...]
    kind: np.dtype[Any]
    order: str
    fill: float
    dims: tuple[str, ...]
    separator: str
    prefix: str  # of the names of chunks: "c/" in format 3
    steps: tuple[Unpack, ...]  # by which a chunk is unpacked, the first one first


class ZarrStore:
    """A store of Zarr.

    See `lessons.chains.tree.Store`.

    Parameters
    ----------
    content : mapping of str to callable
        The files of the store by their paths, each read when it is called for.
    """

    form = "Zarr"

    def __init__(self, content: Mapping[str, Callable[[], bytes]]) -> None:
        roots = [name.rpartition("/")[0] for name in content if name.rpartition("/")[2] in (".zgroup", "zarr.json")]
        if not roots:
            roots = [""]
        root = min(roots, key=len)
        start = f"{root}/" if root else ""
        self._content = {name.removeprefix(start): read for name, read in content.items() if name.startswith(start)}

    @cached_property
    def _arrays(self) -> dict[str, Array]:
        found = {}
        for name in self._content:
            path, _, file = name.rpartition("/")
            if file in META and path not in found:
                try:
                    one = self._array(path, json.loads(self._content[name]()), file)
                except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
                    raise damaged("The Zarr store", f"the description of “{path}” is damaged ({error})") from None
                if one:
                    found[path] = one
        return found

    def _array(self, path: str, meta: Any, file: str) -> Array | None:
        if file == "zarr.json":
            return _of_three(path, meta) if meta.get("node_type") == "array" else None
        attributes = json.loads(self._content.get(f"{path}/.zattrs", lambda: b"{}")())
        return _of_two(path, meta, tuple(map(str, attributes.get("_ARRAY_DIMENSIONS", ()))))

    @cached_property
    def groups(self) -> Mapping[str, Mapping[str, Variable]]:
        """The variables of numbers in each group."""
        found: dict[str, dict[str, Variable]] = {}
        for path, one in self._arrays.items():
            group, _, name = path.rpartition("/")
            if one.kind.kind in "fiub":
                labels = tuple(self._labels(f"{group}/{axis}" if group else axis) for axis in one.dims)
                found.setdefault(group, {})[name] = Variable(one.dims, one.shape, labels)
        return found

    def _labels(self, path: str) -> tuple[str, ...]:
        one = self._arrays.get(path)
        if one is None or len(one.shape) != 1 or one.shape[0] > MOST_LABELS or one.kind.kind not in "iuU":
            return ()
        return tuple(str(label) for label in self.part(one, (slice(None),)).tolist())

    def read(self, asked: Sequence[Asked]) -> list[np.ndarray]:
        """Return elements of variables; see `Store`."""
        found = []
        for group, name, places in asked:
            one = self._arrays[f"{group}/{name}" if group else name]
            found.append(picked(_Sliced(self, one), self.groups[group][name], places))
        return found

    def part(self, one: Array, box: tuple[slice, ...]) -> np.ndarray:
        """Return a part of an array, put together of the chunks that it touches."""
        ends = [part.indices(size)[:2] for part, size in zip(box, one.shape, strict=True)]
        shape = [stop - start for start, stop in ends]
        grid = [range(start // of, -(-stop // of)) for (start, stop), of in zip(ends, one.chunks, strict=True)]
        size = math.prod(shape) * one.kind.itemsize
        if math.prod(map(len, grid)) > MOST_CHUNKS or size > LARGEST_CHUNK:
            raise OwnDataError(f"“{one.path}” has {size / 1e6:,.0f} MB, which is too much to read. {ANOTHER}")
        made = np.full(shape, one.fill, one.kind)
        for place in product(*grid):
            read = self._content.get(f"{one.path}/{_chunk(one, place)}")
            if read is None:
                continue
            into, of_chunk = [], []
            for at, of, (start, stop) in zip(place, one.chunks, ends, strict=True):
                low, high = max(start, at * of), min(stop, (at + 1) * of)
                into.append(slice(low - start, high - start))
                of_chunk.append(slice(low - at * of, high - at * of))
            made[tuple(into)] = self._unpacked(one, read())[tuple(of_chunk)]
        return made

    def _unpacked(self, one: Array, raw: bytes) -> np.ndarray:
        size = math.prod(one.chunks) * one.kind.itemsize
        try:
            for step in one.steps:
                raw = step(raw, size)
            return np.frombuffer(raw, one.kind).reshape(one.chunks, order=one.order)  # type: ignore[call-overload]
        except Exception as error:  # of whatever library unpacks it
            raise damaged("The Zarr store", f"a chunk of “{one.path}” is damaged ({error})") from None


class _Sliced(NamedTuple):
    """An array that is read where a slice of it is asked for."""

    store: ZarrStore
    array: Array

    def __getitem__(self, box: Any) -> Any:
        return self.store.part(self.array, box)


def _chunk(one: Array, place: tuple[int, ...]) -> str:
    return one.prefix + one.separator.join(map(str, place)) if place else one.prefix.rstrip("/") or "0"


def _checked(one: Array) -> Array:
    """Return an array's description, if it can be one."""
    if len(one.shape) != len(one.chunks) or any(size < 0 for size in one.shape) or any(of < 1 for of in one.chunks):
        raise ValueError("its shape and its chunks do not fit")
    if math.prod(one.chunks) * one.kind.itemsize > LARGEST_CHUNK:
        raise ValueError("its chunks are too large")
    return one


def _of_two(path: str, meta: Any, dims: tuple[str, ...]) -> Array | None:
    """Return an array of format 2; None if it holds no numbers or texts of one length."""
    kind = np.dtype(str(meta["dtype"]))
    if kind.kind not in "fiubU" or meta.get("filters"):
        return None
    packing = meta.get("compressor") or {}
    steps = (_step(packing["id"]),) if packing else ()
    fill = meta.get("fill_value")
    return _checked(
        Array(
            path,
            tuple(map(int, meta["shape"])),
            tuple(map(int, meta["chunks"])),
            kind,
            "F" if meta.get("order") == "F" else "C",
            _filled(fill, kind),
            dims,
            "/" if meta.get("dimension_separator") == "/" else ".",
            "",
            steps,
        )
    )


def _of_three(path: str, meta: Any) -> Array | None:
    """Return an array of format 3; None if it holds no numbers."""
    named = meta["data_type"]
    if not isinstance(named, str) or named.rstrip("0123456789") not in ("float", "int", "uint", "bool"):
        return None
    encoding = meta.get("chunk_key_encoding", {})
    plain, separator = encoding.get("name") == "v2", encoding.get("configuration", {}).get("separator")
    kind, steps = np.dtype(named).newbyteorder("<"), list[Unpack]()
    for codec in meta.get("codecs", ()):
        name, more = codec["name"], codec.get("configuration", {}) or {}
        if name == "bytes":
            kind = kind.newbyteorder(">" if more.get("endian") == "big" else "<")
        else:
            steps.insert(0, _step(name))
    return _checked(
        Array(
            path,
            tuple(map(int, meta["shape"])),
            tuple(map(int, meta["chunk_grid"]["configuration"]["chunk_shape"])),
            kind,
            "C",
            _filled(meta.get("fill_value"), kind),
            tuple(map(str, meta.get("dimension_names") or ())),
            ("." if plain else "/") if separator not in (".", "/") else separator,
            "" if plain else f"c{separator if separator in ('.', '/') else '/'}",
            tuple(steps),
        )
    )


def _filled(fill: Any, kind: np.dtype[Any]) -> Any:
    """Return the number that a missing chunk holds."""
    if kind.kind == "f":
        return float(fill) if isinstance(fill, int | float | str) else math.nan
    return fill if isinstance(fill, int) else "" if kind.kind == "U" else 0


def _step(name: str) -> Unpack:
    """Return the function that unpacks a codec's bytes, which become no more than is said."""
    steps: dict[str, Unpack] = {
        "blosc": unpacked,
        "zlib": inflated,
        "gzip": partial(inflated, bits=31),
        "zstd": zstd,
        "lz4": lambda raw, size: lz4(raw[4:], size),  # its size is before it
        "crc32c": lambda raw, size: raw[:-CRC],
    }
    if name not in steps:
        raise ValueError(f"it is packed by {name}, which is not read")
    return steps[name]
