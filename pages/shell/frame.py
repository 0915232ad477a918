"""The stage's frame: empty boxes in the places of charts and cards, until the player has drawn them."""

from __future__ import annotations

import streamlit as st

USUAL = 3  # charts if a step names none: the main one, and two beside it


def frame(charts: int = 0, *, cards: bool = True) -> None:
    """Draw the frame before the film is made; its style sheet shows it only after a short wait.

    The boxes are empty: the titles of the charts come with the film.

    Parameters
    ----------
    charts : int
        How many charts are to come; 0 if that is not known yet.
    cards : bool
        Whether there will be cards below them.
    """
    box = "<div><span></span><i></i></div>"
    below = '<p class="cards"></p>' * cards
    with st.container(key="frame"):
        st.html(
            f'<div class="frame" role="status"><p>Preparing the charts</p>'
            f"<section>{box}<aside>{box * ((charts or USUAL) - 1)}</aside></section>{below}</div>"
        )
