"""The learner's own throw of the puck: one path, in which there is no chance."""

import numpy as np

from lessons.topics.walk_the_hill import MOST_PUSH, WalkTheHillSettings
from pages.contract.events import Touch
from pages.contract.film import Film
from pages.contract.moment import ShownChain
from pages.contract.place import Place
from pages.drawing.cards import quiet
from pages.scenes.leapfrogs import LeapfrogPath
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of
from pages.topics.walk_the_hill import charts, inspector
from pages.topics.walk_the_hill.film import WalkScene, throw_film
from samplers import Chain

THROW = quiet("A throw is one path, not a draw. Choose HMC, NUTS or Metropolis as the sampler to collect draws.")


def thrown(settings: WalkTheHillSettings) -> LeapfrogPath:
    """Return the path of the learner's own throw."""
    throw = settings.throw()
    chain = Chain(throw, 0)
    return LeapfrogPath(1, throw.trajectory([chain[t] for t in range(settings.leapfrog_steps + 1)]))


def scene_of(settings: WalkTheHillSettings, seed: int) -> WalkScene:
    """Return a scene without a run."""
    return WalkScene(settings, key_of(settings, seed), ())


class Throws(SceneStage[WalkTheHillSettings, WalkScene]):
    """The stage of a throw."""

    makes = scene_of

    def film(self, settings: WalkTheHillSettings, seed: int) -> Film:
        return throw_film(self.scene(settings, seed), thrown(settings))

    def chains(self, settings: WalkTheHillSettings, seed: int, t: int) -> list[ShownChain]:
        return [ShownChain(settings.throw(), 0, t)]

    def cards(self, settings: WalkTheHillSettings, seed: int, view: str, t: int) -> str:
        write = {"step": inspector.leapfrog, "code": inspector.code_of_path}.get(view)
        return write(self.scene(settings, seed), thrown(settings), t) if write else THROW

    def follows(self, settings: WalkTheHillSettings) -> bool:
        """Return that the path follows what is dragged."""
        return True

    def touched(self, place: Place[WalkTheHillSettings], touch: Touch) -> None:
        """Throw from where the puck was dragged, or as hard as its arrow was; the whole path is shown."""
        settings = place.settings
        if touch.hand == "start":
            across, up = settings.share_of((touch.x, touch.y))
            place.change(start_x=across, start_y=up)
        elif touch.moved:
            push = (np.array([touch.x, touch.y]) - settings.start) / charts.arm(settings.window)
            across, up = np.clip(push, -MOST_PUSH, MOST_PUSH).round(2).tolist()
            place.change(push_x=across, push_y=up)
        place.move(settings.iterations)
