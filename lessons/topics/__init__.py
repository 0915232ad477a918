"""Settings of each stage: the one source of limits for lessons, for controls and for values from a URL."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeGuard

from lessons.catalogue import ORDER
from lessons.loading import LOADING
from lessons.settings.settings import StageSettings


class Stages(Mapping[str, type[StageSettings]]):
    """The settings of stages by name, each loaded with its samplers when it is first asked for.

    Parameters
    ----------
    *names : str
        Modules of this package, each of which defines one class of settings.
    """

    def __init__(self, *names: str) -> None:
        self._names = names
        self._loaded: dict[str, type[StageSettings]] = {}

    def __getitem__(self, name: str) -> type[StageSettings]:
        """Return the settings of a stage."""
        if name not in self._loaded:
            if name not in self._names:
                raise KeyError(name)
            with LOADING:
                module = import_module(f"{__name__}.{name}")
            self._loaded[name] = next(one for one in vars(module).values() if _is_defined_in(module.__name__, one))
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names, and load nothing."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return how many stages there are."""
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        """Return whether there is a stage of that name, and load nothing."""
        return name in self._names


def _is_defined_in(module: str, one: object) -> TypeGuard[type[StageSettings]]:
    return isinstance(one, type) and issubclass(one, StageSettings) and one.__module__ == module


STAGES = Stages(*ORDER)
"""The stages by the names that lessons use, in the order of the course."""
