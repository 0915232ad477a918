"""A stage: all that the house asks of a topic."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, ClassVar, Generic

from lessons.loading import LOADING
from lessons.stages.settings import Settings
from pages.contract.events import Move, Open, Touch
from pages.contract.film import Film
from pages.contract.moment import Moment, Shown
from pages.contract.place import Place
from pages.drawing.plates import Diagram, panel

MODEL = "model"  # the view that all topics share
NEEDED = {
    "opens": "open",
    "levels": "zoom",
    "follows": "touched",
}  # what a stage says, and the method that it needs then


class Stage(ABC, Generic[Settings]):
    """Where a sampler, its controls and its charts meet; its settings say which views and charts there are.

    Attributes
    ----------
    name : str
        The name that lessons use: that of the stage's package.
    whole : str
        What the setting ``step_by`` is when the whole run is shown, and no close-up; "" where there are none.
    drawn : tuple of str
        The views of the inspector that hold widgets or charts, which a script draws; all others are cards alone.
    about : tuple of str
        Those that are what a lesson's step is about when it opens them, more than the picture above.
    opens : tuple of str
        Kinds of marks that a click opens: the word before the dash in their names.
    diagram : callable
        Makes the picture of the model, of settings and a frame, where there is a view of it.
    """

    name: ClassVar[str]
    whole: ClassVar[str] = ""
    drawn: ClassVar[tuple[str, ...]] = ()
    about: ClassVar[tuple[str, ...]] = ()
    opens: ClassVar[tuple[str, ...]] = ()
    diagram: ClassVar[Callable[..., Diagram]]
    by_name: ClassVar[dict[str, type[Stage[Any]]]] = {}  # those whose code has been loaded

    def __init_subclass__(cls) -> None:
        """Name the stage, and hold that what it offers can be done.

        Raises
        ------
        TypeError
            If it offers levels, marks or drags, and does nothing with them.
        """
        super().__init_subclass__()
        for said, done in NEEDED.items():
            if getattr(cls, said) is not getattr(Stage, said) and getattr(cls, done) is getattr(Stage, done):
                raise TypeError(f"{cls.__name__} says `{said}`, so it needs a method `{done}`")
        cls.name = cls.__module__.rpartition(".")[2]
        cls.by_name[cls.name] = cls

    @abstractmethod
    def film(self, settings: Settings, seed: int) -> Film:
        """Return the film of these settings and this seed."""

    @abstractmethod
    def cards(self, settings: Settings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at iteration t as HTML, other than those that are `drawn`.

        It depends on its arguments alone, and may raise `NotYet`. Nothing may be `missing`, and t lies between 0 and
        the iterations of the settings.
        """

    def moment(self, settings: Settings, seed: int, t: int) -> Moment:
        """Return what is on the screen in frame t, to be taken away; nothing may be `missing`, and it may wait."""
        frame = None if settings.opened is None else t
        step = t if settings.opened is None else settings.opened
        return Moment(self.chains(settings, seed, step), settings.origins(), self.more(settings, seed, t), frame)

    def chains(self, settings: Settings, seed: int, t: int) -> Sequence[Shown]:
        """Return the chains that are on the screen at iteration t of the run."""
        return [Shown(settings.sampler(), seed, t)]

    def more(self, settings: Settings, seed: int, t: int) -> Mapping[str, Any]:
        """Return what the page makes of the state in frame t, as a `Moment` needs it; by default nothing."""
        return {}

    def model(self, settings: Settings, seed: int, t: int) -> Diagram:
        """Return the model as a picture, with what frame t redraws, where there is a view of it; may raise `NotYet`."""
        return type(self).diagram(settings, t)

    def written(self, settings: Settings, seed: int, view: str, t: int) -> str:
        """Return a view as HTML: the model, which all topics draw alike, or one of the stage's own `cards`."""
        return panel(self.model(settings, seed, t)) if view == MODEL else self.cards(settings, seed, view, t)

    def inspect(self, place: Place[Settings]) -> None:
        """Draw one of the views that are `drawn`, for the iteration at which the player rests."""
        return

    def extra(self, place: Place[Settings]) -> None:
        """Draw below the controls, an upload for example; by default nothing."""
        return

    def opening(self, place: Place[Settings]) -> None:
        """Draw above the controls in free play; by default nothing."""
        return

    def missing(self, settings: Settings) -> str | None:
        """Return a sentence on what the learner must load before anything can play; None if nothing is missing."""
        return None

    def measured(self, settings: Settings, seed: int, t: int) -> Mapping[str, float]:
        """Return the outcomes of a run on the learner's own data, which settings alone do not hold; by default none."""
        return {}

    def actions(self, place: Place[Settings]) -> None:
        """Draw buttons beside the inspector's views; by default none."""
        return

    def levels(self, settings: Settings) -> Sequence[str]:
        """Return what Step can go by, from far to near, where another film shows the same run from nearer."""
        return ()

    def zoom(self, place: Place[Settings], level: str) -> None:
        """Go to the same place of the run in the film that is stepped through by one of the `levels`."""
        return

    def follows(self, settings: Settings) -> bool:
        """Return whether a drag is reported before it is over."""
        return False

    def touched(self, place: Place[Settings], touch: Touch) -> None:
        """Handle a click or a drag on a chart that has a `hand`; only what `follows` is not yet over."""
        return

    def open(self, place: Place[Settings], mark: Open) -> None:
        """Go to what a mark stands for that was clicked; it is of a kind that `opens`."""
        return

    def moved(self, place: Place[Settings], move: Move) -> None:
        """Put what can be moved on the cards into another order; by default there is no such thing."""
        return


@lru_cache
def stage_of(topic: str) -> Stage[Any]:
    """Return the stage of a topic, whose package in `pages.stages` is loaded when it is first asked for."""
    with LOADING:
        import_module(f"pages.stages.{topic}")
    return Stage.by_name[topic]()
