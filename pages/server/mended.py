"""Fixes for Streamlit, which loses messages that come close together, and leaves classes behind.

Each function replaces one of Streamlit's and calls it; tests check that Streamlit still needs the fix.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from types import ModuleType
from typing import Any

from streamlit.components.v2.bidi_component import main as components
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState


def mend() -> None:
    """Apply all fixes, once."""
    put_around(SafeSessionState, "on_script_will_rerun", take_in_whole)
    put_around(AppSession, "_handle_scriptrunner_event_on_event_loop", send_whole)
    put_around(ScriptRequests, "_request_rerun_locked", keep_the_way)
    put_around(components, "make_bidi_component_presenter", share_a_class)


def put_around(place: type | ModuleType, name: str, ours: Callable[..., Any]) -> None:
    """Replace a function of a class or a module, once, by ours, which gets theirs as its first argument."""
    theirs = getattr(place, name)
    if getattr(theirs, "ours", None) is not ours:
        made = wraps(theirs)(lambda *args, **named: ours(theirs, *args, **named))
        made.ours = ours  # type: ignore[attr-defined]
        setattr(place, name, made)


def take_in_whole(theirs: Callable[..., None], state: SafeSessionState, *args: Any, **named: Any) -> None:
    """Run the callbacks of a message to their ends, and let the next message interrupt the script only after that.

    For the next message, Streamlit ends a run wherever it touches the session's state, even before or within the
    callbacks of the previous message, and a press would be lost.
    """
    cut = state._yield_callback
    object.__setattr__(state, "_yield_callback", _go_on)  # the class has a `__setattr__` for keys of the session
    try:
        theirs(state, *args, **named)
    finally:
        object.__setattr__(state, "_yield_callback", cut)


def _go_on() -> None:
    """Go on without looking for the next message."""


def send_whole(
    theirs: Callable[..., None],
    session: AppSession,
    sender: ScriptRunner | None,
    event: ScriptRunnerEvent,
    *args: Any,
    **named: Any,
) -> None:
    """Send the last messages of a run, also if the next run has begun in the meantime.

    A run that has ended leaves its last messages to the server's loop. If the browser's next message comes in the same
    millisecond, Streamlit starts a new script runner and drops the messages that the old one left. If the old run drew
    the whole page and the new one draws a part, nothing repeats them: cards would be missing, and removed buttons would
    stay.
    """
    late = sender is not None and session._scriptrunner is not None and event is not ScriptRunnerEvent.SHUTDOWN
    theirs(session, session._scriptrunner if late else sender, event, *args, **named)


def keep_the_way(theirs: Callable[..., bool], requests: ScriptRequests, asked: RerunData) -> bool:
    """Keep a report from a part of the page from undoing a move to another page.

    Each names the page that the browser shows, which in the report is still the old page. If neither has begun,
    Streamlit merges the two, and would draw the page that was named last. If the new page is being drawn, the report's
    run comes after that; there the part is gone, and a browser that hears of a run of another page clears its screen.
    """
    way, waits = requests._rerun_data, requests._state is ScriptRequestType.RERUN
    moved = not way.fragment_id_queue if waits else way.page_script_hash not in ("", asked.page_script_hash)
    if moved and _stays(asked):
        asked = replace(
            asked,
            query_string=way.query_string,
            page_script_hash=way.page_script_hash,
            page_name=way.page_name,
            is_history_navigation=waits and way.is_history_navigation,
        )
    return theirs(requests, asked)


def _stays(asked: RerunData) -> bool:
    """Return whether the request comes from a part of a page, or from a script for its own page."""
    script = get_script_run_ctx(suppress_warning=True)
    again = script is not None and asked.page_script_hash == script.page_script_hash
    return again or bool(asked.fragment_id or asked.fragment_id_queue)


class Told(dict[str, object]):
    """A component's state, and the events of this run, by name."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)


def share_a_class(_: Callable[..., Any], events: str, *__: object) -> Callable[[Any, SessionState], Any]:
    """Return the function that makes a value for the script of a component's state and its events, which have an id.

    Streamlit makes a class for each value, by which a script can write to the state. Ours read it, some twenty times a
    visit: more than half of all that is left to the collector of garbage, 100 kB.
    """

    def present(state: Any, session: SessionState) -> Any:
        if not isinstance(state, dict):
            return state
        try:
            told = session._new_widget_state[events] or ()
        except KeyError:
            told = ()
        return Told({one["event"]: one.get("value") for one in told} | state)

    return present
