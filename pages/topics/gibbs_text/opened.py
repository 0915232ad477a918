"""The mode in which one sweep is opened, update by update."""

from lessons.topics.gibbs_text import GibbsTextSettings
from pages.contract.place import Place
from pages.topics.gibbs_text.documents import Documents, chains_of, scene_of
from pages.topics.gibbs_text.scene import TextScene

MAKERS = {"documents": scene_of, "statistics": chains_of, "three_times": scene_of}


class OpenedSweep(Documents):
    """The stage of a sweep of the first chain, in which the update under way says which message is shown."""

    def scene(self, settings: GibbsTextSettings, seed: int) -> TextScene:
        """Return the chain whose sweep is opened, with those that were beside it."""
        return MAKERS[settings.layout](settings, seed)

    def cards(self, settings: GibbsTextSettings, seed: int, view: str, t: int) -> str:
        if view == "text":
            settings = settings.model_copy(update={"document": _document(self.scene(settings, seed), t) + 1})
        return super().cards(settings, seed, view, t)

    def shows_one(self, place: Place[GibbsTextSettings]) -> bool:
        return False  # a message is chosen by going to its update

    def go_to(self, place: Place[GibbsTextSettings], scene: TextScene, document: int) -> None:
        place.move(scene.run.order.frame_of(document, place.t))

    def zoom(self, place: Place[GibbsTextSettings], level: str) -> None:
        """Go back to the whole run, to its sweep before or after this one."""
        if level == "Sweep":
            scene = self.scene(place.settings, place.seed)
            before = place.t < 4 * len(scene.run.order.sites)
            sweep = min(place.settings.sweep, scene.run.last) - before
            place.change(step_by="sweep", document=_document(scene, place.t) + 1)
            place.move(sweep)


def _document(scene: TextScene, t: int) -> int:
    """Return the message whose update is under way in frame t, from 0."""
    return scene.run.order.document_at(t, scene.document)
