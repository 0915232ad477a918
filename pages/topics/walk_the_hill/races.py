"""Three samplers on one density, each with the same number of gradients."""

from typing import ClassVar

from lessons.topics.walk_the_hill import WalkTheHillSettings
from lessons.topics.walk_the_hill.walks import SAMPLERS
from pages.code.ways import code_of_step
from pages.contract.film import Film
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of
from pages.topics.walk_the_hill import summary
from pages.topics.walk_the_hill.compared import Race, race_film
from pages.topics.walk_the_hill.walks import run_of


def scene_of(settings: WalkTheHillSettings, seed: int) -> Race:
    """Return a run of each sampler."""
    return Race(settings, key_of(settings, seed), [run_of(settings.of_sampler(name), seed) for name in SAMPLERS])


class Races(SceneStage[WalkTheHillSettings, Race]):
    """The stage of three samplers."""

    makes = scene_of
    views: ClassVar = {
        "step": summary.race,
        "code": lambda race, _: code_of_step(race.runs[SAMPLERS.index(race.settings.method)], 0),
        "summary": summary.race,
    }

    def film(self, settings: WalkTheHillSettings, seed: int) -> Film:
        return race_film(self.scene(settings, seed))
