"""Data of learners and of lessons, each under a digest that settings and links name."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np

from lessons.kept import Cache, weight

T = TypeVar("T")

OWN_DATA = Cache(64_000_000, 7_200.0)  # what learners uploaded or made, and what lessons held lately
MADE = Cache(64_000_000, 7_200.0)  # what settings make of such data, and would make anew for each question about it


@dataclass(frozen=True, eq=False)
class Held:
    """The data of a lesson, which can be found as long as any lesson has them; equal data are one object."""

    digest: str  # their name in settings
    data: Any  # a dataclass, as the lesson's topic takes it
    keys: Mapping[str, Any]  # how a lesson names the file and what is used of it

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the call that makes it anew where a lesson was kept, so that its data are found there as well."""
        return _one, (self.digest, self.data, self.keys)


_HELD: WeakValueDictionary[str, Held] = WeakValueDictionary()


def hold(data: Any, keys: Mapping[str, Any]) -> Held:
    """Return data, a dataclass, as a lesson holds them that names their file by these keys."""
    return _one(name_of(data), data, keys)


def _one(digest: str, data: Any, keys: Mapping[str, Any]) -> Held:
    OWN_DATA.keep(digest, data, weight(data, set()))  # for pages that are open when the lesson gets others
    return _HELD.setdefault(digest, Held(digest, data, keys))


@dataclass(frozen=True)
class Brought:
    """A learner's choices in a file, for those who follow the link."""

    choice: Any  # its columns, their types and parts, and how the file was read
    table: str  # the first rows, as HTML
    notes: tuple[str, ...]  # what was read, changed and left out, in sentences


def keep_own(data: Any, brought: Brought | None = None) -> str:
    """Keep a learner's own data, a dataclass, for those who have their digest, and return it.

    The choice in a file is a part of the digest: who follows the link sees what was chosen.
    """
    digest = name_of(data)
    if brought is not None:
        digest = digest_of(np.array(digest), np.array(repr(brought.choice)))
        OWN_DATA.keep(f"{digest} brought", brought, weight(brought, set()))
    OWN_DATA.keep(digest, data, weight(data, set()))
    return digest


def brought_with(digest: str) -> Brought | None:
    """Return the choices made in the file from which data with a digest come; None if they come from none."""
    return OWN_DATA.get(f"{digest} brought", Brought)


def held(digest: str) -> Held | None:
    """Return the data of a lesson under a digest; None if no lesson has them."""
    return _HELD.get(digest)


def found(digest: str, kind: type[T]) -> T | None:
    """Return the data with a digest; None if there are none of that kind, or none any more."""
    lent = held(digest)
    if lent is not None:
        return lent.data if isinstance(lent.data, kind) else None
    return OWN_DATA.get(digest, kind)


def name_of(data: Any) -> str:
    """Return the digest of data, a dataclass."""
    parts = [getattr(data, field.name) for field in fields(data)]
    return digest_of(*(part if isinstance(part, np.ndarray) else np.array(repr(part)) for part in parts))


def digest_of(*arrays: np.ndarray) -> str:
    """Return a digest of arrays, 128 bits in hexadecimal, of their types, shapes and contents."""
    seal = hashlib.sha256()
    for array in arrays:
        seal.update(f"{array.dtype.str} {array.shape} ".encode())
        seal.update(np.ascontiguousarray(array).tobytes())
    return seal.hexdigest()[:32]
