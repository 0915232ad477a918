"""A place that a topic can change, kept by no session: from one address to the next."""

from dataclasses import replace
from typing import Any

from lessons.flow import Answers, Place, Screen, screen
from lessons.format.lesson import Lesson, Step


def _part(name: str) -> Any:
    """Return a part of the place as a property that can be set."""
    return property(
        lambda self: getattr(self.there, name),
        lambda self, value: setattr(self, "there", replace(self.there, **{name: value})),
    )


class Standing:
    """A place as `pages.contract.place.Place` describes it, on one of `lessons.flow`.

    Attributes
    ----------
    there : lessons.flow.Place
        The place to which all changes so far have led.
    """

    stage: str = _part("stage")
    settings: Any = _part("settings")
    seed: int = _part("seed")
    t: int = _part("t")
    view: str = _part("view")
    own: str = _part("own")

    def __init__(self, place: Place[Any], answers: Answers) -> None:
        self.there, self.answers = replace(place, walks=None), answers
        self.lesson = place.lesson.id if place.lesson else None
        self.step = place.step.id if place.step else None
        self.guesses: dict[str, int | None] = {}

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the controls that the step shows."""
        return self.there.shown

    def screen(self) -> Screen:
        """Return the screen of this place."""
        return screen(self.there, self.answers)

    def current(self) -> tuple[Lesson, Step] | None:
        """Return the open lesson and step, or None in free play."""
        return (self.there.lesson, self.there.step) if self.there.lesson and self.there.step else None

    def move(self, t: int, *, walk: bool = False) -> None:
        """Send the player to an iteration."""
        self.there = self.there.moved(t, walk=walk)

    def change(self, **changes: Any) -> None:
        """Change settings; the iteration stays the same, or the last one if the new run is shorter."""
        self.there = self.there.changed(**changes)
