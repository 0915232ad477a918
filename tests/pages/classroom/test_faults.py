"""The store is gone, full or broken: a class goes on without it, says so, and nothing is lost or counted twice."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import contextmanager, suppress

import pytest

from pages.classroom import rooms as looking_after
from pages.classroom.keeper import GONE
from pages.classroom.rooms import Rooms
from pages.classroom.sqlite import SQLiteStore
from tests.loop import awaited
from tests.pages.classroom.conftest import RETRY
from tests.pages.classroom.people import QUESTION, Class, a_class, asked

ASK = {"lesson": QUESTION[0], "step": QUESTION[1]}
FIRST, SECOND = (choice.key for choice in asked().choices[:2])


def at_work(state: dict) -> bool:
    return not state["trouble"]


async def a_question(room: Class, teacher) -> int:
    teacher.say(ask=ASK)
    return (await teacher.state(lambda state: state["round"] and state["round"]["open"]))["round"]["id"]


async def goes_on_without(rooms: Rooms, lose, give_back) -> None:
    """Have a class lose its store in the middle of a question, and get it back after it was closed."""
    async with a_class(rooms) as (room, teacher):
        one, two = room.learn(1, name="Ada"), room.learn(2)
        number = await a_question(room, teacher)
        one.say(answer={"round": number, "keys": [FIRST]})
        await one.you(lambda you: you["counted"])
        lose()
        two.say(answer={"round": number, "keys": [FIRST]})
        assert (await two.you(lambda you: you["counted"]))["keys"] == [FIRST]
        assert (await two.state(lambda state: state["trouble"]))["trouble"] == GONE
        late = room.learn(3, name="Late")
        await late.state()
        for person in (one, late):
            person.say(answer={"round": number, "keys": [SECOND]})
            await person.you(lambda you: you["keys"] == [SECOND])
        teacher.say(reveal=True)
        await two.state(lambda state: not state["round"]["open"])
        two.say(answer={"round": number, "keys": [SECOND]})
        await two.you(lambda you: you["late"])
        give_back()
        state = await two.state(at_work)
        assert state["round"]["tally"] == {FIRST: 1, SECOND: 2}
    again = Class(Rooms(rooms.keeper._make))  # as after a new start of the server
    again.code, again.secret = room.code, room.secret
    teacher = again.teach()
    state = await teacher.state(lambda state: state["round"])
    assert (state["round"]["open"], state["round"]["tally"]) == (False, {FIRST: 1, SECOND: 2})
    assert (await again.learn(3).you())["index"] == 2
    assert (await teacher.watch(lambda watch: watch["people"] == 1))["names"][0][1:3] == ["Late", True]
    await again.leave()


def test_redis_that_is_gone_and_comes_back(redis_server):
    rooms = Rooms(lambda: _redis(redis_server), RETRY)
    awaited(goes_on_without(rooms, redis_server.kill, redis_server.start))


def test_redis_that_answers_nobody_for_a_while(redis_server):
    rooms = Rooms(lambda: _redis(redis_server), RETRY)
    awaited(goes_on_without(rooms, redis_server.stop, redis_server.go_on))


def _redis(server):
    from pages.classroom.redis import RedisStore

    return RedisStore(server.url, 0.3)


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of 400 kB, where that is allowed."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(tmp_path)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk can be mounted on Linux, and by root alone")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def test_a_full_disk(small_disk):
    filler = small_disk / "filler"

    def fill() -> None:
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * 4_096):
                pass

    rooms = Rooms(lambda: SQLiteStore(small_disk / "rooms.sqlite"), RETRY)
    awaited(goes_on_without(rooms, fill, filler.unlink))
    rooms.keeper.store.close()


class Full(SQLiteStore):
    """A file on a disk that may be full, where none can be mounted."""

    full = False

    @contextmanager
    def _open(self):
        with super()._open() as file:
            yield file
            if self.full and file.total_changes:
                raise sqlite3.OperationalError("database or disk is full")


def test_a_disk_that_is_said_to_be_full(tmp_path):
    store = Full(tmp_path / "rooms.sqlite")
    awaited(
        goes_on_without(
            Rooms(lambda: store, RETRY), lambda: setattr(store, "full", True), lambda: setattr(store, "full", False)
        )
    )


def test_a_broken_file_is_set_aside_and_the_next_instructor_hears_of_it(tmp_path, caplog):
    path = tmp_path / "rooms.sqlite"
    path.write_bytes(b"no database " * 400)

    async def test():
        async with a_class(Rooms(lambda: SQLiteStore(path), RETRY)) as (room, teacher):
            notice = (await teacher.watch(lambda watch: watch["notice"]))["notice"]
            (aside,) = tmp_path.glob("*.broken-*")
            assert aside.name in notice
            assert aside.read_bytes().startswith(b"no database")
            assert (await room.teach().watch())["notice"] == "", "it is said once"

    awaited(test())
    assert "was damaged" in caplog.text


def test_a_file_that_two_processes_use_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(looking_after, "PULSE", 0.02)
    path = tmp_path / "rooms.sqlite"
    SQLiteStore(path).present("", "[]")  # one that was there before is none that is there now

    async def test():
        async with a_class(Rooms(lambda: SQLiteStore(path), RETRY)) as (_, teacher):
            await asyncio.sleep(0.1)
            assert (await teacher.watch())["notice"] == ""
            async with a_class(Rooms(lambda: SQLiteStore(path), RETRY)) as (_, other):
                for person in (teacher, other):
                    assert "redis://" in (await person.watch(lambda watch: watch["notice"]))["notice"]

    awaited(test())


def test_a_file_that_breaks_under_a_class_loses_nothing_of_it(tmp_path):
    path = tmp_path / "rooms.sqlite"

    async def test():
        rooms = Rooms(lambda: SQLiteStore(path), RETRY)
        async with a_class(rooms) as (room, teacher):
            one = room.learn(1, name="Ada")
            number = await a_question(room, teacher)
            one.say(answer={"round": number, "keys": [FIRST]})
            await one.you(lambda you: you["counted"])
            rooms.keeper.store._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            path.write_bytes(b"broken" * 1_000)
            rooms.keeper.store.close()  # else SQLite goes on with what it has in memory
            one.say(answer={"round": number, "keys": [SECOND]})
            await one.you(lambda you: you["keys"] == [SECOND])
            await one.state(lambda state: at_work(state) and state["round"]["answers"] == 1)
            await asyncio.sleep(3 * RETRY)
            assert await one.state(at_work)
        (_aside,) = tmp_path.glob("rooms.sqlite.broken-*")
        kept = SQLiteStore(path)
        assert kept.answers(room.code)[number]["learner-" + f"{1:014d}"].keys == (SECOND,)
        assert kept.find(room.code).open == (number,)

    awaited(test())
