"""Runs of a chain whose transition matrix is known."""

import numpy as np


def walk(matrix: np.ndarray, *, runs: int, sweeps: int, seed: int) -> np.ndarray:
    """States of so many runs from state 0, after each sweep: integers of shape (runs, sweeps)."""
    rng = np.random.default_rng(seed)
    bounds = matrix.cumsum(axis=1)[:, :-1]
    state = np.zeros(runs, int)
    states = np.empty((sweeps, runs), np.int16)
    for sweep in range(sweeps):
        state = (rng.random(runs)[:, None] >= bounds[state]).sum(axis=1)
        states[sweep] = state
    return states.T
