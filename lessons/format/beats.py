"""Fading: the beats of an update that a question leaves to the learner, one more each time, and the checks of it."""

from collections.abc import Sequence
from typing import Literal, get_args

Beat = Literal["forget", "score", "sample", "remember"]
BEATS: tuple[Beat, ...] = get_args(Beat)


def allotted(yours: Sequence[Beat]) -> str:
    """Return a sentence about the beats that are done, those that are the learner's, and those that follow."""
    first, last = BEATS.index(yours[0]), BEATS.index(yours[-1])
    done, after = BEATS[:first], BEATS[last + 1 :]
    parts = [f"{_listed(done)} {'is' if len(done) == 1 else 'are'} done"] if done else []
    parts.append(f"{_listed(yours)} {'is' if len(yours) == 1 else 'are'} yours")
    if after:
        parts.append(f"{_listed(after)} {'follows' if len(after) == 1 else 'follow'}")
    return f"{', '.join(parts)}.".capitalize()


def in_a_row(yours: Sequence[Beat]) -> bool:
    """Return whether the beats follow each other, in the order of an update."""
    first = BEATS.index(yours[0])
    return tuple(yours) == BEATS[first : first + len(yours)]


def misplaced(yours: Sequence[Beat], at: int, advance: int) -> str:
    """Return why an opened update is not where a learner takes over, or is not played on; "" if it is."""
    first = BEATS.index(yours[0])
    if at % len(BEATS) != first:
        place = f"{first} more than a multiple of {len(BEATS)}" if first else f"a multiple of {len(BEATS)}"
        return f"{yours[0]} is the learner's, so at is {place}, and here it is {at}"
    if advance < len(yours):
        return f"the learner's beats are played after the answer: let then advance by {len(yours)}"
    return ""


def _listed(beats: Sequence[str]) -> str:
    return " and ".join([", ".join(beats[:-1]), beats[-1]]) if len(beats) > 1 else beats[0]
