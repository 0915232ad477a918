"""The wait of an ordinary click while three others have the heaviest links open, and how soon the core is free again.

A click is a rerun of a page, timed from the message to the end of the script.
"""

import asyncio
import statistics
from collections.abc import Iterator

import numpy as np

from bench import Row
from bench._session import Session
from bench.player import processor_seconds
from tests.browser.driver import Server, serve

ORDINARY = ("crp_mixture", "data=seven_points&t={}")
POINTS = (
    "crp_mixture",
    "data=four_blobs&points=500&step_by=update&sweep=2000&concentration=20&rule=counts+include+the+point",
)
BRANCH = ("crp_mixture", "second=branch&branch_at=2000&points=500&t=2000")
MESSAGES = ("gibbs_text", "data=own&word_probs=collapsed&step_by=update&sweep=2000&most_words=8000")
CLICKS = 60


def corpus() -> bytes:
    """Return 20,000 messages of about 400 characters, out of 8,000 words."""
    rng = np.random.default_rng(0)
    words = np.array([f"word{number}x" for number in range(8_000)])
    drawn = (8_000 * rng.random((20_000, 45)) ** 2).astype(int)
    lines = (f"{('ham', 'spam')[i % 2]}\t{' '.join(words[row])}" for i, row in enumerate(drawn))
    return "\n".join(lines).encode()


async def clicks(session: Session) -> list[float]:
    """Click, a second apart, and return how long each took."""
    times = []
    for number in range(CLICKS):
        page, query = session.page, ORDINARY[1].format(number % 20 + 1)
        session.page = page
        times.append(await session.rerun(query))
        await asyncio.sleep(0.5)
    return times


async def measured(server: Server) -> list[Row]:
    """Open everything, click, and close the heavy tabs."""
    ordinary = await Session(server, ORDINARY[0], ORDINARY[1].format(1)).open()
    alone = await clicks(ordinary)
    heavy = [await Session(server, *link).open() for link in (POINTS, BRANCH, MESSAGES)]
    await heavy[-1].upload("own.tsv", corpus())
    beside = await clicks(ordinary)
    for session in heavy:
        await session.close()
    await asyncio.sleep(1)
    before = processor_seconds(server)
    await asyncio.sleep(5)
    after = processor_seconds(server)
    used = None if before is None or after is None else (after - before) / 5
    await ordinary.close()

    def p95(times: list[float]) -> float:
        return float(np.quantile(times, 0.95))

    ratio = f"{statistics.median(beside) / statistics.median(alone):.1f} times as long as alone"
    return [
        Row("an ordinary click, alone", statistics.median(alone), None, f"p95 {1e3 * p95(alone):.0f} ms"),
        Row("beside the three heaviest links, median", statistics.median(beside), 0.150, ratio),
        Row("beside the three heaviest links, p95", p95(beside), 0.400, f"worst {1e3 * max(beside):.0f} ms"),
        Row("processor time a second, from 1 s after these left", used, 0.050),
    ]


def rows() -> Iterator[Row]:
    with serve() as server:
        yield from asyncio.run(measured(server))
