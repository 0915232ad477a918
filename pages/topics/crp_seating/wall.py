"""A hundred restaurants at once: each a tile with its tables, drawn as on the large floor."""

from collections.abc import Generator
from typing import Any

import numpy as np

from lessons.topics.crp_seating import CRPSeatingSettings
from pages.contract.columns import FLOAT32
from pages.drawing.numbers import rounded
from pages.drawing.palette import COLORS
from pages.drawing.wall import ACROSS, Grid
from pages.scenes.wall import Made, Parts, Wall
from pages.topics.crp_seating.floor import BOTTOM, WIDTH, plan, radius
from samplers import Chain
from samplers.crp.seating import CRPSeating
from samplers.streams import first_uniforms

COARSE = 600  # spots at which a small table may be
SHOWN = 40  # tables of a tile: the largest
UNIT = ACROSS / WIDTH  # of the floor, on the wall
SUNK = 5.0 - BOTTOM  # the floor has no bar below here


def rooms(settings: CRPSeatingSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
    """Seat the customers of all restaurants, and draw their tables."""
    sampler = settings.sampler()
    if isinstance(sampler, CRPSeating):
        uniforms = first_uniforms(seeds, np.arange(1, last + 1)[:, None])
        counts = sampler.seat_all(uniforms)
        yield 0.3
    else:
        counts = yield from _by_chains(sampler, seeds, last)
    values = {"tables": (counts > 0).sum(axis=2), "first": counts[:, :, 0]}[settings.many]
    shown = np.argsort(-counts[-1].astype(int), axis=1, kind="stable")[:, :SHOWN]
    tables = np.take_along_axis(counts, shown[None], axis=2)
    x, y, scales = np.zeros(shown.shape), np.zeros(shown.shape), np.zeros(len(seeds))
    corners = grid.corners(len(seeds))
    for run, sizes in enumerate(tables[-1]):
        floor = plan(sizes[sizes > 0], COARSE)
        centres = floor.tables * UNIT
        x[run, : len(centres)] = corners[run, 0] + centres[:, 0]
        y[run, : len(centres)] = corners[run, 1] + centres[:, 1] + SUNK * UNIT
        scales[run] = floor.spacing * UNIT
        if run % 10 == 9:
            yield 0.3 + 0.7 * run / len(seeds)
    radii = np.where(tables > 0, radius(tables) * scales[:, None], 0).astype(np.float32)
    discs = {
        "x": rounded(x.ravel()),
        "y": rounded(y.ravel()),
        "color": (shown % len(COLORS)).ravel().tolist(),
    }
    return Made(values.astype(float), discs | FLOAT32.made(radius=radii.reshape(last + 1, -1)))


def _by_chains(sampler: Any, seeds: np.ndarray, last: int) -> Generator[float, None, np.ndarray]:
    """Return the customers at each table, from a chain for every seed; a piece of a stick may be empty still."""
    seats = np.zeros((last, len(seeds)), int)
    for run, seed in enumerate(seeds.tolist()):
        seats[:, run] = Chain(sampler, seed)[last].assignments
        yield 0.3 * run / len(seeds)
    counts = np.zeros((last + 1, len(seeds), seats.max(initial=0) + 1), np.uint16)
    for t, tables in enumerate(seats, 1):
        counts[t] = counts[t - 1]
        counts[t, np.arange(len(seeds)), tables] += 1
    return counts


WALL = Wall("restaurant", "restaurants", "customer", rooms)
