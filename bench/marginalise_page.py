"""The page of summed-out labels behind the player: a run in slices, its frames, one iteration opened, one program."""

import time
from collections.abc import Iterator

from bench import Row, in_slices, median_seconds, sent, size
from lessons.topics.marginalise import ITERATIONS, MarginaliseSettings
from pages.player.run import KEPT
from pages.player.turns import SLICE
from pages.scenes.leapfrogs import LeapfrogPath
from pages.topics.marginalise import plane, program_film, run_film, scene_of, trajectory_film, truth
from pages.topics.marginalise.program_trace import trace_of
from pages.topics.marginalise.run import GibbsRun, MarginalRun
from samplers.chain import Chain

SEED = 7
FRAMES = 240  # in a message
DATA = {
    "six messages, 10 words": MarginaliseSettings(),
    "254 messages, 60 words": MarginaliseSettings(data="toy_corpus", words=60),
    "two means, 10 points": MarginaliseSettings(model="two means"),
}


def growing() -> Iterator[Row]:
    """Time the first look, and a whole run beside the chain alone."""
    for name, settings in DATA.items():
        start = time.perf_counter()
        run = MarginalRun(settings, SEED)
        yield Row(f"first look, {name}", time.perf_counter() - start, 1.0)
        whole, longest = in_slices(run, ITERATIONS)
        start = time.perf_counter()
        Chain(settings.sampler(), SEED, keep=KEPT)[ITERATIONS]
        ratio = f"{whole / (time.perf_counter() - start):.2f} x the chain alone"
        yield Row(f"{ITERATIONS:,} iterations, {name}", whole, None, ratio)
        yield Row("the longest slice", longest, 1.5 * SLICE)
        whole, _ = in_slices(GibbsRun(settings, SEED), ITERATIONS)
        yield Row(f"{ITERATIONS:,} sweeps of Gibbs, {name}", whole)


def sending() -> Iterator[Row]:
    """Time what is sent, and what is opened."""
    for name, settings in DATA.items():
        scene = scene_of(settings, SEED)
        in_slices(scene.run, 400)
        film = run_film.film(scene)
        large = size(sent(film, count=FRAMES))
        seconds = median_seconds(lambda film=film: film.frames(0, FRAMES))
        yield Row(f"columns of {FRAMES} iterations, {name}", seconds, None, f"{large:.0f} kB with all else")
        path = scene.run.close_up(400)
        plane._contours.cache_clear()
        seconds = median_seconds(lambda scene=scene, path=path: _opened(scene, path), repeats=3)
        yield Row("an iteration opened, its contours drawn anew", seconds, 0.3)
    scene = scene_of(DATA["six messages, 10 words"], SEED)
    position = scene.run.state(400).position
    seconds = median_seconds(lambda: program_film.film(scene, trace_of(scene.settings, scene.run.target, position)))
    yield Row("the program at one place, term by term", seconds)
    seconds = median_seconds(lambda: truth.panel(scene, 400), repeats=3)
    yield Row("truth of six messages", seconds, 0.3)


def _opened(scene: run_film.Scene, path: LeapfrogPath) -> None:
    plane._contours.cache_clear()
    film = trajectory_film.film(scene, path)
    film.frames(0, film.total)


def rows() -> Iterator[Row]:
    yield from growing()
    yield from sending()
