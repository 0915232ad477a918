"""The stage's frame: empty boxes in the places of charts and cards, until the player has drawn them."""

from collections.abc import Sequence
from html import escape

import streamlit as st

SIDE = 2  # charts beside the main one if a step names none


def frame(charts: Sequence[str] = (), *, cards: bool = True) -> None:
    """Draw the frame before the film is made; its style sheet shows it only after a short wait.

    Parameters
    ----------
    charts : sequence of str
        Names of the charts to come, the main one first; empty if they are not known yet.
    cards : bool
        Whether there will be cards below them.
    """
    main, *side = [name.replace("_", " ").capitalize() for name in charts] or [""] * (1 + SIDE)
    boxes = "".join(f"<div><span>{escape(name)}</span><i></i></div>" for name in side)
    below = '<p class="cards"></p>' * cards
    with st.container(key="frame"):
        st.html(
            f'<div class="frame" role="status"><p>Preparing the charts</p>'
            f"<section><div><span>{escape(main)}</span><i></i></div><aside>{boxes}</aside></section>{below}</div>"
        )
