"""The inspector's cards, which follow the player: a script draws those at rest, the browser fetches all others."""

from typing import TypedDict

import streamlit as st

from pages.player.modules import loader
from pages.player.turns import session

_cards = st.components.v2.component("samplescope_cards", js=loader("player/cards.js"), isolate_styles=False)


class Cards(TypedDict):
    """The message to the browser: the cards at iteration `t`, and the source of others."""

    html: str
    source: str
    view: str
    t: int
    session: str


def cards(html: str, source: str, view: str, t: int) -> None:
    """Mount the cards of iteration t; see `message` for the source."""
    data: Cards = {"html": html, "source": source, "view": view, "t": t, "session": session()}
    _cards(key="cards", data=[data])
