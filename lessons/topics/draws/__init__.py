"""Settings of the stage of draws."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from lessons.settings.fields import choice, one_or_many, quantity
from lessons.settings.law import LATER, Law
from lessons.settings.modes import ModeSettings
from lessons.settings.written import WrittenRule, WrittenSettings
from lessons.topics.draws.chain import Steps
from lessons.topics.draws.independent import DrawMode, Independent
from samplers.conjugate.beta import Beta


class DrawsSettings(WrittenSettings, ModeSettings):
    """Draws from the posterior of a coin's probability of heads θ: independent ones, or the steps of a chain.

    An iteration is an independent draw from the posterior, or a step of a Metropolis chain, as `method` says.
    """

    unit = "steps"
    lawful = ("mean",)
    charts = ("density", "trace")
    marks = ("prior", "posterior", "draw", "proposal")

    modes: ClassVar[Mapping[str, DrawMode]] = {"draws": Independent(), "chain": Steps()}
    needs: ClassVar = {"runs": lambda now: not now.written}

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
        return self.now.ruled

    @property
    def mode(self) -> str:
        """The kind of step."""
        return self.method

    @property
    def now(self) -> DrawMode:
        return self.modes[self.mode]

    @property
    def prior(self) -> Beta:
        """The prior of θ."""
        return Beta(self.prior_heads, self.prior_tails)

    @property
    def posterior(self) -> Beta:
        """The posterior of θ, which is drawn from."""
        return self.prior.given(heads := min(self.heads, self.tosses), self.tosses - heads)

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior's mean, which is that of the draws in the long run."""
        return Law(LATER, self.posterior.mean) if outcome == "mean" else None
