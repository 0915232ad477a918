"""Connections that ask for nothing, messages that do not end, and descriptors that are short: at a real server."""

import asyncio
import socket
import sys
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from streamlit.web.server.starlette import starlette_server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from pages.server import connections
from pages.server.connections import Connections, raise_descriptors
from pages.server.door import Door
from pages.server.headers import SecurityHeaders
from tests.loop import awaited

LARGEST, TOO_LARGE = 300_000, 1009  # bytes of a message; the code of closing


async def app(scope, receive, send):
    """Answer requests, and count the bytes of messages."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": str(len(message.get("bytes") or message["text"]))})


@pytest.fixture
def known(monkeypatch):
    """Connections of this test alone."""
    own = Connections()
    monkeypatch.setattr(connections, "CONNECTIONS", own)
    return own


@asynccontextmanager
async def serving():
    """Serve the app; yield its port."""
    watched = SecurityHeaders(Door(app))
    config = uvicorn.Config(watched, log_level="critical", ws="websockets-sansio", ws_max_size=LARGEST)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve([listening]))
        while not server.started:
            assert not task.done(), task.exception()
            await asyncio.sleep(0)
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = server.force_exit = True
            await task


async def begun(port, said=b"GET / HTTP/1.1\r\nHost: x\r\nX-A: "):
    """Return a connection by which a part of a request has come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(said)
    return reader, writer


async def answered(port):
    reader, writer = await begun(port, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    told = await reader.read()
    writer.close()
    return told.endswith(b"ok")


async def hung_up(reader):
    with suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), 10) == b""
    return True


def test_who_does_not_ask_is_hung_up_on(known, monkeypatch):
    monkeypatch.setattr(connections, "HEADERS", 0.05)

    async def test():
        async with serving() as port:
            assert await answered(port)
            for said in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-A: "):
                reader, writer = await begun(port, said)
                assert await hung_up(reader)
                writer.close()
            reader, writer = await begun(port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
            writer.write(b"GET / HT")  # a second request that does not go on
            assert await hung_up(reader)
            writer.close()
            async with connect(f"ws://127.0.0.1:{port}", ping_interval=None) as line:
                reader, writer = await begun(port, b"")
                assert await hung_up(reader)  # for longer than which the socket has been silent
                writer.close()
                await line.send("abc")
                assert await line.recv() == "3"
                assert len(known) == 1
        assert not len(known)

    awaited(test())


def test_who_has_asked_for_nothing_gives_way_when_descriptors_are_short(known, monkeypatch):
    monkeypatch.setattr(connections, "most_connections", lambda: 4)

    async def test():
        async with serving() as port:
            line = await connect(f"ws://127.0.0.1:{port}", ping_interval=None)
            held = [await begun(port) for _ in range(5)]
            for reader, _ in held[:2]:
                assert await hung_up(reader)
            assert await answered(port)
            assert await hung_up(held[2][0])
            await line.send("abc")
            assert await line.recv() == "3"
            await line.close()
            for _, writer in held:
                writer.close()

    awaited(test())


def test_an_address_with_many_connections_gives_way_to_others(monkeypatch):
    monkeypatch.setattr(connections, "most_connections", lambda: 3)
    gone = []

    class Transport:
        def __init__(self, host):
            self.host = host

        def get_extra_info(self, _):
            return self.host, 1

        def abort(self):
            gone.append(self)

    known = Connections()
    many = [Transport("many") for _ in range(2)]
    for one in (*many, Transport("a"), Transport("b")):
        known.came(one)
        known.asked(one)
    assert gone == [many[1]]
    known.gone(many[1])
    known.came(Transport("many"))
    assert len(known) == 3
    assert len(gone) == 2


def test_a_message_has_to_be_short_and_whole_in_time(known, monkeypatch):
    monkeypatch.setattr(connections, "UNFINISHED", 400_000)

    async def closed(line, part, times):
        async def parts():
            for _ in range(times):
                yield part
                await asyncio.sleep(0)
            await asyncio.Event().wait()

        sending = asyncio.create_task(line.send(parts()))
        with suppress(ConnectionClosed):
            await asyncio.wait_for(line.recv(), 10)
        sending.cancel()
        with suppress(asyncio.CancelledError, ConnectionClosed):
            await sending
        return line.close_code

    async def test():
        async with serving() as port:

            def visit():
                return connect(f"ws://127.0.0.1:{port}", ping_interval=None, compression=None)

            async with visit() as line:
                for size in (3, 100_000, 290_000):
                    await line.send(b"x" * size)
                    assert await line.recv() == f"{size}"
                await line.send([b"x" * 100_000] * 2)
                assert await line.recv() == "200000"
            async with visit() as line:
                assert await closed(line, b"x" * 50_000, 8) == TOO_LARGE
            for _ in range(100):
                await asyncio.sleep(0)
            assert known.unfinished == 0
            held = [await visit() for _ in range(3)]
            tasks = [asyncio.create_task(closed(line, b"x" * 50_000, 5)) for line in held]
            done, waiting = await asyncio.wait(tasks, timeout=10, return_when=asyncio.FIRST_COMPLETED)
            assert [task.result() for task in done] == [connections.LATER] * len(done)
            assert waiting
            monkeypatch.setattr(connections, "MESSAGE", 0.05)
            async with visit() as line:
                assert await closed(line, b"x", 1) == connections.LATER
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            for line in held:
                await line.close()

    awaited(test())


@pytest.mark.parametrize("ours", [True, False], ids=["ours", "Python's own"])
def test_answers_leave_at_once_on_a_loop_without_uvloop_as_well(known, monkeypatch, ours):
    if not ours:
        monkeypatch.setattr(connections, "send_at_once", lambda transport: None)

    async def test():
        async with serving() as port:
            reader, writer = await begun(port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await reader.readuntil(b"ok")
            (transport,) = known._known
            connection = transport.get_extra_info("socket")
            assert bool(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)) == ours
            writer.close()

    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        runner.run(test())


def test_the_longest_message_is_streamlits_option():
    kwargs = starlette_server._get_uvicorn_config_kwargs()
    assert (kwargs["ws"], kwargs["ws_max_size"]) == ("websockets-sansio", 4_000_000)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_the_server_has_as_many_descriptors_as_the_system_gives():
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (500, before[1]))
        assert connections.most_connections() == 500 - connections.SPARE
        raise_descriptors()
        hard = connections.WANTED if before[1] == resource.RLIM_INFINITY else before[1]
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, connections.WANTED)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
