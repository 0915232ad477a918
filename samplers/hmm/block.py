"""Block Gibbs sampling of a hidden Markov model: forward filtering, backward sampling of the whole path."""

from collections.abc import Iterator
from math import exp, fsum, log
from typing import Any

import numpy as np

from samplers.hmm.model import TO_NEXT, C, Forwards, HiddenMarkov
from samplers.recipe import Conditional, Distribution, Site

FILTERED = "filtered"  # a term of a label's score


class Sum:
    """The result of a forward sum: there is nothing to draw.

    Attributes
    ----------
    before : list of float
        p(z_t = k | y_1 … y_t-1), shape (K,).
    filtered : list of float
        p(z_t = k | y_1 … y_t), shape (K,).
    log_sum : float
        log p(y_t | y_1 … y_t-1).
    """

    def __init__(self, before: list[float], fits: list[float]) -> None:
        self.before = before
        logs = [log(p) + fit for p, fit in zip(before, fits, strict=True)]
        top = max(logs)
        weights = [exp(value - top) for value in logs]
        total = fsum(weights)
        self.filtered = [max(weight / total, 1e-300) for weight in weights]
        self.log_sum = top + log(total)

    def draw(self, rng: np.random.Generator) -> tuple[list[float], float]:
        """Return the filtered probabilities and the log sum; no random number is used."""
        return self.filtered, self.log_sum


class Block(HiddenMarkov[C]):
    """All states are drawn at once, given the parameters: sums forwards, and then draws backwards.

    The sums forget the old path, hour by hour: p(z_t | y_1 … y_t) ∝ Σ_j p(z_t-1 = j | y_1 … y_t-1) p(z_t | j) · p(y_t |
    z_t). The last state is drawn from the last sum, and each earlier one from its own sum times p(z_t+1 | z_t)
    (Frühwirth-Schnatter 2006, "Finite Mixture and Markov Switching Models", chapter 11). For the
    parameters, see `HiddenMarkov`.
    """

    def sites(self, state: C) -> Iterator[Site | Forwards]:
        """Yield a forward sum for each hour, then the hours from the last to the first, and then the parameters."""
        yield from map(Forwards, range(self.hours))
        yield from reversed(range(self.hours))
        yield from self.parameters()

    def score(self, state: C, site: Site | Forwards) -> Distribution:
        """Return the forward sum of an hour, the distribution of its label given the later ones, or of parameters."""
        if isinstance(site, Forwards):
            return Sum(self.before(state, site.hour), state.fits[site.hour])
        if isinstance(site, str):
            return self.score_parameters(state, site)
        return Conditional({FILTERED: [log(p) for p in state.filtered[site]], TO_NEXT: self.to_next(state, site)})

    def remember(self, state: C, site: Any, value: Any) -> None:
        """Keep a forward sum, a label or parameters."""
        if isinstance(site, Forwards):
            state.filtered[site.hour], state.log_sums[site.hour] = value
        else:
            super().remember(state, site, value)
