"""Unexpected errors: the log says where one happened, and the page tells the learner what to do."""

import logging
import secrets
import traceback
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).parents[2]
LOG = logging.getLogger("samplescope")


def say_sorry(error: Exception) -> bool:
    """Log the type and place of an error, not its message, which may quote a learner's data; show a sentence.

    Returns
    -------
    bool
        True: Streamlit need not show it.
    """
    number = secrets.token_hex(3)
    LOG.error("error %s: %s at %s", number, type(error).__name__, place_of(error))
    st.error(
        f"Something went wrong here (error {number}). Reload the page. If it happens again, choose other settings, and "
        "give the number to the people who run this server.",
        icon=":material/error:",
    )
    return True


def place_of(error: BaseException) -> str:
    """Return the lines of our code in an error's traceback, the innermost first."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(ROOT)]
    ours = [f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno}" for frame in reversed(frames)]
    return " < ".join(place for place in ours if not place.startswith(".")) or "code of a library"
