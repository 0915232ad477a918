"""The run of draws, and its film: the density of θ, and how the draws add up."""

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from scipy.special import betaln

from lessons.topics.draws import DrawsSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32
from pages.contract.film import Film
from samplers import Chain

Worth = tuple[str, float | None]  # of draws, in words, and the standard error of their mean


class DrawsRun(ABC):
    """All iterations of one run: they take milliseconds.

    Parameters
    ----------
    settings : DrawsSettings
        The posterior, and the kind of step.
    seed : int
        Of the chain.
    last : int, optional
        The last iteration T, if not that of the settings.

    Attributes
    ----------
    positions : numpy.ndarray
        θ in each state, shape (T + 1,).
    means : numpy.ndarray
        The mean of the draws so far, shape (T + 1,); NaN before the first.
    """

    def __init__(self, settings: DrawsSettings, seed: int, last: int | None = None) -> None:
        self.settings, self.chain = settings, Chain(settings.sampler(), seed)
        self.state = self.chain.__getitem__
        self.total = settings.iterations if last is None else last
        self.positions = np.array([settings.now.theta(self.chain[t]) for t in range(self.total + 1)])
        self.means = np.full(self.total + 1, np.nan)
        self.means[1:] = np.cumsum(self.positions[1:]) / np.arange(1, self.total + 1)

    @cached_property
    def film(self) -> Film:
        """The film of the run; the same settings and seed make the same film."""
        settings, prior, posterior = self.settings, self.settings.prior, self.settings.posterior
        a, b = (np.full(self.total + 1, count) for count in (posterior.a, posterior.b))
        x, begun = self.positions, np.arange(self.total + 1) > 0
        here = {"a": a, "b": b, "norm": betaln(a, b), "x": x} | self.steps()
        drawn = np.where(begun, x, np.nan)  # before the first draw a caption names none
        return Film(
            key=f"draws {settings.model_dump_json()} {self.chain.seed}",
            charts=self.charts(),
            data={
                "prior": {"a": [prior.a], "b": [prior.b], "norm": [float(betaln(prior.a, prior.b))]},
                "truth": {"x": [posterior.mean]},
                "here": FLOAT32.made(**here),
                "past": FLOAT32.made(x=x, mean=self.means),
                "say": FLOAT32.made(a=a, b=b, exact=a / (a + b), begun=begun, x=drawn, mean=self.means),
            },
            total=self.total,
            label=f"{settings.counted_as} {{t}} of {{total}}",
            strides=(("1", 1), ("10", 10), ("100", 100)),
            params={
                "top": 1.15 * max(prior.peak, posterior.peak),
                "long": float(self.total),
                "trace_span": self._reach(),
            },
        )

    @abstractmethod
    def worth(self, t: int) -> Worth | None:
        """Return the number of independent draws that t steps are worth; None if there are too few."""

    @abstractmethod
    def charts(self) -> list[Chart]:
        """Return the charts."""

    def steps(self) -> dict[str, np.ndarray]:
        """Return columns of what a step proposes, if it does."""
        return {}

    def begins(self) -> list[float]:
        """Return the start, if it is a place."""
        return []

    def _reach(self) -> tuple[float, float]:
        """Return where the axis of the draws ends: four standard deviations from their mean, and at the start."""
        mean, far = self.settings.posterior.mean, 4 * self.settings.posterior.deviation
        ends = [mean - far, mean + far, *self.begins()]
        return max(0.0, min(ends)), min(1.0, max(ends))
