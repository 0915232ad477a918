"""Settings of the stage of one coin."""

from math import comb
from typing import Any, Literal

import numpy as np

from lessons.settings.fields import choice, one_or_many, quantity
from lessons.settings.law import NOW, Law, listed
from lessons.settings.settings import StageSettings
from samplers import Chain
from samplers.conjugate.beta import Beta
from samplers.conjugate.coin import Tosses


class CoinSettings(StageSettings):
    """A coin with an unknown probability of heads θ: a prior, tosses, and the posterior. An iteration is a toss."""

    unit = "tosses"
    lawful = ("mean", "heads", "tails")
    charts = ("density", "trace")
    marks = ("prior", "posterior", "bias")

    bias: float = quantity(0.7, (0.05, 0.95, 0.05))
    tosses: int = quantity(20, (1, 200, 1))
    truth: Literal["shown", "hidden"] = choice("shown", look=True)
    prior_heads: float = quantity(1.0, (1, 50, 0.5), dial=True)
    prior_tails: float = quantity(1.0, (1, 50, 0.5), dial=True)
    runs: Literal["one", "mean"] = one_or_many()

    @property
    def iterations(self) -> int:
        """Tosses."""
        return self.tosses

    @property
    def prior(self) -> Beta:
        """The prior of θ."""
        return Beta(self.prior_heads, self.prior_tails)

    def sampler(self) -> Tosses:
        """Build the coin."""
        return Tosses(self.bias)

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count heads and tails, and return the posterior's mean and standard deviation."""
        heads, tails = chain[t]
        posterior = self.prior.given(heads, tails)
        return {"heads": heads, "tails": tails, "mean": posterior.mean, "spread": posterior.deviation}

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the distribution of heads, tails or the posterior's mean after t tosses."""
        facts = [{"heads": k, "tails": t - k, "mean": self.prior.given(k, t - k).mean} for k in range(t + 1)]
        shares = np.array([comb(t, k) * self.bias**k * (1 - self.bias) ** (t - k) for k in range(t + 1)])
        return listed(NOW, np.array([fact[outcome] for fact in facts]), shares) if outcome in self.lawful else None
