"""The run of one coin, and its film: the density of θ, and how tosses or draws add up."""

from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import betaln

from lessons.stages.coin import CoinSettings
from pages.contract.columns import FLOAT32
from pages.contract.film import Film
from pages.stages.coin.charts import charts_of
from samplers import Chain
from samplers.conjugate.beta import Beta


class CoinRun:
    """All iterations of one run: they take milliseconds.

    Parameters
    ----------
    settings : CoinSettings
        The coin, the prior, and the kind of step.
    seed : int
        Of the chain.
    last : int, optional
        The last iteration T, if not that of the settings.

    Attributes
    ----------
    positions : numpy.ndarray
        θ in each state, shape (T + 1,); see `CoinSettings.theta`.
    means : numpy.ndarray
        The posterior mean after each toss, or the mean of the draws so far, shape (T + 1,); NaN before the first.
    """

    def __init__(self, settings: CoinSettings, seed: int, last: int | None = None) -> None:
        self.settings, self.tossing = settings, settings.method == "tosses"
        self.total, self.chain = settings.iterations if last is None else last, Chain(settings.sampler(), seed)
        self.counts = np.arange(self.total + 1)
        self.positions = np.array([settings.theta(self.chain[t]) for t in range(self.total + 1)])
        averages = np.cumsum(self.positions[1:]) / self.counts[1:]
        self.means = self.positions if self.tossing else np.array([np.nan, *averages])

    def state(self, t: int) -> Any:
        """Return the state after iteration t."""
        return self.chain[t]

    def beta(self, t: int) -> Beta:
        """Return the posterior that is known at iteration t."""
        return self.settings.known(self.chain[t])

    @cached_property
    def film(self) -> Film:
        """The film of the run; the same settings and seed make the same film."""
        settings, prior = self.settings, self.settings.prior
        betas = [self.beta(t) for t in range(self.total + 1)]
        a, b, sd = np.array([(beta.a, beta.b, beta.deviation) for beta in betas]).T
        x, mean, heads, begun = self.positions, self.means, (a - prior.a) * self.tossing, self.counts > 0
        here = {"a": a, "b": b, "norm": betaln(a, b), "x": x}
        if settings.method == "chain":  # where each step began, and what it proposed
            proposed = [self.chain.record(t).position[0] for t in range(1, self.total + 1)]
            here |= {"before": np.array([np.nan, *x[:-1]]), "there": np.array([np.nan, *proposed])}
        said = {"a": a, "b": b, "heads": heads, "tails": self.counts - heads, "exact": a / (a + b), "begun": begun}
        said["x"] = np.where(begun | self.tossing, x, np.nan)  # before the first draw a caption tells none
        ends = (0.0, 1.0) if self.tossing else _reach(settings)
        return Film(
            key=f"coin {settings.model_dump_json()} {self.chain.seed}",
            charts=charts_of(settings.method),
            data={
                "prior": {"a": [prior.a], "b": [prior.b], "norm": [float(betaln(prior.a, prior.b))]},
                "truth": {"x": [settings.bias if self.tossing else settings.posterior.mean]},
                "here": FLOAT32.made(**here),
                "past": FLOAT32.made(x=x, mean=mean, low=x - sd, high=x + sd),
                "say": FLOAT32.made(**said, mean=np.where(self.tossing, np.nan, mean)),
            },
            total=self.total,
            label=f"{settings.counted_as} {{t}} of {{total}}",
            strides=(("1", 1),) if self.tossing else (("1", 1), ("10", 10), ("100", 100)),
            params={"top": 1.15 * max(betas[0].peak, betas[-1].peak), "long": float(self.total), "trace_span": ends},
        )


def _reach(settings: CoinSettings) -> tuple[float, float]:
    """Return where the axis of the draws ends: four standard deviations from their mean, and at the chain's start."""
    mean, far = settings.posterior.mean, 4 * settings.posterior.deviation
    ends = [mean - far, mean + far, *[settings.start] * (settings.method == "chain")]
    return max(0.0, min(ends)), min(1.0, max(ends))
