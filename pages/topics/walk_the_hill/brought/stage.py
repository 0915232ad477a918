"""The stage of own chains."""

from typing import ClassVar

from lessons.topics.walk_the_hill import WalkTheHillSettings
from pages.contract.film import Film
from pages.contract.moment import ShownChain
from pages.contract.uploads import ChainsUpload
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of, shared
from pages.topics.walk_the_hill.brought import cards
from pages.topics.walk_the_hill.brought.film import brought_film
from pages.topics.walk_the_hill.brought.scene import BroughtScene


@shared
def made_of(settings: WalkTheHillSettings) -> BroughtScene:
    """Return the scene of these settings, which sessions share."""
    return BroughtScene(settings, key_of(settings, "own"), (), settings.shown())


def scene_of(settings: WalkTheHillSettings, seed: int) -> BroughtScene:
    """Return the scene of these settings, in which a seed changes nothing."""
    return made_of(settings)


class Brought(SceneStage[WalkTheHillSettings, BroughtScene]):
    """The stage of own chains."""

    makes = scene_of
    own = ChainsUpload()
    views: ClassVar = {"step": cards.step, "code": cards.code, "summary": cards.so_far}

    def film(self, settings: WalkTheHillSettings, seed: int) -> Film:
        return brought_film(self.scene(settings, seed))

    def cards(self, settings: WalkTheHillSettings, seed: int, view: str, t: int) -> str:
        return self.views[view](self.scene(settings, seed), t)

    def chains(self, settings: WalkTheHillSettings, seed: int, t: int) -> list[ShownChain]:
        """Return the recorded chains; nothing in them is left to chance."""
        found = self.scene(settings, seed).shown
        named = [("" if place == 0 else f"chain_{chain + 1}") for place, chain in enumerate(found.chains)]
        return [ShownChain(found.sampler(place), 0, t, name) for place, name in enumerate(named)]
