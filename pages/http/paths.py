"""The paths of the server's own addresses."""

import streamlit as st


def base_path() -> str:
    """Return the path below which the app is served: "", or a path such as "/course"."""
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}" if base else ""


def play_path() -> str:
    """Return the path of films and of the player's code."""
    return f"{base_path()}/play"


def stage_path() -> str:
    """Return the path of bare stages, which other pages show in a frame."""
    return f"{base_path()}/stage"


def news_path() -> str:
    """Return the path at which browsers get news of changed lessons."""
    return f"{base_path()}/news"


def room_path() -> str:
    """Return the path for opening and joining rooms."""
    return f"{base_path()}/room"


def join_path() -> str:
    """Return the path of links into a class by its code, such as ``/j/KX7M-2PQ9``."""
    return f"{base_path()}/j"


def pass_path() -> str:
    """Return the path at which a browser gets the studio's pass as a cookie."""
    return f"{base_path()}/pass"


def as_meant(path: str, query: str) -> str:
    """Return the address of this server that is meant by one whose ``?`` was encoded, and so is in its path."""
    path, _, encoded = path.partition("?")
    return f"/{path.lstrip('/')}?{'&'.join(filter(None, (encoded, query)))}"
