"""What a browser tells is taken in as a whole, whatever it tells next."""

from __future__ import annotations

from functools import wraps
from typing import Any

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
