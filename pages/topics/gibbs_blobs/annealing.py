"""Annealed importance sampling as a picture: runs from point to point, each with the product of its predictions."""

from functools import lru_cache

import numpy as np
from scipy import special

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.drawing.cards import plus_minus, quiet
from pages.drawing.numbers import significant
from pages.scenes.points.scene import MixtureScene
from pages.topics.gibbs_blobs.how_many import RUNS, Places, missing, places_of
from samplers.conjugate import NormalKnownVariance
from samplers.mixtures.annealed import Annealed, Evidence

REMEDY = "The runs need components with a known spread: set <b>Spread of a component</b> to <b>Known</b>."
WIDE, HIGH = 500, 160  # pixels of the picture
LEFT, RIGHT, TOP, BELOW = 46, 112, 8, 36  # of them, around the lines
LARGEST = 10  # products whose share of the sum is told


@lru_cache(maxsize=16)
def went_through(settings: GibbsBlobsSettings, points: Places) -> Evidence | None:
    """Return the runs for the number of components that is set; None without a known spread."""
    data = np.array(points)
    family = settings.prior(data, settings.components)
    if not isinstance(family, NormalKnownVariance):
        return None
    annealed = Annealed(data, family, settings.number, settings.class_prior)
    return annealed.evidence(np.random.default_rng(settings.number), RUNS)  # as the table of the answers has it


def runs(scene: MixtureScene[GibbsBlobsSettings]) -> str:
    """Return the runs as lines, or why there are none."""
    if why := missing(scene.settings, scene.data):
        return quiet(why)
    found = went_through(scene.settings.as_run(), places_of(scene.data))
    if found is None:
        return quiet(REMEDY)
    weights = np.sort(np.exp(found.log_importance - found.log_importance.max()))
    share = weights[-LARGEST:].sum() / weights.sum()
    return (
        f"<p>Each of {RUNS} runs goes through the points: it multiplies its product by the density that it predicts "
        "for the next one, draws that point’s label, and redraws the labels so far.</p>"
        f"{_picture(found)}"
        + quiet(
            f"<i>K</i> = {scene.settings.number}: the log of the mean of the products is "
            f"{significant(found.log_evidence, 5)}{plus_minus(found.error)}. The {LARGEST} largest of the {RUNS} "
            f"products make up {100 * share:.0f} % of their sum."
        )
    )


def _picture(found: Evidence) -> str:
    """Draw the logarithm of each run's product against the points, from the logarithm of the mean of all."""
    apart = found.so_far - (special.logsumexp(found.so_far, axis=1) - np.log(RUNS))[:, None]
    low, high = min(float(apart.min()), -1.0), max(float(apart.max()), 1.0)
    last = len(apart) - 1

    def x(point: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * point / last

    def y(value: float) -> float:
        return TOP + (HIGH - TOP - BELOW) * (high - value) / (high - low)

    lines = "".join(
        f"<path d='M{'L'.join(f'{x(point):.1f} {y(value):.1f}' for point, value in enumerate(run))}'/>"
        for run in apart.T.tolist()
    )
    ticks = "".join(
        f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{f"{value:+d}".replace("-", "−")}</text>'
        for value in range(int(np.ceil(low)), int(np.floor(high)) + 1)
        if value and value % max(1, round((high - low) / 5)) == 0
    )
    ends = "".join(
        f'<text x="{x(point):.1f}" y="{HIGH - BELOW + 16}" text-anchor="middle">{point}</text>' for point in (0, last)
    )
    return (
        f'<svg class="annealing" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="A line for each run: how far the '
        f'logarithm of its product is above or below that of the mean of all.">{lines}'
        f'<path class="mean" d="M{x(0)} {y(0):.1f}H{x(last)}"/>{ticks}{ends}'
        f'<text x="{x(last) + 8}" y="{y(0) + 4:.1f}" class="said">log of the mean</text>'
        f'<text x="{x(last / 2):.1f}" y="{HIGH - 4}" text-anchor="middle">points predicted so far</text></svg>'
    )
