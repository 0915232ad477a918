"""Errors: an address that means nothing; and unexpected ones, of which the log has the place and the page a remedy."""

import logging
import secrets

import streamlit as st

from lessons.failing import place_of

LOG = logging.getLogger("samplescope")


class BadAddressError(ValueError):
    """An invalid address; the text is a sentence that says what is wrong."""


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
