"""Wrong rules for climbs, each close to the right one: what the lessons ask learners to find.

All of them run. A climb that goes down shows that a rule is wrong; one that goes up shows nothing.
"""

import numpy as np

from samplers import portable
from samplers.climb.em import EM, Point
from samplers.climb.halves import Climb
from samplers.climb.variational import Factors, VariationalBayes


class NotNormalised(EM):
    """Responsibilities are weight times density, not divided by their sum: points in a gap hardly count."""

    normalised = False

    def share(self, parts: Point) -> np.ndarray:
        """Return the products as they are."""
        return portable.exp(self.terms(parts))


class WeightsLeftOut(EM):
    """Responsibilities compare the densities alone: a component of three points gets as much as one of thirty."""

    def share(self, parts: Point) -> np.ndarray:
        """Return the shares of the densities."""
        fits = parts.fit_terms(self.data)
        densities = portable.exp(fits - fits.max(axis=1, keepdims=True))
        return densities / densities.sum(axis=1, keepdims=True)


class CountedAgain(VariationalBayes):
    """M adds the points to the last q and not to the prior: each step counts them again, and the bound falls."""

    def maximise(self, responsibilities: np.ndarray, before: Factors | None) -> Factors:
        """Return the factors before, updated by the points."""
        if before is None:
            return super().maximise(responsibilities, None)
        return self._factors(responsibilities, before.of_weights, before.families)


WRONG_CLIMBS: dict[str, type[Climb]] = {
    "not normalised": NotNormalised,
    "weights left out": WeightsLeftOut,
    "points counted again": CountedAgain,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""
