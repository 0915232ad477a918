"""The chain beside the exact posterior, where few rows are small enough to list every matrix."""

import numpy as np

from lessons.topics.ibp_features.bits import LISTED_FEATURES
from pages.drawing.cards import quiet, table
from pages.drawing.numbers import probability
from pages.drawing.truth import beside, error_curve, frequencies, not_listed, verdict
from pages.topics.ibp_features.scene import FeaturesScene
from samplers.buffet.number_of_factors import DRAWS

LISTED = 6  # numbers of features that have a bar


def truth(scene: FeaturesScene, sweep: int) -> str:
    """Return how often each number of features has come up beside its probability, and the error to truth."""
    exact, many = scene.exact, f"{len(scene.rows.data)} {scene.rows.many}"
    if exact is None or not sweep:
        smaller = "<b>Three images of 2 × 2</b>, and redraw nothing but bits"
        return not_listed(exact, "fill the matrix", many, smaller)
    run = scene.run
    run.reach(sweep)
    ids, features = run.classes[1 : sweep + 1], run.features[1 : sweep + 1]
    listed = ids >= 0
    if not listed.any():
        return not_listed(exact, "fill the matrix", many, "")
    numbers = list(range(LISTED + 1))
    curve = error_curve(ids[listed], exact.probabilities)
    bars = frequencies(features, numbers, exact.feature_counts[: LISTED + 1])
    over = f"the {len(exact.classes):,} classes of matrices with up to {LISTED_FEATURES} features"
    return beside("Number of features", "features", bars, curve, exact.probabilities) + quiet(verdict(curve[-1], over))


def estimated(scene: FeaturesScene, sweep: int) -> str:
    """Return how often each number of factors has come up beside its probability, which is an estimate."""
    found = scene.estimate
    if found is None:
        return quiet(
            f"For {len(scene.rows.data)} {scene.rows.many} the probability of a number of factors is not known. Take "
            "<b>Three images of 2 × 2</b> as data."
        )
    scene.run.reach(sweep)
    shown = np.arange(LISTED + 2)
    counts = np.bincount(scene.run.features[1 : sweep + 1], minlength=len(shown))[: len(shown)]
    lines = (
        ("this chain", *(probability(float(count)) for count in counts / max(sweep, 1))),
        ("posterior", *(probability(float(share)) for share in found.shares[shown])),
        ("± standard error", *(f"{error:.4f}" for error in found.errors[shown])),
    )
    return table(("factors", *map(str, shown)), lines) + quiet(
        f"The posterior is an estimate, by {DRAWS:,} draws of loadings from their prior, each weighted by the density "
        "of the data. The chain has no part in it."
    )
