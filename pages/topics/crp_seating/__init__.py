"""The Chinese restaurant: customers, tables, and the exact facts beside them."""

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from lessons.topics.crp_seating import CRPSeatingSettings
from pages.contract.case import RuleOption
from pages.contract.events import Move, Open
from pages.contract.moment import Code, ShownChain
from pages.contract.place import Place
from pages.contract.tools import Press, Tool
from pages.scenes.run_stage import RunStage
from pages.topics.crp_seating import dishes, inspector
from pages.topics.crp_seating.diagram import diagram
from pages.topics.crp_seating.run import SeatingRun
from pages.topics.crp_seating.wall import WALL
from samplers.judge.problem import Problem

MOST_SHUFFLES = 999
SEATED = 5  # the first customer who is shown to a rule that a learner writes: there are tables to choose from


class CRPSeatingStage(RunStage[CRPSeatingSettings, SeatingRun]):
    """The stage of the topic "Chinese restaurant"."""

    diagram = diagram
    wall = WALL
    opens = ("customer", "table")
    makes = SeatingRun
    about = ("dishes",)
    views: ClassVar = {
        "customer": inspector.customer,
        "code": inspector.code,
        "dishes": dishes.panel,
        "evening": inspector.evening_view,
    }

    def case(self, settings: CRPSeatingSettings, seed: int, t: int, problem: Problem) -> list[RuleOption]:
        """Return the arrival in frame t, or the first."""
        return inspector.case(self.run(settings, seed), t, problem)

    def scored(self, settings: CRPSeatingSettings) -> int:
        """Return the arrival of a customer who finds several tables."""
        return min(SEATED, settings.customers)

    def chains(self, settings: CRPSeatingSettings, seed: int, t: int) -> list[ShownChain]:
        """Return the run: all of it where the customers come in another order than that in which they chose."""
        return [ShownChain(settings.sampler(), seed, settings.customers if self.run(settings, seed).shuffled else t)]

    def more(self, settings: CRPSeatingSettings, seed: int, t: int) -> dict[str, Any]:
        """Return who has come, and where they sit, if they come in another order."""
        run = self.run(settings, seed)
        if not run.shuffled:
            return {}
        seated = run.order[:t]
        return {"order": run.order, "come": Code(f"order[:{t}]", seated), "at": Code("state.assignments[come]", None)}

    def open(self, place: Place[CRPSeatingSettings], mark: Open) -> None:
        """Go to where a customer sat down, or to where a table was opened."""
        run = self.run(place.settings, place.seed)
        if mark.what == "customer":
            place.move(int(np.flatnonzero(run.order == mark.which - 1)[0]) + 1)
        else:
            place.move(int(np.argmax(run.counts[:, mark.which - 1] > 0)))

    def moved(self, place: Place[CRPSeatingSettings], move: Move) -> None:
        """Let an arrival come earlier or later."""
        run = self.run(place.settings, place.seed)
        if max(move.which, move.to) <= run.total and min(move.which, move.to) >= 1:
            place.change(arrivals=run.moved(move.which, move.to))

    def actions(self, place: Place[CRPSeatingSettings]) -> Iterable[Tool]:
        shuffle, own = place.settings.shuffle, place.settings.arrivals
        if place.lesson and place.view != "evening" and not (shuffle or own):
            return  # it would open another view than the one that the text speaks of

        def again() -> None:
            place.change(shuffle=shuffle % MOST_SHUFFLES + 1, arrivals="")
            place.view = "evening"

        said = "The same seating, in another order of arrival"
        yield Press("Shuffle the arrivals", again, ":material/shuffle:", said)
        if shuffle or own:
            undone, said = partial(place.change, shuffle=0, arrivals=""), "Back to the order in which they chose"
            yield Press("As they came", undone, ":material/undo:", said)
