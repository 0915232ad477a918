"""The model whose number of states is learned: the sticky HDP."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons.settings.law import LATER, counted
from lessons.topics.hidden_chain.fixed import States
from samplers.data.hours import centres
from samplers.hmm.concentrations import Priors
from samplers.hmm.exact_sticky import ExactStates, exact_states
from samplers.hmm.sticky import Sticky, StickyBlock, StickySingle
from samplers.hmm.wrong import WRONG_STICKY_BLOCK, WRONG_STICKY_SINGLE

if TYPE_CHECKING:
    from lessons.topics.hidden_chain import HiddenChainSettings

PRIOR = ("most_states", "mean_spread", "concentration", "top_concentration", "stickiness", "learning")
KINDS: Mapping[str, Callable[["HiddenChainSettings"], type[Sticky]]] = {  # by the method
    "single": lambda settings: WRONG_STICKY_SINGLE.get(settings.base_rule, StickySingle),
    "block": lambda settings: WRONG_STICKY_BLOCK.get(settings.base_rule, StickyBlock),
}


class LearnedStates(States):
    """States in use, whose names have no meaning."""

    controls = (*PRIOR, "base_rule")
    laws: ClassVar = {"changes": States.laws["changes"], "used": lambda exact: counted(LATER, exact.states)}
    most, price = 40, 3

    def blocks(self, settings: "HiddenChainSettings") -> int:
        return 3 + settings.learns

    def kernel(self, settings: "HiddenChainSettings", method: str, series: np.ndarray) -> Sticky:
        prior = settings.concentration, settings.top_concentration, settings.stickiness
        centre = float(centres(settings.states).mean())
        priors, spread = Priors() if settings.learns else None, settings.mean_spread
        size, kind = (settings.most_states, settings.deviation), KINDS[method](settings)
        return kind(series, *size, *prior, centre=centre, spread=spread, priors=priors)

    def truth(self, kernel: Any) -> ExactStates | None:
        return exact_states(kernel)

    def highest(self, settings: "HiddenChainSettings", labels: np.ndarray, means: Sequence[float]) -> int:
        """Return the state with the highest mean of those in use."""
        return max(set(labels.tolist()), key=lambda k: means[k])
