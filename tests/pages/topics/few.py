"""Short first looks and walls of few chains, for tests to which it does not matter what the runs come to."""

import sys
from collections import OrderedDict
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from lessons.settings.settings import StageSettings
from pages.drawing.wall import Grid
from pages.player.kept import RUNS
from pages.scenes import gibbs_stage
from pages.scenes.wall import Made, Making, Parts
from pages.topics.climb_mixture import base as climb_mixture

CHAINS = 2  # of a wall: with a hundred, the same lines run for many times as long
LOOK = 6  # sweeps that set the axes, or the names of components


def show_little(patch: pytest.MonkeyPatch) -> None:
    """Have short walls, and let axes depend on fewer sweeps."""
    short_walls(patch)
    for module in [module for name, module in sys.modules.items() if name.startswith("pages.topics.")]:
        for name in ("FIRST_LOOK", "TO_NAME"):
            if hasattr(module, name):
                patch.setattr(module, name, LOOK)


def short_walls(patch: pytest.MonkeyPatch) -> None:
    """Let walls of lines show their first chains again and again.

    All that is kept for sessions is set aside meanwhile: no other test gets such walls.
    """
    patch.setattr(RUNS, "_entries", OrderedDict())
    patch.setattr(RUNS, "bytes", 0)
    for module in (gibbs_stage, climb_mixture):
        patch.setattr(module, "WALL", replace(module.WALL, make=_few(module.WALL.make)))


def _few(make: Making) -> Making:
    def parts(settings: StageSettings, seeds: np.ndarray, last: int, grid: Grid) -> Parts:
        made = yield from make(settings, seeds[:CHAINS], last, grid)
        return Made(np.resize(made.values.T, (len(seeds), last + 1)).T)

    return parts


def predict_little(patch: pytest.MonkeyPatch) -> None:
    """Predict words that were held out after few sweeps with one number of topics, and with one that is learned."""
    held_out = import_module("pages.topics.gibbs_topics.held_out")  # its function has the same name
    for name, values in {"NUMBERS": (2,), "CHAINS": (1, 2), "SWEEPS": (3, 4)}.items():
        patch.setattr(held_out, name, values)
