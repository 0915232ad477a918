"""The wait of an ordinary click while three others have the heaviest links open, and how soon the core is free again.

Sessions speak Streamlit's websocket protocol as a browser does, without one: a click is a rerun of a page, timed from
the message to the end of the script.
"""

from __future__ import annotations

import asyncio
import statistics
import time
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from bench import Row
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


class Session:
    """A browser's tab: it asks again where the page tells it to, as a browser's timer does."""

    def __init__(self, server: Server, page: str, query: str) -> None:
        self.server, self.page, self.query = server, page, query
        self.states = BackMsg().rerun_script.widget_states
        self.done = asyncio.Event()
        self.timers: dict[str, asyncio.Task[None]] = {}
        self.told: set[str] = set()  # the timers that this run of the page has asked for
        self.id = self.script = ""
        self.uploader = ""

    async def open(self) -> Session:
        """Open the page."""
        url = self.server.url.replace("http", "ws") + "/_stcore/stream"
        self.socket: ClientConnection = await connect(url, max_size=None, subprotocols=["streamlit"])
        self.listener = asyncio.create_task(self.listen())
        await self.rerun(self.query)
        return self

    async def rerun(self, query: str, fragment: str = "", *, wait: bool = True) -> float:
        """Run the page, or a fragment of it; return how many seconds that took."""
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_name, run.fragment_id = query, self.page, fragment
        run.is_auto_rerun, run.page_script_hash = bool(fragment), self.script if fragment else ""
        if fragment:
            run.page_name = ""
        run.widget_states.CopyFrom(self.states)
        self.done.clear()
        start = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        if wait:
            await self.done.wait()
        return time.perf_counter() - start

    async def listen(self) -> None:
        """Take in what the server says."""
        async for raw in self.socket:
            message = ForwardMsg.FromString(raw if isinstance(raw, bytes) else raw.encode())
            kind = message.WhichOneof("type")
            if kind == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:  # the whole page, not a fragment
                    self.silence([fragment for fragment in self.timers if fragment not in self.told])
                self.done.set()
            elif kind == "new_session":
                self.id = message.new_session.initialize.session_id or self.id
                self.told, self.script = set(), message.new_session.page_script_hash
            elif kind == "auto_rerun":
                again = message.auto_rerun
                self.told.add(again.fragment_id)
                self.silence([again.fragment_id])
                self.timers[again.fragment_id] = asyncio.create_task(self.ask(again.fragment_id, again.interval))
            elif kind == "stop_auto_rerun":
                self.silence(list(message.stop_auto_rerun.fragment_ids))
            elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "file_uploader":
                self.uploader = message.delta.new_element.file_uploader.id

    def silence(self, fragments: list[str]) -> None:
        """Stop the timers of fragments."""
        for fragment in fragments:
            if timer := self.timers.pop(fragment, None):
                timer.cancel()

    async def ask(self, fragment: str, seconds: float) -> None:
        """Run a fragment again and again."""
        while True:
            await asyncio.sleep(seconds)
            await self.rerun(self.query, fragment, wait=False)

    async def upload(self, name: str, content: bytes) -> None:
        """Give the page's uploader a file."""
        message = BackMsg()
        message.file_urls_request.request_id, message.file_urls_request.session_id = "1", self.id
        message.file_urls_request.file_names.append(name)
        address = f"/_stcore/upload_file/{self.id}/a-file"
        await asyncio.to_thread(self._put, address, name, content)
        state = self.states.widgets.add(id=self.uploader)
        state.file_uploader_state_value.uploaded_file_info.add(
            file_id="a-file", name=name, size=len(content)
        ).file_urls.upload_url = address
        await self.rerun(self.query)

    def _put(self, address: str, name: str, content: bytes) -> None:
        parts = urlsplit(self.server.url)
        with urllib.request.urlopen(
            f"{self.server.url}/_stcore/health"
        ) as page:  # for the cookie against forged requests
            cookies = [value.partition(";")[0] for value in page.headers.get_all("Set-Cookie", [])]
        token = next((cookie.partition("=")[2] for cookie in cookies if "xsrf" in cookie), "")
        head = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        headers = {
            "Content-Type": "multipart/form-data; boundary=x",
            "Cookie": "; ".join(cookies),
            "X-Xsrftoken": token,
        }
        connection = HTTPConnection(parts.hostname or "", parts.port)
        connection.request("PUT", address, head + content + b"\r\n--x--\r\n", headers)
        answer = connection.getresponse()
        if answer.status >= 300:
            raise RuntimeError(f"the upload was answered by {answer.status}: {answer.read()[:200]!r}")

    async def close(self) -> None:
        """Close the tab."""
        self.silence(list(self.timers))
        await self.socket.close()
        self.listener.cancel()


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
    before = processor_seconds(server.pid)
    await asyncio.sleep(5)
    after = processor_seconds(server.pid)
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
