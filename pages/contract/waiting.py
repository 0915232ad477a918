"""The exception that a stage raises while it computes a result, slice by slice."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MOST = 600.0  # seconds: the longest computation that a learner is asked to wait for


class NotYet(Exception):  # noqa: N818, not an error: the result is late
    """The result takes longer than a slice of computing: show its progress, and ask again.

    Parameters
    ----------
    said : str
        The task and its progress, such as ``"Replaying: 312 of 2,000 sweeps"``.
    share : float
        The progress as a number from 0 to 1.
    more : callable
        Computes the next slice: returns when everything is done, or else raises another `NotYet`.
    iteration : int
        The last iteration that exists, where a learner can go without waiting.
    left : float, optional
        The estimated seconds of computing that are left; 0 if unknown.
    """

    def __init__(self, said: str, share: float, more: Callable[[], object], iteration: int, left: float = 0.0) -> None:
        super().__init__(said)
        self.share, self.more, self.iteration, self.left = share, more, iteration, left

    @property
    def endless(self) -> bool:
        """Whether the computation would take too long to wait for."""
        return self.left > MOST


def patiently(make: Callable[[], T]) -> T:
    """Return a function's result, however long it takes; raise `NotYet` if that is too long to wait for."""
    while True:
        try:
            return make()
        except NotYet as wait:
            if wait.endless:
                raise
            wait.more()
