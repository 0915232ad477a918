"""Altair's copies and look-ups, without what it does again and again: two thirds of the time of drawing went there."""

from functools import cache, partial
from typing import Any

from altair.utils import schemapi
from altair.utils.schemapi import SchemaBase

Lookup = schemapi._FromDict
FIRST = [
    (SchemaBase, "copy", SchemaBase.copy),
    (schemapi, "_deep_copy", schemapi._deep_copy),
    (schemapi, "_FromDict", Lookup),
]


def make_quick() -> None:
    """Have Altair make copies without making layers anew, and list its classes once."""
    for (owner, name, _), ours in zip(FIRST, (_copy, _deep_copy, _FromDict), strict=True):
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


class _FromDict(Lookup):
    """Finds the classes that are meant by dictionaries; Altair hashes its 600 schemas for each of them."""

    def __init__(self, classes: Any, /) -> None:
        self.class_dict = _classes()


@cache
def _classes() -> Any:
    from altair.vegalite.v6.schema.core import VegaLiteSchema

    return Lookup(VegaLiteSchema._default_wrapper_classes()).class_dict
