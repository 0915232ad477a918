"""The stage of every step, before and after the answer to its question, by `lessons.flow`, as for all hosts."""

from dataclasses import replace
from typing import Any, NamedTuple

from lessons.flow import Answers, Place, screen
from lessons.format.lesson import Lesson, Step
from lessons.linked import address
from lessons.settings.settings import StageSettings, flags_of
from pages.contract.film import Film
from pages.contract.stage import Stage
from pages.contract.waiting import patiently
from pages.lesson.controls import words
from pages.player.player import Reel, message
from pages.publish.messages import Scene

NONE = Answers()
SHORT = 40  # iterations that every run has, if it is as long
ELSEWHERE = ("controls",)  # what the player locks: handles on charts change settings, and need a server


class Needed(NamedTuple):
    """A run that a lesson shows: its settings and seed, and the iterations at which a step rests, by view."""

    settings: StageSettings
    seed: int
    rests: set[tuple[str, int]]

    @property
    def last(self) -> int:
        """The last iteration that any step needs; a few more, if they come to no more than SHORT."""
        return max(t for _, t in self.rests)


class Stagehand:
    """Goes through a lesson on its stage as its learner does, and notes which runs it needs.

    Attributes
    ----------
    runs : dict of str to Needed
        The runs that were shown so far, by their sources.
    spare : set of str
        The sources of those that no step needs: a step can do without them.
    """

    def __init__(self, lesson: Lesson, stage: Stage[Any]) -> None:
        self.lesson, self.stage = lesson, stage
        self.runs: dict[str, Needed] = {}
        self.spare: set[str] = set()

    def opened(self, step: Step, *, spare: bool = False, **changes: Any) -> Scene:
        """Return the stage as a step opens; `changes` are other settings or another seed that its controls set."""
        known = {*self.runs}
        scene = self._scene(self._at(step, **changes))
        source = scene["message"]["source"]
        if not spare:
            self.spare.discard(source)
        elif source not in known:
            self.spare.add(source)
        return scene

    def answered(self, step: Step) -> Scene:
        """Return the stage as a step opens once its question has been answered."""
        return self._scene(self._at(step), self._right(step))

    def then(self, step: Step) -> Scene:
        """Return the stage right after the answer."""
        return self._scene(self._at(step).answered(), self._right(step))

    def _right(self, step: Step) -> Answers:
        return Answers().with_one(self.lesson, step, step.answers.right_keys)

    def _at(self, step: Step, seed: int | None = None, **changes: Any) -> Place[Any]:
        place = Place(self.lesson.stage, self.lesson.settings_for(step)).opened(self.lesson, step).moved(step.at or 0)
        place = place.changed(**changes) if changes else place
        return place if seed is None else replace(place, seed=seed)

    def _scene(self, place: Place[Any], answers: Answers = NONE) -> Scene:
        film = patiently(lambda: self.stage.film(place.settings, place.seed))
        seen = screen(place, answers)
        later = {"code"} if seen.code and seen.views else set()  # the browser knows when
        titles = [(name, title) for name, title in place.settings.views.items() if name in {*seen.views} | later]
        view = place.view if place.view in dict(titles) or not seen.views else seen.views[0]
        place = replace(place, t=min(place.t, film.total))
        self._needs(place, film, view)
        data = message(film, Reel(), seen, at=place.t, source=place.source, link=place.link, address=address(place))
        lock = [*dict.fromkeys((*seen.lock, *ELSEWHERE))]
        data |= {"before": False, "after": False, "lock": lock, "session": ""}
        return {"values": {}, "message": data, "view": view, "views": titles, "code": seen.code}

    def _needs(self, place: Place[Any], film: Film, view: str) -> None:
        run = self.runs.setdefault(place.source, Needed(place.settings, place.seed, {(view, min(SHORT, film.total))}))
        assert place.step is not None
        goals = [int(goal.way(place.settings, place.t, place.seed)[1]) for goal in place.step.goals]
        for t in (place.t, place.step.until or 0, *goals):
            run.rests.add((view, min(t, film.total)))


def in_words(settings: StageSettings, seed: int) -> dict[str, str]:
    """Return the values of all controls as learners read them, by name."""
    found = {"seed": str(seed)}
    for name, field in type(settings).model_fields.items():
        value, said = getattr(settings, name), flags_of(field).get("words", {})
        found[name] = f"{value:g}" if isinstance(value, float) else str(said.get(value, words(str(value))))
    return found
