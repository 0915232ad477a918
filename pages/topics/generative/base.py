"""Parts that the modes of the stage share: the scene of a method, and the pointer's doings."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from lessons.data.columns import REACH
from lessons.own.examples import Examples
from lessons.own.store import keep_own
from lessons.topics.generative import GenerativeSettings
from pages.contract.events import Touch
from pages.contract.film import Film
from pages.contract.place import Place
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of, shared
from pages.topics.generative.film import FilmedScene, at_query
from pages.topics.generative.fit import Fit
from pages.topics.generative.own import UPLOAD, edited


@shared
def _made(settings: GenerativeSettings, seed: int, kind: type[Any]) -> Any:
    fit = Fit(settings, settings.examples(seed))
    return kind(settings, key_of(settings, seed), (kind.makes(fit, seed),), fit)


class Generative(SceneStage[GenerativeSettings, FilmedScene]):
    """The stage of one method."""

    own = UPLOAD
    shows: ClassVar[type[FilmedScene]]

    def film(self, settings: GenerativeSettings, seed: int) -> Film:
        return at_query(_made(settings, seed, self.shows), settings)

    def scene(self, settings: GenerativeSettings, seed: int) -> FilmedScene:
        """Return the run of these settings with the query that they ask about."""
        return replace(_made(settings, seed, self.shows), settings=settings)

    def follows(self, settings: GenerativeSettings) -> bool:
        return settings.pointer == "query"

    def touched(self, place: Place[GenerativeSettings], touch: Touch) -> None:
        """Move the query, or change the examples: they are the learner's own from then on."""
        settings = place.settings
        before = settings.examples(place.seed)
        if settings.pointer == "query":
            place.change(**_asked(before, touch))
            return
        after = edited(before, settings.pointer, touch)
        if after is before:
            return
        ended = place.t >= settings.now.steps(settings, len(before.labels))
        place.change(data="own", own=keep_own(after))
        if ended:  # else an example that was added would wait for the next step
            own = place.settings
            place.move(own.now.steps(own, len(after.labels)))


def _asked(examples: Examples, touch: Touch) -> dict[str, float]:
    """Return where a touch puts the query: both features in the plane, or the one of the strip that was pressed."""
    if examples.in_plane:
        x, y = np.clip([touch.x, touch.y], np.negative(REACH), REACH).round(1) + 0.0  # no -0.0 in the link
        return {"query_1": float(x), "query_2": float(y)}
    place = min(int(touch.x), len(examples.features) - 1)
    feature, height = examples.features[place], min(max(touch.y, 0.0), 0.999)
    value = float(int(height * len(feature.bars))) if feature.bars else round(12 * height - 6, 1) + 0.0
    return {f"query_{place + 1}": value}
