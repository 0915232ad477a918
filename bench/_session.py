"""A browser's tab without a browser: it speaks Streamlit's websocket protocol."""

import asyncio
import hashlib
import json
import time
import urllib.request
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from tests.browser.driver import Server

PLAYERS = ("player", "poster")


class Session:
    """A browser's tab: it asks again where the page tells it to, as a browser's timer does.

    Attributes
    ----------
    ids, parts : dict of str to str
        Of the widgets on the page, by the names that the app gives them: their ids, and the fragments they are in.
    shown : dict
        The last message of the page's player; empty before there is one.
    """

    def __init__(self, server: Server, page: str, query: str, tab: str = "") -> None:
        self.server, self.page, self.query = server, page, query
        self.cookie = {"Cookie": f"samplescope={tab}"}  # by which a proxy may tell browsers apart
        self.states = BackMsg().rerun_script.widget_states
        self.done = asyncio.Event()
        self.timers: dict[str, asyncio.Task[None]] = {}
        self.told: set[str] = set()  # the timers that this run of the page has asked for
        self.id = self.script = ""
        self.ids: dict[str, str] = {}
        self.parts: dict[str, str] = {}
        self.shown: dict[str, Any] = {}
        self.known: set[str] = set()  # hashes of messages that a browser keeps, and that need not come again

    async def open(self) -> "Session":
        """Open the page."""
        url = self.server.url.replace("http", "ws") + "/_stcore/stream"
        self.socket: ClientConnection = await connect(
            url, max_size=None, subprotocols=["streamlit"], additional_headers=self.cookie
        )
        self.listener = asyncio.create_task(self.listen())
        await self.rerun(self.query)
        return self

    @property
    def name(self) -> str:
        """The name under which the page asks for what it shows."""
        return hashlib.sha256(self.id.encode()).hexdigest()[:16]

    async def rerun(self, query: str, fragment: str = "", *, wait: bool = True) -> float:
        """Run the page, or a fragment of it; return how many seconds that took."""
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_name, run.fragment_id = query, self.page, fragment
        run.is_auto_rerun, run.page_script_hash = bool(fragment), self.script if fragment else ""
        if fragment:
            run.page_name = ""
        run.widget_states.CopyFrom(self.states)
        run.cached_message_hashes.extend(self.known)
        self.done.clear()
        start = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        if wait:
            await self.answered()
        return time.perf_counter() - start

    async def answered(self) -> None:
        """Wait until the script has run; raise `OSError` if the server closes the page instead."""
        await self.done.wait()
        if self.listener.done():
            raise OSError(f"the server has closed the page: {self.socket.close_code} {self.socket.close_reason}")

    async def listen(self) -> None:
        """Take in what the server says, until it closes the page."""
        try:
            async for raw in self.socket:
                self.take(ForwardMsg.FromString(raw if isinstance(raw, bytes) else raw.encode()))
        finally:
            self.done.set()  # whoever waits goes on once this has ended

    def take(self, message: ForwardMsg) -> None:
        """Take in a message."""
        kind = message.WhichOneof("type")
        if message.metadata.cacheable:
            self.known.add(message.hash)
        if kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:  # the whole page, not a fragment
                self.silence([fragment for fragment in self.timers if fragment not in self.told])
            self.done.set()
        elif kind == "new_session":
            self.id = message.new_session.initialize.session_id or self.id
            self.told = set()
        elif kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "auto_rerun":
            again = message.auto_rerun
            self.told.add(again.fragment_id)
            self.silence([again.fragment_id])
            self.timers[again.fragment_id] = asyncio.create_task(self.ask(again.fragment_id, again.interval))
        elif kind == "stop_auto_rerun":
            self.silence(list(message.stop_auto_rerun.fragment_ids))
        elif kind == "delta":
            self.draw(message.delta)

    def draw(self, delta: Delta) -> None:
        """Take in an element of the page, if it is a widget or a component of ours."""
        element = getattr(delta.new_element, delta.new_element.WhichOneof("type") or "", None)
        name = getattr(element, "id", "").split("-", 2)[-1]  # $$ID-, a hash, the app's name
        if name:
            self.ids[name], self.parts[name] = element.id, delta.fragment_id
        if delta.new_element.WhichOneof("type") == "file_uploader":
            self.uploader = element.id
        if name in PLAYERS:
            self.shown = json.loads(element.json)[0]

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
