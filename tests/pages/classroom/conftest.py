"""Rooms are tested on both stores: in a file, and on a real Redis server, where this machine has one."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pages.classroom.redis import RedisStore
from pages.classroom.rooms import Rooms
from pages.classroom.sqlite import SQLiteStore
from pages.classroom.store import Store, StoreError

REMEDY = "no redis-server found; install it with: apt-get install redis-server"
RETRY = 0.05  # seconds


class RedisServer:
    """A Redis server of our own, which writes all down at once, as a server for classes should.

    It listens at a file: while it is killed, any program of this machine may get the port that it had.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"unix://{folder}/redis.sock"
        self.start()

    def start(self) -> None:
        options = ["--port", "0", "--unixsocket", "redis.sock", "--dir", str(self.folder), "--save", ""]
        options += ["--appendonly", "yes", "--appendfsync", "no", "--loglevel", "warning"]
        self.process = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
        store = RedisStore(self.url)
        end = time.monotonic() + 20
        while True:
            try:
                store.find("")
            except StoreError:
                if time.monotonic() > end:
                    raise TimeoutError("Redis did not start") from None
                time.sleep(0.02)
            else:
                break
        store.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """Have it answer nobody, as over a network that is gone."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)


@pytest.fixture(scope="session")
def redis_process() -> Iterator[RedisServer]:
    if not shutil.which("redis-server"):
        (pytest.fail if os.environ.get("SAMPLESCOPE_NEEDS_BROWSER") else pytest.skip)(REMEDY)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # the address of a socket is 104 characters at most
        server = RedisServer(Path(folder))
        yield server
        server.go_on()
        server.kill()


@pytest.fixture
def redis_server(redis_process) -> Iterator[RedisServer]:
    yield redis_process
    redis_process.go_on()


@pytest.fixture(params=["sqlite", "redis"])
def new_store(request, tmp_path) -> Iterator[Callable[[], Store]]:
    """Return a function that opens the same store again and again."""
    opened: list[Store] = []
    if request.param == "redis":
        url = request.getfixturevalue("redis_server").url
        RedisStore(url)._redis.flushall()

    def opens() -> Store:
        made = RedisStore(url, 0.3) if request.param == "redis" else SQLiteStore(tmp_path / "rooms.sqlite")
        opened.append(made)
        return made

    yield opens
    for store in opened:
        store.close()


@pytest.fixture
def rooms(new_store) -> Rooms:
    return Rooms(new_store, RETRY)
