"""Wrong rules for the CRP mixture, each one method away from the right one: what the lessons ask learners to find.

All of them run, and look plausible. Each changes what the chain converges to, some by little;
`samplers.crp.exact_partitions` says by how much. `WRONG_RULES` has them by name.
"""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.recipe import Conditional, Distribution, Site

Terms = tuple[Sequence[float], Sequence[float]]
GUESS = 6  # the seed of the draw that stands for all new tables
ALMOST_CERTAIN = 1e6  # how many points the prior's centre is worth when its variance has been forgotten


class WrongWeights(CRPMixture):
    """A CRP mixture whose update goes wrong between the right terms and the draw."""

    def score(self, state: MixtureState, site: Site) -> Distribution:
        """Return the conditional of the point's table by the wrong rule; the concentration's is right."""
        conditional = super().score(state, site)
        if isinstance(site, str) or not isinstance(conditional, Conditional):
            return conditional
        customers, fit = self.spoil(state, site, conditional.terms[self.already_there], conditional.terms[self.fit])
        return Conditional({self.already_there: customers, self.fit: fit})

    @abstractmethod
    def spoil(self, state: MixtureState, point: int, customers: Sequence[float], fit: Sequence[float]) -> Terms:
        """Turn the right terms, one number per table and last the new one's, into wrong ones.

        If there is one option more than there should be, it is next to last and is the table that the point has
        left empty.
        """

    def terms_before_lifting(self, state: MixtureState, point: int) -> Terms:
        """Return the terms as they are while the point still sits where it sat; a table of its own is next to last."""
        whole = state.copy()
        self._seat(whole, point, whole.labels[point])
        conditional = super().score(whole, point)
        assert isinstance(conditional, Conditional)
        return conditional.terms[self.already_there], conditional.terms[self.fit]


class PointNotRemoved(WrongWeights):
    """The point is not removed before it is scored: it votes for the table where it sits, by count and by fit."""

    def spoil(self, state: MixtureState, point: int, customers: Sequence[float], fit: Sequence[float]) -> Terms:
        """Score with the point still at its table."""
        return self.terms_before_lifting(state, point)


class CountsIncludePoint(WrongWeights):
    """The counts still include the point, while what its table knows of the data does not."""

    def spoil(self, state: MixtureState, point: int, customers: Sequence[float], fit: Sequence[float]) -> Terms:
        """Take the counts with the point; a table that only it has kept open fits like a new one."""
        counted, _ = self.terms_before_lifting(state, point)
        return counted, fit if len(counted) == len(fit) else [*fit, fit[-1]]


class DataIncludePoint(WrongWeights):
    """The data of its table still include the point, while the counts do not."""

    def spoil(self, state: MixtureState, point: int, customers: Sequence[float], fit: Sequence[float]) -> Terms:
        """Take the fit with the point; a table that only it has kept open has no customer and is no option."""
        _, fitted = self.terms_before_lifting(state, point)
        return customers, fitted if len(fitted) == len(customers) else [*fitted[:-2], fitted[-1]]


class EmptiedTableOffered(WrongWeights):
    """A point that sat alone is offered the table it left empty as well as the new one: two chances to be alone."""

    def spoil(self, state: MixtureState, point: int, customers: Sequence[float], fit: Sequence[float]) -> Terms:
        """Offer the last option twice if the point's table is gone."""
        if state.labels[point] in state.clusters:
            return customers, fit
        return [*customers, customers[-1]], [*fit, fit[-1]]


class CountsForgotten(WrongWeights):
    """Tables are weighed by fit alone: a table with many customers draws no more than one with few."""

    def spoil(self, state: MixtureState, point: int, customers: Sequence[float], fit: Sequence[float]) -> Terms:
        """Give every table in use the weight 1."""
        return [*(0.0 for _ in customers[:-1]), customers[-1]], fit


class NewTableTooSure(WrongWeights):
    """A new table is scored as if its parameters were known to be the prior's centre: the prior variance is missing."""

    def spoil(self, state: MixtureState, point: int, customers: Sequence[float], fit: Sequence[float]) -> Terms:
        """Score the new table by the prior's centre alone."""
        certain = self.family.with_certain_centre(ALMOST_CERTAIN)
        return customers, [*fit[:-1], float(certain.log_density(self.data[[point]])[0])]


class NewTableGuessed(WrongWeights):
    """A new table is scored around one mean that was drawn from the prior, before the run, and not as their average."""

    def spoil(self, state: MixtureState, point: int, customers: Sequence[float], fit: Sequence[float]) -> Terms:
        """Score the new table by parameters that are drawn, the same whenever one is offered."""
        guess = self.family.draw(np.random.default_rng(GUESS))
        return customers, [*fit[:-1], float(guess.log_density(self.data[[point]])[0])]


class AllLabelsAtOnce(CRPMixture):
    """All labels are redrawn from the old state: the tables are counted again only when the sweep is over."""

    def remember(self, state: MixtureState, site: Site, value: Any) -> None:
        """Write the new label down, but seat the point where it was; after the last point, seat all by their labels.

        All that ask for a new table in one sweep get the same, as in code that draws every label by one array formula.
        """
        if isinstance(site, str):
            super().remember(state, site, value)
            return
        tables = state.tables
        self._seat(state, site, state.labels[site])
        new = next(table for table in count() if table not in state.clusters)
        state.labels[site] = tables[value] if value < len(tables) else new
        if site == len(self.data) - 1:
            self._seat_all(state)


WRONG_RULES: dict[str, type[CRPMixture]] = {
    "point not removed": PointNotRemoved,
    "counts include the point": CountsIncludePoint,
    "data include the point": DataIncludePoint,
    "emptied table offered too": EmptiedTableOffered,
    "counts forgotten": CountsForgotten,
    "new table too sure": NewTableTooSure,
    "new table guessed": NewTableGuessed,
    "all labels at once": AllLabelsAtOnce,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""
