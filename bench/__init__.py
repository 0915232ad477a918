"""Benches: ``python -m bench`` for everything, ``python -m bench samplers`` for one group.

A group is a module in this folder with a function ``rows()`` that yields `Row` objects; a new file is a new group.
Numbers are printed and never asserted: a slow machine is not a failing test. Each time is given in milliseconds and as
a multiple of a `Reference`, and so is its limit: so a table from one machine can be read on another. The reference is a
bare loop, timed just before each group, until a group yields another.
"""

import statistics
import time
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from pages.contract.film import Film
from pages.player.run import Run
from pages.player.turns import one_slice
from pages.server.routes import as_json

LOOP = 0.0019  # seconds of a bare loop on the machine on which limits were agreed, while it did nothing else
ROUNDS = 100_000  # of a bare loop
FIRST_FRAMES = 20  # of a film, which a browser asks for at once


class Reference(NamedTuple):
    """Something that takes this machine a while now, and with which the rows after it are compared."""

    what: str  # such as "bare loops": the head of the column of multiples
    seconds: float
    agreed: float  # seconds where limits were agreed


class Row(NamedTuple):
    """One line of the table."""

    what: str
    value: (
        float | None
    )  # seconds, how many a second, a share, or how many times another one; None if it could not be measured
    limit: float | None = None  # where one was agreed: the most for a time or a share, the least for a rate
    compared: str = ""  # a ratio to something named that was timed in the same run
    unit: Literal["ms", "/s", "share", "times", "MB", ""] = "ms"


def in_slices(run: Run[Any], until: int) -> tuple[float, float]:
    """Grow a run in slices, as for browsers; return the seconds of all slices and of the longest."""
    times = []
    while run.made < until:
        start = time.perf_counter()
        with one_slice("bench"):
            run.grow(until)
        times.append(time.perf_counter() - start)
    return sum(times), max(times)


def sent(film: Film, at: int = 0, count: int = FIRST_FRAMES) -> list[bytes]:
    """Return everything that a browser fetches before it can play a film: the film, first frames, and data at rest."""
    still = [as_json(film.still(at))] if film.still else []
    return [as_json(film.described()), film.packed(0, min(count, film.made(count - 1) + 1)), *still]


def size(answers: Iterable[bytes]) -> float:
    """Return the size of answers in kB."""
    return sum(map(len, answers)) / 1e3


def median_seconds(function: Callable[[], object], repeats: int = 15) -> float:
    """Return the median time of a call, in seconds, after one call to warm up."""
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def bare_loop() -> Reference:
    """Return the median processor time of a plain loop of Python: how fast this machine is just now."""
    times = []
    for _ in range(15):
        start, total = time.process_time(), 0.0
        for number in range(ROUNDS):
            total += number * 0.5
        times.append(time.process_time() - start)
    return Reference("bare loops", statistics.median(times), LOOP)
