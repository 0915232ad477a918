"""News of the lessons: what listeners hear, who may listen, and what a page does when it is behind."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager

import pytest
import streamlit as st
from starlette.routing import Router, WebSocketRoute

from lessons.course.library import Library
from pages.server import news
from pages.server.news import News
from pages.server.routes import routes
from tests.lessons.format.sample import edited
from tests.loop import awaited

BEAT = 0.01
PATIENCE = 5


class Ear:
    """A listener, without a network."""

    def __init__(self, app: Router, **headers: str) -> None:
        self.app, self.headers = app, headers
        self.sent: asyncio.Queue = asyncio.Queue()
        self.said: asyncio.Queue = asyncio.Queue()
        self.said.put_nowait({"type": "websocket.connect"})

    async def listen(self) -> None:
        headers = {"host": "ours.example:8501", **self.headers}
        scope = {
            "type": "websocket",
            "path": "/news",
            "root_path": "",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
        }
        await self.app(scope, self.said.get, self.sent.put)

    async def next(self) -> dict:
        return await asyncio.wait_for(self.sent.get(), PATIENCE)

    async def text(self) -> str:
        return (await self.next())["text"]


@asynccontextmanager
async def listening(app: Router, **headers: str):
    ear = Ear(app, **headers)
    task = asyncio.create_task(ear.listen())
    assert (await ear.next())["type"] == "websocket.accept"
    yield ear
    ear.said.put_nowait({"type": "websocket.disconnect", "code": 1001})
    await asyncio.wait_for(task, PATIENCE)


def run(test: Callable[[], Coroutine]) -> None:
    awaited(test())


@pytest.fixture
def lesson(tmp_path):
    path = tmp_path / "one.md"
    path.write_text(edited("crp-one", "one"))
    return path


def app(look: Callable[[], str]) -> Router:
    return Router([WebSocketRoute("/news", News(look, BEAT).listen)])


def app_of(lesson) -> Router:
    library = Library([lesson.parent])

    def look() -> str:
        library.refresh()
        return library.token

    return app(look)


def titled(title: str) -> str:
    return edited("crp-one", "one").replace("One update", title)


def test_a_save_is_told_to_all_once_and_a_broken_one_to_nobody(lesson):
    async def test():
        served = app_of(lesson)
        async with listening(served) as one, listening(served) as two:
            first = await one.text()
            assert await two.text() == first
            lesson.write_text("broken")
            await asyncio.sleep(10 * BEAT)
            lesson.write_text(edited("crp-one", "one"))  # as it was: no news either
            await asyncio.sleep(10 * BEAT)
            assert one.sent.empty()
            assert two.sent.empty()
            lesson.write_text(titled("Two updates"))
            second = await one.text()
            assert await two.text() == second != first
            lesson.write_text(titled("Three updates, or more"))
            assert await one.text() not in (first, second)

    run(test)


def test_who_comes_after_all_have_left_hears_of_saves_again(lesson):
    async def test():
        served = app_of(lesson)
        async with listening(served) as one:
            first = await one.text()
        await asyncio.sleep(5 * BEAT)
        async with listening(served) as two:
            assert await two.text() == first
            lesson.write_text(titled("Two updates"))
            assert await two.text() != first

    run(test)


def test_folders_that_cannot_be_read_for_a_while_end_nothing_and_are_in_the_log_once(caplog):
    answers = iter(["a", "a", OSError(), OSError(), OSError(), "a", "b"])

    def look() -> str:
        found = next(answers, "b")
        if isinstance(found, Exception):
            raise found
        return found

    async def test():
        async with listening(app(look)) as one:
            assert await one.text() == "a"
            assert await one.text() == "b"

    run(test)
    assert len([record for record in caplog.records if "could not be read" in record.getMessage()]) == 1


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://ours.example:8501.evil.example"])
def test_pages_of_other_sites_hear_nothing(origin):
    async def test():
        ear = Ear(app(lambda: "a"), origin=origin)
        await ear.listen()
        closed = await ear.next()
        assert (closed["type"], closed["code"]) == ("websocket.close", news.REFUSED)

    run(test)


def test_pages_of_ours_do_and_who_speaks_is_sent_away():
    async def test():
        async with listening(app(lambda: "a"), origin="http://ours.example:8501") as ear:
            assert await ear.text() == "a"
            ear.said.put_nowait({"type": "websocket.receive", "text": "hello"})
            assert (await ear.next())["code"] == news.SILENT

    run(test)


@pytest.mark.parametrize("base", ["", "course"])
def test_the_route_lies_below_the_base_path(monkeypatch, base):
    monkeypatch.setattr(st, "get_option", lambda name: base if name == "server.baseUrlPath" else None)
    found = [route.path for route in routes() if isinstance(route, WebSocketRoute)]
    below = f"/{base}" if base else ""
    assert found == [f"{below}/news", f"{below}/room/{{code}}"]
