"""The mode with one run: a Gibbs sampler that visits clusterings, one update a step."""

from typing import ClassVar

from lessons.topics.why_sample import WhySampleSettings
from pages.contract.events import Open
from pages.contract.place import Place
from pages.scenes.picks import next_like
from pages.scenes.run_stage import RunStage
from pages.topics.why_sample import bell, exact_cards, inspector
from pages.topics.why_sample.diagram import diagram
from pages.topics.why_sample.film import FilmedRun


class One(RunStage[WhySampleSettings, FilmedRun]):
    """One run, or a crowd of runs from one start."""

    diagram = diagram
    opens = ("clustering",)
    makes = FilmedRun
    views: ClassVar = {
        "update": inspector.update,
        "code": inspector.code,
        "all": exact_cards.all_clusterings,
        "sum": bell.bell,
        "flows": exact_cards.flows,
        "sweep": exact_cards.sweep,
        "kept": exact_cards.kept,
    }

    def open(self, place: Place[WhySampleSettings], mark: Open) -> None:
        """Go to the next visit to a clustering."""
        place.move(next_like(self.run(place.settings, place.seed).path, mark.which - 1, place.t))
