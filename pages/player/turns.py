"""Computing time is shared among sessions in slices, which are granted here alone.

All sessions share one process, in which one thread computes at a time, so that whoever computes holds up everybody's
clicks. Therefore

- what may take long goes in slices, and goes on only when the browser asks again: a closed tab computes nothing;
- sessions that have computed for more than FREE seconds within a minute take turns, one slice at a time, and if more
  than one session is there, each slice is followed by as long a break, whoever's turn is next: however many long runs
  there are, half of the time is for clicks. A lone learner never waits, and what is short needs no turn;
- who has computed more asks again later, so that turns go round;
- what would take more than MOST seconds is not begun: the page says how long it would take, and what to do instead.
"""

from __future__ import annotations

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
SHORT = 0.01  # seconds that need no turn
FREE = 1.0  # seconds of computing within a minute, from which on a session takes turns
MINUTE = 60.0
THERE = 10.0  # a session that has asked for something in so many seconds is there
MOST_PAGES = 20_000  # whose names are known


class Work(Generic[T]):
    """Something long that is done piece by piece.

    Parameters
    ----------
    pieces : generator
        Pauses after every piece, and returns what has been made.

    Attributes
    ----------
    pieces : int
        How many have been done.
    made : object
        What has been made, once `until` has returned True.
    """

    made: T

    def __init__(self, pieces: Generator[Any, None, T]) -> None:
        self._pieces: Generator[Any, None, T] | None = pieces
        self._error: Exception | None = None
        self.pieces = 0

    def until(self, over: Callable[[], bool]) -> bool:
        """Go on until time is over, one piece at least; return whether it is done."""
        if self._error:  # a generator that has raised would only say that it is at its end
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
    used: deque[tuple[float, float]] = field(default_factory=deque)  # when, and how many seconds of computing

    def spent(self, now: float) -> float:
        """Return the seconds of computing within the last minute."""
        while self.used and self.used[0][0] < now - MINUTE:
            self.used.popleft()
        return sum(seconds for _, seconds in self.used)


class Turns:
    """Gives out the time of one processor.

    Parameters
    ----------
    clock : callable, optional
        Returns seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._sessions: dict[str, _Session] = {}
        self._swept = 0.0  # when sessions that are gone were dropped
        self._free_from = 0.0  # when the next turn can begin
        self._pages: dict[str, None] = {}  # names that scripts have had; who had one last stands last
        self._lock = threading.Lock()

    def know(self, page: str) -> None:
        """Note the name under which a page asks for what it shows."""
        with self._lock:
            self._pages.pop(page, None)
            self._pages[page] = None
            if len(self._pages) > MOST_PAGES:
                del self._pages[next(iter(self._pages))]

    def knows(self, page: str) -> bool:
        """Return whether a page of that name was ever drawn here."""
        return page in self._pages

    def see(self, session: str) -> None:
        """Note that a session is there."""
        with self._lock:
            self._of(session)

    def granted(self, session: str) -> float:
        """Return for how many seconds a session may compute: if it has computed little a slice, else in its turn."""
        with self._lock:
            now = self.clock()
            if self._of(session).spent(now) >= FREE:
                if now < self._free_from:
                    return 0.0
                self._free_from = now + (SLICE if self._alone(now) else 2 * SLICE)
            return SLICE

    def spend(self, session: str, seconds: float) -> None:
        """Note how many seconds a session has computed."""
        with self._lock:
            self._of(session).used.append((self.clock(), seconds))

    def pause(self, session: str) -> float:
        """Return how many seconds a session had better wait until it asks for more."""
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
    """A request's computing time, as soon as it is granted."""

    end: float | None = None

    def over(self, who: str, now: float) -> bool:
        if self.end is None:
            self.end = now + TURNS.granted(who)
        return now >= self.end


_thread = threading.local()  # has the grant of the script or the request that this thread serves


def session() -> str:
    """Return a name of the session that is served, ``""`` if none is; its browser tells it to the routes."""
    context = get_script_run_ctx(suppress_warning=True)
    if context:
        name = hashlib.sha256(context.session_id.encode()).hexdigest()[:16]
        TURNS.know(name)
        return name
    return getattr(_thread, "asking", "")


@contextmanager
def one_slice(asking: str = "") -> Iterator[None]:
    """Let all that is computed in here share one slice, for the session whose script runs or for who is `asking`."""
    _thread.grant, _thread.asking = _Grant(), asking
    TURNS.see(session())
    try:
        yield
    finally:
        del _thread.grant, _thread.asking


@contextmanager
def time_slice(seconds: float | None = None) -> Iterator[Callable[[], bool]]:
    """Give the running script time to compute; yield a function that returns whether it is over.

    Parameters
    ----------
    seconds : float, optional
        So many. If it is left out, SHORT, or a slice in turn; without limit where no session waits for it.
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
