"""What a browser tells is taken in as a whole, and what a run answers is sent as a whole, whatever comes next."""

from __future__ import annotations

from functools import wraps
from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.state.safe_session_state import SafeSessionState


def take_in_whole() -> None:
    """Let the callbacks of a message run to their ends, and the script be cut short only after them.

    Streamlit ends a run for the next message wherever the run touches the session's state, also before the callbacks of
    the message before or within one of them: what was pressed would be lost.
    """
    taken = SafeSessionState.on_script_will_rerun
    if hasattr(taken, "__wrapped__"):
        return

    @wraps(taken)
    def whole(state: SafeSessionState, *args: Any, **named: Any) -> None:
        cut = state._yield_callback
        object.__setattr__(state, "_yield_callback", _go_on)  # the class has a `__setattr__` for keys of the session
        try:
            taken(state, *args, **named)
        finally:
            object.__setattr__(state, "_yield_callback", cut)

    SafeSessionState.on_script_will_rerun = whole  # type: ignore[assignment]


def _go_on() -> None:
    """Do not look whether the next message has come."""


def send_whole() -> None:
    """Send what a run said last, also when the next run has begun before it was sent.

    A run that has ended leaves its last messages to the server's loop. If the browser's next message comes in the same
    millisecond, Streamlit starts a new runner of scripts and drops all that the one before left. After a run of the
    whole page, a run of one part would not say it again: cards would be missing, and a button that is gone would stay.
    """
    taken = AppSession._handle_scriptrunner_event_on_event_loop
    if hasattr(taken, "__wrapped__"):
        return

    @wraps(taken)
    def whole(
        session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, *args: Any, **named: Any
    ) -> None:
        late = sender is not None and session._scriptrunner is not None and event is not ScriptRunnerEvent.SHUTDOWN
        taken(session, session._scriptrunner if late else sender, event, *args, **named)

    AppSession._handle_scriptrunner_event_on_event_loop = whole  # type: ignore[assignment]
