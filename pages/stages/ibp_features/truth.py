"""The chain beside the exact posterior, where few rows are small enough to list every matrix."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lessons.stages.ibp_features import IBPFeaturesSettings
from pages.drawing.truth import draw, error_curve, frequencies, not_listed, verdict
from pages.stages.ibp_features.run import Scene
from samplers.buffet.exact_features import ExactFeatures, exact_features

MOST_ROWS, MOST_FEATURES = 3, 8  # 6,435 classes
LISTED = 6  # numbers of features that have a bar


def exact_of(settings: IBPFeaturesSettings, data: np.ndarray) -> ExactFeatures | None:
    """Return the exact posterior of the class of the matrix, where it can be listed and nothing else is redrawn."""
    if len(data) > MOST_ROWS or settings.redrawn != "nothing":
        return None
    return exact_features(data, settings.concentration, settings.noise, settings.spread, MOST_FEATURES)


def truth(scene: Scene, sweep: int) -> None:
    """Draw how often each number of features has come up beside its probability, and the error to truth."""
    exact, many = scene.exact, f"{len(scene.rows.data)} {scene.rows.many}"
    if exact is None or not sweep:
        smaller = "<b>Three images of 2 × 2</b>, and redraw nothing but bits"
        st.html(not_listed(exact, "fill the matrix", many, smaller))
        return
    run = scene.run
    run.reach(sweep)
    ids, features = run.classes[1 : sweep + 1], run.features[1 : sweep + 1]
    listed = ids >= 0
    if not listed.any():
        st.html(not_listed(exact, "fill the matrix", many, ""))
        return
    numbers = list(range(LISTED + 1))
    curve = error_curve(ids[listed], exact.probabilities)
    bars = frequencies(features, numbers, exact.feature_counts[: LISTED + 1])
    draw("Number of features", "features", bars, curve, exact.probabilities)
    st.caption(
        verdict(curve[-1], f"the {len(exact.classes):,} classes of matrices with up to {MOST_FEATURES} features")
    )
