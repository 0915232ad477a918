"""Laplace approximations on a line: the parabola that touches a log density, and the Normal that it makes."""

from typing import ClassVar

from lessons.topics.laplace_line import LaplaceLineSettings
from pages.contract.events import Touch
from pages.contract.moment import ShownChain
from pages.contract.place import Place
from pages.scenes.run_stage import RunStage
from pages.topics.laplace_line import inspector
from pages.topics.laplace_line.run import OptimiserRun


class LaplaceLineStage(RunStage[LaplaceLineSettings, OptimiserRun]):
    """The stage of the topic "When Laplace lies"."""

    views: ClassVar = {
        "step": inspector.step,
        "code": inspector.code,
        "errors": lambda run, _: inspector.errors(run.settings.target),
        "modes": lambda run, _: inspector.modes(run.settings.target),
        "best": lambda run, _: inspector.best(run.settings),
    }

    def makes(self, settings: LaplaceLineSettings, _: int) -> OptimiserRun:
        """Return the optimiser's run; there is no chance in it."""
        return OptimiserRun(settings)

    def run(self, settings: LaplaceLineSettings, seed: int) -> OptimiserRun:
        """Return the run, which is the same for every seed."""
        return super().run(settings, 0)

    def chains(self, settings: LaplaceLineSettings, seed: int, t: int) -> list[ShownChain]:
        """Return the optimiser's run, which does not depend on the seed."""
        return [ShownChain(settings.sampler(), 0, t)]

    def touched(self, place: Place[LaplaceLineSettings], touch: Touch) -> None:
        """Begin where the hand was let go."""
        settings = place.settings
        place.change(start=settings.share_of(touch.x))
        place.move(0)
