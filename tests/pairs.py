"""Choices of several options at once: far fewer than all there are, and yet every two meet."""

from collections.abc import Hashable, Sequence
from itertools import combinations, product
from typing import Any


def pairs(**options: Sequence[Hashable]) -> list[dict[str, Any]]:
    """Return choices in which every value of an option comes with every value of each other one at least once.

    An error that shows for one value, or for two together, is found; one that takes three may not be.
    """
    missing = {
        frozenset(pair)
        for one, other in combinations(options, 2)
        for pair in product([(one, value) for value in options[one]], [(other, value) for value in options[other]])
    }
    rows = []
    while missing:
        row = dict(min(missing, key=lambda pair: sorted(map(repr, pair))))
        for name in options:
            row.setdefault(name, max(options[name], key=lambda value: _met(missing, {**row, name: value})))
        missing -= set(map(frozenset, combinations(row.items(), 2)))
        rows.append({name: row[name] for name in options})
    return rows


def _met(missing: set[frozenset], row: dict[str, Any]) -> int:
    return sum(frozenset(pair) in missing for pair in combinations(row.items(), 2))
