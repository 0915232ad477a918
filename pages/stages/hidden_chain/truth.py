"""The chains beside the exact posterior: of paths where these are few, else of the number of changes of state."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.drawing.truth import draw, error_curve, frequencies, not_listed, verdict
from pages.player.kept import RUNS
from pages.stages.hidden_chain.film import NAMES
from pages.stages.hidden_chain.run import ChainRun, Scene
from samplers.hmm.exact import MOST_PATHS, exact_paths


def draw_truth(scene: Scene, sweep: int) -> None:
    """Draw how often each number of changes has come up beside its probability, and the error to truth."""
    exact, run = scene.exact, scene.run
    states, hours = run.sampler.states, run.sampler.hours
    if exact is None or not sweep:
        size = f"{hours} hours and {states} states, with parameters drawn,"
        st.html(not_listed(exact, "give each hour a state", size, "<b>Eight hours</b>, or parameters that are given"))
        return
    posterior, listed = exact.changes, f"all {hours} numbers of changes"
    few = states**hours <= MOST_PATHS
    if few:
        posterior = RUNS.shared(f"{scene.key} paths", lambda: exact_paths(run.sampler)).probabilities
        listed = f"all {len(posterior):,} paths"
    curves = []
    for each in scene.runs:
        each.reach(sweep)
        curves.append(error_curve(_ids(each, sweep) if few else each.changes[1 : sweep + 1], posterior))
    seen = run.changes[1 : sweep + 1]
    shown = [k for k, p in enumerate(exact.changes) if p > 0.002 or (seen == k).any()]
    draw("Changes of state", "changes", frequencies(seen, shown, exact.changes[shown]), curves[0], posterior)
    said = verdict(curves[0][-1], listed)
    if len(curves) > 1:
        said += f" {NAMES[scene.settings.other].capitalize()}: {curves[1][-1]['error']:.3f}."
    st.caption(said)


def _ids(run: ChainRun, sweep: int) -> np.ndarray:
    """Return the path of each sweep from 1, as its place in lexical order, shape (sweeps,)."""
    digits = run.sampler.states ** np.arange(run.sampler.hours)[::-1]
    found: np.ndarray = run.labels[1 : sweep + 1].astype(int) @ digits
    return found
