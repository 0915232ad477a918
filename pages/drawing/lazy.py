"""Altair, loaded when a chart is first drawn: it takes a quarter as long as everything else before the first page."""

from functools import cache
from types import ModuleType
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
    """Load Altair without its checks of every value: tests hold whole charts against the schema."""
    with LOADING:
        import altair
        from altair.utils import schemapi

        from pages.drawing.quick import make_quick

        schemapi.disable_debug_mode()  # the checks would take a third of the time
        make_quick()
        return altair
