"""Altair, loaded when a chart is first drawn: it takes a quarter as long as everything else before the first page."""

import sys
from collections.abc import Callable, Container
from functools import cache
from types import ModuleType, NoneType
from typing import TYPE_CHECKING, Any

from lessons.loading import LOADING

if TYPE_CHECKING:
    import altair as alt
else:

    class _Altair(ModuleType):
        """Altair's names, each looked up at its first use."""

        def __getattr__(self, name: str) -> Any:
            found = getattr(load_altair(), name)
            setattr(self, name, found)
            return found

    alt = _Altair("altair")

__all__ = ["alt", "load_altair"]


@cache
def load_altair() -> ModuleType:
    """Load Altair, and make it faster."""
    with LOADING:
        import altair
        from altair.utils import schemapi
        from altair.vegalite.v6.schema.core import VegaLiteSchema

        classes = schemapi._FromDict(VegaLiteSchema._default_wrapper_classes())
        vars(schemapi).update(
            _get_optional_modules=_loaded,
            _deep_copy=_copier(altair.SchemaBase, altair.Undefined),
            _FromDict=lambda _: classes,  # the same for all; Altair would hash all of its schemas for each channel
        )
        schemapi.disable_debug_mode()  # tests hold charts against the schema: here it would take a third of the time
        return altair


def _loaded(**modules: str) -> dict[str, Any]:
    """Return the modules whose values Altair knows. Pandas is left out: another thread may be half-way through it."""
    return {name: None if module == "pandas" else sys.modules.get(module) for name, module in modules.items()}


def _copier(schema: type[Any], undefined: object) -> Callable[[Any, Container[str]], Any]:
    """Return a function that copies a part of a chart, as Altair's does, which copies all of its layers at each step.

    It looks at what is there and no further, and so takes a third of the time.
    """
    plain = frozenset((str, int, float, bool, NoneType, type(undefined)))  # types of what is the same in a copy

    def copied(thing: Any, by_ref: Container[str]) -> Any:
        kind = type(thing)
        if kind in plain:
            return thing
        if kind is dict:
            return {
                key: part if type(part) in plain or key in by_ref else copied(part, by_ref)
                for key, part in thing.items()
            }
        if kind is list:
            return [part if type(part) in plain else copied(part, by_ref) for part in thing]
        if not isinstance(thing, schema):
            return thing
        if thing._args:
            return kind(*copied(list(thing._args), by_ref))
        return kind(**copied(thing._kwds, by_ref))

    return copied
