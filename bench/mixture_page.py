"""The mixture's page behind the player: a long run in slices, its frames, and one sweep beat by beat, at 500 points."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bench import Row, median_seconds
from lessons.stages.crp_mixture import SWEEPS, CRPMixtureSettings
from pages.player.player import Reel, message
from pages.player.run import KEPT
from pages.player.turns import SLICE
from pages.stages.crp_mixture import MixtureRun, scene_of
from pages.stages.points.film import close_up_film, sweeps_film
from samplers.chain import Chain

SETTINGS = CRPMixtureSettings(points=500)
SEED = 7
FRAMES = 240  # in a message


def in_slices(run: MixtureRun, until: int) -> tuple[float, float]:
    """Grow a run as the browser has it grown; return the seconds of all slices and of the longest."""
    times = []
    while run.made < until:
        start = time.perf_counter()
        run.grow(until)
        times.append(time.perf_counter() - start)
    return sum(times), max(times)


def growing() -> Iterator[Row]:
    """Time a whole run beside the chain alone, which keeps nothing of a sweep."""
    run = MixtureRun(Chain(SETTINGS.sampler(), SEED, keep=KEPT))
    whole, longest = in_slices(run, SWEEPS)
    start = time.perf_counter()
    Chain(SETTINGS.sampler(), SEED, keep=KEPT)[SWEEPS]
    ratio = f"{whole / (time.perf_counter() - start):.2f} x the chain alone; K = {run.tables[SWEEPS]} in the end"
    yield Row(f"{SWEEPS:,} sweeps, 500 points, in slices of {1e3 * SLICE:g} ms", whole, None, ratio)
    yield Row("the longest slice", longest, 1.25 * SLICE)


def after_a_late_look() -> Iterator[Row]:
    """Time sweeps of a run whose chain has been asked for a late sweep before, as by a link to one."""
    first, second = (MixtureRun(Chain(SETTINGS.sampler(), SEED, keep=KEPT)) for _ in range(2))
    before, _ = in_slices(first, 50)
    second.state(SWEEPS // 2)
    after, _ = in_slices(second, 50)
    yield Row("50 sweeps after a look at sweep 1,000", after, None, f"{after / before:.1f} x without")


def sending() -> Iterator[Row]:
    """Time frames and messages, and say how large they are."""
    scene = scene_of(SETTINGS, SEED)
    in_slices(scene.runs[0], FRAMES)
    film = sweeps_film(scene)
    seconds = median_seconds(lambda: film.frames(0, FRAMES))
    yield Row(f"columns of {FRAMES} sweeps", seconds, None, f"{1e6 * seconds / FRAMES:.1f} µs a frame")

    def sent(start: int) -> bytes:
        reel = Reel(film.key, start, FRAMES - 1, stilled=(film.key, 0))
        return message(film, reel, at=0, link="", lock=(), hide=())

    first, later = len(sent(0)), len(sent(FRAMES // 2))
    size = f"{first / 1e3:.0f} kB with charts and data; {later / (FRAMES / 2) / 1e3:.2f} kB a later frame"
    yield Row(f"message with {FRAMES} sweeps", median_seconds(lambda: sent(0)), None, size)
    yield Row("what is drawn at rest", median_seconds(lambda: film.still(FRAMES - 1)))
    seconds = median_seconds(lambda: scene.runs[0].close_up(FRAMES), repeats=5)
    yield Row("one sweep replayed beat by beat, 500 points", seconds)
    opened = scene.runs[0].close_up(FRAMES)
    seconds = median_seconds(lambda: close_up_film(scene, opened), repeats=5)
    reel = Reel()
    reel.film, reel.until = (closer := close_up_film(scene, opened)).key, closer.total
    size = len(message(closer, reel, at=0, link="", lock=(), hide=())) / (closer.total + 1)
    yield Row(f"its film of {closer.total + 1:,} frames", seconds, None, f"{size / 1e3:.2f} kB a frame")


def rows() -> Iterator[Row]:
    yield from growing()
    yield from after_a_late_look()
    yield from sending()
