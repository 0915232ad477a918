"""A wall of a hundred runs: how long its film takes to make, and what is sent; beside a chain for each run.

Cold walls of long chains are timed as browsers ask for them, with other processes and without.
"""

import time
from collections.abc import Iterator
from typing import Any

from bench import Row, sent, size
from lessons.settings.settings import StageSettings
from lessons.topics import STAGES
from pages.contract.film import Film
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.player.crew import CREW, MOST
from pages.player.turns import one_slice
from pages.server.routes import AGAIN
from samplers import Chain

WALLS: dict[str, tuple[str, dict[str, Any], float | None]] = {
    "100 restaurants of 100 customers": ("crp_seating", {"customers": 100, "runs": "tables"}, 0.2),
    "100 buffets of 20 customers": ("ibp_buffet", {"runs": "dishes"}, None),
    "100 times 400 draws": ("draws", {"runs": "mean"}, None),
    "100 chains on seven points": ("crp_mixture", {"data": "seven_points", "runs": "tables"}, None),
}
LONG: dict[str, tuple[str, dict[str, Any]]] = {  # a hundred chains, sixty sweeps, sixty points
    "100 chains of split and merge": ("jumps", {"runs": "tables"}),
    "100 chains of topics": ("gibbs_topics", {"runs": "mixed"}),
}
COLD = 2.0  # seconds, alone on two cores


def asked_for(topic: str, settings: StageSettings, seed: int) -> Film:
    """Return a film, asked for as a browser does: slice by slice, with pauses."""
    while True:
        try:
            with one_slice("bench"):
                return stage_of(topic).film(settings, seed)
        except NotYet:
            time.sleep(AGAIN / 1e3)


def cold() -> Iterator[Row]:
    """Make long walls that nobody had: alone, with processes that must start first, and with those that are there."""
    for name, (topic, changes) in LONG.items():
        settings, first = STAGES[topic](**changes), 0
        for how, many in (("by the server alone", 0), ("with processes to be started", MOST), ("with processes", MOST)):
            CREW.size, first = many, first + settings.wall
            start, used = time.perf_counter(), time.process_time()
            film = asked_for(topic, settings, first)
            took, used = time.perf_counter() - start, time.process_time() - used
            said = f"{1e3 * used:.0f} ms of this interpreter; {film.total} iterations"
            yield Row(f"{name}, {how}", took, COLD if many else None, said)
        CREW.stop()


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
    yield from cold()
