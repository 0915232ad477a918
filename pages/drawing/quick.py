"""Altair's copies and look-ups, without what it does again and again: two thirds of the time of drawing went there."""

from functools import partial
from typing import Any

from altair.utils import schemapi
from altair.utils.schemapi import SchemaBase

PARTS: list[tuple[Any, str]] = [(SchemaBase, "copy"), (schemapi, "_deep_copy"), (schemapi._FromDict, "__init__")]
FIRST = [(owner, name, getattr(owner, name)) for owner, name in PARTS]
_listed: list[Any] = []


def make_quick() -> None:
    """Have Altair make copies without making layers anew, and list its classes once."""
    for (owner, name), ours in zip(PARTS, (_copy, _deep_copy, _look_up), strict=True):
        setattr(owner, name, ours)


def _copy(thing: Any, deep: Any = True, ignore: list[str] | None = None) -> Any:
    """Return a copy, as `SchemaBase.copy` does."""
    if deep is True:
        parts = partial(_deep_copy, by_ref=set(ignore or ()))
        return type(thing)(*map(parts, thing._args), **parts(thing._kwds))  # layers get parameters by it
    found = _same(thing, thing._args, dict(thing._kwds))
    for name in deep or ():
        found[name] = schemapi._shallow_copy(found._get(name))
    return found


def _deep_copy(thing: Any, by_ref: set[str]) -> Any:
    """Return a copy of everything but what `by_ref` names."""
    copied = partial(_deep_copy, by_ref=by_ref)
    if isinstance(thing, SchemaBase):
        return _same(thing, tuple(map(copied, thing._args)), _deep_copy(thing._kwds, by_ref))
    if isinstance(thing, list):
        return [copied(part) for part in thing]
    if isinstance(thing, dict):
        return {name: part if name in by_ref else copied(part) for name, part in thing.items()}
    return thing


def _same(thing: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Return an object of the class with these parts.

    Altair calls the class: a chart of layers is then put together anew, which copies each layer twice, and all that is
    layered in it four times.
    """
    found = object.__new__(type(thing))
    object.__setattr__(found, "_args", args)
    object.__setattr__(found, "_kwds", named)
    return found


def _look_up(found: Any, classes: Any, /) -> None:
    """List the classes that dictionaries may mean; Altair hashes its 600 schemas for each dictionary."""
    if not _listed:
        FIRST[-1][-1](found, classes)
        _listed.append(found.class_dict)
    found.class_dict = _listed[0]
