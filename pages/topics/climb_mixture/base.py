"""The stage of one method, and what all methods share: the climb, those beside it, and a Gibbs sampler."""

from collections.abc import Iterable
from typing import ClassVar

from lessons.topics.climb_mixture import METHODS, ClimbMixtureSettings
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.moment import ShownChain
from pages.contract.place import Place
from pages.contract.tools import Number, Tool
from pages.scenes.points.own import UPLOAD
from pages.scenes.points.stage import points_of
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of, shared
from pages.topics.climb_mixture import inspector
from pages.topics.climb_mixture.film import film_of
from pages.topics.climb_mixture.run import ClimbRun, GibbsRun, grid_of
from pages.topics.climb_mixture.scene import ClimbScene
from pages.topics.climb_mixture.wall import WALL


@shared
def _made(settings: ClimbMixtureSettings, seed: int, kind: type[ClimbScene]) -> ClimbScene:
    data, columns = points_of(settings)
    grid = grid_of(data)
    others = [name for name in METHODS if name != settings.method] if settings.compare == "all" else []
    climbs = [ClimbRun(settings, name, data, seed, grid) for name in (settings.method, *others)]
    return kind(settings, key_of(settings, seed), (*climbs, GibbsRun(settings, data, seed, grid)), grid, columns)


class Climbs(SceneStage[ClimbMixtureSettings, ClimbScene]):
    """The stage of one method."""

    shows: ClassVar[type[ClimbScene]]
    own = UPLOAD
    opens = ("point",)
    views: ClassVar = {"step": inspector.step, "code": inspector.code, "components": inspector.components}

    def scene(self, settings: ClimbMixtureSettings, seed: int) -> ClimbScene:
        """Return the climb, the methods beside it, and a Gibbs sampler; sessions share them."""
        return _made(settings, seed, self.shows)

    def film(self, settings: ClimbMixtureSettings, seed: int) -> Film:
        """Return the film of a climb, or of a wall of many."""
        if settings.many:
            return WALL.film(self.name, settings, seed)
        return film_of(self.scene(settings, seed))

    def chains(self, settings: ClimbMixtureSettings, seed: int, t: int) -> list[ShownChain]:
        chain = self.scene(settings, seed).run.chain
        return [ShownChain(chain.sampler, chain.seed, t)]

    def actions(self, place: Place[ClimbMixtureSettings]) -> Iterable[Tool]:
        """Yield the number of the point whose responsibilities the cards show."""
        if place.view in ("step", "components") and not place.settings.many:
            points, _ = points_of(place.settings)
            yield Number("point", "Point", len(points))

    def open(self, place: Place[ClimbMixtureSettings], mark: Open) -> None:
        """Show the responsibilities of the point that was pressed."""
        place.change(point=mark.which)
