"""Rooms in one file, for a server of one process."""

import json
import logging
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pages.classroom.store import FORGOTTEN, MOST_MEMBERS, Answer, Answers, Kept, Member, StoreError

PATIENCE = 2.0  # seconds to wait for another program that writes to the file
ALONE = (
    "Several processes of the server share one file of rooms, so a class that is spread over them falls apart. Set "
    "SAMPLESCOPE_STORE=redis://… on the server."
)
LOG = logging.getLogger("samplescope")

_TABLES = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA secure_delete = ON;
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, seal TEXT, number INTEGER, open TEXT, ended INTEGER, body TEXT, seen REAL);
CREATE TABLE IF NOT EXISTS members (
    code TEXT, member TEXT, place INTEGER, name TEXT, PRIMARY KEY (code, member)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS processes (name TEXT PRIMARY KEY, seen REAL);
CREATE TABLE IF NOT EXISTS answers (
    code TEXT, round INTEGER, member TEXT, keys TEXT, at REAL, PRIMARY KEY (code, round, member)) WITHOUT ROWID;
"""


class SQLiteStore:
    """Rooms in one file.

    Parameters
    ----------
    path : pathlib.Path
        The file, made with its folder when it is first needed. One that cannot be read is set aside.
    """

    shared = False

    def __init__(self, path: Path) -> None:
        self.path, self.trouble = path, ""
        self._name, self._began, self._warned = uuid.uuid4().hex, time.time(), False
        self._lock = threading.RLock()
        self._file: sqlite3.Connection | None = None

    # ---- the file ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Yield the file within one transaction."""
        with self._lock:
            try:
                file = self._file = self._file or self._connected()
                file.execute("BEGIN IMMEDIATE")
                try:
                    yield file
                    file.execute("COMMIT")
                except BaseException:
                    if file.in_transaction:
                        file.execute("ROLLBACK")
                    raise
            except sqlite3.DatabaseError as error:
                if "malformed" in str(error) or "not a database" in str(error):  # it cannot be read, now or later
                    self._set_aside()
                self.close()  # it is opened and checked anew
                raise StoreError(f"{self.path.name}: {error}") from error
            except OSError as error:
                raise StoreError(f"{self.path.name}: {error.strerror}") from error

    def _connected(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch(mode=0o600)  # other users of this machine may not read names and answers
        file = sqlite3.connect(self.path, PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            file.executescript(_TABLES)
            found = file.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(f"malformed: {found}")
        except BaseException:
            file.close()
            raise
        return file

    def _set_aside(self) -> None:
        """Rename a broken file, which is kept as long as rooms are, and begin a new one with the next operation."""
        self.close()
        ending = f".broken-{time.strftime('%Y%m%d-%H%M%S')}"
        with suppress(OSError):  # then the next operation finds it broken again
            for path in (self.path, *(self.path.with_name(self.path.name + more) for more in ("-wal", "-shm"))):
                if path.exists():
                    path.replace(path.with_name(path.name + ending))
        self.trouble = (
            f"The file of classes was damaged. It is kept as {self.path.name}{ending}, and there is a new one: "
            "classes that were not in use are lost."
        )
        LOG.error("%s (%s)", self.trouble, self.path)

    def close(self) -> None:
        """Close the file, once no other thread is using it: SQLite would crash."""
        with self._lock:
            file, self._file = self._file, None
            if file:
                file.close()

    # ---- rooms -------------------------------------------------------------------------------------------------------

    def add(self, code: str, room: Kept) -> bool:
        """Store a new room; return whether the code was free."""
        with self._open() as file:
            new = "INSERT OR IGNORE INTO rooms VALUES (?, ?, ?, ?, ?, ?, ?)"
            return file.execute(new, (code, *_row(room), time.time())).rowcount == 1

    def find(self, code: str) -> Kept | None:
        """Return a room; None if there is none."""
        with self._open() as file:
            row = file.execute("SELECT seal, number, open, ended, body FROM rooms WHERE code = ?", (code,)).fetchone()
        return row and Kept(row[0], row[1], tuple(json.loads(row[2])), bool(row[3]), row[4])

    def change(self, code: str, room: Kept) -> bool:
        """Store a room's next state; return whether the stored one has the number before it."""
        change = "UPDATE rooms SET number = ?, open = ?, ended = ?, body = ?, seen = ? WHERE code = ? AND number = ?"
        with self._open() as file:
            return file.execute(change, (*_row(room)[1:], time.time(), code, room.number - 1)).rowcount == 1

    def join(self, code: str, member: str, name: str | None) -> int | None:
        """Add a member, with a name if one is given; return her index, None if there are too many."""
        with self._open() as file:
            file.execute(
                "INSERT OR IGNORE INTO members SELECT code, ?, (SELECT count(*) FROM members WHERE code = ?), '' "
                "FROM rooms WHERE code = ? AND (SELECT count(*) FROM members WHERE code = ?) < ?",
                (member, code, code, code, MOST_MEMBERS),
            )
            if name is not None:
                file.execute("UPDATE members SET name = ? WHERE code = ? AND member = ?", (name, code, member))
            _sign_of_life(file, code)
            find = "SELECT place FROM members WHERE code = ? AND member = ?"
            row = file.execute(find, (code, member)).fetchone()
        return row and int(row[0])

    def members(self, code: str) -> dict[str, Member]:
        """Return everyone who ever joined a room."""
        with self._open() as file:
            rows = file.execute("SELECT member, place, name FROM members WHERE code = ?", (code,)).fetchall()
        return {member: Member(place, name) for member, place, name in rows}

    def forget(self, code: str, member: str) -> None:
        """Delete a member's answers and name."""
        with self._open() as file:
            file.execute("UPDATE members SET name = ? WHERE code = ? AND member = ?", (FORGOTTEN, code, member))
            _forget(file, code)

    def answer(self, code: str, given: Answer) -> bool:
        """Store an answer in place of the member's last one, if its round is open; return whether it is."""
        with self._open() as file:
            counted = file.execute(
                "INSERT INTO answers SELECT code, ?, ?, ?, ? FROM rooms "
                "WHERE code = ? AND EXISTS (SELECT 1 FROM json_each(rooms.open) WHERE value = ?) "
                "ON CONFLICT DO UPDATE SET keys = excluded.keys, at = excluded.at",
                (given.round, given.member, json.dumps(given.keys), given.at, code, given.round),
            ).rowcount
            _sign_of_life(file, code)
        return counted == 1

    def answers(self, code: str) -> dict[int, dict[str, Answer]]:
        """Return all answers in a room."""
        found: dict[int, dict[str, Answer]] = {}
        with self._open() as file:
            rows = file.execute("SELECT round, member, keys, at FROM answers WHERE code = ?", (code,)).fetchall()
        for number, member, keys, at in rows:
            found.setdefault(number, {})[member] = Answer(number, member, tuple(json.loads(keys)), at)
        return found

    def restore(self, code: str, room: Kept, members: Mapping[str, Member], answers: Answers) -> None:
        """Store what came while the file could not be written; a newer answer in the file stays."""
        with self._open() as file:
            new = "INSERT OR IGNORE INTO rooms VALUES (?, ?, ?, ?, ?, ?, ?)"
            file.execute(new, (code, *_row(room), time.time()))
            file.execute("DELETE FROM rooms WHERE code = ? AND number < ?", (code, room.number))
            file.execute(new, (code, *_row(room), time.time()))
            file.executemany(
                "INSERT INTO members VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name",
                [(code, member, known.index, known.name) for member, known in members.items()],
            )
            file.executemany(
                "INSERT INTO answers VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
                "SET keys = excluded.keys, at = excluded.at WHERE excluded.at > answers.at",
                [
                    (code, one.round, one.member, json.dumps(one.keys), one.at)
                    for by_member in answers.values()
                    for one in by_member.values()
                ],
            )
            _forget(file, code)

    def sweep(self, before: float) -> int:
        """Delete all rooms without a sign of life since `before`; return how many there were."""
        if not self.path.exists():
            return 0
        for broken in self.path.parent.glob(f"{self.path.name}*.broken-*"):  # names are in it as well
            with suppress(OSError):
                if broken.stat().st_mtime < before:
                    broken.unlink()
        with self._open() as file:
            gone = file.execute("SELECT code FROM rooms WHERE seen < ?", (before,)).fetchall()
            file.execute("DELETE FROM processes WHERE seen < ?", (before,))
            for table in ("rooms", "members", "answers"):
                file.executemany(f"DELETE FROM {table} WHERE code = ?", gone)
        return len(gone)

    # ---- other processes: there are none -----------------------------------------------------------------------------

    def present(self, code: str, here: str) -> None:
        """Store a sign of life. One process knows who is there; if there is another process, note that once."""
        with self._open() as file:
            _sign_of_life(file, code)
            file.execute("INSERT OR REPLACE INTO processes VALUES (?, ?)", (self._name, time.time()))
            others = "SELECT count(*) FROM processes WHERE name != ? AND seen > ?"
            if file.execute(others, (self._name, self._began)).fetchone()[0] and not self._warned:
                self.trouble, self._warned = ALONE, True
                LOG.error("%s (%s)", ALONE, self.path)

    def elsewhere(self, code: str, within: float) -> list[str]:
        """Return an empty list: there are no other processes."""
        return []

    def hear(self, heard: Callable[[str, str], None]) -> None:
        """Do nothing: no other process changes a room."""


def _row(room: Kept) -> tuple[str, int, str, bool, str]:
    return room.seal, room.number, json.dumps(room.open), room.ended, room.body


def _forget(file: sqlite3.Connection, code: str) -> None:
    """Delete the answers of members who had theirs deleted."""
    those = "SELECT member FROM members WHERE code = ? AND name = ?"
    file.execute(f"DELETE FROM answers WHERE code = ? AND member IN ({those})", (code, code, FORGOTTEN))


def _sign_of_life(file: sqlite3.Connection, code: str) -> None:
    """Note that a room is in use; one that has ended is not."""
    file.execute("UPDATE rooms SET seen = ? WHERE code = ? AND NOT ended", (time.time(), code))
