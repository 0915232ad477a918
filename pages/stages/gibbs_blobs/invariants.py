"""What label switching does: summaries that depend on the labels' names, and those that do not."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.parts.inspector import badge
from pages.stages.gibbs_blobs.run import BlobsRun
from pages.stages.points.film import MOST_MEANS
from pages.stages.points.panels import BRIEF, TOO_FEW, diagnoses
from pages.stages.points.run import means_of
from pages.stages.points.scene import Scene
from samplers.relabel import summaries


def switching(scene: Scene, sweep: int) -> None:
    """Draw what the chains say of names, and what they say whatever the names are."""
    if sweep < 4:
        st.html(TOO_FEW)
        return
    alike = [run for run in scene.runs if run is scene.runs[0] or scene.settings.second == "seed"]
    pair = far_apart(scene.data, scene.settings.point - 1)
    left, right = st.columns([0.43, 0.57])
    with left:
        st.html(f"<b>By name</b>{diagnoses(_by_name(alike, sweep, scene.names), BRIEF)}")
    with right:
        st.html(f"<b>Whatever the names</b>{diagnoses(_whatever(alike, sweep, pair), BRIEF)}")
    many = "Two chains" if len(alike) > 1 else "One chain, split in two halves for R-hat"
    st.html(f'<p class="quiet">{many}, {sweep} sweeps. Relabelling changes what stands on the left alone.</p>')


def far_apart(data: np.ndarray, point: int) -> tuple[int, int]:
    """Return a point and the one that lies in the middle of the others by distance: close enough to be unsure."""
    point = min(point, len(data) - 1)
    distance = np.linalg.norm(data - data[point], axis=1)
    return point, int(np.argsort(distance, kind="stable")[len(data) // 2])


def _by_name(runs: list[BlobsRun], sweep: int, names: str) -> dict[str, list[np.ndarray]]:
    many = min(runs[0].classes, MOST_MEANS)
    means = [means_of(run.named(0, sweep + 1, names)[1], many) for run in runs]
    return {f"mean of {badge(str(k + 1), k)}": [values[1:, k] for values in means] for k in range(many)}


def _whatever(runs: list[BlobsRun], sweep: int, pair: tuple[int, int]) -> dict[str, list[np.ndarray]]:
    found = [summaries(run.labels[1 : sweep + 1], pair) for run in runs]
    return {
        "components in use": [each["occupied"] for each in found],
        "points of the largest": [each["largest"] for each in found],
        f"P(points {pair[0] + 1} and {pair[1] + 1} together)": [each["together"] for each in found],
        "log joint": [run.log_joint[1 : sweep + 1] for run in runs],
    }
