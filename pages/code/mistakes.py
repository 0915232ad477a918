"""The lines in which a wrong rule differs from the right one, found by comparing their sources."""

from collections.abc import Callable, Mapping
from types import CodeType, FunctionType
from typing import Any

from pages.code.source import source_of

Mistakes = Mapping[CodeType, frozenset[int]]


def of_class(one: object) -> Mistakes:
    """Return the lines that an object's class has changed, by method; none if it is not a wrong rule."""
    rule = type(one)
    if not rule.__module__.endswith(".wrong"):
        return {}
    own = {name: _function(member) for name, member in vars(rule).items()}
    return {function.__code__: changed(function, _right_one(rule, name)) for name, function in own.items() if function}


def of_function(wrong: Callable[..., Any], right: Callable[..., Any]) -> Mistakes:
    """Return the lines that a function has changed; none if it is not a wrong rule."""
    return {wrong.__code__: changed(wrong, right)} if wrong.__module__.endswith(".wrong") else {}


def changed(wrong: Callable[..., Any], right: Callable[..., Any] | None) -> frozenset[int]:
    """Return which lines of a function, from 0, are not in the one that it should be; all, if there is none.

    A line that hands the same arguments on to the right method is no change.
    """
    source = source_of(wrong.__code__)
    theirs = {line.strip() for line in source_of(right.__code__).lines} if right else set()
    handed_on = f"super().{wrong.__name__}({', '.join(source.arguments)})"
    own = {line: source.lines[line].strip() for statement in source.statements[1:] for line in statement.lines}
    return frozenset(line for line, text in own.items() if text not in theirs and not text.endswith(handed_on))


def _function(member: object) -> FunctionType | None:
    function = getattr(member, "__func__", member)  # of a static method
    return function if isinstance(function, FunctionType) else None


def _right_one(rule: type, name: str) -> Callable[..., Any] | None:
    """Return the method that a class overrides; None if there is none that does anything."""
    found = (_function(vars(above).get(name)) for above in rule.__mro__[1:])
    return next((one for one in found if one and not getattr(one, "__isabstractmethod__", False)), None)
