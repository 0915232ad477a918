"""A hundred buffets at once: each a tile with its dishes, discs as large as the share of customers who took them."""

import numpy as np

from lessons.topics.ibp_buffet import IBPBuffetSettings
from pages.contract.columns import FLOAT32
from pages.drawing.numbers import rounded
from pages.drawing.palette import COLORS
from pages.drawing.wall import ACROSS, DOWN, EDGE, Grid
from pages.scenes.wall import Made, Parts, Wall
from samplers import Chain

TOP = 0.7  # of a tile, where its number stands


def dishes(settings: IBPBuffetSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Run the buffets, and draw their dishes row by row in the order in which they were first taken."""
    sampler, taken = settings.sampler(), []
    for run, seed in enumerate(seeds.tolist()):
        taken.append(Chain(sampler, seed)[last].matrix)
        yield run / len(seeds)
    most = max(1, *(matrix.shape[1] for matrix in taken))
    plates = np.zeros((last + 1, len(seeds), most), np.int16)
    for run, matrix in enumerate(taken):
        plates[1:, run, : matrix.shape[1]] = matrix
    counts = plates.cumsum(axis=0)
    overall = (counts > 0).sum(axis=2)
    new = np.diff(overall, axis=0, prepend=0)
    values = {"dishes": overall, "plate": plates.sum(axis=2), "new": new}[settings.many].astype(float)
    values[0] = np.nan  # no customer, no dots yet, where 0 can be a value later
    columns = int(np.ceil(np.sqrt(most * ACROSS / (DOWN - TOP))))
    cell = min((ACROSS - 2 * EDGE) / columns, (DOWN - TOP - EDGE) / -(-most // columns))
    corners, dish = grid.corners(len(seeds)), np.arange(most)
    x = corners[:, :1] + EDGE + cell * (dish % columns + 0.5)
    y = corners[:, 1:] + DOWN - TOP - cell * (dish // columns + 0.5)
    come = np.maximum(1, np.arange(last + 1))[:, None, None]
    radii = 0.48 * cell * np.sqrt(counts / come)  # full where all took it, so early discs are not specks
    discs = {
        "x": rounded(x.ravel()),
        "y": rounded(y.ravel()),
        "color": np.tile(dish % len(COLORS), len(seeds)).tolist(),
    }
    return Made(values, discs | FLOAT32.made(radius=radii.reshape(last + 1, -1)))


WALL = Wall("buffet", "buffets", "customer", dishes)
