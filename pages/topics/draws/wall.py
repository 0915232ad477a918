"""A hundred runs at once: how the mean of the draws settles in each."""

import numpy as np

from lessons.topics.draws import DrawsSettings
from pages.drawing.wall import Grid
from pages.scenes.wall import Made, Parts, Wall
from pages.topics.draws.film import DrawsRun
from samplers.streams import first_uniforms


def means(settings: DrawsSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Return the mean of the draws so far, of each seed's run."""
    if settings.method == "chain":
        found = np.zeros((last + 1, len(seeds)))
        for number, seed in enumerate(seeds.tolist()):
            found[:, number] = DrawsRun(settings, seed, last).means
            yield number / len(seeds)
        return Made(found)
    count = np.arange(1, last + 1)[:, None]
    uniforms = first_uniforms(seeds, count)
    yield 0.5
    draws = settings.posterior.quantiles(uniforms)
    return Made(np.vstack([np.full(len(seeds), np.nan), draws.cumsum(axis=0) / count]))


WALL = Wall("run", "runs", "step", means, last=400)
