"""Laplace approximations on a line: the parabola that touches a log density, and the Normal that it makes."""

from __future__ import annotations

from lessons.stages.laplace_line import LaplaceLineSettings
from pages.contract.events import Touch
from pages.contract.film import Film
from pages.contract.moment import Shown
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.player.kept import RUNS
from pages.stages.laplace_line import inspector
from pages.stages.laplace_line.film import film_of
from pages.stages.laplace_line.run import OptimiserRun


class LaplaceLineStage(Stage[LaplaceLineSettings]):
    """The stage of the topic "When Laplace lies"."""

    def film(self, settings: LaplaceLineSettings, seed: int) -> Film:
        """Return the film of these settings; there is no chance in it."""
        return RUNS.shared(f"laplace_line {settings.model_dump_json()}", lambda: film_of(OptimiserRun(settings)))

    def chains(self, settings: LaplaceLineSettings, seed: int, t: int) -> list[Shown]:
        """Return the optimiser's run, whose seed says nothing."""
        return [Shown(settings.sampler(), 0, t)]

    def cards(self, settings: LaplaceLineSettings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at iteration t."""
        if view in ("step", "code"):
            write = inspector.step if view == "step" else inspector.code
            return write(OptimiserRun(settings), t)
        if view == "best":
            return inspector.best(settings)
        return inspector.errors(settings.target) if view == "errors" else inspector.modes(settings.target)

    def touched(self, place: Place[LaplaceLineSettings], touch: Touch) -> None:
        """Begin where the hand was let go."""
        settings = place.settings
        place.change(start=settings.share_of(touch.x))
        place.move(0)
