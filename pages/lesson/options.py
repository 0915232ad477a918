"""A session's display options: larger type for a projector, and the instructor's notes."""

import streamlit as st


def wants(option: str) -> bool:
    """Return whether this session has switched ``present`` or ``instructor`` on."""
    return bool(st.session_state.get(f"option {option}"))
