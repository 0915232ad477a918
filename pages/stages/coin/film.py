"""The film of one coin: the density of θ, and how tosses or draws add up."""

from __future__ import annotations

from functools import cached_property

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

    Attributes
    ----------
    positions : numpy.ndarray
        θ of each draw, shape (T + 1,); of tosses, the posterior mean, which is the predictive probability of heads.
    means : numpy.ndarray
        The mean of the draws so far, shape (T + 1,); NaN before the first, and of tosses.
    """

    def __init__(self, settings: CoinSettings, seed: int) -> None:
        self.settings, self.total = settings, settings.iterations
        self.chain = Chain(settings.sampler(), seed)
        self.tossing = settings.method == "tosses"
        states = [self.chain[t] for t in range(self.total + 1)]
        self.counts = np.arange(self.total + 1)
        self.heads = np.array([state.heads if self.tossing else 0 for state in states])
        self.means = np.full(self.total + 1, np.nan)
        if self.tossing:
            self.positions = np.array([self.beta(int(t)).mean for t in self.counts])
            return
        self.positions = np.array(states if settings.method == "draws" else [state.position[0] for state in states])
        self.means[1:] = np.cumsum(self.positions[1:]) / self.counts[1:]

    @cached_property
    def film(self) -> Film:
        """The film of the run."""
        return film_of(self)

    def beta(self, t: int) -> Beta:
        """Return the posterior that is known at iteration t."""
        heads = int(self.heads[t])
        return self.settings.prior.given(heads, t - heads) if self.tossing else self.settings.posterior


def film_of(run: CoinRun) -> Film:
    """Return the film of a run; the same settings and seed make the same film."""
    settings, prior = run.settings, run.settings.prior
    tall = max(run.beta(t).peak for t in (0, run.total))
    ends = (0.0, 1.0) if run.tossing else _reach(settings)
    here = ("a", "b", "norm", "x", *("before", "there") * (settings.method == "chain"))
    return Film(
        key=f"coin {settings.model_dump_json()} {run.chain.seed}",
        charts=charts_of(settings.method),
        data={
            "prior": {"a": [prior.a], "b": [prior.b], "norm": [float(betaln(prior.a, prior.b))]},
            "truth": {"x": [settings.bias if run.tossing else settings.posterior.mean]},
            "here": dict.fromkeys(here, FLOAT32),
            "past": dict.fromkeys(("x", "mean", "low", "high"), FLOAT32),
            "say": dict.fromkeys(("a", "b", "heads", "tails", "exact", "begun", "x", "mean"), FLOAT32),
        },
        columns=columns(run),
        total=run.total,
        label=f"{settings.counted_as} {{t}} of {{total}}",
        strides=(("1", 1),) if run.tossing else (("1", 1), ("10", 10), ("100", 100)),
        params={"top": 1.15 * tall, "long": float(run.total), "trace_span": ends},
    )


def _reach(settings: CoinSettings) -> tuple[float, float]:
    """Return where the axis of the draws ends: four standard deviations from their mean, and at the chain's start."""
    mean, far = settings.posterior.mean, 4 * settings.posterior.deviation
    ends = [mean - far, mean + far, *[settings.start] * (settings.method == "chain")]
    return max(0.0, min(ends)), min(1.0, max(ends))


def columns(run: CoinRun) -> dict[tuple[str, str], np.ndarray]:
    """Return every column of every iteration, shape (T + 1,)."""
    a, b, deviation = np.array([(beta.a, beta.b, beta.deviation) for beta in map(run.beta, range(run.total + 1))]).T
    x, begun, known = run.positions, run.counts > 0, {"a": a, "b": b}
    counted = {"heads": run.heads, "tails": run.counts - run.heads}
    said = np.where(begun | run.tossing, x, np.nan)  # before the first draw a caption tells none
    here = known | {"norm": betaln(a, b), "x": x}
    if run.settings.method == "chain":  # where each step began, and what it proposed
        proposed = [run.chain.record(t).position[0] for t in range(1, run.total + 1)]
        here |= {"before": np.array([np.nan, *x[:-1]]), "there": np.array([np.nan, *proposed])}
    found = {
        "here": here,
        "past": {"x": x, "mean": x if run.tossing else run.means, "low": x - deviation, "high": x + deviation},
        "say": known | counted | {"exact": a / (a + b), "begun": begun, "x": said, "mean": run.means},
    }
    return {(name, field): column for name, fields in found.items() for field, column in fields.items()}
