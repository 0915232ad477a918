"""A stage with a scene; views of the inspector are functions of the scene and a step of its runs."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from lessons.settings.settings import Settings
from pages.contract.moment import ShownChain
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.contract.tools import Own, Tool
from pages.contract.uploads import OwnUpload
from pages.drawing.markdown import plain
from pages.scenes.scene import RunScene

SceneT = TypeVar("SceneT", bound=RunScene[Any, Any])


class SceneStage(Stage[Settings], Generic[Settings, SceneT]):
    """A stage that shows one run or several, which sessions share.

    Attributes
    ----------
    makes : callable
        ``makes(settings, seed)`` returns the scene, on the named data or on the learner's own.
    own : OwnUpload or None
        The learner's own data, if the topic takes any.
    views : mapping
        The function that writes each view of cards, from the scene and a step of its runs.
    """

    makes: ClassVar[Callable[..., Any]]
    own: ClassVar[OwnUpload | None] = None
    views: ClassVar[Mapping[str, Callable[[Any, int], str]]] = {}

    def scene(self, settings: Settings, seed: int) -> SceneT:
        """Return the chains for these settings."""
        return type(self).makes(settings, seed)

    def extra(self, place: Place[Settings]) -> Iterable[Tool]:
        """Yield the upload, where the learner's own data are asked for.

        In a lesson with data of its own it is folded away; while these are in use, it is not there in a step without
        that control, nor before a question that locks it is answered.
        """
        settings: Any = place.settings
        if self.own is None or settings.data != "own":
            return
        current = place.current()
        held = current[0].held if current else None
        if held and settings.own == held.digest and ("data" not in place.shown or place.screen().locked):
            return
        yield Own(self.own, folded=bool(held))

    def missing(self, settings: Settings) -> str | None:
        """Return a sentence if the learner's own data are needed, or others."""
        said = self.own.missing(settings) if self.own else None
        if said is None and (lacking := settings.lacking()):
            head, colon, rest = lacking.partition(":")
            return f"**{plain(head)}{colon}**{plain(rest)}"
        return said

    def chains(self, settings: Settings, seed: int, t: int) -> list[ShownChain]:
        scene = self.scene(settings, seed)
        shown = zip(scene.runs, scene.steps_at(t), scene.prefixes, strict=False)
        return [ShownChain(run.chain.sampler, run.chain.seed, step, prefix) for run, step, prefix in shown]

    def cards(self, settings: Settings, seed: int, view: str, t: int) -> str:
        scene = self.scene(settings, seed)
        scene.ready(t)
        return self.views[view](scene, scene.step(t))
