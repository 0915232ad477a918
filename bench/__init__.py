"""Benches: ``python -m bench`` for everything, ``python -m bench samplers`` for one group.

A group is a module in this folder with a function ``rows()`` that yields `Row` objects; a new file is a new group.
Numbers are printed and never asserted: a slow machine is not a failing test.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Literal, NamedTuple


class Row(NamedTuple):
    """One line of the table."""

    what: str
    value: float | None  # seconds, or how many a second; None if it could not be measured
    limit: float | None = None  # where one was agreed: the most for a time, the least for a rate
    compared: str = ""  # a ratio to something named that was timed in the same run
    unit: Literal["ms", "/s"] = "ms"


def median_seconds(function: Callable[[], object], repeats: int = 15) -> float:
    """Return the median time of a call, in seconds, after one call to warm up."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)
