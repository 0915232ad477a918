"""The Indian buffet: customers who take any number of dishes, and the exact facts beside them."""

from typing import ClassVar

from lessons.topics.ibp_buffet import IBPBuffetSettings
from pages.contract.events import Open
from pages.contract.place import Place
from pages.scenes.run_stage import RunStage
from pages.topics.ibp_buffet import inspector
from pages.topics.ibp_buffet.diagram import diagram
from pages.topics.ibp_buffet.run import BuffetRun
from pages.topics.ibp_buffet.wall import WALL


class IBPBuffetStage(RunStage[IBPBuffetSettings, BuffetRun]):
    """The stage of the topic "The Indian buffet"."""

    diagram = diagram
    wall = WALL
    opens = ("customer", "dish")
    makes = BuffetRun
    views: ClassVar = {"customer": inspector.customer, "code": inspector.code, "matrix": inspector.matrix}

    def open(self, place: Place[IBPBuffetSettings], mark: Open) -> None:
        """Go to a customer, or to the first one who took a dish."""
        run = self.run(place.settings, place.seed)
        if mark.what == "customer":
            place.move(mark.which)
        elif run.matrix[:, mark.which - 1].any():
            place.move(int(run.matrix[:, mark.which - 1].argmax()) + 1)
