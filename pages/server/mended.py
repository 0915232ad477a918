"""What Streamlit loses when messages come close together, and does not lose here.

Each function takes the place of one of Streamlit's own and calls it; the tests hold that Streamlit still needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.state.safe_session_state import SafeSessionState


def mend() -> None:
    """Mend all of it, once."""
    _mend(SafeSessionState, "on_script_will_rerun", take_in_whole)
    _mend(AppSession, "_handle_scriptrunner_event_on_event_loop", send_whole)
    _mend(ScriptRequests, "_request_rerun_locked", keep_the_way)


def _mend(kind: type, name: str, mended: Callable[..., Any]) -> None:
    theirs = getattr(kind, name)
    if not hasattr(theirs, "__wrapped__"):
        setattr(kind, name, wraps(theirs)(lambda *args, **named: mended(theirs, *args, **named)))


def take_in_whole(theirs: Callable[..., None], state: SafeSessionState, *args: Any, **named: Any) -> None:
    """Let the callbacks of a message run to their ends, and the script be cut short only after them.

    Streamlit ends a run for the next message wherever the run touches the session's state, also before the callbacks of
    the message before or within one of them: what was pressed would be lost.
    """
    cut = state._yield_callback
    object.__setattr__(state, "_yield_callback", _go_on)  # the class has a `__setattr__` for keys of the session
    try:
        theirs(state, *args, **named)
    finally:
        object.__setattr__(state, "_yield_callback", cut)


def _go_on() -> None:
    """Do not look whether the next message has come."""


def send_whole(
    theirs: Callable[..., None],
    session: AppSession,
    sender: ScriptRunner | None,
    event: ScriptRunnerEvent,
    *args: Any,
    **named: Any,
) -> None:
    """Send what a run said last, also when the next run has begun before it was sent.

    A run that has ended leaves its last messages to the server's loop. If the browser's next message comes in the same
    millisecond, Streamlit starts a new runner of scripts and drops all that the one before left. After a run of the
    whole page, a run of one part would not say it again: cards would be missing, and a button that is gone would stay.
    """
    late = sender is not None and session._scriptrunner is not None and event is not ScriptRunnerEvent.SHUTDOWN
    theirs(session, session._scriptrunner if late else sender, event, *args, **named)


def keep_the_way(theirs: Callable[..., bool], requests: ScriptRequests, asked: RerunData) -> bool:
    """Keep a report from a part of the page from undoing a way to another page.

    Both are taken in together if neither has begun. The browser names the page that it shows in each, which in the
    report is still the one before, and Streamlit would draw the page that was named last.
    """
    way = requests._rerun_data
    if requests._state is ScriptRequestType.RERUN and not way.fragment_id_queue and _stays(asked):
        asked = replace(
            asked,
            query_string=way.query_string,
            page_script_hash=way.page_script_hash,
            page_name=way.page_name,
            is_history_navigation=way.is_history_navigation,
        )
    return theirs(requests, asked)


def _stays(asked: RerunData) -> bool:
    """Return whether a part of a page asks, or a script for the page that it draws."""
    script = get_script_run_ctx(suppress_warning=True)
    again = script is not None and asked.page_script_hash == script.page_script_hash
    return again or bool(asked.fragment_id or asked.fragment_id_queue)
