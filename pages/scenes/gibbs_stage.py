"""A stage of Gibbs sampling: a run, sweep by sweep, or one sweep, update by update, each in four beats."""

from collections.abc import Callable
from typing import Any, ClassVar, Generic

from lessons.settings.settings import Settings
from pages.contract.case import RuleOption
from pages.contract.film import Film
from pages.contract.place import Place
from pages.drawing.plates import Diagram
from pages.scenes.close_up import SCORE, CloseUp, UpdateCards, opened, under_way
from pages.scenes.scene_stage import SceneStage, SceneT
from pages.scenes.wall import Wall
from samplers.judge.problem import Problem

BEATS = ("update", "code")  # the views of one update
WALL = Wall("chain", "chains", "sweep")


class GibbsStage(SceneStage[Settings, SceneT], Generic[Settings, SceneT]):
    """A stage with a `GibbsSampler`, whose settings can name a sweep to open.

    Attributes
    ----------
    one : str
        The word for what an update redraws, for the *Step* button: ``"Point"``.
    update : UpdateCards
        The cards of an update.
    sweeps : callable
        ``sweeps(scene)`` returns the film of a run, sweep by sweep.
    beats : callable
        ``beats(scene, close_up)`` returns the film of one sweep, beat by beat.
    diagram : callable
        As for any stage, with the site that the frame redraws as a third argument.
    """

    whole = "sweep"
    one: ClassVar[str]
    update: ClassVar[UpdateCards]
    sweeps: ClassVar[Callable[..., Film]]
    beats: ClassVar[Callable[..., Film]]

    def film(self, settings: Settings, seed: int) -> Film:
        if settings.many:
            return WALL.film(self.name, settings, seed)
        scene = self.scene(settings, seed)
        if settings.opened is None:
            return type(self).sweeps(scene)
        return type(self).beats(scene, opened(scene.key, scene.run, scene.step(0)))

    def prepare(self, settings: Settings, seed: int) -> None:
        """Have a wall of chains made ahead."""
        if settings.many:
            WALL.prepare(self.name, settings, seed)

    def model(self, settings: Settings, seed: int, t: int) -> Diagram:
        """Return the diagram of the model, with the site that frame t of an opened sweep redraws."""
        scene, site = self.scene(settings, seed), None
        if settings.opened is not None and t:
            close_up: CloseUp[Any] = opened(scene.key, scene.run, settings.opened)
            site = close_up.sites[under_way(min(t, 4 * len(close_up)))[0]]
        return type(self).diagram(settings, t, site)

    def cards(self, settings: Settings, seed: int, view: str, t: int) -> str:
        scene = self.scene(settings, seed)
        if view not in BEATS:
            return super().cards(settings, seed, view, t)
        if settings.opened is None:
            scene.ready(t)
        return self.update.card(scene, view, t)

    def case(self, settings: Settings, seed: int, t: int, problem: Problem) -> list[RuleOption]:
        """Return the update under way, or the first later one of a label; at the start of a sweep, its first."""
        scene = self.scene(settings, seed)
        close_up: CloseUp[Any] = opened(scene.key, scene.run, settings.opened or max(scene.step(t), 1))
        number = 0 if settings.opened is None or not t else under_way(min(t, 4 * len(close_up)))[0]
        numbers = (*range(number, len(close_up)), *range(number))
        found = (self.update.case(scene, close_up[number], problem) for number in numbers)
        return next((case for case in found if case), [])

    def scored(self, settings: Settings) -> int:
        """Return the beat in which the first update of a sweep has been scored."""
        return 1 if settings.opened is None else SCORE

    def levels(self, settings: Settings) -> tuple[str, ...]:
        """Return the levels of *Step*: sweeps, their updates, and beats."""
        return ("Sweep", self.one, "Beat")

    def frames(self, scene: SceneT, sweep: int) -> int:
        """Return the last frame of an opened sweep."""
        return 4 * len(opened(scene.key, scene.run, sweep))

    def zoom(self, place: Place[Settings], level: str) -> None:
        """Open the next sweep, or go back to the whole run.

        The next sweep starts at the same state. After the last sweep, its own end is opened.
        """
        scene, settings, last = self.scene(place.settings, place.seed), place.settings, place.settings.iterations
        if level == "Sweep":
            sweep = settings.opened or 1
            before = place.t < self.frames(scene, sweep)
            place.change(step_by="sweep")
            place.move(sweep - before)
        elif settings.opened is None:
            sweep, frame = (place.t, self.frames(scene, last)) if place.t == last else (place.t + 1, 0)
            place.change(step_by="update", sweep=sweep)
            place.move(frame)
