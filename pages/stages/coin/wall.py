"""A hundred coins at once: how the mean of tosses or draws settles in each."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from lessons.stages.coin import CoinSettings
from pages.drawing.wall import Grid
from pages.stages.wall import Made, Parts, Wall
from samplers import Chain
from samplers.streams import first_uniforms


def means(settings: CoinSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Return the posterior mean after each toss, or the mean of the draws so far, of each seed's run."""
    count = np.arange(1, last + 1)[:, None]
    if settings.method == "chain":
        draws = yield from _steps(settings, seeds, last)
    else:
        uniforms = first_uniforms(seeds, count)
        yield 0.5
        if settings.method == "tosses":
            heads = np.vstack([np.zeros(len(seeds)), (uniforms < settings.bias).cumsum(axis=0)])
            prior = settings.prior
            return Made((prior.a + heads) / (prior.a + prior.b + np.arange(last + 1)[:, None]))
        draws = settings.posterior.quantiles(uniforms)
    return Made(np.vstack([np.full(len(seeds), np.nan), draws.cumsum(axis=0) / count]))


def _steps(settings: CoinSettings, seeds: np.ndarray, last: int) -> Generator[float, None, np.ndarray]:
    """Return where a Metropolis chain of each seed is after every step, shape (last, seeds)."""
    places, sampler = np.zeros((last, len(seeds))), settings.sampler()
    for run, seed in enumerate(seeds.tolist()):
        chain = Chain(sampler, seed)
        places[:, run] = [chain[t].position[0] for t in range(1, last + 1)]
        yield run / len(seeds)
    return places


WALL = Wall("run", "runs", "step", means, last=400)
