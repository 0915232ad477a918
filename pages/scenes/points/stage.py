"""Base of the stages of points: a run sweep by sweep or one sweep beat by beat, the learner's own points."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic

import numpy as np

from lessons.data.columns import Column
from lessons.own.points import OwnPoints
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.place import Place
from pages.contract.tools import Number, Press, Tool
from pages.scenes.close_up import opened
from pages.scenes.gibbs_stage import BEATS, GibbsStage
from pages.scenes.picks import next_like
from pages.scenes.points import inspector
from pages.scenes.points.film import close_up_film, sweeps_film
from pages.scenes.points.own import UPLOAD
from pages.scenes.points.scene import REFERENCE, MixtureScene, Points


class PointsStage(GibbsStage[Points, MixtureScene[Points]], Generic[Points]):
    """A stage whose sampler gives points their labels."""

    one = "Point"
    update = inspector.CARDS
    sweeps = sweeps_film
    beats: ClassVar[Callable[..., Film]] = close_up_film
    own = UPLOAD
    opens = ("point", "count")

    def actions(self, place: Place[Points]) -> Iterable[Tool]:
        settings = place.settings
        scene = self.scene(settings, place.seed)
        if settings.opened is None:
            if place.view in BEATS and place.t:
                yield Number("point", "Point", len(scene.data))
            yield from self.beside(place)
        elif place.view in BEATS:
            yield from inspector.guess(place, scene, opened(scene.key, scene.run, settings.sweep))
        if settings.compared:
            yield Press("One chain", lambda: place.change(second="none"), ":material/close:")

    def frames(self, scene: MixtureScene[Points], sweep: int) -> int:
        """Return the last frame of a sweep; all sweeps have the same number of updates."""
        return 4 * scene.settings.sites(len(scene.data))

    def open(self, place: Place[Points], mark: Open) -> None:
        """Open the update of a point in the sweep at hand, or go to the next sweep with this number of components."""
        if mark.what == "count":
            run = self.scene(place.settings, place.seed).runs[0]
            place.move(next_like(run.tables[: run.made + 1], mark.which, place.t))
            return
        if place.settings.opened is None:
            place.change(step_by="update", sweep=max(1, place.t))
            place.view = "update"
        place.move(4 * mark.which - 3)  # it is lifted out there

    def beside(self, place: Place[Points]) -> Iterable[Tool]:
        """Return buttons for a second chain, while a step is a sweep; none, if a stage does not say otherwise."""
        return ()


def chains_of(settings: Points, seed: int, make: Callable[[Points, int], MixtureScene[Points]]) -> MixtureScene[Points]:
    """Return the chains of a topic's settings, with the sweeps that set the axes; sessions share what is made."""
    return make(settings, seed).look_ahead(make(settings, REFERENCE).runs)


def points_of(settings: Any) -> tuple[np.ndarray, tuple[Column, ...]]:
    """Return the points of settings with a `dataset`, or the learner's own, with their columns."""
    if settings.data != "own":
        dataset = settings.dataset()
        return dataset.data, tuple(map(Column, dataset.columns))
    mine: OwnPoints = settings.its_own()
    return mine.data, mine.columns
