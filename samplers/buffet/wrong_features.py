"""Wrong rules for the linear-Gaussian model, each one method away from the right one: for learners to find.

All of them run, and look plausible; `samplers.buffet.exact_features` says by how much they are off.
`WRONG_FEATURE_RULES` has them by name.
"""

from __future__ import annotations

from samplers.buffet.linear_gaussian import FeatureState, LinearGaussian


class OwnFeaturesDropped(LinearGaussian):
    """A row's own features are dropped before its shared bits are drawn, as if what they explain were noise."""

    def variance_of_own(self, state: FeatureState, own: int) -> float:
        """Leave them out."""
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
