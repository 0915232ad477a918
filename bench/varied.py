"""Memory of a server after thousands of requests, each for a run that no one asked for before.

Settings and seeds are random, so no answer is shared: this is the most that runs, charts and answers can come to.
``REQUESTS=300 python -m bench varied`` asks less.
"""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from bench import Row
from bench._line import Line
from bench.load import memory
from lessons.settings.settings import StageSettings
from lessons.topics import STAGES
from pages.player.modules import BUILD
from tests.browser.driver import Server, serve

REQUESTS = int(os.environ.get("REQUESTS", "2655"))
MOST = 700.0  # MB, as deploy/README.md says
OWN = ("own", "arrivals", "message")  # settings that hold learners' own data
AT_ONCE = 2
PATIENCE = 10.0  # seconds, after which a learner would go elsewhere


def some_settings(chance: random.Random, model: type[StageSettings]) -> dict[str, str]:
    """Return random values for about half of a topic's settings."""
    values = {}
    given: dict[str, dict[str, Any]] = model.model_json_schema()["properties"]
    for name, field in given.items():
        if name in OWN or chance.random() < 0.5:
            continue
        if field.get("enum"):
            values[name] = str(chance.choice([one for one in field["enum"] if one != "own"]))
        elif "minimum" in field and "maximum" in field:
            low, high = field["minimum"], field["maximum"]
            value = high if chance.random() < 0.5 else chance.uniform(low, high)
            values[name] = str(int(value)) if field["type"] == "integer" else f"{value:.4g}"
    return values


async def ask(line: Line, path: str) -> int:
    """Ask until the answer is there, or until it takes too long; return the last status."""
    end = time.perf_counter() + PATIENCE
    while True:
        status, _ = await line.get(path)
        if status not in (202, 429, 503) or time.perf_counter() > end:
            return status
        await asyncio.sleep(0.1)


async def asked(server: Server) -> tuple[float, float, int]:
    """Ask for everything; return the MB before and after, and how many requests had no answer."""
    chance, left = random.Random(6), 0
    topics, waiting = list(STAGES), iter(range(REQUESTS // 3))
    lines = [Line(server, f"tab{number}") for number in range(AT_ONCE)]
    for topic in topics:  # the code of all topics is loaded
        await ask(lines[0], f"/play/{BUILD}/{topic}/film?seed=1")
    before = memory(server) or 0.0

    async def go_on(line: Line) -> None:
        nonlocal left
        for _ in waiting:
            topic = chance.choice(topics)
            values = some_settings(chance, STAGES[topic]) | {"seed": str(chance.randrange(10**6))}
            view = next(iter(STAGES[topic].views), "")
            more = (
                ("film", {}),
                ("frames", {"from": "0", "to": "40"}),
                ("cards", {"view": view, "from": "0", "to": "20", "every": "1"}),
            )
            for what, named in more:
                left += await ask(line, f"/play/{BUILD}/{topic}/{what}?{urlencode(values | named)}") != 200

    await asyncio.gather(*map(go_on, lines))
    return before, memory(server) or 0.0, left


def rows() -> Iterator[Row]:
    with serve() as server:
        before, after, left = asyncio.run(asked(server))
    said = f"{before:.0f} MB with all topics loaded; {left} requests without an answer within {PATIENCE:g} s"
    yield Row(f"server: memory after {3 * (REQUESTS // 3):,} varied requests", after, MOST, said, unit="MB")
