"""One coin: a prior, tosses, the posterior, and draws from it. The smallest topic, and the pattern for others."""

from typing import ClassVar

import streamlit as st

from lessons.stages.coin import CoinSettings
from pages.code.ways import code_of_step
from pages.contract.place import Place
from pages.shell.widgets import pressed
from pages.stages.coin import inspector
from pages.stages.coin.diagram import diagram
from pages.stages.coin.film import CoinRun
from pages.stages.coin.wall import WALL
from pages.stages.run_stage import RunStage


class CoinStage(RunStage[CoinSettings, CoinRun]):
    """The stage of the topic "One coin"."""

    makes = CoinRun
    diagram = diagram
    views: ClassVar = {"step": inspector.step, "code": code_of_step, "summary": inspector.summary}
    wall = WALL

    def actions(self, place: Place[CoinSettings]) -> None:
        """Draw the way from tosses to draws from their posterior, and back, where a learner may choose the method."""
        if "method" not in place.shown:
            return
        tossing = place.settings.method == "tosses"
        if not tossing and pressed("Back to the tosses", icon=":material/undo:"):
            place.change(method="tosses")
            place.move(place.settings.tosses)
            st.rerun()
        if tossing and place.t and pressed("Draw from this posterior", icon=":material/casino:"):
            heads, tails = self.run(place.settings, place.seed).chain[place.t]
            place.change(method="draws", tosses=heads + tails, heads=heads)
            place.move(0)
            st.rerun()
