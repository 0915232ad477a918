"""A hundred climbs at once, each from labels of its own."""

import numpy as np

from lessons.topics.climb_mixture import ClimbMixtureSettings
from lessons.topics.climb_mixture.means import in_use
from pages.drawing.wall import Grid
from pages.scenes.wall import Made, Parts, Wall
from samplers import Chain


def climbs(settings: ClimbMixtureSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Return the bound, or the number of components in use, of each seed's climb after every half-step."""
    values, climb = np.empty((last + 1, len(seeds))), settings.sampler()
    for column, seed in enumerate(seeds.tolist()):
        chain = Chain(climb, seed)
        states = [chain[t] for t in range(last + 1)]
        values[:, column] = [state.bound if settings.many == "bound" else in_use(state) for state in states]
        yield (column + 1) / len(seeds)
    return Made(values)


WALL = Wall("start", "starts", "half-step", climbs)
