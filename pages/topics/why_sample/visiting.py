"""The part that the stages of all modes share: views of exact numbers, and a press on a clustering."""

from typing import Any, ClassVar

from lessons.topics.why_sample import WhySampleSettings
from pages.contract.events import Open
from pages.contract.place import Place
from pages.scenes.picks import next_like
from pages.scenes.run_stage import R, RunStage
from pages.topics.why_sample import bell, exact_cards
from pages.topics.why_sample.diagram import diagram


class Visiting(RunStage[WhySampleSettings, R]):
    """A stage whose run is in one clustering after the other."""

    diagram = diagram
    opens = ("clustering",)
    exact: ClassVar = {
        "all": exact_cards.all_clusterings,
        "sum": bell.bell,
        "flows": exact_cards.flows,
        "sweep": exact_cards.sweep,
        "kept": exact_cards.kept,
    }

    def open(self, place: Place[WhySampleSettings], mark: Open) -> None:
        """Go to the next iteration at which the run, or the draw, is in a clustering."""
        run: Any = self.run(place.settings, place.seed)
        place.move(next_like(run.path, mark.which - 1, place.t))
