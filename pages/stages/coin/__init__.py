"""One coin: a prior, tosses, the posterior, and draws from it. The smallest topic, and the pattern for others."""

from __future__ import annotations

import streamlit as st

from lessons.stages.coin import CoinSettings
from pages.contract.film import Film
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.drawing.plates import Diagram
from pages.player.kept import RUNS
from pages.shell.widgets import pressed
from pages.stages.coin import inspector
from pages.stages.coin.diagram import diagram
from pages.stages.coin.film import CoinRun, film_of
from pages.stages.coin.wall import WALL


def _run(settings: CoinSettings, seed: int) -> CoinRun:
    return RUNS.shared(f"coin {settings.model_dump_json()} {seed}", lambda: CoinRun(settings, seed))


class CoinStage(Stage[CoinSettings]):
    """The stage of the topic "One coin"."""

    def film(self, settings: CoinSettings, seed: int) -> Film:
        """Return the film of these settings and this seed, or that of the wall of runs."""
        return WALL.film(self.name, settings, seed) if settings.many else film_of(_run(settings, seed))

    def model(self, settings: CoinSettings, seed: int, t: int) -> Diagram:
        """Return the model as a picture."""
        return diagram(settings, t)

    def cards(self, settings: CoinSettings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at iteration t."""
        views = {"step": inspector.step, "code": inspector.code, "summary": inspector.summary}
        return views[view](_run(settings, seed), t)

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
            heads, tails = _run(place.settings, place.seed).chain[place.t]
            place.change(method="draws", tosses=heads + tails, heads=heads)
            place.move(0)
            st.rerun()
