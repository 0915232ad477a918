"""Browsers get what Streamlit would send, in its order, with less work; Streamlit itself would do all of it."""

import asyncio

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from pages.server.connections import Gathering
from pages.server.together import work_together

THEIRS = {app_session: "_populate_theme_msg", AppSession: "_on_scriptrunner_event"}
MANY = 50


@pytest.fixture(params=[True, False], ids=["together", "Streamlit's own"])
def together(request, monkeypatch):
    """Return whether work is done together, with Streamlit's own functions in their places where it is not."""
    for place, name in THEIRS.items():
        theirs = getattr(place, name)
        monkeypatch.setattr(place, name, getattr(theirs, "__wrapped__", theirs))
    if request.param:
        work_together()
        work_together()  # once is enough
    return request.param


def test_the_theme_is_the_same_and_read_once(together, monkeypatch):
    reads = []
    read = app_session.config.get_options_for_section
    monkeypatch.setattr(app_session.config, "get_options_for_section", lambda name: reads.append(name) or read(name))
    told = []
    for _ in range(3):
        theme = CustomThemeConfig()
        app_session._populate_theme_msg(theme)
        app_session._populate_theme_msg(theme.dark, "theme.dark")
        app_session._populate_theme_msg(theme.light.sidebar, "theme.light.sidebar")
        told.append(theme.SerializeToString(deterministic=True))
    theirs = getattr(app_session._populate_theme_msg, "__wrapped__", app_session._populate_theme_msg)
    theme = CustomThemeConfig()
    theirs(theme)
    theirs(theme.dark, "theme.dark")
    theirs(theme.light.sidebar, "theme.light.sidebar")
    assert set(told) == {theme.SerializeToString(deterministic=True)}
    assert theme.dark.primary_color
    assert together == (len(reads) <= 3 + 3)


class Heard(AppSession):
    """A session with nothing in it but a queue for the browser, and a count of how often the loop is woken."""

    def __init__(self, loop):
        self._event_loop, self._scriptrunner, self.woken = loop, None, 0
        self._state = AppSessionState.APP_IS_RUNNING
        self._browser_queue = ForwardMsgQueue()
        self._message_enqueued_callback = self.wake

    def wake(self):
        self.woken += 1

    def __del__(self):
        pass


def test_messages_come_in_order_and_wake_the_loop_once(together):
    messages = [ForwardMsg(script_finished=0) for _ in range(MANY)]
    for number, message in enumerate(messages):
        message.hash = str(number)

    async def say() -> Heard:
        session = Heard(asyncio.get_running_loop())
        for message in messages:
            session._on_scriptrunner_event(None, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=message)
        await asyncio.sleep(0.1)  # no script has ended: they are sent all the same
        return session

    session = asyncio.run(say())
    assert [message.hash for message in session._browser_queue.flush()] == [message.hash for message in messages]
    assert session.woken == (1 if together else MANY)
    assert session._message_enqueued_callback == session.wake


class Below:
    """A transport that keeps what is written."""

    def __init__(self):
        self.done = []

    def write(self, data):
        self.done.append(data)

    def close(self):
        self.done.append("closed")

    def is_closing(self):
        return "closed" in self.done


def test_what_is_written_within_a_moment_is_sent_at_once_and_before_the_end():
    below = Below()

    async def write() -> None:
        transport = Gathering(below)
        transport.write(b"a")
        transport.write(b"b")
        assert below.done == []
        await asyncio.sleep(0.05)
        assert below.done == [b"ab"]
        transport.write(b"c")
        transport.close()
        assert transport.is_closing()
        await asyncio.sleep(0.05)

    asyncio.run(write())
    assert below.done == [b"ab", b"c", "closed"]
