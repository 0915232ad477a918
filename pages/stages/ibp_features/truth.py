"""The chain beside the exact posterior, where few rows are small enough to list every matrix."""

from __future__ import annotations

import streamlit as st

from lessons.stages.ibp_features import LISTED_FEATURES
from pages.drawing.truth import draw, error_curve, frequencies, not_listed, verdict
from pages.stages.ibp_features.run import Scene

LISTED = 6  # numbers of features that have a bar


def truth(scene: Scene, sweep: int) -> None:
    """Draw how often each number of features has come up beside its probability, and the error to truth."""
    exact, many = scene.exact, f"{len(scene.rows.data)} {scene.rows.many}"
    if exact is None or not sweep:
        smaller = "<b>Three images of 2 × 2</b> with <b>Features, there or not</b>, and redraw nothing but bits"
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
        verdict(curve[-1], f"the {len(exact.classes):,} classes of matrices with up to {LISTED_FEATURES} features")
    )
