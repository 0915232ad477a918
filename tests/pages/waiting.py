"""Computing that comes in slices, waited for to its end."""

from collections.abc import Callable
from typing import TypeVar

from pages.contract.waiting import NotYet

T = TypeVar("T")
MOST = 10_000  # slices


def waited(make: Callable[[], T]) -> T:
    """Call a function until all of its slices are computed, and return its result."""
    for _ in range(MOST):
        try:
            return make()
        except NotYet:
            continue
    raise AssertionError("it takes too long")
