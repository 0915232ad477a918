"""Specifications of charts, each drawn once: by this process, or by another one that has noted it for this one."""

import json
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import Any, ParamSpec

from pages.drawing.reads import Spec

P = ParamSpec("P")
SPECS = 256  # charts of a kind that a process keeps: their axes may depend on a learner's own data
_given: dict[str, str] = {}  # what another process has drawn, by function and arguments: a line of JSON
_noted: dict[str, str] | None = None  # what this one draws, if it draws for another


def drawn_once(draw: Callable[P, dict[str, Any]]) -> Callable[P, dict[str, Any]]:
    """Have a function draw each of its charts once, and none that another process has drawn.

    A chart is a function of the arguments, which are told apart by how they are written.
    """
    name = f"{draw.__module__}.{draw.__qualname__}"

    @lru_cache(maxsize=SPECS)
    def found(given: tuple[Any, ...], named: tuple[tuple[str, Any], ...]) -> tuple[str, dict[str, Any]]:
        key = f"{name} {given} {named}"
        return key, from_line(_given[key]) if key in _given else draw(*given, **dict(named))

    @wraps(draw)
    def spec(*given: P.args, **named: P.kwargs) -> dict[str, Any]:
        key, made = found(given, tuple(sorted(named.items())))
        if _noted is not None:
            _noted[key] = as_line(made)
        return made

    return spec


def note() -> dict[str, str]:
    """Note all charts that are drawn from now on, and return where, by function and arguments."""
    global _noted
    _noted = {}
    return _noted


def take_up(lines: Iterable[str]) -> None:
    """Take up charts that another process has noted: lines of function and arguments, a tab, and the chart."""
    for line in lines:
        key, _, chart = line.rstrip("\n").partition("\t")
        _given[key] = chart


def as_line(spec: dict[str, Any]) -> str:
    """Return a chart with the fields that it reads as JSON, which holds no tab and no line's end."""
    reads = sorted(spec.reads) if isinstance(spec, Spec) else None
    return json.dumps([spec, reads], separators=(",", ":"), allow_nan=False)


def from_line(chart: str) -> dict[str, Any]:
    """Return the chart that `as_line` wrote."""
    spec, reads = json.loads(chart)
    if reads is None:
        return dict(spec)
    found = Spec(spec)
    found.reads = frozenset((name, field) for name, field in reads)
    return found
