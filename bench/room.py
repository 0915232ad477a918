"""A class in a room, beside as many learners outside: how soon an instructor's step reaches every socket.

``make load`` runs it. The instructor goes on five times a second, as somebody does who holds the arrow key down for a
moment; those outside step twice a second through another topic, each on a seed of their own.
"""

import asyncio
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from bench import Row
from bench.load import Room, entered, memory
from bench.player import processor_seconds
from pages.classroom.kept_in import WHERE
from tests.browser.driver import Server, free_port, serve
from tests.browser.proxy import REMEDY, behind_nginx, nginx
from tests.pages.classroom.browsers import Browser, opened

SECONDS = 10.0
PACE = 5.0  # acts of the instructor a second
OUTSIDE = 2.0  # steps a second of each learner outside
THOUGHT = 1.0, 4.0  # seconds for which somebody holds a chain
MANY = 100  # learners of a class that passes chains on


class Class(NamedTuple):
    """The size of a class: learners in the room and outside of it, and processes that serve them."""

    inside: int
    outside: int = 0
    processes: int = 1
    soon: float | None = None  # the 95th percentile

    @property
    def name(self) -> str:
        """The line under which it is printed."""
        beside = f" beside {self.outside} on seeds of their own" if self.outside else ""
        behind = f", {self.processes} processes and Redis" if self.processes > 1 else ""
        return f"instructor's step on {self.inside} sockets{beside}{behind}"


CLASSES = (Class(100), Class(100, 100, soon=0.200), Class(500), Class(100, 100, processes=2))


class Watcher(Browser):
    """A learner's browser that notes when each act was there."""

    def __init__(self, *given: Any) -> None:
        self.came_at: dict[int, float] = {}
        super().__init__(*given)

    async def _hear(self, told: dict[str, Any]) -> None:
        await super()._hear(told)
        shown = told.get("state", {}).get("show")
        if shown:
            self.came_at.setdefault(shown["t"], time.perf_counter())


@contextmanager
def served(processes: int) -> Iterator[Server]:
    """Run the app with a store of its own: a file, or Redis for several processes behind nginx."""
    before = os.environ.get(WHERE)
    with TemporaryDirectory() as folder:
        try:
            if processes == 1:
                os.environ[WHERE] = f"{folder}/rooms.sqlite"
                with serve() as server:
                    yield server
                return
            port = str(free_port())
            quiet = ["--save", "", "--loglevel", "warning", "--dir", folder]
            redis = subprocess.Popen(["redis-server", "--port", port, *quiet], stdout=subprocess.DEVNULL)
            os.environ[WHERE] = f"redis://127.0.0.1:{port}/0"
            try:
                with behind_nginx(Path(folder), processes) as server:
                    yield server
            finally:
                redis.kill()
                redis.wait()
        finally:
            os.environ.pop(WHERE)
            if before is not None:
                os.environ[WHERE] = before


async def taught(group: Class, server: Server) -> list[Row]:
    """Let the instructor act for a while, and say when each act was on each socket."""
    room = opened(server.url)
    teacher = Browser(server.url, room["code"], 10_000, room["secret"])
    people = [Watcher(server.url, room["code"], number) for number in range(group.inside)]
    others = await entered(Room(group.outside, OUTSIDE, seeds="each another"), server)
    await teacher.until(lambda told: told["state"]["people"] == group.inside)
    used, start = processor_seconds(server) or 0.0, time.perf_counter()
    stepping = [
        asyncio.create_task(learner.step(start + number / len(others) / OUTSIDE, OUTSIDE, start + SECONDS))
        for number, learner in enumerate(others)
    ]
    acts = []
    for number in range(1, round(PACE * SECONDS) + 1):
        await asyncio.sleep(max(0.0, start + number / PACE - time.perf_counter()))
        acts.append(time.perf_counter())
        await teacher.say(show={"page": "draws", "query": "seed=7", "t": number})
    await asyncio.gather(*stepping)
    await asyncio.sleep(0.5)
    used = (processor_seconds(server) or 0.0) - used
    waits = [one.came_at[number] - act for one in people for number, act in enumerate(acts, 1) if number in one.came_at]
    missed = 1 - len(waits) / (len(people) * len(acts))
    held = memory(server)
    for one in (teacher, *people):
        await one.leave()
    for learner in others:
        await learner.close()
    median, p95, last = np.quantile(waits, [0.5, 0.95, 1.0])
    said = f"p50 {1e3 * median:.1f} ms, last {1e3 * last:.0f} ms; {100 * missed:.1f} % overtaken by the next"
    more = f"{held:.0f} MB" if held else ""
    return [
        Row(f"{group.name}, p95", float(p95), group.soon, said),
        Row("  processor time a second", used / (time.perf_counter() - start), None, more, unit="share"),
    ]


class Passer(Browser):
    """A learner's browser that does a step of whatever chain it holds, and notes when each chain came and went."""

    def __init__(self, *given: Any) -> None:
        self.came_at: dict[tuple[int, int], float] = {}
        self.went_at: dict[tuple[int, int], float] = {}
        super().__init__(*given)

    async def _hear(self, told: dict[str, Any]) -> None:
        await super()._hear(told)
        if hand := told.get("you", {}).get("hand"):
            self.came_at.setdefault((hand["chain"], hand["step"]), time.perf_counter())

    async def walk(self, end: float) -> None:
        """Hold each chain for as long as somebody who thinks, and pass it on, until a time."""
        await self.say(hand=1)
        while time.perf_counter() < end:
            await asyncio.sleep(self.random.uniform(*THOUGHT))
            hand = self.latest.get("you", {}).get("hand")
            if hand and (at := (hand["chain"], hand["step"])) not in self.went_at:
                self.went_at[at] = time.perf_counter()
                await self.say(act={"relay": 1, "chain": at[0], "step": at[1], "moves": self.random.random() < 0.5})


async def passed(group: Class, server: Server) -> list[Row]:
    """Have a class pass chains on for a while, and say how soon after a step the chain is at somebody who waits."""
    room = opened(server.url)
    teacher = Browser(server.url, room["code"], 10_000, room["secret"])
    people = [Passer(server.url, room["code"], number) for number in range(group.inside)]
    await teacher.until(lambda told: told["state"]["people"] == group.inside)
    await teacher.say(show={"page": "why_sample", "query": "starts=class&seed=7"})
    await teacher.say(relay={})
    await teacher.until(lambda told: told["state"]["relay"])
    used, start = processor_seconds(server) or 0.0, time.perf_counter()
    await asyncio.gather(*(one.walk(start + SECONDS) for one in people))
    used, long = (processor_seconds(server) or 0.0) - used, time.perf_counter() - start
    came = {at: when for one in people for at, when in one.came_at.items()}
    went = {at: when for one in people for at, when in one.went_at.items()}
    waits = [came[chain, step + 1] - when for (chain, step), when in went.items() if (chain, step + 1) in came]
    steps = teacher.latest["state"]["relay"]["steps"]
    for one in (teacher, *people):
        await one.leave()
    median, p95 = np.quantile(waits, [0.5, 0.95])
    said = f"p50 {1e3 * median:.1f} ms; {steps} steps"
    return [
        Row(f"a step of a chain, at the next of {group.inside} people, p95", float(p95), 0.3, said),
        Row("  processor time a second", used / long, None, "", unit="share"),
    ]


def rows(classes: tuple[Class, ...] = CLASSES) -> Iterator[Row]:
    for group in classes:
        if group.processes > 1 and (nginx() is None or not shutil.which("redis-server")):
            print(f"{group.name}: {REMEDY}, or: apt-get install redis-server")
            continue
        with served(group.processes) as server:
            yield from asyncio.run(taught(group, server))
            if not group.outside and group.inside <= MANY:
                yield from asyncio.run(passed(group, server))
