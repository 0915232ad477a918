"""Calls that make a stage's data: made by its settings, and written down in the script that a learner takes away."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Entry:
    """An entry of a table of a module: ``Entry("samplers.data.blobs", "DATASETS", "four_blobs")``.

    Parameters
    ----------
    module, table, key : str
        Its place: module, table and key.
    """

    module: str
    table: str
    key: str

    def made(self) -> Any:
        """Return the entry.

        Raises
        ------
        KeyError
            If there is nothing of that name.
        """
        return getattr(import_module(self.module), self.table)[self.key]


@dataclass(frozen=True, eq=False)
class Call:
    """A function with its arguments, not called yet.

    Parameters
    ----------
    function : callable or Entry
        A function of `samplers` or `lessons.data`, a class, or a method of what an earlier call has made.
    arguments : tuple
        In order.
    named : mapping, optional
        Those by name.
    """

    function: Callable[..., Any] | Entry
    arguments: tuple[Any, ...]
    named: Mapping[str, Any] = field(default_factory=dict)

    def made(self) -> Any:
        """Return the function's result."""
        function = self.function.made() if isinstance(self.function, Entry) else self.function
        return function(*self.arguments, **self.named)


def call(function: Callable[..., Any] | Entry, *arguments: Any, **named: Any) -> Call:
    """Return a call of this function with these arguments."""
    return Call(function, arguments, named)


Origins = dict[str, Call | Entry]
"""Calls that make a stage's data, in order, by the names of the results."""
