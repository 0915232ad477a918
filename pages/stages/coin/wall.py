"""A hundred coins at once: how the mean of tosses or draws settles in each."""

import numpy as np

from lessons.stages.coin import CoinSettings
from pages.drawing.wall import Grid
from pages.stages.coin.film import CoinRun
from pages.stages.wall import Made, Parts, Wall
from samplers.streams import first_uniforms


def means(settings: CoinSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Return the posterior mean after each toss, or the mean of the draws so far, of each seed's run."""
    if settings.method == "chain":
        found = np.zeros((last + 1, len(seeds)))
        for number, seed in enumerate(seeds.tolist()):
            found[:, number] = CoinRun(settings, seed, last).means
            yield number / len(seeds)
        return Made(found)
    count = np.arange(1, last + 1)[:, None]
    uniforms = first_uniforms(seeds, count)
    yield 0.5
    if settings.method == "tosses":
        heads = np.vstack([np.zeros(len(seeds)), (uniforms < settings.bias).cumsum(axis=0)])
        prior = settings.prior
        return Made((prior.a + heads) / (prior.a + prior.b + np.arange(last + 1)[:, None]))
    draws = settings.posterior.quantiles(uniforms)
    return Made(np.vstack([np.full(len(seeds), np.nan), draws.cumsum(axis=0) / count]))


WALL = Wall("run", "runs", "step", means, last=400)
