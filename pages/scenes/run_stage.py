"""A stage with one run, as most topics have; views of the inspector are functions of the run and an iteration."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from lessons.settings.settings import Settings
from pages.contract.film import Film
from pages.contract.stage import Stage
from pages.drawing.markdown import plain
from pages.player.kept import RUNS
from pages.scenes.wall import Wall


class Filmed(Protocol):
    """A run with its film."""

    @property
    def film(self) -> Film:
        """The film of the run."""


R = TypeVar("R", bound=Filmed)


class RunStage(Stage[Settings], Generic[Settings, R]):
    """A stage whose settings and seed make one run, shared by all sessions.

    Attributes
    ----------
    makes : callable
        Makes the run from settings and a seed.
    views : mapping
        The function that writes each view of the inspector, from the run and an iteration.
    wall : Wall or None
        The wall of many runs, if the settings can ask for one.
    """

    makes: Callable[[Settings, int], R]
    views: ClassVar[Mapping[str, Callable[[Any, int], str]]]
    wall: ClassVar[Wall | None] = None

    def run(self, settings: Settings, seed: int) -> R:
        """Return the run, which is made at the first call."""
        return RUNS.shared(f"{self.name} {settings.model_dump_json()} {seed}", lambda: self.makes(settings, seed))

    def film(self, settings: Settings, seed: int) -> Film:
        if self.wall and settings.many:
            return self.wall.film(self.name, settings, seed)
        return self.run(settings, seed).film

    def prepare(self, settings: Settings, seed: int) -> None:
        """Have a wall made ahead."""
        if self.wall and settings.many:
            self.wall.prepare(self.name, settings, seed)

    def missing(self, settings: Settings) -> str | None:
        """Return a sentence if a run is not possible with these settings."""
        return plain(settings.lacking()) or None

    def cards(self, settings: Settings, seed: int, view: str, t: int) -> str:
        return self.views[view](self.run(settings, seed), t)
