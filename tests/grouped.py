"""The order of tests: those that look at the same thing one after the other, so that they find what is made of it."""

from collections.abc import Callable
from pathlib import Path

import pytest


def group(items: list[pytest.Item], place: Path, key: Callable[[pytest.Item], str]) -> None:
    """Sort the tests of a file or folder by a key, and leave all others where they are."""
    ours = [number for number, item in enumerate(items) if place in (item.path, *item.path.parents)]
    for number, item in zip(ours, sorted((items[number] for number in ours), key=key), strict=True):
        items[number] = item


def of(item: pytest.Item, name: str) -> object:
    """Return a parameter of a test; None if it has none of this name."""
    call = getattr(item, "callspec", None)
    return call and call.params.get(name)
