"""Wrong rules for hidden Markov models, each one method away from the right one: what lessons ask learners to find.

All of them run, and look plausible. `WRONG_SINGLE` has those of single-site sampling by name, and `WRONG_BLOCK` those
of block sampling; `WRONG_STICKY_SINGLE` and `WRONG_STICKY_BLOCK` have those of the model that learns how many states
there are.
"""

from collections.abc import Sequence
from math import fsum

import numpy as np

from samplers.hmm.block import Block
from samplers.hmm.concentrations import Seated
from samplers.hmm.model import ChainState, HiddenMarkov
from samplers.hmm.single import SingleSite
from samplers.hmm.sticky import Sticky, StickyBlock, StickySingle, StickyState


class NextLeftOut(SingleSite):
    """A state is drawn given the one before and the value, and the state after it is ignored."""

    def to_next(self, state: ChainState, hour: int) -> list[float]:
        """Return the same for every state."""
        return [0.0] * self.states


class DrawnFromFilter(Block):
    """Each state is drawn from its forward sum, and the later state that was just drawn is ignored."""

    def to_next(self, state: ChainState, hour: int) -> list[float]:
        """Return the same for every state."""
        return [0.0] * self.states


class LargestNotSum(Block):
    """The forward sum keeps its largest term alone, as if only the best way into a state counted."""

    def before(self, state: ChainState, hour: int) -> list[float]:
        """Return the largest terms, divided by their sum."""
        if hour == 0:
            return super().before(state, hour)
        last, rows = state.filtered[hour - 1], state.transitions
        found = [max(p * row[k] for p, row in zip(last, rows, strict=True)) for k in range(self.states)]
        total = fsum(found)
        return [each / total for each in found]


class StaysNotCounted(HiddenMarkov):
    """Transition probabilities are drawn from the changes alone: hours that keep their state are not counted."""

    def moves(self, labels: Sequence[int]) -> np.ndarray:
        """Return the counts without those of a state after itself."""
        found = super().moves(labels)
        return found - np.diag(np.diag(found))


class StaysNotCountedBlock(StaysNotCounted, Block):
    """Transition probabilities are drawn from the changes alone: hours that keep their state are not counted."""


class StaysNotCountedSingle(StaysNotCounted, SingleSite):
    """Transition probabilities are drawn from the changes alone: hours that keep their state are not counted."""


STAYS = "stays not counted"
WRONG_SINGLE: dict[str, type[SingleSite]] = {"next state left out": NextLeftOut, STAYS: StaysNotCountedSingle}
WRONG_BLOCK: dict[str, type[Block]] = {
    "drawn from the filter": DrawnFromFilter,
    "largest, not sum": LargestNotSum,
    STAYS: StaysNotCountedBlock,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""


class StayTablesCounted(Sticky):
    """Every table of a state in its own row counts for its base weight, also those that the stickiness has ordered."""

    def ordered_by_stickiness(self, state: StickyState) -> np.ndarray:
        """Return 0 for each state."""
        return np.zeros(self.states)


class StayTablesCountedBlock(StayTablesCounted, StickyBlock):
    """Every table of a state in its own row counts for its base weight, also those that the stickiness has ordered."""


class StayTablesCountedSingle(StayTablesCounted, StickySingle):
    """Every table of a state in its own row counts for its base weight, also those that the stickiness has ordered."""


class EveryStayByStickiness(Sticky):
    """When α and κ are redrawn, every table of a state in its own row counts as one that the stickiness has ordered."""

    def by_stickiness(self, seated: Seated) -> int:
        """Return the number of all tables of states in their own rows."""
        return int(np.diag(seated.tables).sum())


class EveryStayByStickinessBlock(EveryStayByStickiness, StickyBlock):
    """When α and κ are redrawn, every table of a state in its own row counts as one that the stickiness has ordered."""


class EveryStayByStickinessSingle(EveryStayByStickiness, StickySingle):
    """When α and κ are redrawn, every table of a state in its own row counts as one that the stickiness has ordered."""


STAY_TABLES, EVERY_STAY = "stay tables counted", "every stay by κ"
WRONG_STICKY_BLOCK: dict[str, type[StickyBlock]] = {
    STAY_TABLES: StayTablesCountedBlock,
    EVERY_STAY: EveryStayByStickinessBlock,
}
WRONG_STICKY_SINGLE: dict[str, type[StickySingle]] = {
    STAY_TABLES: StayTablesCountedSingle,
    EVERY_STAY: EveryStayByStickinessSingle,
}
"""The wrong rules of the sticky model by name, as above."""
