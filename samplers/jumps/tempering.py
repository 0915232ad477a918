"""Parallel tempering of a CRP mixture: a ladder of Gibbs samplers, from the posterior to a flat one.

Geyer (1991, Markov chain Monte Carlo maximum likelihood); Earl & Deem (2005, Parallel tempering: theory, applications,
and new perspectives), section 2. The whole posterior is tempered, seating and fit: where the concentration is small,
the prior of the partition is itself a barrier, and it would stay as high if only the fit were tempered.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from samplers.checks import finite_above
from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.recipe import Conditional, GibbsSampler
from samplers.tempering import ParallelTempering


class TemperedMixture(GibbsSampler[MixtureState]):
    """Gibbs sampling from the posterior of a CRP mixture to a power.

    Parameters
    ----------
    mixture : CRPMixture
        The model, with a known concentration.
    exponent : float
        β, above 0; with 1, it is Gibbs sampling from the posterior itself.

    Raises
    ------
    ValueError
        If the exponent is out of range, or the concentration has a prior.

    Notes
    -----
    p(z | x)^β, given all labels but one, is the conditional of that label to the power β. So each table weighs
    (points there · fit)^β.
    """

    of_a_posterior = True

    def __init__(self, mixture: CRPMixture, exponent: float) -> None:
        if mixture.concentration_prior is not None:
            raise ValueError("the concentration must be known: only labels are tempered")
        self.mixture, self.exponent = mixture, finite_above("exponent", exponent, 0)

    def init(self, rng: np.random.Generator) -> MixtureState:
        """Return the mixture's first state."""
        return self.mixture.init(rng)

    def variables(self, state: MixtureState) -> dict[str, Any]:
        """Return the variables of the mixture's state."""
        return self.mixture.variables(state)

    def sites(self, state: MixtureState) -> Iterator[int | str]:
        """Yield every point, in order."""
        yield from self.mixture.sites(state)

    def forget(self, state: MixtureState, site: int) -> None:
        """Take a point out of its table."""
        self.mixture.forget(state, site)

    def score(self, state: MixtureState, site: int) -> Conditional:
        """Return the conditional of a point's table: each term of the mixture's, times β in log."""
        conditional = self.mixture.score(state, site)
        assert isinstance(conditional, Conditional)  # of a label
        terms = conditional.terms.items()
        return Conditional({name: [self.exponent * value for value in term] for name, term in terms})

    def remember(self, state: MixtureState, site: int, value: int) -> None:
        """Seat a point at the table of the drawn option."""
        self.mixture.remember(state, site, value)

    def log_joint(self, state: MixtureState) -> float:
        """Return β log p(data, assignments)."""
        return self.exponent * self.mixture.log_joint(state)


class MixtureLadder(ParallelTempering[MixtureState]):
    """Parallel tempering of a CRP mixture: each level makes Gibbs sweeps, and then neighbours may swap.

    Parameters
    ----------
    mixture : CRPMixture
        The model, with a known concentration.
    exponents : sequence of float
        β of each level: 1, and then smaller and smaller ones, above 0; at least two.

    Raises
    ------
    ValueError
        If the exponents are out of order or out of range, or the concentration has a prior.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.conjugate import NormalKnownVariance
    >>> mixture = CRPMixture([-3.1, -2.9, 3.0, 3.2], NormalKnownVariance(0, 4, 0.5), concentration=0.01)
    >>> sorted(Chain(MixtureLadder(mixture, [1.0, 0.5, 0.25]), seed=1)[40].cold.counts)
    [2, 2]
    """

    def __init__(self, mixture: CRPMixture, exponents: Sequence[float]) -> None:
        super().__init__([TemperedMixture(mixture, exponent) for exponent in exponents], exponents)
        self.mixture = mixture

    def log_density(self, state: MixtureState) -> float:
        """Return log p(data, assignments)."""
        return self.mixture.log_joint(state)
