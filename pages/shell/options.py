"""How a session wants its pages: larger for a projector, or with what is for instructors."""

from __future__ import annotations

import streamlit as st


def wants(option: str) -> bool:
    """Return whether this session has switched ``present`` or ``instructor`` on."""
    return bool(st.session_state.get(f"option {option}"))
