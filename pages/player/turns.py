"""The shares of computing time: sessions get it in slices, and only from here.

All sessions share one process, in which one thread computes at a time. A long computation would hold up everybody's
presses. Therefore

- long work goes in slices, and goes on only when the browser asks again, so a closed tab computes nothing;
- sessions that have computed for more than FREE seconds within a minute take turns, one slice at a time. If more than
  one session is active, each slice is followed by a break of the same length: however many long runs there are, half of
  the time is for presses. A single learner never waits, and short work needs no turn;
- a session that has computed more waits longer before it asks again, so turns go round;
- work that would take more than MOST seconds does not begin: the page says how long it would take, and what to do
  instead.
"""

import hashlib
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from streamlit.runtime.scriptrunner import get_script_run_ctx

T = TypeVar("T")
SLICE = 0.2  # seconds between two answers to the browser
SHORT = 0.01  # seconds of work that need no turn
FREE = 1.0  # seconds of computing within a minute, after which a session must take turns
MINUTE = 60.0
THERE = 10.0  # seconds: a session is active if it has asked for something within them
MOST_PAGES = 20_000  # names of pages to remember


class SlicedWork(Generic[T]):
    """Long work that is done piece by piece.

    Parameters
    ----------
    pieces : generator
        Yields after every piece, and returns the result.

    Attributes
    ----------
    pieces : int
        The number of pieces done.
    made : object
        The result, once `until` has returned True.
    """

    made: T

    def __init__(self, pieces: Generator[Any, None, T]) -> None:
        self._pieces: Generator[Any, None, T] | None = pieces
        self._error: Exception | None = None
        self.pieces = 0

    def until(self, over: Callable[[], bool]) -> bool:
        """Work until time is over, for at least one piece; return whether the work is done."""
        if self._error:  # a generator that has raised would only stop again
            raise self._error
        while self._pieces:
            try:
                next(self._pieces)
            except StopIteration as end:
                self.made, self._pieces = end.value, None
                return True
            except Exception as error:
                self._error = error
                raise
            self.pieces += 1
            if over():
                return False
        return True


@dataclass
class _Session:
    """The computing time that a session has used."""

    seen: float = 0.0
    used: deque[tuple[float, float]] = field(default_factory=deque)  # pairs of a time and seconds of computing

    def spent(self, now: float) -> float:
        """Return the seconds of computing within the last minute."""
        while self.used and self.used[0][0] < now - MINUTE:
            self.used.popleft()
        return sum(seconds for _, seconds in self.used)


class Turns:
    """The shares of one processor's time, by a monotonic clock in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._sessions: dict[str, _Session] = {}
        self._swept = 0.0  # when old sessions were last dropped
        self._free_from = 0.0  # when the next turn can begin
        self._pages: dict[str, None] = {}  # names of pages, the most recently drawn last
        self._lock = threading.Lock()

    def know(self, page: str) -> None:
        """Remember the name under which a page asks the routes."""
        with self._lock:
            self._pages.pop(page, None)
            self._pages[page] = None
            if len(self._pages) > MOST_PAGES:
                del self._pages[next(iter(self._pages))]

    def knows(self, page: str) -> bool:
        """Return whether a page of that name has been drawn here."""
        return page in self._pages

    def see(self, session: str) -> None:
        """Note that a session is active."""
        with self._lock:
            self._of(session)

    def granted(self, session: str) -> float:
        """Return how many seconds a session may compute now: a slice, or 0 if it has computed much and must wait."""
        with self._lock:
            now = self.clock()
            if self._of(session).spent(now) >= FREE:
                if now < self._free_from:
                    return 0.0
                self._free_from = now + (SLICE if self._alone(now) else 2 * SLICE)
            return SLICE

    def spend(self, session: str, seconds: float) -> None:
        """Count the seconds that a session has computed."""
        with self._lock:
            self._of(session).used.append((self.clock(), seconds))

    def pause(self, session: str) -> float:
        """Return how many seconds a session should wait before it asks for more."""
        with self._lock:
            now = self.clock()
            spent = self._of(session).spent(now)
            if spent < FREE or self._alone(now):
                return 0.0
            return max(0.0, self._free_from - now) + spent / MINUTE

    def _of(self, session: str) -> _Session:
        now = self.clock()
        if now > self._swept + 1.0:
            self._sessions = {name: known for name, known in self._sessions.items() if known.seen > now - MINUTE}
            self._swept = now
        known = self._sessions.setdefault(session, _Session())
        known.seen = now
        return known

    def _alone(self, now: float) -> bool:
        return sum(known.seen > now - THERE for known in self._sessions.values()) < 2


TURNS = Turns()


class _Grant:
    """The computing time of one request, granted at the first check."""

    end: float | None = None

    def over(self, who: str, now: float) -> bool:
        if self.end is None:
            self.end = now + TURNS.granted(who)
        return now >= self.end


_thread = threading.local()  # holds the grant of the script or request that this thread serves


def session() -> str:
    """Return a name for the session that is served, ``""`` if none is; its browser sends the name to the routes."""
    context = get_script_run_ctx(suppress_warning=True)
    if context:
        name = hashlib.sha256(context.session_id.encode()).hexdigest()[:16]
        TURNS.know(name)
        return name
    return getattr(_thread, "asking", "")


@contextmanager
def one_slice(asking: str = "") -> Iterator[None]:
    """Let all computing in this block share one slice, for the session whose script runs or that is `asking`."""
    _thread.grant, _thread.asking = _Grant(), asking
    TURNS.see(session())
    try:
        yield
    finally:
        del _thread.grant, _thread.asking


@contextmanager
def time_slice(seconds: float | None = None) -> Iterator[Callable[[], bool]]:
    """Give the running script time to compute; yield a function that returns whether the time is over.

    Parameters
    ----------
    seconds : float, optional
        The time. If left out, it is SHORT or a slice in turn; there is no limit if no session is served.
    """
    who, start, used = session(), time.monotonic(), time.thread_time()
    grant: _Grant = getattr(_thread, "grant", None) or _Grant()

    def over() -> bool:
        now = time.monotonic()
        if seconds is not None:
            return now >= start + seconds
        return bool(who) and now >= start + SHORT and grant.over(who, now)

    try:
        yield over
    finally:
        if who:
            TURNS.spend(who, time.thread_time() - used)
