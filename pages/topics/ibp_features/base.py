"""Parts that the modes of the stage share: the scene of a model, and what the cards describe."""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from lessons.own.rows import Rows
from lessons.topics.ibp_features import LISTED, IBPFeaturesSettings
from pages.contract.events import Open
from pages.contract.place import Place
from pages.contract.tools import Number, Several, Slide, Tool
from pages.player.run import KEPT
from pages.scenes.gibbs_stage import BEATS, GibbsStage
from pages.scenes.picks import next_like
from pages.scenes.shared import key_of, shared
from pages.topics.ibp_features.film import FIRST_LOOK, close_up_film, sweeps_film
from pages.topics.ibp_features.inspector import as_sum, features_of
from pages.topics.ibp_features.own import UPLOAD
from pages.topics.ibp_features.run import FeaturesRun
from pages.topics.ibp_features.scene import FeaturesScene
from pages.topics.ibp_features.ways import other_ways
from samplers import Chain


@shared
def _made(settings: IBPFeaturesSettings, seed: int, kind: type[FeaturesScene]) -> FeaturesScene:
    rows, mode = _rows_of(settings), settings.now
    exact, estimate = mode.exact(settings, rows.data), mode.estimate(settings, rows.data)
    run = FeaturesRun(Chain(mode.sampler_of(settings, rows.data), seed, keep=KEPT), exact)
    return kind(settings, key_of(settings, seed), (run,), rows, exact, estimate)


def _rows_of(settings: IBPFeaturesSettings) -> Rows:
    """Return the rows that settings name, or the learner's own."""
    if settings.mine:
        own: Rows = settings.its_own()
        return own
    found = settings.dataset()
    one, many = ("test", "tests") if found.rows else ("image", "images")
    numbers = tuple(str(number + 1) for number in range(len(found.data)))
    return Rows(found.data, found.tile, found.rows or numbers, one, many)


class Features(GibbsStage[IBPFeaturesSettings, FeaturesScene]):
    """The stage of one model."""

    sweeps = sweeps_film
    beats = close_up_film
    own = UPLOAD
    opens = ("row", "count")
    views: ClassVar = {
        "sum": lambda scene, sweep: as_sum(scene, scene.run.state(sweep)),
        "ways": lambda scene, sweep: other_ways(scene, scene.run.state(sweep)),
    }
    shows: ClassVar[type[FeaturesScene]]

    def scene(self, settings: IBPFeaturesSettings, seed: int) -> FeaturesScene:
        """Return the chain of these settings, on the data that they name or the learner's own; sessions share it."""
        scene = _made(settings, seed, self.shows)
        scene.run.reach(FIRST_LOOK, "Making the first sweeps")
        return replace(scene, settings=settings)

    def actions(self, place: Place[IBPFeaturesSettings]) -> Iterable[Tool]:
        """Yield the choice of the row that the cards describe, and of the features in its sum."""
        settings = place.settings
        scene = self.scene(settings, place.seed)
        if place.view == "sum" or (place.view in BEATS and settings.opened is None and place.t):
            yield Number("row", scene.rows.one.capitalize(), len(scene.rows.data))
        if place.view == "sum":
            yield self._turn(place, scene)
        if place.view in ("ways", "sparse"):
            yield Slide("angle", "Turn factors 1 and 2", 0, 90, step=5, width=150, beside="Turn")

    def _turn(self, place: Place[IBPFeaturesSettings], scene: FeaturesScene) -> Several:
        """Return a switch for each feature."""
        sweep = min(scene.step(place.t), scene.run.made)
        state = scene.run.state(sweep)
        names, chosen = features_of(scene, state)
        turned = place.settings.turned
        names = names[:LISTED]

        def turn(wanted: list[int]) -> None:
            changed = {*wanted} ^ {*chosen}
            place.change(turned=turned ^ sum(1 << name for name in changed if name in names))

        there = [name for name in chosen if name in names]
        named = {name: f"{scene.words.one} {name + 1}" for name in names}
        return Several("in the sum", "In the sum", named, there, turn, among=(sweep, scene.row, names))

    def open(self, place: Place[IBPFeaturesSettings], mark: Open) -> None:
        """Open a row that was pressed, or go to the next sweep with this number of features."""
        if mark.what == "count":
            run = self.scene(place.settings, place.seed).run
            place.move(next_like(run.features[: run.made + 1], mark.which, place.t))
            return
        place.change(row=mark.which)
        if place.view not in BEATS:
            place.view = "sum"
