"""The limit of a wrong rule, and how far it is from the exact posterior."""

from __future__ import annotations

import numpy as np
import streamlit as st

from lessons.stages.crp_mixture import CRPMixtureSettings
from pages.stages.points.scene import Scene
from samplers.crp.exact_partitions import sweep_matrix
from samplers.crp.wrong import WRONG_RULES
from samplers.diagnostics.convergence import effective_draws_per_sweep, sweeps_to_separate
from samplers.enumerated import stationary

MATRIX_SHOWN = 5  # points whose exact sweep can be written down while somebody waits


def own_limit(scene: Scene[CRPMixtureSettings]) -> str:
    """Return where a wrong rule ends up, and when that shows, as a sentence; nothing of the right rule."""
    if scene.settings.rule not in WRONG_RULES or len(scene.data) > MATRIX_SHOWN or scene.settings.learning == "learned":
        return ""
    distance, sweeps = _separation(scene.key, scene)
    when = "never" if sweeps is None else f"after about {sweeps:,} sweeps"
    return f" This rule's own limit is {distance:.3f} away from the truth; it stands clear of the noise {when}."


@st.cache_data(max_entries=64, show_spinner=False)
def _separation(key: str, _scene: Scene[CRPMixtureSettings]) -> tuple[float, int | None]:
    """Return how far the rule's limit is from the truth, and after how many sweeps that shows."""
    assert _scene.exact is not None
    rule = _scene.settings.model_copy(update={"rule": "right"}).sampler_of(_scene.data)
    matrices = [sweep_matrix(_scene.settings.sampler_of(_scene.data)), sweep_matrix(rule)]
    limit, right = stationary(matrices[0]), _scene.exact.probabilities
    worth = min(effective_draws_per_sweep(matrix) for matrix in matrices)
    return float(np.abs(limit - right).sum() / 2), sweeps_to_separate(limit, right, worth)
