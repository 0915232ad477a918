"""Why one samples: all clusterings of a few points, listed with their exact posterior, and visited by a sampler."""

from __future__ import annotations

from lessons.stages.why_sample import WhySampleSettings
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.place import Place
from pages.contract.stage import Stage
from pages.drawing.plates import Diagram
from pages.player.kept import RUNS
from pages.stages.picks import next_like
from pages.stages.why_sample import bell, exact_cards, inspector
from pages.stages.why_sample.diagram import diagram
from pages.stages.why_sample.film import FilmedRun


def _run(settings: WhySampleSettings, seed: int) -> FilmedRun:
    """Return a run; all sessions with the same settings and seed share it."""
    return RUNS.shared(f"why_sample {settings.model_dump_json()} {seed}", lambda: FilmedRun(settings, seed))


class WhySampleStage(Stage[WhySampleSettings]):
    """The stage of the topic "Why sample?"."""

    opens = ("clustering",)

    def film(self, settings: WhySampleSettings, seed: int) -> Film:
        """Return the film of these settings and this seed."""
        return _run(settings, seed).film

    def cards(self, settings: WhySampleSettings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at iteration t."""
        views = {
            "update": inspector.update,
            "code": inspector.code,
            "all": exact_cards.all_clusterings,
            "sum": bell.bell,
            "flows": exact_cards.flows,
            "sweep": exact_cards.sweep,
            "kept": exact_cards.kept,
        }
        return views[view](_run(settings, seed), t)

    def model(self, settings: WhySampleSettings, seed: int, t: int) -> Diagram:
        """Return the model as a picture."""
        return diagram(t)

    def open(self, place: Place[WhySampleSettings], mark: Open) -> None:
        """Go to the next visit to a clustering."""
        place.move(next_like(_run(place.settings, place.seed).path, mark.which - 1, place.t))
