"""The interface of a store, which keeps rooms beyond a process: small operations, each of them atomic.

`pages.classroom.sqlite` stores rooms in one file, for one process; `pages.classroom.redis` on a server that several
processes share.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

FORGOTTEN = "\0"  # in place of the name of a member who had her answers deleted: no name has such a character
MOST_MEMBERS = 2_000  # of a room, ever; the second half is for learners with a page open


class StoreError(Exception):
    """The store failed; the text says how."""


class Kept(NamedTuple):
    """A room without its members and their answers."""

    seal: str  # of the instructor's secret
    number: int  # of the state; it grows with each change
    open: tuple[int, ...]  # the rounds in which answers count
    ended: bool  # whether the class has ended
    body: str  # the rest, as JSON


@dataclass(frozen=True)
class Member:
    """Someone who joined a room: as which one, from 0, and under which name; see `FORGOTTEN`."""

    index: int
    name: str


@dataclass(frozen=True)
class Answer:
    """One member's answer to one round: keys of choices, or a number as text; and its time, in seconds since 1970."""

    round: int
    member: str
    keys: tuple[str, ...]
    at: float


Answers = Mapping[int, Mapping[str, Answer]]  # by round and member


class Store(Protocol):
    """Stores rooms. Its operations may take a while, may be called from any thread, and raise `StoreError`.

    Attributes
    ----------
    shared : bool
        Whether other processes serve the same rooms.
    trouble : str
        A sentence on what happened to rooms that were stored before; "" if all is well.
    """

    shared: bool
    trouble: str

    def add(self, code: str, room: Kept) -> bool:
        """Store a new room; return whether the code was free."""

    def find(self, code: str) -> Kept | None:
        """Return a room; None if there is none."""

    def change(self, code: str, room: Kept) -> bool:
        """Store a room's next state; return whether the stored one has the number before it."""

    def join(self, code: str, member: str, name: str | None) -> int | None:
        """Add a member, or find her again, and store the name if one is given.

        Returns
        -------
        int or None
            The member's index; None if there are too many members, or no such room.
        """

    def members(self, code: str) -> dict[str, Member]:
        """Return everyone who ever joined a room."""

    def forget(self, code: str, member: str) -> None:
        """Delete a member's answers and name; her index stays taken."""

    def answer(self, code: str, given: Answer) -> bool:
        """Store an answer in place of the member's last one, if its round is open; return whether it is."""

    def answers(self, code: str) -> dict[int, dict[str, Answer]]:
        """Return all answers in a room."""

    def restore(self, code: str, room: Kept, members: Mapping[str, Member], answers: Answers) -> None:
        """Store what came while the store did not answer; a newer answer in the store stays."""

    def sweep(self, before: float) -> int:
        """Delete all rooms without a sign of life since `before`; return how many there were."""

    def present(self, code: str, here: str) -> None:
        """Store who is in a room through this process, which is a sign of life."""

    def elsewhere(self, code: str, within: float) -> list[str]:
        """Return who is in a room through the other processes, as they reported in the last `within` seconds."""

    def hear(self, heard: Callable[[str, str], None]) -> None:
        """Call `heard`, from a thread, with the code of each room that another process changed, and with what.

        That is ``state``, ``answers`` or ``people``. An empty code means any room, since news may have been missed.
        """

    def close(self) -> None:
        """Close files and connections."""
