"""Half an hour of two hundred learners: whether the memory of the server and of a browser stays constant.

``MINUTES=5 python -m bench soak`` is shorter, and with ``PACE=0.2`` learners step and play at a fifth of their speed.
They open a topic, step, play, change a setting and leave, each with their own seeds. Before them, a browser plays
without end, and goes from page to page.
"""

import asyncio
import os
import random
import time
from collections.abc import Iterator

import numpy as np
from playwright.sync_api import CDPSession, Page

from bench import Row
from bench._learner import Learner
from bench.load import OTHERS, memory
from lessons.topics import STAGES
from tests.browser.driver import WIDE, Screen, Server, browse, chromium, serve

MINUTES = float(os.environ.get("MINUTES", "30"))
WARM = min(10.0, MINUTES / 3)  # minutes until caches are full, and all topics are loaded
LEARNERS = 200
PACE = float(os.environ.get("PACE", "1"))  # steps a second of each
SPEED = max(1, round(15 * PACE))  # iterations a second of those who play
STAY = 20.0  # seconds on a page, about
SETTINGS = {"crp_mixture": "concentration", "gibbs_blobs": "points", "crp_seating": "concentration"}
SWEEPS, PAGES, FIRST = 5_000, 200, 10  # of the browser: iterations, changes of the page, and those until it is warm
TOPICS = ("coin", "crp_seating", "crp_mixture", "gibbs_text", "logistic", "")


async def attend(server: Server, number: int, until: float, problems: list[str]) -> None:
    """Act as one learner until the class ends, on one topic after the other."""
    chance, visits = random.Random(number), 0
    await asyncio.sleep(STAY * number / LEARNERS)
    while time.perf_counter() < until:
        visits += 1
        topic, changes = chance.choice(OTHERS)
        changes = dict(changes)
        if topic in SETTINGS and chance.random() < 0.5:
            changes[SETTINGS[topic]] = chance.choice((50, 100, 150) if topic == "gibbs_blobs" else (0.5, 1.0, 2.0, 5.0))
        seed = chance.randrange(2**31)
        learner = Learner(server, topic, STAGES[topic](**changes), seed, f"tab{number}-{visits}", 0)
        try:
            await learner.open()
            leaves = min(until, time.perf_counter() + STAY * (0.5 + chance.random()))
            if chance.random() < 0.3:
                await learner.play(time.perf_counter(), SPEED, leaves)
            else:
                await learner.step(time.perf_counter(), PACE, leaves)
        except (RuntimeError, OSError) as error:
            problems.append(f"{topic}: {error}")
        finally:
            await learner.close()


async def crowd(server: Server) -> tuple[list[float], list[str]]:
    """Run the class, and return the server's MB every ten seconds, and all errors."""
    until, held, problems = time.perf_counter() + 60 * MINUTES, [], []
    people = [asyncio.create_task(attend(server, number, until, problems)) for number in range(LEARNERS)]
    while time.perf_counter() < until:
        await asyncio.sleep(10)
        held.append(memory(server) or 0.0)
    await asyncio.gather(*people)
    return held, problems


def server_rows() -> Iterator[Row]:
    with serve() as server:
        held, problems = asyncio.run(crowd(server))
    minutes = (1 + np.arange(len(held))) / 6
    late = minutes > WARM
    slope = float(np.polyfit(minutes[late], np.array(held)[late], 1)[0])
    said = f"{held[0]:.0f} MB at first, {held[-1]:.0f} MB at the end; {len(problems)} problems {problems[:2] or ''}"
    yield Row(f"server, {LEARNERS} learners for {MINUTES:g} minutes: growth a minute", slope, 1.0, said, unit="MB")
    yield Row("  the most that it held", max(held), 450.0, unit="MB")


def heap(page: Page, console: CDPSession) -> float:
    """Return the MB of live JavaScript objects."""
    console.send("HeapProfiler.collectGarbage")
    metrics = {one["name"]: one["value"] for one in console.send("Performance.getMetrics")["metrics"]}
    return float(metrics["JSHeapUsedSize"]) / 1e6


def wander(screen: Screen, changes: int, sweeps: int) -> None:
    """Go from page to page in one tab by links, and play `sweeps` sweeps on the way."""
    for number in range(changes):
        topic = TOPICS[number % len(TOPICS)]
        screen.page.evaluate(
            "path => { history.pushState(null, '', path); history.pushState(null, '', '#'); history.back(); }",
            f"{screen.server.url}/{topic}" + ("?t=0" if topic else ""),
        )
        (screen.now if topic else screen.heading("See samplers work")).wait_for()
        if topic == "crp_mixture" and sweeps:
            screen.page.locator("[data-part=speed]").select_option("60")
            screen.button("play").click()
            screen.page.wait_for_timeout(1000 * sweeps / (60 * changes / len(TOPICS)))
            screen.button("play").click()


def browser_rows() -> Iterator[Row]:
    with serve() as server, browse() as browser:
        page = browser.new_context(viewport=WIDE).new_page()
        console = page.context.new_cdp_session(page)
        console.send("Performance.enable")
        screen = Screen(page, server)
        screen.open("crp_seating")
        wander(screen, FIRST, 0)
        before = heap(page, console)
        wander(screen, PAGES, SWEEPS)
        after = heap(page, console)
    said = f"{before:.0f} MB after {FIRST} pages, {after:.0f} MB after {PAGES} more and {SWEEPS:,} sweeps"
    yield Row("browser: JavaScript that is alive, more than at first", after - before, 40.0, said, unit="MB")


def rows() -> Iterator[Row]:
    if chromium():
        yield from browser_rows()
    else:
        print("no Chromium found: no browser is watched; install it with: apt-get install chromium")
    yield from server_rows()
