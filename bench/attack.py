"""Learners at another address than a hostile client, or behind the same: how long they wait.

``make attack`` runs it. Each attack has a server of its own, and goes on while learners come and ask. Figures of a
busy machine are long in themselves: each row says how long the same took just before the attack.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from itertools import count

import numpy as np
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bench import Row
from bench._attacker import FROM, Attacker
from bench._session import Session
from bench.load import memory
from bench.room import served
from lessons.format.printed import as_html
from lessons.topics import STAGES
from pages.player.modules import BUILD
from tests.browser.driver import ROOT, Server
from tests.pages.classroom.browsers import opened

ELSEWHERE = "127.0.0.77"  # where honest learners are
SECONDS, QUIET = 8.0, 3.0  # of asking, under attack and before
PATIENCE = 30.0
GO = 1.5  # seconds that an attack has been going on when learners come
LEARNERS = 40
SEEDS = count(5_000_000)
FORMULAS = (r"\tag{%s}", r'\color{"%s}x', r"\fbox{%s}", r"\text{%s}", r"\verb|%s|", r"\hbox{%s}", r"\mbox{%s}")
WAITS = (OSError, WebSocketException, EOFError, TimeoutError, asyncio.TimeoutError)


# ---- learners --------------------------------------------------------------------------------------------------------


async def get(server: Server, path: str, source: str, session: str = "") -> int:
    """Return the status of an answer, at a connection of its own."""
    me = Attacker(server.url)
    reader, writer = await asyncio.open_connection(me.host, me.port, local_addr=(source, 0))
    try:
        said = f"X-Session: {session}\r\n" if session else ""
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {me.host}:{me.port}\r\nAccept-Encoding: gzip\r\n{said}".encode())
        writer.write(b"Connection: close\r\n\r\n")
        told = await reader.read()
        return int(told.split(b" ", 2)[1])
    finally:
        writer.close()


async def seconds(act: Callable[[], Awaitable[object]]) -> float:
    """Return how long something takes, PATIENCE if it fails."""
    start = time.perf_counter()
    try:
        await asyncio.wait_for(act(), PATIENCE)
    except (*WAITS, ValueError, IndexError):
        return PATIENCE
    return time.perf_counter() - start


async def again(act: Callable[[], Awaitable[object]], lasting: float) -> list[float]:
    """Do something for a while, again and again; return how long each took."""
    end, found = time.perf_counter() + lasting, []
    while time.perf_counter() < end:
        found.append(await seconds(act))
        await asyncio.sleep(0.05)
    return found


def health(server: Server) -> Callable[[], Awaitable[object]]:
    return lambda: get(server, "/_stcore/health", ELSEWHERE)


def new_frame(server: Server, source: str, session: str) -> Callable[[], Awaitable[object]]:
    """Return an act: to ask for the first frames of a run that nobody had, until they are there."""

    async def act() -> None:
        path = f"/play/{BUILD}/crp_seating/frames?seed={next(SEEDS)}&from=0&to=20"
        while (status := await get(server, path, source, session)) != 200:
            if status not in (202, 429, 503):
                raise OSError(status)
            await asyncio.sleep(0.1)

    return act


class Page(Session):
    """A page that is open at an address."""

    def __init__(self, server: Server, page: str, source: str) -> None:
        super().__init__(server, page, "")
        self.source = source

    async def open(self) -> Session:
        """Open the page, from there."""
        url = self.server.url.replace("http", "ws") + "/_stcore/stream"
        self.socket = await connect(
            url, max_size=None, subprotocols=["streamlit"], local_addr=(self.source, 0), open_timeout=PATIENCE
        )
        self.listener = asyncio.create_task(self.listen())
        await self.rerun(self.query)
        return self


async def come_in(server: Server, code: str, member: int, source: str, session: str) -> None:
    """Come into a room, as browsers do: they try again."""
    while True:
        with suppress(*WAITS):
            url = server.url.replace("http", "ws") + f"/room/{code}"
            async with connect(url, ping_interval=None, local_addr=(source, 0), open_timeout=PATIENCE) as line:
                hello = {"member": f"honest{member:016d}"} | ({"session": session} if session else {})
                await line.send(json.dumps({"hello": hello}))
                async for text in line:
                    if "state" in json.loads(text):
                        return
        await asyncio.sleep(0.3)


# ---- attacks ---------------------------------------------------------------------------------------------------------


@contextmanager
def attacked(server: Server, kind: str, code: str = "") -> Iterator[subprocess.Popen[str]]:
    """Attack a server meanwhile."""
    words = [sys.executable, "-m", "bench._attacker", server.url, kind, *([code] if code else [])]
    attacker = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert attacker.stdout
        attacker.stdout.readline()  # that it has begun
        yield attacker
    finally:
        attacker.kill()
        attacker.wait()


async def said_by(attacker: subprocess.Popen[str], patience: float = 60.0) -> str:
    """Return the next line of an attacker, as soon as there is one."""
    assert attacker.stdout
    with suppress(TimeoutError, asyncio.TimeoutError):
        return await asyncio.wait_for(asyncio.to_thread(attacker.stdout.readline), patience)
    attacker.kill()  # and the thread that waits goes on
    return ""


@asynccontextmanager
async def peak(server: Server) -> AsyncIterator[list[float]]:
    """Watch a server's memory; the list has the MB at the start, then the most."""
    found = [memory(server) or 0.0] * 2

    async def watch() -> None:
        while True:
            found[1] = max(found[1], memory(server) or 0.0)
            await asyncio.sleep(0.05)

    watching = asyncio.create_task(watch())
    try:
        yield found
    finally:
        watching.cancel()


def p95(values: list[float]) -> float:
    return float(np.quantile(values, 0.95))


def as_row(what: str, limit: float | None, before: list[float], meanwhile: list[float]) -> Row:
    said = f"before {1e3 * p95(before):.0f} ms; "
    said += f"p50 {1e3 * float(np.median(meanwhile)):.0f}, worst {1e3 * max(meanwhile):.0f} ms of {len(meanwhile)}"
    return Row(what, p95(meanwhile), limit, said)


async def computing(server: Server, kind: str) -> list[Row]:
    """Have a client keep the server computing while others ask for new frames."""
    pages = [Page(server, "coin", source) for source in (ELSEWHERE, FROM)]
    for page in pages:
        await page.open()
    acts = [health(server), *(new_frame(server, page.source, page.name) for page in pages)]
    for act in acts:
        await seconds(act)  # what is needed is loaded
    before = await asyncio.gather(*(again(act, QUIET) for act in acts))
    with attacked(server, kind):
        await asyncio.sleep(GO)
        meanwhile = await asyncio.gather(*(again(act, SECONDS) for act in acts))
    for page in pages:
        await page.close()
    names = (
        (f"{kind}: health, p95", 0.1),
        ("  a new frame at another address, p95", 0.4),
        ("  a new frame behind the same address, p95", 1.0),
    )
    return [as_row(*name, *two) for name, two in zip(names, zip(before, meanwhile, strict=True), strict=True)]


async def opening(server: Server) -> list[Row]:
    """Have a client open page after page while a learner opens hers."""

    def act(source: str) -> Callable[[], Awaitable[object]]:
        async def open_one() -> None:
            page = Page(server, "coin", source)
            try:
                await page.open()
            finally:
                if hasattr(page, "socket"):
                    await page.close()

        return open_one

    acts = [act(ELSEWHERE), act(FROM), health(server)]
    before = await asyncio.gather(*(again(one, QUIET) for one in acts))
    with attacked(server, "pages"):
        await asyncio.sleep(GO)
        meanwhile = await asyncio.gather(*(again(one, 15.0) for one in acts))
    names = (("pages: a page at another address, p95", 2.0), ("  a page behind the same address, p95", None))
    names += (("  health, p95", 0.1),)
    return [as_row(*name, *two) for name, two in zip(names, zip(before, meanwhile, strict=True), strict=True)]


async def filling(server: Server) -> list[Row]:
    """Have a client make up one learner after the other while a class comes in."""
    found = []
    for what, source in (("at another address", ELSEWHERE), ("behind the same address, with pages open", FROM)):
        room = opened(server.url)
        pages = [Page(server, "coin", source) for _ in range(LEARNERS if source == FROM else 0)]
        for page in pages:
            await page.open()
        names = [page.name for page in pages] or [""] * LEARNERS
        with attacked(server, "fill", room["code"]) as attacker:
            await said_by(attacker)  # that the room is full
            comers = [partial(come_in, server, room["code"], n, source, name) for n, name in enumerate(names)]
            waits = await asyncio.gather(*map(seconds, comers))
        for page in pages:
            await page.close()
        said = f"median {float(np.median(waits)):.1f} s; {sum(wait >= PATIENCE for wait in waits)} never"
        found.append(Row(f"fill: {LEARNERS} come in {what}, the last", max(waits), 5.0, said))
    return found


async def guessing(server: Server) -> list[Row]:
    """Have a client try codes while learners behind its address come with the right one."""
    room = opened(server.url)
    with attacked(server, "guess") as attacker:
        await asyncio.sleep(4.0)
        waits = [await seconds(partial(come_in, server, room["code"], number, FROM, "")) for number in range(20)]
        await asyncio.sleep(6.0)
        attacker.kill()
        told = attacker.communicate()[0].split()
    none, later = told.count("4404"), told.count("1013")
    said = f"{len(told)} wrong codes: {none} heard that there is no class, {later} to try again"
    return [Row("guess: the right code behind the same address, worst", max(waits), 1.0, said)]


async def storing(server: Server, kind: str, what: str) -> list[Row]:
    """Have a client send more than anybody should keep; the topics, which load in the first seconds, are not its."""
    await Page(server, "coin", ELSEWHERE).open()
    for name in STAGES:
        await get(server, f"/play/{BUILD}/{name}/frames?from=0&to=1", ELSEWHERE)
    async with peak(server) as found:
        with attacked(server, kind) as attacker:
            await said_by(attacker)  # that all is sent
            await asyncio.sleep(1.0)
        await asyncio.sleep(3.0)
    said = f"{found[0]:.0f} MB before, {memory(server) or 0.0:.0f} MB 3 s after"
    return [Row(f"{kind}: {what}", found[1] - found[0], 150.0, said, unit="MB")]


async def holding(server: Server) -> list[Row]:
    """Have a client begin more requests than the server has descriptors for."""
    if sys.platform != "linux":
        return [Row("slow: health at 1,024 descriptors, worst", None)]
    import resource

    resource.prlimit(server.pids[0], resource.RLIMIT_NOFILE, (1_024, 1_024))
    before = await again(health(server), QUIET)
    with attacked(server, "slow"):
        await asyncio.sleep(GO)
        meanwhile = await again(health(server), 15.0)
    row = as_row("slow: health at 1,024 descriptors, worst", 1.0, before, meanwhile)
    return [row._replace(value=max(meanwhile))]


def marked_up() -> Row:
    """Return the row of lessons that bring markup with them."""
    through = [one for one in FORMULAS if "<img" in as_html(f"${one % '<img src=x onerror=x>'}$")]
    return Row(
        f"formulas that bring markup into a page, of {len(FORMULAS)}", len(through) / len(FORMULAS), 0.0, "", "share"
    )


ATTACKS: dict[str, Callable[[Server], Awaitable[list[Row]]]] = {
    "fill": filling,
    "guess": guessing,
    **{kind: (lambda server, kind=kind: computing(server, kind)) for kind in ("heavy", "frames", "qr")},  # type: ignore[misc]
    "uploads": lambda server: storing(server, "uploads", "more memory for files of eight sessions"),
    "messages": lambda server: storing(server, "messages", "more memory for 40 messages that do not end"),
    "pages": opening,
    "slow": holding,
}


def rows(names: tuple[str, ...] = ()) -> Iterator[Row]:
    for name in names or ATTACKS:
        with served(1) as server:
            yield from asyncio.run(ATTACKS[name](server))  # type: ignore[arg-type]
    yield marked_up()
