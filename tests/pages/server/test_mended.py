"""Nothing is lost of messages that come close together; Streamlit itself would lose it."""

import asyncio
from contextlib import nullcontext
from copy import deepcopy
from types import SimpleNamespace

import pytest
from streamlit.components.v2.bidi_component import main as components
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData, RerunException, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.safe_session_state import SafeSessionState

from pages.server.mended import mend
from tests.loop import awaited

HEARD = "_handle_scriptrunner_event_on_event_loop"
PRESENTER = "make_bidi_component_presenter"
THEIRS = {
    SafeSessionState: "on_script_will_rerun",
    AppSession: HEARD,
    ScriptRequests: "_request_rerun_locked",
    components: PRESENTER,
}


@pytest.fixture(params=[True, False], ids=["mended", "Streamlit's own"])
def mended(request, monkeypatch):
    """Return whether it is mended, with Streamlit's own functions in their places where it is not."""
    for kind, name in THEIRS.items():
        theirs = getattr(kind, name)
        monkeypatch.setattr(kind, name, getattr(theirs, "__wrapped__", theirs))
    if request.param:
        mend()
        mend()  # once is enough
    return request.param


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


def test_a_callback_is_not_cut_short_and_the_script_is(mended):
    session = a_session()
    with pytest.raises(RerunException) if not mended else nullcontext():
        session.on_script_will_rerun(None)
    assert ("pressed" in session._state) == mended
    with pytest.raises(RerunException):
        session["pressed"]


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
    """Return a browser's messages of an event whose runner has a successor, and whether that one is still there."""
    session = Begun()
    after = session._scriptrunner

    async def hear() -> None:
        session._event_loop = asyncio.get_running_loop()
        getattr(session, HEARD)(ScriptRunner.__new__(ScriptRunner), event, ForwardMsg())

    awaited(hear())
    return session.sent, session._scriptrunner is after


def test_what_a_run_said_last_is_sent_though_the_next_one_has_begun(mended):
    assert sent_late(ScriptRunnerEvent.ENQUEUE_FORWARD_MSG) == ([ForwardMsg()] * mended, True)
    assert sent_late(ScriptRunnerEvent.SHUTDOWN) == ([], True)


@pytest.mark.parametrize("part", [{"fragment_id": "stage"}, {"fragment_id_queue": ["stage"]}, {}], ids=str)
def test_a_report_of_the_page_before_does_not_undo_a_way_to_another_one(mended, part, monkeypatch):
    if not part:  # a script draws its page again
        monkeypatch.setattr(
            "pages.server.mended.get_script_run_ctx", lambda **_: SimpleNamespace(page_script_hash="here")
        )
    requests = ScriptRequests()
    requests.request_rerun(RerunData(page_script_hash="there", query_string="step=fifth", is_history_navigation=True))
    requests.request_rerun(RerunData(page_script_hash="here", query_string="t=3", **part))
    drawn = requests.on_scriptrunner_ready().rerun_data
    assert not drawn.fragment_id_queue
    way = drawn.page_script_hash, drawn.query_string, drawn.is_history_navigation
    assert way == (("there", "step=fifth", True) if mended else ("here", "t=3", False))


def test_who_goes_on_after_a_report_goes_there(mended):
    requests = ScriptRequests()
    requests.request_rerun(RerunData(page_script_hash="here", fragment_id="stage"))
    requests.request_rerun(RerunData(page_script_hash="there"))
    assert requests.on_scriptrunner_ready().rerun_data.page_script_hash == "there"


def test_a_report_of_the_page_before_that_comes_while_another_one_is_drawn_names_that_one(mended):
    """Or the browser would clear its screen: it takes a run of another page for the first of that page."""
    requests = ScriptRequests()
    requests.request_rerun(RerunData(page_script_hash="there", query_string="step=fifth"))
    requests.on_scriptrunner_ready()
    requests.request_rerun(RerunData(page_script_hash="here", query_string="t=3", fragment_id="stage"))
    drawn = requests.on_scriptrunner_ready().rerun_data
    assert drawn.fragment_id_queue == ["stage"]
    assert (drawn.page_script_hash, drawn.query_string) == (("there", "step=fifth") if mended else ("here", "t=3"))
    requests.request_rerun(RerunData(page_script_hash="there", query_string="t=4", fragment_id="stage"))
    assert requests.on_scriptrunner_ready().rerun_data.query_string == "t=4", "one of the page itself is as it came"


def test_a_report_after_a_first_visit_is_as_it_came(mended):
    """The browser names no page then, and learns from the server which one it is."""
    requests = ScriptRequests()
    requests.request_rerun(RerunData(page_name="coin"))
    requests.on_scriptrunner_ready()
    requests.request_rerun(RerunData(page_script_hash="coin's", fragment_id="stage"))
    assert requests.on_scriptrunner_ready().rerun_data.page_script_hash == "coin's"


def test_a_components_values_share_a_class(mended):
    session, ids = SessionState(), ("of the component", "of its events")
    same = {"deserializer": lambda value: value, "serializer": lambda value: value}
    session._new_widget_state.set_widget_metadata(WidgetMetadata(ids[1], value_type="json_trigger_value", **same))
    present = getattr(components, PRESENTER)(ids[1], ids[0], {"told", "pressed"})
    assert present({"told": 1}, session) == {"told": 1}
    session._new_widget_state.set_from_value(ids[1], [{"event": "pressed", "value": "yes"}])
    first, second = (present({"told": 1}, session) for _ in range(2))
    assert first == deepcopy(first) == {"told": 1, "pressed": "yes"}
    assert (first.told, first.pressed, first.other) == (1, "yes", None)
    assert present(None, session) is None
    assert (type(first) is type(second)) == mended
