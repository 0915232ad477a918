"""A stage: everything that the rest of the app asks of a topic."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, ClassVar, Generic

from lessons.loading import LOADING
from lessons.settings.settings import Settings
from pages.contract.case import RuleOption
from pages.contract.events import Move, Open, Touch
from pages.contract.film import Film
from pages.contract.moment import Moment, ShownChain
from pages.contract.place import Place
from pages.contract.tools import Tool
from pages.drawing.plates import Diagram, panel
from samplers.judge.problem import Problem

STAGES = "pages.topics"  # the package of the topics' packages
MODEL = "model"  # the view that all topics share
NEEDED = {
    "opens": "open",
    "levels": "zoom",
    "follows": "touched",
}  # what a stage offers, and the method that it then needs


class Stage(ABC, Generic[Settings]):
    """A sampler with its controls and its charts; its settings name its views and charts.

    Attributes
    ----------
    name : str
        The name that lessons use: that of the stage's package.
    whole : str
        The value of the setting ``step_by`` that shows the whole run instead of a close-up; "" if there are no
        close-ups.
    about : tuple of str
        Views that matter more than the picture above them, when a lesson's step opens them.
    opens : tuple of str
        The kinds of marks that a press opens: the word before the dash in their names.
    diagram : callable
        Draws the model from settings and a frame, if there is a view of the model.
    """

    name: ClassVar[str]
    whole: ClassVar[str] = ""
    about: ClassVar[tuple[str, ...]] = ()
    opens: ClassVar[tuple[str, ...]] = ()
    diagram: ClassVar[Callable[..., Diagram]]
    by_name: ClassVar[dict[str, "type[Stage[Any]]"]] = {}  # the stages loaded so far

    def __init_subclass__(cls) -> None:
        """Name the stage, and check that it has a method for everything that it offers.

        A module within a topic's package has a part of its stage, such as a mode, with the topic's name.

        Raises
        ------
        TypeError
            If it offers levels, marks or drags without the method that handles them.
        """
        super().__init_subclass__()
        for said, done in NEEDED.items():
            if getattr(cls, said) is not getattr(Stage, said) and getattr(cls, done) is getattr(Stage, done):
                raise TypeError(f"{cls.__name__} says `{said}`, so it needs a method `{done}`")
        cls.name, _, within = cls.__module__.removeprefix(f"{STAGES}.").partition(".")
        if not within:
            cls.by_name[cls.name] = cls

    @abstractmethod
    def film(self, settings: Settings, seed: int) -> Film:
        """Return the film for these settings and this seed."""

    def prepare(self, settings: Settings, seed: int) -> None:
        """Have other processes make ahead what this film needs, when they have nothing else to do; by default nothing.

        Nothing may be `missing`.
        """
        return

    @abstractmethod
    def cards(self, settings: Settings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at iteration t as HTML, with charts by `pages.drawing.parts.chart`.

        The result depends on the arguments only. The method may raise `NotYet`. It is called when nothing is `missing`,
        with t from 0 to the number of iterations in the settings.
        """

    def moment(self, settings: Settings, seed: int, t: int) -> Moment:
        """Return the screen at frame t for a download; nothing may be `missing`, and it may raise `NotYet`."""
        frame = None if settings.opened is None else t
        step = t if settings.opened is None else settings.opened
        return Moment(self.chains(settings, seed, step), settings.origins(), self.more(settings, seed, t), frame)

    def chains(self, settings: Settings, seed: int, t: int) -> Sequence[ShownChain]:
        """Return the chains on the screen at iteration t of the run."""
        return [ShownChain(settings.sampler(), seed, t)]

    def more(self, settings: Settings, seed: int, t: int) -> Mapping[str, Any]:
        """Return values that the page computes from the state in frame t, for `Moment.more`; by default none."""
        return {}

    def model(self, settings: Settings, seed: int, t: int) -> Diagram:
        """Return the diagram of the model, with the parts that frame t redraws marked; may raise `NotYet`."""
        return type(self).diagram(settings, t)

    def written(self, settings: Settings, seed: int, view: str, t: int) -> str:
        """Return a view as HTML: the model, drawn in the same way for all topics, or one of the stage's own `cards`."""
        return panel(self.model(settings, seed, t)) if view == MODEL else self.cards(settings, seed, view, t)

    def case(self, settings: Settings, seed: int, t: int, problem: Problem) -> Sequence[RuleOption]:
        """Return the names and values that a rule's lines have for each option of the update in frame t.

        It is called for the problems that are among ``settings.ruled``, and may raise `NotYet`.
        """
        return []

    def scored(self, settings: Settings) -> int:
        """Return the first frame that shows what a rule makes of an update."""
        return 1

    def extra(self, place: Place[Settings]) -> Iterable[Tool]:
        """Return the tools below the controls, such as an upload; by default none.

        Like `opening` and `actions`, it may be a generator. A host uses each tool before it asks for the next one, so
        that a note after an upload is about the data that have just come.
        """
        return ()

    def opening(self, place: Place[Settings]) -> Iterable[Tool]:
        """Return the tools above the controls in free play; by default none."""
        return ()

    def missing(self, settings: Settings) -> str | None:
        """Return a sentence that names what the learner must load before a run can play; None if nothing is missing."""
        return None

    def actions(self, place: Place[Settings]) -> Iterable[Tool]:
        """Return the tools beside the inspector's views; by default none."""
        return ()

    def levels(self, settings: Settings) -> Sequence[str]:
        """Return the sizes of *Step*, from coarse to fine, if other films show the same run in more detail."""
        return ()

    def zoom(self, place: Place[Settings], level: str) -> None:
        """Go to the same place of the run in the film of one of the `levels`."""
        return

    def follows(self, settings: Settings) -> bool:
        """Return whether the player reports a drag while it is under way."""
        return False

    def touched(self, place: Place[Settings], touch: Touch) -> None:
        """Handle a press or a drag on a chart that has a `hand`; unfinished drags come only if it `follows` them."""
        return

    def open(self, place: Place[Settings], mark: Open) -> None:
        """Open what a pressed mark stands for; its kind is in `opens`."""
        return

    def moved(self, place: Place[Settings], move: Move) -> None:
        """Reorder the parts of a card; by default no part can be moved."""
        return


@lru_cache
def stage_of(topic: str) -> Stage[Any]:
    """Return the stage of a topic; the first call loads its package in `pages.topics`."""
    with LOADING:
        import_module(f"{STAGES}.{topic}")
    return Stage.by_name[topic]()
