"""Settings of rooms in the environment: where they are stored, for how long, and who may open them."""

import os
import re
from functools import lru_cache
from pathlib import Path

from lessons.installed import CACHE
from pages.classroom.sqlite import SQLiteStore
from pages.classroom.store import Store

WHERE = "SAMPLESCOPE_STORE"  # in the environment: a file, or redis://host:port/0
HOURS = "SAMPLESCOPE_ROOM_HOURS"  # and after how many hours a room is deleted
TEACH = "SAMPLESCOPE_TEACH"  # and the key that opens rooms; without one, anyone may open a room
SHORTEST = 16  # characters of a key
FILE = CACHE / "rooms.sqlite"


@lru_cache
def chosen_store() -> Store:
    """Return this process's store, as the environment names it."""
    where = os.environ.get(WHERE, "")
    if not where.startswith(("redis://", "rediss://", "unix://")):
        return SQLiteStore(Path(where) if where else FILE)
    from pages.classroom.redis import RedisStore  # loads a package that most have no use for

    return RedisStore(where)


def hours_kept() -> float:
    """Return the number of hours for which a room is stored after its end, or after its last sign of life.

    Raises
    ------
    ValueError
        If the environment has anything but a number of hours.
    """
    said = os.environ.get(HOURS) or "24"
    hours = float(said) if re.fullmatch(r"\d+(\.\d+)?", said) else 0.0
    if not hours:
        raise ValueError(f"{HOURS} is {said!r}: it should be a number of hours, such as 24 or 0.5")
    return hours


def teachers_key() -> str:
    """Return the key that opens rooms; "" if anyone may open one.

    Raises
    ------
    ValueError
        If the key is too short.
    """
    key = os.environ.get(TEACH, "")
    if key and len(key) < SHORTEST:
        raise ValueError(f"{TEACH} has {len(key)} characters: it should have {SHORTEST} or more")
    return key
