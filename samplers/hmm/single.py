"""Single-site Gibbs sampling of a hidden Markov model: each state given the two beside it."""

from collections.abc import Iterator
from math import log

from samplers.hmm.model import FIT, FROM_LAST, TO_NEXT, C, HiddenMarkov
from samplers.recipe import Conditional, Distribution, Site


class SingleSite(HiddenMarkov[C]):
    """Each state is drawn given the one before, the one after, and the hour's value.

    Three factors are multiplied: p(z_t | z_t-1) · p(z_t+1 | z_t) · p(y_t | z_t) (Scott 2002, "Bayesian
    methods for hidden Markov models: recursive computing in the 21st century", JASA 97: direct Gibbs). For the
    parameters, see `HiddenMarkov`.
    """

    def sites(self, state: C) -> Iterator[Site]:
        """Yield the hours from the first to the last, and then the parameters, if they are drawn."""
        yield from range(self.hours)
        yield from self.parameters()

    def score(self, state: C, site: Site) -> Distribution:
        """Return the distribution of a label given its neighbours, or of the parameters given all labels."""
        if isinstance(site, str):
            return self.score_parameters(state, site)
        return Conditional(
            {FROM_LAST: self.from_last(state, site), TO_NEXT: self.to_next(state, site), FIT: state.fits[site]}
        )

    def from_last(self, state: C, hour: int) -> list[float]:
        """Return log p(z_t = k | z_t-1), shape (K,); in the first hour, log p(z_1 = k)."""
        row = state.transitions[state.labels[hour - 1]] if hour else self.first(state)
        return [log(p) for p in row]
