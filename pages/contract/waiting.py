"""What a stage raises while its result is being computed, slice by slice."""

from __future__ import annotations

from collections.abc import Callable

MOST = 600.0  # seconds of computing that one look may take


class NotYet(Exception):  # noqa: N818, no error: it takes longer
    """The result takes longer than a slice of computing: show its progress, and ask again.

    Parameters
    ----------
    said : str
        What is being done and how far it is, as ``"Replaying: 312 of 2,000 sweeps"``.
    share : float
        The same as a number from 0 to 1.
    more : callable
        Does the next slice: raises another `NotYet` or, when all is done, returns.
    iteration : int
        The last one that is there, to which a learner who does not want to wait can go.
    left : float, optional
        About how many seconds of computing are left; 0 if that is unknown.
    """

    def __init__(self, said: str, share: float, more: Callable[[], object], iteration: int, left: float = 0.0) -> None:
        super().__init__(said)
        self.share, self.more, self.iteration, self.left = share, more, iteration, left

    @property
    def endless(self) -> bool:
        """Whether the work would take too long to wait for."""
        return self.left > MOST
