"""The place to drop a file: on the picture of a topic that takes data, where a learner can bring her own just now."""

from pathlib import Path

import streamlit as st

from lessons.settings.settings import OWN
from pages.lesson.state import Visit

_drop = st.components.v2.component("samplescope_drop", js=(Path(__file__).parent / "drop.js").read_text())


def drop(place: Visit) -> None:
    """Have the browser take a file that is dropped on the stage, if the learner's own data can be chosen here."""
    settings, seen = place.settings, place.screen()
    if settings.takes is None or seen.locked:
        return
    mine = getattr(settings, "data", None) == OWN
    if not mine and "data" not in seen.controls:
        return

    def asked() -> None:
        """Show the upload: the browser has a file for it."""
        place.change(data=OWN)

    with st.container(key="drop"):
        _drop(key=f"drop {place.stage}", data=None, default={"asked": None}, on_asked_change=asked)
