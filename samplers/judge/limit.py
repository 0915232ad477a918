"""A limit to how long some work may take, in any thread and on any system that CPython runs on."""

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
AGAIN = 1.0  # seconds after which work that has swallowed the exception gets another one


class OutOfTimeError(BaseException):
    """The time is over; no ``except Exception`` catches it."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """Return the result of some work.

    Raises
    ------
    OutOfTimeError
        If it takes longer; it is raised in the work, between two of its steps.
    """
    thread, over, lock = threading.get_ident(), threading.Event(), threading.Lock()

    def watch() -> None:
        wait = seconds
        while not over.wait(wait):
            with lock:
                if not over.is_set():
                    _raise_in(thread, OutOfTimeError)
            wait = AGAIN

    def stop() -> None:
        with lock:
            over.set()
        try:  # one that is still to come comes now; CPython 3.11 never follows a call again after one was taken back
            _raise_in(thread, OutOfTimeError)
            while True:
                pass
        except OutOfTimeError:
            pass

    try:
        threading.Thread(target=watch, daemon=True).start()
        return work()
    finally:
        try:
            stop()
        except OutOfTimeError:  # just now; the next one is a second away
            stop()


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Have a thread raise an error at its next step."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
