"""The stage's frame: the places of charts and cards, on the screen until the player has drawn them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

SIDE = 2  # charts beside the main one, where a step names none


def frame(charts: Sequence[str] = (), *, cards: bool = True) -> None:
    """Draw the frame before the film is made; its style shows it where nothing has been drawn for a moment.

    Parameters
    ----------
    charts : sequence of str
        Names of the charts that will be shown, the main one first; none if they are not known yet.
    cards : bool
        Whether cards come below them.
    """
    main, *side = [name.replace("_", " ").capitalize() for name in charts] or [""] * (1 + SIDE)
    boxes = "".join(f"<div><span>{escape(name)}</span><i></i></div>" for name in side)
    below = '<p class="cards"></p>' * cards
    with st.container(key="frame"):
        st.html(
            f'<div class="frame" role="status"><p>Preparing the charts</p>'
            f"<section><div><span>{escape(main)}</span><i></i></div><aside>{boxes}</aside></section>{below}</div>"
        )
