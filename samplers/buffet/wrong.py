"""Wrong rules for the Indian buffet, each one method away from the right one: what the lessons ask learners to find.

All of them run, and look plausible. `WRONG_BUFFETS` has those of the prior by name, `WRONG_FEATURE_RULES` those of the
linear-Gaussian model; `samplers.buffet.exact_features` says by how much the latter are off.
"""

from typing import Any

from samplers.buffet.linear_gaussian import FeatureState, LinearGaussian
from samplers.buffet.prior import IndianBuffet


class NewDishesForEveryone(IndianBuffet):
    """Every customer finds Poisson(α) new dishes, the last as many as the first."""

    def new_mean(self, customer: int) -> float:
        """Forget to divide by the number of customers so far."""
        return self.concentration


class RefusedDishesCounted(IndianBuffet):
    """A dish's count grows with every customer who is offered it, and not only with those who take it."""

    def count_after(self, count: Any, taken: Any) -> Any:
        """Count the customer in any case."""
        return count + 1


WRONG_BUFFETS: dict[str, type[IndianBuffet]] = {
    "new dishes for everyone": NewDishesForEveryone,
    "refused dishes counted": RefusedDishesCounted,
}
"""The wrong rules of the prior by name; the first line of a class's docstring says what it gets wrong."""


class OwnFeaturesDropped(LinearGaussian):
    """A row's own features are dropped before its shared bits are drawn, as if what they explain were noise."""

    def variance_of_own(self, state: FeatureState, own: int) -> float:
        """Return 0: ignore the variance that a row's own features add."""
        return 0.0


class NewFeaturesForEveryRow(LinearGaussian):
    """Every row expects α new features, as the first customer does; it should be α / N."""

    def new_rate(self, state: FeatureState) -> float:
        """Return α."""
        return state.concentration


WRONG_FEATURE_RULES: dict[str, type[LinearGaussian]] = {
    "own features dropped": OwnFeaturesDropped,
    "new features for every row": NewFeaturesForEveryRow,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""
