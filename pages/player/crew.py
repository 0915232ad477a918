"""Processes that run chains for walls, so that both cores compute, and the interpreter that serves people is free.

A wall is a `Job`: many columns, each the outcomes of one seed's run. The server makes columns itself, in slices, until
a process answers; after that the processes make the rest. They start at the first wall and end when none has been asked
for long. Where there are none, or none can start, the server makes all columns, and they are the same.
"""

import json
import logging
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import Self

import numpy as np

from lessons.settings.settings import StageSettings
from pages.player.worker import READY

WORKERS = "SAMPLESCOPE_WORKERS"  # environment variable: how many processes; 0 for one process that does everything
MOST = 2  # processes, unless WORKERS says more: each takes 70 to 100 MB
THERE = 10.0  # seconds after which a caller who has not asked again waits no more
IDLE = 600.0  # seconds without a wall, after which the processes end
FOLDER = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "pages.player.worker")
LOG = logging.getLogger("samplescope")


class Job:
    """The outcomes of many runs, which are made column by column, by whoever is free.

    Parameters
    ----------
    topic : str
        The topic's name.
    settings : StageSettings
        Its settings.
    seeds : numpy.ndarray
        The seeds of the runs.
    last : int
        The last iteration.

    Attributes
    ----------
    values : numpy.ndarray
        The outcomes so far, shape (last + 1, seeds).
    alone : bool
        Whether the server makes it alone.
    waits : bool
        Whether the server has nothing to do for it but to wait for processes.
    """

    def __init__(self, topic: str, settings: StageSettings, seeds: np.ndarray, last: int) -> None:
        self.settings, self.seeds, self.last = settings, seeds.tolist(), last
        self.values = np.full((last + 1, len(seeds)), np.nan)
        self.request = {"topic": topic, "settings": settings.model_dump_json(), "last": last}
        self.alone = settings.mine  # worker processes do not have a learner's own data
        self.waits = False
        self._helped = False  # whether processes make it
        self._left = deque(range(len(seeds)))
        self._made, self._before = 0, False
        self._done: Callable[[np.ndarray], None] | None = None
        self._lock = Lock()

    @property
    def share(self) -> float:
        """The share that is made, from 0 to 1."""
        return self._made / len(self.seeds)

    @property
    def whole(self) -> bool:
        """Whether everything is made."""
        return self._made >= len(self.seeds)

    @property
    def open(self) -> bool:
        """Whether there are columns that no process makes yet."""
        return bool(self._left)

    def take(self, *, helping: bool = False) -> int | None:
        """Return a column to make, the first for the server and the last when `helping`; None if there is none."""
        with self._lock:
            if helping:
                self._helped = True
                return self._left.pop() if self._left else None
            self.waits = self._helped or not self._left
            return None if self.waits else self._left.popleft()

    def put(self, column: int, values: np.ndarray) -> None:
        """Keep what a run came to."""
        with self._lock:
            self.values[:, column] = values
            self._made += 1
            done = self._done if self.whole else None
        if done:
            done(self.values)

    def fill(self, values: np.ndarray) -> None:
        """Keep what all runs came to when they were made before."""
        self.values, self._made, self._before = values, len(self.seeds), True
        self._left.clear()

    def give_back(self, column: int) -> None:
        """Leave a column, and all that are left, to the server: a process could not make it."""
        with self._lock:
            self._left.append(column)
            self.alone, self._helped = True, False

    def without_help(self) -> None:
        """Leave all columns that no process makes yet to the server."""
        with self._lock:
            self._helped = False

    def then(self, do: Callable[[np.ndarray], None]) -> None:
        """Do something with the outcomes once everything has been made, unless it was made before."""
        with self._lock:
            if self._done or self._before:
                return
            self._done = do
            now = self.whole
        if now:
            do(self.values)


class Crew:
    """A number of processes.

    Parameters
    ----------
    size : int
        The number; with 0, there is no crew.
    command : sequence of str, optional
        What starts one.
    clock : callable, optional
        A monotonic clock in seconds.
    """

    def __init__(
        self, size: int, command: tuple[str, ...] = COMMAND, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.size, self._command, self._clock = size, command, clock
        self._asked: dict[Job, float] = {}  # when somebody waited last; the one that had the last turn is last
        self._ahead: deque[Job] = deque()  # jobs that no caller waits for yet
        self._threads = 0
        self._changed = Condition()

    def help(self, job: Job) -> None:
        """Make a job, for which somebody waits now; call it again as long as somebody does."""
        with self._changed:
            if not self.size or job.alone:
                job.without_help()
            elif job.open:
                self._asked[job] = self._clock()
                self._call()

    def prepare(self, job: Job) -> None:
        """Make a job when there is nothing else to do."""
        with self._changed:
            if self.size and job.open and not job.alone and job not in self._ahead:
                self._ahead.append(job)
                self._call()

    def stop(self) -> None:
        """End all processes once they have made what they are making."""
        with self._changed:
            self.size = 0
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._threads)

    def _call(self) -> None:
        for _ in range(self.size - self._threads):
            self._threads += 1
            Thread(target=self._lead, daemon=True).start()
        self._changed.notify_all()

    def _lead(self) -> None:
        """Start a process, and hand it one column after the other."""
        try:
            try:
                process = Process(self._command)
            except OSError as error:
                LOG.warning("walls are made by the server alone: no other process starts (%s)", error)
                self.size = 0
                return
            with process:
                self._hand_to(process)
        finally:
            with self._changed:
                self._threads -= 1
                self._changed.notify_all()

    def _hand_to(self, process: "Process") -> None:
        while (found := self._next()) is not None:
            job, column = found
            try:
                made = process.ask({**job.request, "seed": job.seeds[column]}, job.last + 1)
            except OSError:
                job.give_back(column)
                LOG.warning("a process has ended over a wall, which the server makes alone: %s", job.request)
                return
            job.put(column, made)

    def _next(self) -> tuple[Job, int] | None:
        """Return a job with a column to make, when there is one; None when there was none for long."""
        with self._changed:
            end = self._clock() + IDLE
            while self.size and (left := end - self._clock()) > 0:
                if found := self._found():
                    return found
                self._changed.wait(left)
            return None

    def _found(self) -> tuple[Job, int] | None:
        now = self._clock()
        self._asked = {job: then for job, then in self._asked.items() if then > now - THERE and job.open}
        while self._ahead and not self._ahead[0].open:
            self._ahead.popleft()
        for job in [*self._asked, *self._ahead]:
            column = job.take(helping=True)
            if column is not None:
                if job in self._asked:
                    self._asked[job] = self._asked.pop(job)
                return job, column
        return None


class Process:
    """One process of a crew, ready to be asked; it ends with the block. `OSError` says that it does not start."""

    def __init__(self, command: tuple[str, ...]) -> None:
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=nowhere, cwd=FOLDER, creationflags=flags
        )
        try:
            self._read(len(READY))
        except OSError:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # a request that was not read
                pipe.close()

    def ask(self, request: dict[str, object], number: int) -> np.ndarray:
        """Return as many numbers as an answer has; raise `OSError` if the process has ended."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return np.frombuffer(self._read(8 * number), np.float64)

    def _read(self, size: int) -> bytes:
        assert self._process.stdout is not None
        came = self._process.stdout.read(size)
        if len(came) < size:
            raise BrokenPipeError("it has ended")
        return came


def usual_size() -> int:
    """Return how many processes there are: as WORKERS says, or else one a core, at most MOST; none with one core."""
    said = os.environ.get(WORKERS, "")
    if said.isdigit():
        return int(said)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST) if cores > 1 else 0


CREW = Crew(0)  # the server's; whoever else makes walls does so alone, unless it says how many are to help
