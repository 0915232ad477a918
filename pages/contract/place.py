"""The place of a learner in a topic: everything that a topic may ask of the page."""

from typing import Any, NamedTuple, Protocol

from lessons.flow import Screen
from lessons.reader import Lesson, Step
from lessons.stages.settings import Settings


class Drawn(NamedTuple):
    """A widget as the page last drew it; see `pages.shell.widgets.bound`.

    Attributes
    ----------
    number : int
        The number of earlier widgets with this name.
    value, among : object
        Its value, and whatever else identifies the widget.
    first : object
        Its first value.
    """

    number: int
    value: object
    among: object
    first: object


class Place(Protocol[Settings]):
    """The place of a learner in a topic, as the topic's own widgets read and change it.

    Attributes
    ----------
    stage, lesson, step : str
        Their names; in free play, lesson and step are None.
    settings : StageSettings
        The settings of the topic.
    seed, t : int
        The chain's seed, and the iteration at which the player rests.
    view : str
        The open view of the inspector.
    own : str
        The digest of the learner's own data that were used here last; "" if there were none.
    widgets : dict
        The widgets, by name.
    """

    stage: str
    lesson: str | None
    step: str | None
    settings: Settings
    seed: int
    t: int
    view: str
    own: str
    widgets: dict[str, Drawn]

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the visible controls."""

    def screen(self) -> Screen:
        """Return what the learner sees here."""

    def current(self) -> tuple[Lesson, Step] | None:
        """Return the open lesson and step, or None in free play."""

    def move(self, t: int, *, walk: bool = False) -> None:
        """Send the player to an iteration, at once or step by step."""

    def change(self, **changes: Any) -> None:
        """Change settings; the iteration stays the same, or the last one if the new run is shorter."""
