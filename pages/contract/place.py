"""The place of a learner in a topic: everything that a topic may ask of the page."""

from typing import Any, Protocol

from lessons.flow import Screen
from lessons.format.lesson import Lesson, Step
from lessons.settings.settings import Settings


class Place(Protocol[Settings]):
    """The place of a learner in a topic, as the topic's own tools read and change it."""

    stage: str
    lesson: str | None  # None in free play, like the step; both are ids
    step: str | None
    settings: Settings
    seed: int
    t: int  # the iteration at which the player rests
    view: str  # the open one of the inspector
    own: str  # the digest of the learner's own data that were used here last; "" if there were none
    guesses: dict[str, int | None]  # of what an update will draw, by the update

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the visible controls."""

    def screen(self) -> Screen:
        """Return the learner's screen."""

    def current(self) -> tuple[Lesson, Step] | None:
        """Return the open lesson and step, or None in free play."""

    def move(self, t: int, *, walk: bool = False) -> None:
        """Send the player to an iteration, at once or step by step."""

    def change(self, **changes: Any) -> None:
        """Change settings; the iteration stays the same, or the last one if the new run is shorter."""
