"""The model whose number of states is fixed."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons.settings.fields import ON_A_WALL
from lessons.settings.law import LATER, Law, counted
from samplers.data.hours import centres, stay_or_move
from samplers.hmm.block import Block
from samplers.hmm.exact import Truth, truth
from samplers.hmm.exact_sticky import ExactStates
from samplers.hmm.model import HiddenMarkov
from samplers.hmm.single import SingleSite
from samplers.hmm.wrong import WRONG_BLOCK, WRONG_SINGLE

if TYPE_CHECKING:
    from lessons.topics.hidden_chain import HiddenChainSettings

KINDS: Mapping[str, Callable[["HiddenChainSettings"], type[HiddenMarkov]]] = {  # by the method, each with its rule
    "single": lambda settings: WRONG_SINGLE.get(settings.rule, SingleSite),
    "block": lambda settings: WRONG_BLOCK.get(settings.block_rule, Block),
}


class States:
    """States that keep their names.

    Attributes
    ----------
    controls : tuple of str
        The controls that another model does without.
    laws : mapping of str to callable
        The outcomes whose exact distribution is known where the posterior is, each with what makes it of that.
    most, price : int
        The most sweeps of each chain on a wall, and the time of an update, in those of this model.
    """

    controls: ClassVar[tuple[str, ...]] = ("stay", "parameters")
    laws: ClassVar[Mapping[str, Callable[[Any], Law]]] = {
        "changes": lambda exact: counted(LATER, exact.changes),
        "high": lambda exact: Law(LATER, float(exact.marginals[:, -1].sum())),
    }
    most, price = ON_A_WALL, 1

    def blocks(self, settings: "HiddenChainSettings") -> int:
        """Return the number of updates in a sweep beside those of the states."""
        return 2 * (settings.parameters == "drawn")

    def kernel(self, settings: "HiddenChainSettings", method: str, series: np.ndarray) -> HiddenMarkov:
        """Build the sampler of a series by a method."""
        size, drawn = settings.states, settings.parameters == "drawn"
        rows = stay_or_move(size, settings.stay)
        return KINDS[method](settings)(series, centres(size), settings.deviation, rows, learned=drawn)

    def truth(self, kernel: Any) -> Truth | ExactStates | None:
        """Return the exact posterior of the states, where it can be summed."""
        return truth(kernel)

    def highest(self, settings: "HiddenChainSettings", labels: np.ndarray, means: Sequence[float]) -> int:
        """Return the state whose hours are counted: the last one."""
        return settings.states - 1
