"""Settings of the stage of one coin."""

from math import comb, nan
from typing import Any, Literal

import numpy as np

from lessons.stages.fields import choice, one_or_many, quantity
from lessons.stages.law import LATER, NOW, Law, listed
from lessons.stages.settings import StageSettings
from samplers import Chain
from samplers.conjugate.beta import Beta, BetaDensity
from samplers.conjugate.coin import IndependentDraws, Tosses
from samplers.diagnostics.convergence import diagnose
from samplers.recipe import Kernel
from samplers.regression.metropolis import RandomWalkMetropolis

DRAWS = 1_000  # of a run


class CoinSettings(StageSettings):
    """A coin with an unknown probability of heads θ: a prior, tosses, the posterior, and draws from it.

    An iteration is one more toss, an independent draw from the posterior, or a step of a Metropolis chain, as `method`
    says.
    """

    unit = "steps"
    lawful = ("mean", "heads", "tails")
    charts = ("density", "trace")
    marks = ("prior", "posterior", "bias", "draw", "proposal")

    method: Literal["tosses", "draws", "chain"] = choice("tosses")
    bias: float = quantity(0.7, (0.05, 0.95, 0.05))
    tosses: int = quantity(20, (1, 200, 1))
    heads: int = quantity(13, (0, 200, 1))
    prior_heads: float = quantity(1.0, (1, 50, 0.5), dial=True)
    prior_tails: float = quantity(1.0, (1, 50, 0.5), dial=True)
    scale: float = quantity(0.1, (0.01, 1, 0.01), dial=True)
    start: float = quantity(0.05, (0.01, 0.99, 0.01))

    runs: Literal["one", "mean"] = one_or_many()

    @property
    def iterations(self) -> int:
        """Tosses, or draws."""
        return self.tosses if self.method == "tosses" else DRAWS

    @property
    def counted_as(self) -> str:
        """A toss, a draw, or a step of the chain."""
        return {"tosses": "toss", "draws": "draw", "chain": "step"}[self.method]

    @property
    def prior(self) -> Beta:
        """The prior of θ."""
        return Beta(self.prior_heads, self.prior_tails)

    @property
    def posterior(self) -> Beta:
        """The posterior that is drawn from."""
        return self.prior.given(heads := min(self.heads, self.tosses), self.tosses - heads)

    def sampler(self) -> Kernel[Any, Any]:
        """Build what makes the steps."""
        if self.method == "tosses":
            return Tosses(self.bias)
        if self.method == "draws":
            return IndependentDraws(self.posterior)
        return RandomWalkMetropolis(BetaDensity(self.posterior), self.scale, np.array([self.start]))

    def known(self, state: Any) -> Beta:
        """Return the posterior of θ in a state: given its tosses, or the one that is drawn from."""
        return self.prior.given(*state) if self.method == "tosses" else self.posterior

    def theta(self, state: Any) -> float:
        """Return θ in a state: the draw, or after tosses the mean of the posterior, which predicts the next one."""
        if self.method == "tosses":
            return self.known(state).mean
        return float(state if self.method == "draws" else state.position[0])

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count heads and tails, and return the mean of θ: of the posterior, or of the draws, NaN before the first."""
        known = self.known(chain[t])
        if self.method == "tosses":
            return dict(zip(self.measured, (*chain[t], known.mean, known.deviation, 0), strict=True))
        draws = [self.theta(chain[now]) for now in range(1, t + 1)]
        worth = diagnose(np.array([draws])).ess_bulk if self.method == "chain" and draws else None
        mean = sum(draws) / t if draws else nan
        return dict(zip(self.measured, (0, 0, mean, known.deviation, worth or 0), strict=True))

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the distribution of heads, tails or the posterior's mean after t tosses; of draws, their mean."""
        if self.method != "tosses":
            return Law(LATER, self.posterior.mean) if outcome == "mean" else None
        if outcome not in self.lawful:
            return None
        facts = [{"heads": k, "tails": t - k, "mean": self.prior.given(k, t - k).mean} for k in range(t + 1)]
        shares = np.array([comb(t, k) * self.bias**k * (1 - self.bias) ** (t - k) for k in range(t + 1)])
        return listed(NOW, np.array([fact[outcome] for fact in facts]), shares)

    def matters(self, name: str) -> bool:
        """Hide what this kind of step has no use for."""
        only = {"bias": ["tosses"], "heads": ["draws", "chain"], "scale": ["chain"], "start": ["chain"]}
        return self.method in only.get(name, [self.method])
