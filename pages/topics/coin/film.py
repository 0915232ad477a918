"""The run of one coin, and its film: prior and posterior, toss by toss."""

from functools import cached_property

import numpy as np
from scipy.special import betaln

from lessons.topics.coin import CoinSettings
from pages.contract.columns import FLOAT32
from pages.contract.film import Film
from pages.topics.coin.charts import charts
from samplers import Chain
from samplers.conjugate.beta import Beta


class CoinRun:
    """All tosses of one run: they take milliseconds.

    Parameters
    ----------
    settings : CoinSettings
        The coin and the prior.
    seed : int
        Of the chain.
    """

    def __init__(self, settings: CoinSettings, seed: int) -> None:
        self.settings, self.total, self.chain = settings, settings.tosses, Chain(settings.sampler(), seed)
        self.state = self.chain.__getitem__

    def posterior(self, t: int) -> Beta:
        """Return the posterior after t tosses."""
        return self.settings.prior.given(*self.chain[t])

    @cached_property
    def film(self) -> Film:
        """The film of the run; the same settings and seed make the same film."""
        prior, betas = self.settings.prior, [self.posterior(t) for t in range(self.total + 1)]
        a, b, mean, sd = np.array([(beta.a, beta.b, beta.mean, beta.deviation) for beta in betas]).T
        shown = self.settings.truth == "shown"
        return Film(
            key=f"coin {self.settings.model_dump_json()} {self.chain.seed}",
            charts=charts(shown),
            data={
                "prior": {"a": [prior.a], "b": [prior.b], "norm": [float(betaln(prior.a, prior.b))]},
                "truth": {"x": [self.settings.bias] * shown},
                "here": FLOAT32.made(a=a, b=b, norm=betaln(a, b)),
                "past": FLOAT32.made(mean=mean, low=mean - sd, high=mean + sd),
                "say": FLOAT32.made(a=a, b=b, heads=a - prior.a, tails=b - prior.b, mean=mean),
            },
            total=self.total,
            label="toss {t} of {total}",
            params={"top": 1.15 * max(betas[0].peak, betas[-1].peak), "long": float(self.total)},
        )
