"""The top of the course map: a coin to press, and the posterior of its probability of heads."""

from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_toss = st.components.v2.component(
    "samplescope_toss",
    html=(_HERE / "toss.html").read_text("utf-8"),
    css=(_HERE / "toss.css").read_text("utf-8"),
    js=(_HERE / "toss.js").read_text("utf-8"),
)


def toss() -> None:
    """Mount the coin, which works entirely in the browser."""
    _toss(key="toss")
