"""A stage that is a table of modes: each is a stage in a file of its own, and the settings say which one is shown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from lessons.settings.settings import Settings
from pages.contract.case import RuleOption
from pages.contract.events import Move, Open, Touch
from pages.contract.film import Film
from pages.contract.moment import Moment, ShownChain
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.contract.tools import Tool
from pages.drawing.plates import Diagram
from samplers.judge.problem import Problem


class ModeStage(Stage[Settings]):
    """A stage whose settings have a `mode`: everything is left to the stage of that mode.

    Attributes
    ----------
    modes : mapping of str to Stage
        The stages of the modes, by the settings' `mode`. What marks they open is said here for all of them.
    """

    modes: ClassVar[Mapping[str, Stage[Any]]]

    def of(self, settings: Settings) -> Any:
        """Return the stage of the settings' mode."""
        return self.modes[settings.mode]

    def film(self, settings: Settings, seed: int) -> Film:
        return self.of(settings).film(settings, seed)

    def prepare(self, settings: Settings, seed: int) -> None:
        self.of(settings).prepare(settings, seed)

    def scene(self, settings: Settings, seed: int) -> Any:
        """Return the scene of the settings' mode, if it has one."""
        return self.of(settings).scene(settings, seed)

    def cards(self, settings: Settings, seed: int, view: str, t: int) -> str:
        return self.of(settings).cards(settings, seed, view, t)

    def case(self, settings: Settings, seed: int, t: int, problem: Problem) -> Sequence[RuleOption]:
        return self.of(settings).case(settings, seed, t, problem)

    def scored(self, settings: Settings) -> int:
        return self.of(settings).scored(settings)

    def moment(self, settings: Settings, seed: int, t: int) -> Moment:
        return self.of(settings).moment(settings, seed, t)

    def chains(self, settings: Settings, seed: int, t: int) -> Sequence[ShownChain]:
        return self.of(settings).chains(settings, seed, t)

    def more(self, settings: Settings, seed: int, t: int) -> Mapping[str, Any]:
        return self.of(settings).more(settings, seed, t)

    def model(self, settings: Settings, seed: int, t: int) -> Diagram:
        return self.of(settings).model(settings, seed, t)

    def missing(self, settings: Settings) -> str | None:
        return self.of(settings).missing(settings)

    def levels(self, settings: Settings) -> Sequence[str]:
        return self.of(settings).levels(settings)

    def follows(self, settings: Settings) -> bool:
        return self.of(settings).follows(settings)

    def extra(self, place: Place[Settings]) -> Iterable[Tool]:
        return self.of(place.settings).extra(place)

    def opening(self, place: Place[Settings]) -> Iterable[Tool]:
        return self.of(place.settings).opening(place)

    def actions(self, place: Place[Settings]) -> Iterable[Tool]:
        return self.of(place.settings).actions(place)

    def zoom(self, place: Place[Settings], level: str) -> None:
        self.of(place.settings).zoom(place, level)

    def touched(self, place: Place[Settings], touch: Touch) -> None:
        self.of(place.settings).touched(place, touch)

    def open(self, place: Place[Settings], mark: Open) -> None:
        self.of(place.settings).open(place, mark)

    def moved(self, place: Place[Settings], move: Move) -> None:
        self.of(place.settings).moved(place, move)
