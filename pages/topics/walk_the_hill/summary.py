"""The worth of the draws so far: means beside the exact ones, effective sample sizes, R-hat."""

from math import sqrt

import numpy as np

from lessons.topics.walk_the_hill.walks import SAMPLERS
from pages.drawing.cards import effective, mean_error, plus_minus, quiet, rhat, table, whole
from pages.drawing.numbers import counted, fixed
from pages.topics.walk_the_hill.compared import Race
from pages.topics.walk_the_hill.film import WalkScene
from pages.topics.walk_the_hill.ladder import WalkLadderRun
from samplers.diagnostics.convergence import diagnose

FEWEST = 10  # draws before anything is said of them


def so_far(scene: WalkScene, t: int) -> str:
    """Return the averages of a run, or of two, beside the exact ones."""
    settings = scene.settings
    if t - settings.warmup < FEWEST:
        warm = f" The first {settings.warmup} iterations are warm-up." if settings.warmup else ""
        return quiet(f"Too few draws so far.{warm} Run on beyond {settings.warmup + FEWEST}.")
    draws = scene.draws(t)
    means, deviations = settings.density.moments
    rows = [_row(name, draws[:, :, axis], means[axis], deviations[axis]) for axis, name in enumerate("xy")]
    if scene.two_hills:
        share = settings.density.right_share
        right = settings.density.on_the_right(draws).astype(float)
        rows.append(_row("on the right hill", right, share, sqrt(share * (1 - share))))
    heads = ("", "mean ± its error", "exact", "standard deviation", "exact", "ESS", "R-hat")
    spent = (
        f"{counted(draws[:, :, 0].size, 'draw')}{scene.way.spent(scene, t) if len(draws) == 1 else ' of two chains'}."
    )
    return table(heads, rows) + quiet(spent + _moved(scene, t) + _swaps(scene, t))


def _row(name: str, values: np.ndarray, mean: float, deviation: float) -> tuple[str, ...]:
    """Return the summary of draws, shape (chains, draws), beside the exact mean and standard deviation."""
    found = diagnose(values)
    own = fixed(float(values.mean())) + mean_error(found)
    spread = fixed(float(values.std()))
    return name, own, fixed(mean), spread, fixed(deviation), effective(found)[0], rhat(found)


def _moved(scene: WalkScene, t: int) -> str:
    """Return how many iterations have moved the chain, or the first of two."""
    places = scene.run.positions[: t + 1]
    moved = int((places[1:] != places[:-1]).any(axis=1).sum())
    return f" {moved} of {t} iterations moved {'it' if len(scene.runs) == 1 else 'the first'}."


def _swaps(scene: WalkScene, t: int) -> str:
    """Return which share of its swaps each pair of levels has accepted."""
    if not isinstance(scene.run, WalkLadderRun):
        return ""
    shares = ", ".join(f"{share:.0%}".replace("%", " %") for share in scene.run.swapped[1 : t + 1].mean(axis=0))
    return f" Swaps accepted, from levels 1 and 2 upwards: {shares}."


def race(three: Race, t: int) -> str:
    """Return three samplers beside each other, at the cost of frame t."""
    if t < FEWEST:
        return quiet(f"Too few draws so far. Run on beyond {FEWEST * three.each} gradients.")
    exact = three.settings.density.moments[0]
    rows = []
    for name, run, many in zip(SAMPLERS, three.runs, three.steps_at(t), strict=True):
        draws = run.positions[1 : many + 1]
        found = [diagnose(draws[:, axis]) for axis in (0, 1)]
        means = [
            f"{fixed(float(draws[:, axis].mean()))}{plus_minus(found[axis].mcse_mean)} ({fixed(exact[axis])})"
            for axis in (0, 1)
        ]
        sizes = [one.ess_bulk for one in found]
        least = min((size for size in sizes if size is not None), default=None)
        worth = "–" if least is None else f"<b>{1000 * least / (t * three.each):,.0f}</b>"
        rows.append((name, f"{many:,}", *means, *map(whole, sizes), worth))
    heads = ("", "iterations", "mean of x (exact)", "mean of y (exact)", "ESS of x", "ESS of y", "for 1,000 gradients")
    return table(heads, rows) + quiet(
        f"{t * three.each:,} gradients for each; a Metropolis proposal counts as one. The last column uses the "
        "smaller ESS."
    )
