"""Work that Streamlit does for every message and every run, done once or for many messages together.

A page is some fifty messages. Streamlit wakes its loop twice for each, and reads the theme's two hundred options at the
start of every run. Tests check that Streamlit still does so, and that browsers get the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

from pages.server.mended import put_around

SOON = 0.005  # seconds that a script's messages wait for more of them; Streamlit itself sends every 0.01 seconds
_themes: dict[str, CustomThemeConfig] = {}  # by section of the configuration


def work_together() -> None:
    """Replace Streamlit's functions, once."""
    put_around(app_session, "_populate_theme_msg", theme_once)
    put_around(AppSession, "_on_scriptrunner_event", hear_together)
    config.on_config_parsed(_themes.clear, force_connect=True)


def theme_once(theirs: Callable[..., None], told: CustomThemeConfig, section: str = "theme") -> None:
    """Add the theme to a message, read from the configuration only after that has changed."""
    if section not in _themes:
        made = CustomThemeConfig()
        theirs(made, section)
        _themes[section] = made
    if _themes[section].ByteSize():
        told.MergeFrom(_themes[section])


def hear_together(
    _: Callable[..., None],
    session: AppSession,
    sender: ScriptRunner | None,
    event: ScriptRunnerEvent,
    *args: Any,
    **named: Any,
) -> None:
    """Hand the messages of a script to the server's loop, many at a time; its start and its end at once.

    Streamlit wakes the loop for each message, which takes the interpreter's lock from the script that draws.
    """
    waiting: deque[Callable[[], None]] = vars(session).setdefault("events_waiting", deque())
    waiting.append(partial(session._handle_scriptrunner_event_on_event_loop, sender, event, *args, **named))
    hear = partial(_hear, session, waiting)
    if event is not ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
        session._call_soon_on_event_loop(hear)
    elif len(waiting) == 1:  # if two scripts of a session come here at once, the end of the run hands over everything
        soon: Callable[[], Any] = partial(session._event_loop.call_later, SOON, hear)
        session._call_soon_on_event_loop(soon)


def _hear(session: AppSession, waiting: deque[Callable[[], None]]) -> None:
    """Handle what waits; the loop, which Streamlit would wake after each message, is woken once."""
    wake, session._message_enqueued_callback = session._message_enqueued_callback, None
    try:
        while waiting:
            waiting.popleft()()
    finally:
        session._message_enqueued_callback = wake
        if wake:
            wake()
