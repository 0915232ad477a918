"""Where a learner is in a topic: what a topic may ask of the page."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from lessons.reader import Lesson, Step
from lessons.stages.settings import Settings


class Drawn(NamedTuple):
    """A widget as it was drawn last; see `pages.shell.widgets.bound`.

    Attributes
    ----------
    number : int
        How many there have been before it.
    value, among : object
        What it shows, and what else makes it this widget.
    first : object
        What it began with.
    """

    number: int
    value: object
    among: object
    first: object


class Place(Protocol[Settings]):
    """Where a learner is in a topic, as far as the topic's own widgets read and change it.

    Attributes
    ----------
    stage, lesson, step : str
        Names; None of lesson and step in free play.
    settings : StageSettings
        What the topic is set to.
    seed, t : int
        Of the chain; the iteration at which the player rests.
    view : str
        The inspector's view.
    own : str
        The digest of the learner's own data that were used here last, "" if there were none.
    widgets : dict
        Widgets by their names.
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
        """The names of the controls that are shown."""

    def current(self) -> tuple[Lesson, Step] | None:
        """Return the lesson and the step that are open, or None in free play."""

    def move(self, t: int, *, walk: bool = False) -> None:
        """Send the player to an iteration, at once or step by step."""

    def change(self, **changes: Any) -> None:
        """Change settings; the iteration stays where it is, as far as there is one."""
