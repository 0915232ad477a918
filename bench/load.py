"""Many learners at one server: the steps per second that it answers, the waiting times, and the cost of a step.

All are at the same page, on one seed as in a lesson or each on another. ``make load`` runs it; every scenario takes
some ten seconds after its pages are open.
"""

import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from bench import Row
from bench._learner import CHUNK, Learner
from bench._visit import load_all
from bench.player import processor_seconds
from lessons.topics import STAGES
from tests.browser.driver import Server, serve
from tests.browser.proxy import REMEDY, behind_nginx, nginx

SECONDS = 10.0
AT_ONCE = 4  # pages that are being opened
SEED = 7
MIXTURE = ("crp_mixture", {"points": 300})
OTHERS: tuple[tuple[str, dict[str, object]], ...] = (
    ("crp_mixture", {"points": 300, "step_by": "update"}),
    ("crp_seating", {"customers": 500}),
    ("gibbs_blobs", {"points": 300}),
    ("gibbs_text", {}),
    ("gibbs_topics", {}),
    ("gibbs_topics", {"number": "learned"}),
    ("hidden_chain", {}),
    ("hidden_chain", {"data": "long", "method": "block"}),
    ("jumps", {}),
    ("climb_mixture", {}),
    ("laplace_line", {}),
    ("logistic", {"method": "chain"}),
    ("walk_the_hill", {}),
    ("marginalise", {}),
    ("draws", {"method": "chain"}),
)


class Room(NamedTuple):
    """A load: the number of learners, how fast they step or play, their seeds, and the number of processes."""

    learners: int
    pace: float = 0.0
    speed: int = 0
    seeds: str = "one seed"
    topic: tuple[str, dict[str, object]] = MIXTURE
    least: float | None = None  # steps or cards a second
    soon: float | None = None  # the 95th percentile of the wait
    cheap: float | None = None  # of processor time a step
    processes: int = 1  # of the server; several are behind nginx

    @property
    def name(self) -> str:
        """The name of its line in the table."""
        does = f"step {self.pace:g}/s" if self.pace else f"play {self.speed}/s"
        behind = f", {self.processes} processes" if self.processes > 1 else ""
        return f"{self.topic[0]}, {self.learners} {does}, {self.seeds}{behind}"


ROOMS = (
    Room(1, 2.0),
    Room(30, 2.0),
    Room(100, 2.0, least=190, soon=0.060, cheap=0.004),
    Room(200, 2.0),
    Room(30, 1.0, seeds="each another", soon=0.150, cheap=0.005),
    Room(100, 1.0, seeds="each another", least=95, soon=0.150, cheap=0.005),
    Room(200, 1.0, seeds="each another"),
    Room(100, 0.0, 15, least=2.0),
    Room(200, 0.0, 15),
    Room(100, 2.0, least=190, processes=2),
    Room(100, 2.0, seeds="each another", processes=2),
    Room(200, 1.0, seeds="each another", least=190, soon=0.150, processes=2),
    *(Room(100, 2.0, topic=topic) for topic in OTHERS),
)


def memory(server: Server) -> float | None:
    """Return the MB of the largest process of a server; None without /proc."""
    try:
        said = [Path(f"/proc/{pid}/status").read_text() for pid in server.pids]
    except OSError:
        return None
    return max(int(one.split("VmRSS:")[1].split()[0]) / 1e3 for one in said)


@contextmanager
def opened(processes: int) -> Iterator[Server]:
    """Run the app, behind nginx if there are several processes."""
    if processes == 1:
        with serve() as server:
            yield server
        return
    with TemporaryDirectory() as folder, behind_nginx(Path(folder), processes) as server:
        yield server


async def entered(room: Room, server: Server) -> list[Learner]:
    """Let all learners open the page."""
    topic, changes = room.topic
    settings, few = STAGES[topic](**changes), asyncio.Semaphore(AT_ONCE)
    apart = room.seeds != "one seed"
    found = [  # not all of them have got equally far
        Learner(server, topic, settings, SEED + apart * (1 + tab), f"tab{tab}", tab % CHUNK)
        for tab in range(room.learners)
    ]

    async def enter(learner: Learner) -> None:
        async with few:
            await learner.open()
            if room.pace:
                await learner.settle_in()

    await asyncio.gather(*map(enter, found))
    return found


async def worked(room: Room, server: Server) -> list[Row]:
    """Let all learners step or play for a while, and return the results."""
    if room.processes == 1:  # else it is not known which process opens a page
        await load_all(server)
    began = time.perf_counter()
    learners = await entered(room, server)
    opened = time.perf_counter() - began
    await asyncio.sleep(0.5)
    used, came = processor_seconds(server) or 0.0, sum(learner.bytes for learner in learners)
    start = time.perf_counter()
    until = start + SECONDS
    period = 1 / (room.pace or 1.0)
    firsts = [start + period * number / len(learners) for number in range(len(learners))]
    people = list(zip(learners, firsts, strict=True))
    if room.pace:
        await asyncio.gather(*(learner.step(first, room.pace, until) for learner, first in people))
    else:
        await asyncio.gather(*(learner.play(first, room.speed, until) for learner, first in people))
    took = time.perf_counter() - start
    used = (processor_seconds(server) or 0.0) - used
    came = sum(learner.bytes for learner in learners) - came
    held = memory(server)
    for learner in learners:
        await learner.close()
    accounts = [learner.account for learner in learners]
    said = f"{sum(one.waited for one in accounts)} asked again, {sum(one.errors for one in accounts)} errors; "
    said += f"{held:.0f} MB; opened in {opened:.0f} s" if held else f"opened in {opened:.0f} s"
    if room.speed:
        frames, late = sum(one.frames for one in accounts), sum(one.late for one in accounts)
        cards = [one.cards / SECONDS for one in accounts]
        each = f"{1e3 * used / frames:.2f} ms, {came / frames / 1e3:.2f} kB a frame"
        few = f"median {statistics.median(cards):.1f} /s; {each}"
        return [
            Row(f"{room.name}: frames late, of {frames:,}", late / frames, 0.0, said, unit="share"),
            Row("  cards a second, of the slowest learner", min(cards), room.least, few, unit="/s"),
        ]
    steps = [seconds for one in accounts for seconds in one.steps]
    median, p95 = statistics.median(steps), float(np.quantile(steps, 0.95))
    return [
        Row(f"{room.name}: steps", len(steps) / took, room.least, said, unit="/s"),
        Row("  from Step to picture and cards, p95", p95, room.soon, f"p50 {1e3 * median:.1f} ms"),
        Row("  processor time a step", used / len(steps), room.cheap, f"{came / len(steps) / 1e3:.2f} kB a step"),
    ]


def rows(rooms: tuple[Room, ...] = ROOMS) -> Iterator[Row]:
    for room in rooms:
        if room.processes > 1 and nginx() is None:
            print(f"{room.name}: {REMEDY}")
            continue
        with opened(room.processes) as server:
            yield from asyncio.run(worked(room, server))
