"""People in a room, without a network: browsers that say and hear messages, as in `Hub.listen`."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.routing import Router

from lessons.format.lesson import Step
from pages.classroom.questions import question
from pages.classroom.rooms import Rooms
from pages.classroom.routes import room_routes

PATIENCE = 5.0
QUESTION = ("stan-no-discrete", "lost")  # one with three choices


class Person:
    """A browser: all that it was told, and the latest of each kind."""

    def __init__(self, app: Router, code: str, **headers: str) -> None:
        self.said: asyncio.Queue = asyncio.Queue()
        self.said.put_nowait({"type": "websocket.connect"})
        self.told: list[tuple[str, Any]] = []
        self.latest: dict[str, Any] = {}
        self.closed: int | None = None
        self._news = asyncio.Event()
        headers = {"host": "ours.example:8501", **headers}
        scope = {
            "type": "websocket",
            "path": f"/room/{code}",
            "root_path": "",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
        }
        self.task = asyncio.create_task(app(scope, self.said.get, self._hear))

    async def _hear(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self.closed = message["code"]
        elif message["type"] == "websocket.send":
            (kind, body), *_ = json.loads(message["text"]).items()
            self.told.append((kind, body))
            self.latest[kind] = body
        self._news.set()

    def say(self, text: str | None = None, **told: Any) -> None:
        self.said.put_nowait({"type": "websocket.receive", "text": text or json.dumps(told)})

    async def until(self, holds: Callable[[], Any], patience: float = PATIENCE) -> Any:
        """Wait until something holds of what was heard, and return it."""

        async def wait() -> Any:
            while not (found := holds()):
                self._news.clear()
                await self._news.wait()
            return found

        return await asyncio.wait_for(wait(), patience)

    async def state(self, holds: Callable[[dict], Any] = bool) -> dict:
        """Return the state as soon as it is such."""
        await self.until(lambda: "state" in self.latest and holds(self.latest["state"]))
        return self.latest["state"]

    async def you(self, holds: Callable[[dict], Any] = bool) -> dict:
        await self.until(lambda: "you" in self.latest and holds(self.latest["you"]))
        return self.latest["you"]

    async def watch(self, holds: Callable[[dict], Any] = bool) -> dict:
        await self.until(lambda: "watch" in self.latest and holds(self.latest["watch"]))
        return self.latest["watch"]

    async def sorry(self) -> str:
        """Return the next apology."""
        self.latest.pop("sorry", None)
        return await self.until(lambda: self.latest.get("sorry"))

    async def gone(self) -> int:
        """Return the code with which the connection is closed."""
        await self.until(lambda: self.closed is not None)
        return self.closed

    async def leave(self) -> None:
        self.said.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait_for(self.task, PATIENCE)


class Class:
    """A room with an instructor, and whoever comes."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.app = rooms, Router(room_routes(rooms))
        self.everybody: list[Person] = []

    async def open(self) -> Person:
        self.code, self.secret = await self.rooms.open()
        return self.teach()

    def teach(self) -> Person:
        person = Person(self.app, self.code)
        person.say(hello={"member": "t" * 22, "secret": self.secret})
        self.everybody.append(person)
        return person

    def learn(self, number: int = 0, **more: Any) -> Person:
        person = Person(self.app, self.code)
        person.say(hello={"member": f"learner-{number:014d}", **more})
        self.everybody.append(person)
        return person

    async def leave(self) -> None:
        for person in self.everybody:
            await person.leave()


@asynccontextmanager
async def a_class(rooms: Rooms) -> AsyncIterator[tuple[Class, Person]]:
    """Open a room, and have all leave it afterwards."""
    room = Class(rooms)
    teacher = await room.open()
    try:
        yield room, teacher
    finally:
        await room.leave()


def asked() -> Step:
    found = question(*QUESTION)
    assert found
    return found[1]


def moves(hand: dict[str, Any]) -> bool:
    """Return the act of a learner who follows the rule on her screen."""
    return hand["ratio"] > 1 if hand["dart"] is None else hand["dart"] < hand["bar"]


async def acts(person: Person, times: int) -> dict:
    """Do so many steps, as a learner who follows her rule; return what she holds then."""
    seen = None
    for step in range(times + 1):
        you = await person.you(lambda you, seen=seen: you["hand"] and you["hand"] != seen)
        seen = you["hand"]
        if step < times:
            person.say(act={**{name: seen[name] for name in ("relay", "chain", "step")}, "moves": moves(seen)})
    assert seen
    return seen
