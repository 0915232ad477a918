"""Limits of each address at the door, and the answer beyond them."""

import asyncio
from types import SimpleNamespace

import pytest
from starlette.responses import PlainTextResponse
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.http.clients import address_of
from pages.server import door, uploads
from pages.server.door import LATER, NONE, Door, Pace
from tests.loop import awaited
from tests.pages.server.asking import reply_of

RUN = BackMsg(rerun_script={}).SerializeToString()
THROUGH = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY).SerializeToString()


async def hello(scope, receive, send):
    """Answer everything, and read what is sent."""
    more = True
    while more and scope["method"] in ("POST", "PUT"):
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        more = message.get("more_body", False)
    await PlainTextResponse("hello")(scope, receive, send)


def asked(served, path="/x", **more):
    return awaited(reply_of(served, path, **more))


@pytest.fixture
def paces(monkeypatch):
    monkeypatch.setattr(door, "PACES", {name: Pace(0.1, 2) for name in door.PACES})


class Visitor:
    """A socket at the door; by itself it says nothing."""

    def __init__(self, served, address="10.0.0.1", path="/news"):
        self.said, self.told = asyncio.Queue(), []
        self.said.put_nowait({"type": "websocket.connect"})
        scope = {"type": "websocket", "path": path, "client": (address, 1)}
        self.task = asyncio.create_task(served(scope, self.said.get, self._hear))

    async def _hear(self, message):
        self.told.append(message)

    def say(self, data):
        self.said.put_nowait({"type": "websocket.receive", "bytes": data})

    def leave(self):
        self.said.put_nowait({"type": "websocket.disconnect", "code": 1001})

    @property
    def closed(self):
        return next((one["code"] for one in self.told if one["type"] == "websocket.close"), None)


async def settled():
    for _ in range(20):
        await asyncio.sleep(0)


# ---- requests --------------------------------------------------------------------------------------------------------


def test_who_asks_too_often_is_told_when_to_come_back(paces):
    served = Door(hello)
    assert [asked(served).status for _ in range(2)] == [200, 200]
    reply = asked(served)
    assert (reply.status, reply.headers["retry-after"], reply.headers["cache-control"]) == (429, "10", "no-store")
    assert reply.body == b"Too much at once: try again in 10 seconds."


def test_rooms_are_opened_at_a_pace_of_their_own(monkeypatch):
    monkeypatch.setitem(door.PACES, "rooms", Pace(1, 2))
    served = Door(hello)
    assert [asked(served, "/room", method="POST").status for _ in range(3)] == [200, 200, 429]
    assert asked(served, "/room").status == 200


def test_a_long_body_is_not_read():
    for length in (str(door.BODY + 1), "-1", "x"):
        assert asked(Door(hello), method="POST", content_length=length).status == 413
    assert asked(Door(hello), method="POST", content_length="1000").status == 200

    async def parts():
        return {"type": "http.request", "body": b"x" * 10_000, "more_body": True}

    told = []
    scope = {"type": "http", "method": "POST", "path": "/x", "headers": [], "client": ("10.0.0.1", 1)}
    awaited(Door(hello)(scope, parts, told.append))
    assert not told


@pytest.mark.parametrize(
    ("path", "query", "there"),
    [
        ("/draws?seed=3&t=5", b"", "/draws?seed=3&t=5"),  # %3F as servers decode it
        ("/draws?seed=3", b"t=5", "/draws?seed=3&t=5"),
        ("/course/draws?view=ä b", b"", "/course/draws?view=%C3%A4%20b"),
        ("//elsewhere.example?a=1", b"", "/elsewhere.example?a=1"),
        ("/?course=week3", b"", "/?course=week3"),
    ],
)
def test_an_address_whose_question_mark_was_encoded_leads_where_it_was_meant(path, query, there):
    told = []

    async def send(message):
        told.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": [], "client": ("::1", 1)}
    awaited(Door(hello)(scope, None, send))
    assert told[0]["status"] == 307
    assert dict(told[0]["headers"])[b"location"].decode() == there


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/agent/openapi.json"])
def test_figures_of_the_server_are_for_its_own_machine(path):
    async def ask(address):
        told = []

        async def send(message):
            told.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "client": (address, 1)}
        await Door(hello)(scope, None, send)
        return told[0]["status"]

    assert [awaited(ask(address)) for address in ("127.0.0.1", "::1", "10.0.0.1")] == [200, 200, 404]


def test_the_network_of_an_address():
    def of(host):
        return address_of({"client": (host, 1)})

    assert of("10.0.0.1") == of("::ffff:10.0.0.1") == "10.0.0.1"
    assert of("2001:db8::1") == of("2001:db8::2:3:4:5") != of("2001:db8:0:1::1")
    assert (of("::1"), of("fe80::1%eth0"), of("here:"), address_of({})) == ("::1", "fe80::", "here:", "")


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(monkeypatch):
    """Files as Streamlit keeps them."""
    files = {"a": {"1": SimpleNamespace(data=b"x" * 600)}}
    manager = SimpleNamespace(uploaded_file_mgr=SimpleNamespace(file_storage=files))
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: manager)
    monkeypatch.setattr(uploads, "OF_SESSION", 1_000)
    monkeypatch.setattr(uploads, "MARGIN", 0)
    monkeypatch.setattr(uploads, "OF_ALL", 1_500)
    return files


def put(served, session, size):
    return asked(served, f"/_stcore/upload_file/{session}/x", method="PUT", content_length=str(size))


def test_files_have_so_much_room_in_a_session_and_together(kept):
    served = Door(hello)
    assert put(served, "a", 400).status == 200
    assert put(served, "a", 401).status == 413
    assert put(served, "b", 900).status == 200
    assert put(served, "b", 1_001).status == 413
    full = put(served, "b", 901)
    assert (full.status, full.headers["retry-after"]) == (503, "30")
    kept.clear()
    assert put(served, "b", 901).status == 200
    assert asked(served, "/_stcore/upload_file/b/x", method="PUT").status == 411
    assert not served.uploads._coming


def test_a_file_that_comes_counts_and_one_that_stops_has_gone(kept, monkeypatch):
    monkeypatch.setattr(uploads, "PATIENCE", 0.3)  # longer than a busy machine needs until it is settled

    async def test():
        served = Door(hello)
        scope = {"type": "http", "method": "PUT", "path": "/_stcore/upload_file/a/2", "client": ("10.0.0.1", 1)}
        scope["headers"] = [(b"content-length", b"400")]
        coming = asyncio.create_task(served(scope, asyncio.Queue().get, None))
        await settled()
        assert served.uploads._coming == {"a": 400}
        await coming
        assert not served.uploads._coming

    awaited(test())


# ---- sockets ---------------------------------------------------------------------------------------------------------


async def listens(scope, receive, send):
    while (await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": "heard"})


def test_too_many_sockets_are_asked_to_come_back(monkeypatch):
    monkeypatch.setattr(door, "SOCKETS", 2)
    monkeypatch.setattr(door, "SOCKETS_OF_ALL", 3)

    async def test():
        served = Door(listens)
        first = [Visitor(served) for _ in range(3)]
        await settled()
        assert [one.closed for one in first] == [None, None, LATER]
        others = [Visitor(served, "10.0.0.2") for _ in range(2)]
        await settled()
        assert [one.closed for one in others] == [None, LATER]
        for one in (*first, *others):
            one.leave()
        await asyncio.gather(*(one.task for one in (*first, *others)))
        assert not served._open

    awaited(test())


def test_sockets_and_their_messages_come_at_a_pace(paces, monkeypatch):
    slept = []
    monkeypatch.setattr(door, "PATIENCE", 15.0)

    async def sleep(seconds):
        slept.append(seconds)

    async def test():
        served = Door(listens)
        some = [Visitor(served) for _ in range(4)]
        for one in some:
            one.say(b"x")
            one.say(b"y")
            one.leave()
        monkeypatch.setattr(door.asyncio, "sleep", sleep)
        await asyncio.gather(*(one.task for one in some))
        assert [one.closed for one in some] == [None, None, None, LATER]
        assert slept == [pytest.approx(10, abs=0.1)]
        slept.clear()
        fast = Visitor(served, "10.0.0.2")
        for _ in range(3):
            fast.say(b"x")
        fast.leave()
        await fast.task
        assert slept == [pytest.approx(10, abs=0.1)]
        assert len(fast.told) == 4

    awaited(test())


def test_who_tries_many_codes_is_asked_to_come_back(monkeypatch):
    monkeypatch.setitem(door.PACES, "wrong codes", Pace(0.1, 2))

    async def gone(scope, receive, send):
        await send({"type": "websocket.close", "code": NONE})

    async def test():
        served = Door(gone)
        some = [Visitor(served, f"10.0.0.{number // 3}") for number in range(6)]
        await asyncio.gather(*(one.task for one in some))
        assert [one.closed for one in some] == [NONE, NONE, LATER] * 2

    awaited(test())


# ---- pages -----------------------------------------------------------------------------------------------------------


class Pages:
    """A Streamlit that runs scripts until it is let."""

    def __init__(self):
        self.running, self.gone = [], []

    async def __call__(self, scope, receive, send):
        name = scope["client"][0]
        while (message := await receive())["type"] != "websocket.disconnect":
            if message["type"] == "websocket.receive":
                self.running.append((name, send))
        self.gone.append(name)

    async def through(self):
        """Let the script run through that began first; return whose it was."""
        name, send = self.running.pop(0)
        await send({"type": "websocket.send", "bytes": ForwardMsg(delta={}).SerializeToString()})
        await send({"type": "websocket.send", "bytes": THROUGH})
        await settled()
        return name


def test_pages_are_drawn_in_turn_address_after_address():
    async def test():
        scripts = Pages()
        served = Door(scripts)
        many = [Visitor(served, "many", "/_stcore/stream") for _ in range(5)]
        for one in many:
            one.say(RUN)
        await settled()
        assert len(scripts.running) == door.DRAWN_EACH
        other = Visitor(served, "other", "/_stcore/stream")
        other.say(RUN)
        await settled()
        assert [name for name, _ in scripts.running] == ["many", "many", "other"]
        many[-1].leave()
        await settled()
        assert scripts.gone == ["many"], "who leaves does not wait for her turn"
        assert [await scripts.through() for _ in range(5)] == ["many", "many", "other", "many", "many"]
        for one in (*many, other):
            one.leave()
        await asyncio.gather(*(one.task for one in (*many, other)))
        assert served.drawing._free == door.DRAWN
        assert not served.drawing.waiting

    awaited(test())


def test_a_page_that_is_open_does_not_wait_for_all_new_ones():
    async def test():
        scripts = Pages()
        served = Door(scripts)
        old = Visitor(served, "same", "/_stcore/stream")
        old.say(RUN)
        await settled()
        await scripts.through()
        new = [Visitor(served, "same", "/_stcore/stream") for _ in range(6)]
        for one in new:
            one.say(RUN)
        await settled()
        old.say(RUN)
        await settled()
        for _ in range(3):
            await scripts.through()
        assert old.told[-1]["bytes"] == THROUGH
        assert sum(len(one.told) for one in new) <= 2 * 3
        for one in (old, *new):
            one.leave()
        await asyncio.gather(*(one.task for one in (old, *new)))

    awaited(test())


def test_what_a_page_says_while_it_is_drawn_is_taken_at_once():
    async def test():
        scripts = Pages()
        served = Door(scripts)
        page = Visitor(served, path="/course/_stcore/stream")
        for _ in range(3):
            page.say(RUN)
        page.say(b"no message")
        await settled()
        assert len(scripts.running) == 4
        await scripts.through()
        assert served.drawing._free == door.DRAWN - 1, "the other two are taken into one more run"
        await scripts.through()
        assert served.drawing._free == door.DRAWN
        page.say(RUN)
        await settled()
        page.leave()
        await page.task
        assert served.drawing._free == door.DRAWN

    awaited(test())


def test_a_script_that_takes_long_leaves_its_turn(monkeypatch):
    monkeypatch.setattr(door, "LASTING", 0.0)

    async def test():
        scripts = Pages()
        served = Door(scripts)
        some = [Visitor(served, path="/_stcore/stream") for _ in range(4)]
        for one in some:
            one.say(RUN)
        async with asyncio.timeout(5):
            while len(scripts.running) < 4:
                await asyncio.sleep(0)
        for one in some:
            one.leave()
        await asyncio.gather(*(one.task for one in some))
        assert served.drawing._free == door.DRAWN

    awaited(test())


def test_a_page_that_comes_when_too_many_wait_is_asked_to_come_back(monkeypatch):
    monkeypatch.setattr("pages.http.lanes.MOST_WAITING", 0)

    async def test():
        page = Visitor(Door(Pages()), path="/_stcore/stream")
        page.say(RUN)
        await page.task
        assert page.closed == LATER

    awaited(test())
