"""A message is taken in to the end of its callbacks, and a run is sent to its end, though the next one is there."""

import asyncio

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData, RerunException, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from pages.server.whole import send_whole, take_in_whole


class Pressed(SessionState):
    """A session in which a callback sets something."""

    def on_script_will_rerun(self, *args, **named):
        self.safe["pressed"] = True


def cut():
    raise RerunException(RerunData())


def a_session() -> SafeSessionState:
    state = Pressed()
    state.safe = SafeSessionState(state, cut)
    return state.safe


def test_a_callback_is_not_cut_short_and_the_script_is(monkeypatch):
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", SafeSessionState.on_script_will_rerun)
    take_in_whole()
    take_in_whole()  # once is enough
    session = a_session()
    session.on_script_will_rerun(None)
    assert session.filtered_state["pressed"]
    with pytest.raises(RerunException):
        session["pressed"]


def test_streamlit_itself_would_cut_it_short(monkeypatch):
    plain = SafeSessionState.on_script_will_rerun
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", getattr(plain, "__wrapped__", plain))
    with pytest.raises(RerunException):
        a_session().on_script_will_rerun(None)


HEARD = "_handle_scriptrunner_event_on_event_loop"


class Begun(AppSession):
    """A session whose second runner has begun, with nothing else in it."""

    def __init__(self):
        self._state, self._scriptrunner = AppSessionState.APP_IS_RUNNING, ScriptRunner.__new__(ScriptRunner)
        self.sent: list[ForwardMsg] = []

    def _enqueue_forward_msg(self, message):
        self.sent.append(message)

    def __del__(self):
        pass


def sent_late(event: ScriptRunnerEvent) -> tuple[list[ForwardMsg], bool]:
    """Return what a browser gets of an event whose runner has a successor, and whether the successor is still there."""
    session = Begun()
    after = session._scriptrunner

    async def hear() -> None:
        session._event_loop = asyncio.get_running_loop()
        getattr(session, HEARD)(ScriptRunner.__new__(ScriptRunner), event, ForwardMsg())

    asyncio.run(hear())
    return session.sent, session._scriptrunner is after


def test_what_a_run_said_last_is_sent_though_the_next_one_has_begun(monkeypatch):
    monkeypatch.setattr(AppSession, HEARD, getattr(AppSession, HEARD))
    send_whole()
    send_whole()
    assert sent_late(ScriptRunnerEvent.ENQUEUE_FORWARD_MSG) == ([ForwardMsg()], True)
    assert sent_late(ScriptRunnerEvent.SHUTDOWN) == ([], True)


def test_streamlit_itself_would_drop_it(monkeypatch):
    plain = getattr(AppSession, HEARD)
    monkeypatch.setattr(AppSession, HEARD, getattr(plain, "__wrapped__", plain))
    assert sent_late(ScriptRunnerEvent.ENQUEUE_FORWARD_MSG) == ([], True)
