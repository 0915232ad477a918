"""Parts that the modes of the stage share: the scene of a method, the views, and the pointer's doings."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from lessons.own.labelled import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.logistic import LogisticSettings
from pages.contract.events import Touch
from pages.contract.film import Film
from pages.contract.place import Place
from pages.contract.tools import Note, Press, Tool
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of, shared
from pages.topics.logistic import averages, inspector, losses
from pages.topics.logistic.film import LogisticScene, filmed
from pages.topics.logistic.fit import FITS
from pages.topics.logistic.own import UPLOAD, edited


@shared
def _made(settings: LogisticSettings, seed: int, kind: type[LogisticScene]) -> LogisticScene:
    data = _data(settings)
    fit = FITS[settings.likelihood](settings, data.points, data.labels, seed, data.columns)
    return kind(settings, key_of(settings, seed), (kind.makes(fit),), fit)


def _data(settings: LogisticSettings) -> OwnPoints:
    if settings.mine:
        own: OwnPoints = settings.its_own()
        return own
    return OwnPoints(*settings.dataset())


class Logistic(SceneStage[LogisticSettings, LogisticScene]):
    """The stage of one method."""

    own = UPLOAD
    shows: ClassVar[type[LogisticScene]]
    views: ClassVar = {
        "probe": lambda scene, t: inspector.probe(scene.at(t), scene.probe),
        "averages": lambda scene, t: averages.cards(scene.at(t), scene.settings.draws, scene.probe, scene.steps(t)),
        "losses": lambda scene, t: losses.cards(scene.at(t)),
        "errors": lambda scene, t: inspector.errors(scene.at(t)),
        "evidence": lambda scene, _: inspector.evidence(scene),
    }

    def extra(self, place: Place[LogisticSettings]) -> Iterable[Tool]:
        """Yield the upload, or the way back to the points of a lesson's step, and say why if there is no mode."""
        current = place.current()
        first: Any = current[0].settings_for(current[1]) if current else None
        if place.settings.data != "own" or first is None or "data" in place.shown:
            yield from super().extra(place)
        elif place.settings.own != first.own:
            undone = partial(place.change, data=first.data, own=first.own)
            yield Press("The first points again", undone, ":material/undo:")
        settings = place.settings  # with what was uploaded just now
        if self.missing(settings):
            return
        problem = self.scene(settings, place.seed).fit.problem
        if problem and place.screen().messages:
            yield Note(f"{problem[:1].upper()}{problem[1:]}.", ":material/trending_up:")

    def film(self, settings: LogisticSettings, seed: int) -> Film:
        film = filmed(_made(settings, seed, self.shows), (settings.probe_x, settings.probe_y), settings.squeeze)
        if not settings.edits:
            return film
        carries = -1.0 if settings.pointer == "move" else -2.0  # no point yet, or none ever
        return replace(film, params={**film.params, "carried": (0.0, 0.0), "carries": carries})

    def scene(self, settings: LogisticSettings, seed: int) -> LogisticScene:
        """Return the run of these settings with their probe."""
        return replace(_made(settings, seed, self.shows), settings=settings)

    def actions(self, place: Place[LogisticSettings]) -> Iterable[Tool]:
        """Yield the button that belongs to the evidence."""

        def take() -> None:
            best = inspector.best_log_precision(self.scene(place.settings, place.seed))
            place.change(prior="normal", log_precision=best)

        if place.view == "evidence":
            yield Press("Take the best λ", take, ":material/vertical_align_top:")

    def follows(self, settings: LogisticSettings) -> bool:
        return settings.pointer == "probe"

    def touched(self, place: Place[LogisticSettings], touch: Touch) -> None:
        """Move the probe, or change the points: they are the learner's own from then on."""
        settings = place.settings
        if not settings.edits:
            place.change(probe_x=round(touch.x, 1) + 0.0, probe_y=round(touch.y, 1) + 0.0)  # no -0.0 in the link
            return
        before = _data(settings)
        after = edited(before, settings.pointer, touch)
        if after is not before:
            place.change(data="own", own=keep_own(after))
