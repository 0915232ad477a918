"""Settings of the stage of draws."""

from math import nan
from typing import Any, Literal

import numpy as np

from lessons.settings.fields import choice, one_or_many, quantity
from lessons.settings.law import LATER, Law
from lessons.settings.written import WrittenRule, WrittenSettings
from samplers import Chain
from samplers.conjugate.beta import Beta, BetaDensity
from samplers.conjugate.coin import IndependentDraws
from samplers.diagnostics.convergence import diagnose
from samplers.judge.written import WrittenMetropolis
from samplers.recipe import Kernel
from samplers.regression.metropolis import RandomWalkMetropolis

DRAWS = 1_000  # of a run


class DrawsSettings(WrittenSettings):
    """Draws from the posterior of a coin's probability of heads θ: independent ones, or the steps of a chain.

    An iteration is an independent draw from the posterior, or a step of a Metropolis chain, as `method` says.
    """

    unit = "steps"
    lawful = ("mean",)
    charts = ("density", "trace")
    marks = ("prior", "posterior", "draw", "proposal")

    method: Literal["draws", "chain"] = choice("draws")
    tosses: int = quantity(20, (1, 200, 1))
    heads: int = quantity(13, (0, 200, 1))
    prior_heads: float = quantity(1.0, (1, 50, 0.5), dial=True)
    prior_tails: float = quantity(1.0, (1, 50, 0.5), dial=True)
    scale: float = quantity(0.1, (0.01, 1, 0.01), dial=True)
    start: float = quantity(0.05, (0.01, 0.99, 0.01))
    proposal: Literal["last", "next"] = choice("last", look=True)
    runs: Literal["one", "mean"] = one_or_many()
    written: WrittenRule = ""

    @property
    def ruled(self) -> tuple[str, ...]:
        """The ratio by which a chain accepts a proposal."""
        return ("metropolis-grid",) if self.method == "chain" else ()

    @property
    def iterations(self) -> int:
        """Draws, or steps of the chain."""
        return DRAWS

    @property
    def counted_as(self) -> str:
        """A draw, or a step of the chain."""
        return "draw" if self.method == "draws" else "step"

    @property
    def prior(self) -> Beta:
        """The prior of θ."""
        return Beta(self.prior_heads, self.prior_tails)

    @property
    def posterior(self) -> Beta:
        """The posterior of θ, which is drawn from."""
        return self.prior.given(heads := min(self.heads, self.tosses), self.tosses - heads)

    def sampler(self) -> Kernel[Any, Any]:
        """Build the sampler of the draws."""
        if self.method == "draws":
            return IndependentDraws(self.posterior)
        right = RandomWalkMetropolis(BetaDensity(self.posterior), self.scale, np.array([self.start]))
        return WrittenMetropolis(right, self.moves_by) if self.moves_by else right

    def theta(self, state: Any) -> float:
        """Return θ in a state: the draw, or where the chain is."""
        return float(state if self.method == "draws" else state.position[0])

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Return the mean of the draws, NaN before the first, the posterior's spread, and the effective sample size."""
        draws = [self.theta(chain[now]) for now in range(1, t + 1)]
        worth = diagnose(np.array([draws])).ess_bulk if self.method == "chain" and draws else None
        return {"mean": sum(draws) / t if t else nan, "spread": self.posterior.deviation, "worth": worth or 0}

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior's mean, which is that of the draws in the long run."""
        return Law(LATER, self.posterior.mean) if outcome == "mean" else None

    def matters(self, name: str) -> bool:
        """Hide the controls of the chain from independent draws."""
        if name == "runs":
            return not self.written
        return self.method == "chain" or name not in ("scale", "start", "proposal")
