"""The store that keeps rooms beyond a process: small operations, each of which happens wholly or not at all.

`pages.classroom.sqlite` keeps them in one file, for one process; `pages.classroom.redis` on a server that several
processes share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

FORGOTTEN = "\0"  # in place of the name of somebody who had all of it deleted: no name has such a character
MOST_MEMBERS = 2_000  # who ever came into a room; the second half are learners with a page of ours


class StoreError(Exception):
    """The store did not do what it was asked; its text says what is wrong with it."""


class Kept(NamedTuple):
    """A room, but for who is in it and what they answered.

    Attributes
    ----------
    seal : str
        Of the instructor's secret.
    number : int
        Grows with each change.
    open : tuple of int
        The rounds in which answers count.
    ended : bool
        Whether nothing happens in it any more.
    body : str
        All else, as JSON.
    """

    seal: str
    number: int
    open: tuple[int, ...]
    ended: bool
    body: str


@dataclass(frozen=True)
class Member:
    """Somebody who came into a room: when, as a number from 0, and under which name; see `FORGOTTEN`."""

    index: int
    name: str


@dataclass(frozen=True)
class Answer:
    """One member's answer to one round: keys of choices, or a number as text; and when it came, in seconds."""

    round: int
    member: str
    keys: tuple[str, ...]
    at: float


Answers = Mapping[int, Mapping[str, Answer]]  # by round and member


class Store(Protocol):
    """Keeps rooms. Its operations may take a while, come from any thread, and raise `StoreError`.

    Attributes
    ----------
    shared : bool
        Whether other processes serve the same rooms.
    trouble : str
        A sentence on what became of rooms that were kept before; "" if all is well.
    """

    shared: bool
    trouble: str

    def add(self, code: str, room: Kept) -> bool:
        """Keep a new room; return whether the code was free."""

    def find(self, code: str) -> Kept | None:
        """Return a room; None if there is none."""

    def change(self, code: str, room: Kept) -> bool:
        """Keep a room's next state; return whether the last one that is kept has the number before it."""

    def join(self, code: str, member: str, name: str | None) -> int | None:
        """Let somebody in, again or for the first time, and keep the name if one is given.

        Returns
        -------
        int or None
            The member's index; None if there are too many already, or no such room.
        """

    def members(self, code: str) -> dict[str, Member]:
        """Return all who ever came into a room."""

    def forget(self, code: str, member: str) -> None:
        """Delete somebody's answers and name; what is left is that there was somebody."""

    def answer(self, code: str, given: Answer) -> bool:
        """Keep an answer in place of the member's last one, if its round is open; return whether it is."""

    def answers(self, code: str) -> dict[int, dict[str, Answer]]:
        """Return all answers in a room."""

    def restore(self, code: str, room: Kept, members: Mapping[str, Member], answers: Answers) -> None:
        """Keep what was heard while the store did not answer: all of it, but no answer that is older than the kept."""

    def sweep(self, before: float) -> int:
        """Delete all of the rooms that gave no sign of life since then; return how many they were."""

    def present(self, code: str, here: str) -> None:
        """Keep who is in a room by way of this process, which is a sign of life."""

    def elsewhere(self, code: str, within: float) -> list[str]:
        """Return who is in a room by way of the other processes, as they have said within so many seconds."""

    def hear(self, told: Callable[[str, str], None]) -> None:
        """Call `told`, from a thread, with the code of each room that another process changed, and with what.

        That is ``state``, ``answers`` or ``people``. No code stands for any room, since something may have been missed.
        """

    def close(self) -> None:
        """Let go of files and connections."""
