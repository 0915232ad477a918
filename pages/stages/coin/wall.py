"""A hundred coins at once: how the mean of tosses or draws settles in each."""

from __future__ import annotations

import numpy as np

from lessons.stages.coin import CoinSettings
from pages.drawing.wall import Grid
from pages.stages.wall import Made, Parts, Wall
from samplers import Chain
from samplers.streams import first_uniforms


def means(settings: CoinSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Return the posterior mean after each toss, or the mean of the draws so far, of each seed's run."""
    count = np.arange(1, last + 1)[:, None]
    if settings.method == "tosses":
        prior, uniforms = settings.prior, first_uniforms(seeds, count)
        heads = np.vstack([np.zeros(len(seeds)), (uniforms < settings.bias).cumsum(axis=0)])
        yield 1.0
        return Made((prior.a + heads) / (prior.a + prior.b + np.arange(last + 1)[:, None]))
    draws = np.zeros((last, len(seeds)))
    sampler = settings.sampler()
    for run, seed in enumerate(seeds.tolist()):
        chain = Chain(sampler, seed)
        draws[:, run] = [np.squeeze(getattr(chain[t], "position", chain[t])) for t in range(1, last + 1)]
        yield run / len(seeds)
    return Made(np.vstack([np.full(len(seeds), np.nan), draws.cumsum(axis=0) / count]))


WALL = Wall("run", "runs", "step", means, last=400)
