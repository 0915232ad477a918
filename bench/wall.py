"""A wall of a hundred runs: how long its film takes to make, and what is sent; beside a chain for each run."""

import time
from collections.abc import Iterator
from typing import Any

from bench import Row, sent, size
from lessons.reader import STAGES
from pages.contract.stage import stage_of
from samplers import Chain

WALLS: dict[str, tuple[str, dict[str, Any], float | None]] = {
    "100 restaurants of 100 customers": ("crp_seating", {"customers": 100, "runs": "tables"}, 0.2),
    "100 buffets of 20 customers": ("ibp_buffet", {"runs": "dishes"}, None),
    "100 times 400 draws": ("draws", {"runs": "mean"}, None),
    "100 chains on seven points": ("crp_mixture", {"data": "seven_points", "runs": "tables"}, None),
}


def rows() -> Iterator[Row]:
    for name, (topic, changes, limit) in WALLS.items():
        stage, settings = stage_of(topic), STAGES[topic](**changes)
        stage.film(settings, 100)  # what is made once a process
        start = time.process_time()
        film = stage.film(settings, 0)
        seconds = time.process_time() - start
        start = time.process_time()
        for seed in range(settings.wall):
            Chain(settings.sampler(), seed)[film.total]
        chains = time.process_time() - start
        large = size(sent(film, count=min(film.total + 1, 240)))
        yield Row(name, seconds, limit, f"{seconds / chains:.2f} x its chains alone, {large:.0f} kB")
