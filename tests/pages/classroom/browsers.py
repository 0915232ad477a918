"""Browsers that are in a room of a real server: they come back by themselves, and repeat what was not acknowledged."""

import asyncio
import json
import random
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

WAIT = (0.02, 0.2)  # seconds until a browser tries to come back
PATIENCE = 30.0


def opened(url: str) -> dict[str, str]:
    """Open a room, and return its code and its secret."""
    with urllib.request.urlopen(urllib.request.Request(f"{url}/room", b"", method="POST")) as reply:
        return json.load(reply)


def exported(url: str, room: dict[str, str], name: str = "answers.json") -> str:
    headers = {"Authorization": f"Bearer {room['secret']}"}
    with urllib.request.urlopen(urllib.request.Request(f"{url}/room/{room['code']}/{name}", headers=headers)) as reply:
        return reply.read().decode()


class Browser:
    """A browser: what it knows, and what it has not been told is on record."""

    def __init__(self, url: str, code: str, member: int, secret: str = "") -> None:
        self.address = f"{url.replace('http', 'ws', 1)}/room/{code}"
        self.hello = {"member": f"browser-{member:014d}", "secret": secret}
        self.random = random.Random(member)
        self.latest: dict[str, Any] = {}
        self.answer: dict[str, Any] | None = None  # that is not acknowledged
        self.came = 0  # how often
        self.socket: ClientConnection | None = None
        self.heard = asyncio.Event()
        self.task = asyncio.create_task(self._live())

    async def _live(self) -> None:
        while True:
            with suppress(OSError, WebSocketException, TimeoutError, asyncio.TimeoutError):
                async with connect(self.address, ping_interval=None, open_timeout=5) as self.socket:
                    self.came += 1
                    await self.say(hello=self.hello)
                    await self._repeat()
                    async for text in self.socket:
                        await self._hear(json.loads(text))
            await asyncio.sleep(self.random.uniform(*WAIT))

    async def _hear(self, told: dict[str, Any]) -> None:
        self.latest.update(told)
        you = told.get("you")
        if you and self.answer and you["round"] == self.answer["round"]:
            if you["keys"] == self.answer["keys"] or you["late"]:
                self.answer = None
            elif not you["counted"]:
                await self._repeat()
        self.heard.set()

    async def _repeat(self) -> None:
        if self.answer:
            await self.say(answer=self.answer)

    async def say(self, **told: Any) -> None:
        """Say something, if it can be said now."""
        if self.socket:
            with suppress(OSError, WebSocketException):
                await self.socket.send(json.dumps(told))

    async def give(self, number: int, key: str) -> None:
        """Answer, and go on until that is acknowledged."""
        self.answer = {"round": number, "keys": [key]}
        await self._repeat()

    async def until(self, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait until something holds of what this browser was told, and return that."""

        async def wait() -> dict[str, Any]:
            while not ("state" in self.latest and holds(self.latest)):
                self.heard.clear()
                await self.heard.wait()
            return self.latest

        return await asyncio.wait_for(wait(), PATIENCE)

    async def leave(self) -> None:
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task
