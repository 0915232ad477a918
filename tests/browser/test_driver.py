"""The driver knows what the server has still to answer: a page is not at rest before, and is not waited for in vain."""

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

from tests.browser.snippets import UNANSWERED

pytestmark = pytest.mark.browser

TOLD = ClientState(
    query_string="seed=3&" * 40,
    widget_states=WidgetStates(widgets=[WidgetState(id=f"widget-{number}", int_value=number) for number in range(20)]),
    page_script_hash="hash",
    is_auto_rerun=True,
)
PAGE, FRAGMENT = (BackMsg(rerun_script=ClientState(fragment_id=name)) for name in ("", "a"))
for message in (PAGE, FRAGMENT):
    message.rerun_script.MergeFrom(TOLD)
BEGINS, ENDS = ForwardMsg(hash="a"), ForwardMsg(hash="b", script_finished=0)
BEGINS.new_session.name = "app"
APP = "<div data-testid=stApp></div>"


def heard(message: ForwardMsg) -> str:
    return f"socket.dispatchEvent(new MessageEvent('message', {{ data: bytes({list(message.SerializeToString())}) }}))"


def sent(message: BackMsg) -> str:
    return f"WebSocket.prototype.send.call(socket, bytes({list(message.SerializeToString())}))"


RUNNING, NOT_RUNNING = (
    f"document.querySelector('div').dataset.testScriptState = '{state}'" for state in ("running", "notRunning")
)


@pytest.fixture
def page(browser):
    """Open a page in a profile of its own: a clock that is set holds for all pages of one."""
    opened = browser.new_context()
    yield opened.new_page()
    opened.close()


@pytest.mark.parametrize(
    ("happens", "seconds", "unanswered"),
    [
        ([sent(PAGE)], 1, True),
        ([sent(FRAGMENT)], 9, True),
        ([sent(PAGE), heard(ENDS)], 1, True),
        ([sent(PAGE), heard(BEGINS)], 1, False),
        ([sent(FRAGMENT), heard(BEGINS)], 1, False),
        ([sent(FRAGMENT)], 11, False),
        ([sent(FRAGMENT), RUNNING], 11, True),
        ([sent(PAGE)], 11, True),
        ([sent(PAGE), sent(FRAGMENT)], 11, True),
    ],
)
def test_a_fragments_message_that_gets_no_answer_is_not_waited_for_without_end(page, happens, seconds, unanswered):
    page.clock.install()
    page.set_content(APP)
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.evaluate("() => { WebSocket.prototype.send = () => {}; window.socket = new EventTarget(); }")
    page.evaluate("() => { window.bytes = (numbers) => new Uint8Array(numbers).buffer; }")
    for said in (UNANSWERED, NOT_RUNNING, *happens):
        page.evaluate(said)
    page.clock.run_for(1000 * seconds)
    assert page.evaluate("window.unanswered") is unanswered
