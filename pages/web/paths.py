"""Where the server's own addresses lie."""

from __future__ import annotations

import streamlit as st


def base_path() -> str:
    """Return the path below which the app is served: "" or such as "/course"."""
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def play_path() -> str:
    """Return the path below which films and the player's code lie."""
    return f"{base_path()}/play"


def news_path() -> str:
    """Return the path at which browsers hear of lessons that have changed."""
    return f"{base_path()}/news"


def room_path() -> str:
    """Return the path at which rooms are opened and heard."""
    return f"{base_path()}/room"


def join_path() -> str:
    """Return the path below which a class's code leads into it, as in ``/j/KX7M-2PQ9``."""
    return f"{base_path()}/j"


def pass_path() -> str:
    """Return the path at which a browser gets the studio's pass as a cookie."""
    return f"{base_path()}/pass"
