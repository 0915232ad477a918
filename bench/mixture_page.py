"""The mixture's page behind the player: a long run in slices, its frames, and one sweep beat by beat, at 500 points."""

import time
from collections.abc import Iterator

from bench import Row, in_slices, median_seconds, sent, size
from lessons.topics.crp_mixture import SWEEPS, CRPMixtureSettings
from pages.player.run import KEPT
from pages.player.turns import SLICE
from pages.scenes.points.film import close_up_film, sweeps_film
from pages.topics.crp_mixture import MixtureRun, scene_of
from samplers.chain import Chain

SETTINGS = CRPMixtureSettings(points=500)
SEED = 7
FRAMES = 240  # in a message


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

    later = size([film.packed(FRAMES // 2, FRAMES)]) / (FRAMES / 2)
    large = f"{size(sent(film, count=FRAMES)):.0f} kB with charts and data; {later:.2f} kB a later frame"
    yield Row(f"answers with {FRAMES} sweeps", median_seconds(lambda: sent(film, count=FRAMES)), None, large)
    yield Row("what is drawn at rest", median_seconds(lambda: film.still(FRAMES - 1)))
    seconds = median_seconds(lambda: list(scene.runs[0].close_up(FRAMES)), repeats=5)
    yield Row("one sweep replayed beat by beat, 500 points", seconds)
    frames = 4 * SETTINGS.points + 1

    def opened() -> list[bytes]:
        return sent(close_up_film(scene, scene.runs[0].close_up(FRAMES)), count=frames)

    large = size(opened()) / frames
    yield Row(f"its film of {frames:,} frames", median_seconds(opened, repeats=5), None, f"{large:.2f} kB a frame")


def rows() -> Iterator[Row]:
    yield from growing()
    yield from after_a_late_look()
    yield from sending()
