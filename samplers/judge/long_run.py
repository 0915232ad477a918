"""The long run of sweeps, from the matrices of their updates: where it leads, and whether there is one."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from samplers.enumerated import stationary

SWEEPS, SETTLED = 400, 1e-12  # after how many a long run that moves by more than this is solved for


def after(steps: Sequence[csr_array], distribution: np.ndarray) -> np.ndarray:
    """Return a distribution after a sweep, from the matrices of its updates."""
    for step in steps:
        distribution = distribution @ step
    return distribution


def long_run(steps: Sequence[csr_array]) -> np.ndarray:
    """Return the stationary distribution of a sweep whose states all lead to one another."""
    size = steps[0].shape[0]
    found = np.full(size, 1 / size)
    for _ in range(SWEEPS):
        before, found = found, after(steps, found)
        if np.abs(found - before).sum() < SETTLED:
            return found
    return stationary(after(steps, np.eye(size)))


def _reached(steps: Sequence[csr_array], start: np.ndarray) -> np.ndarray:
    """Return which states some sweeps can reach from these, shape (states,)."""
    found = start
    while True:
        more = found | (after(steps, found.astype(float)) > 0)
        if (more == found).all():
            return found
        found = more


def closed_class(steps: Sequence[csr_array]) -> np.ndarray:
    """Return which states a chain that began with the first one comes back to for ever, shape (states,)."""
    backwards = [step.T.tocsr() for step in reversed(steps)]
    start = np.arange(steps[0].shape[0]) == 0
    while True:
        ahead = _reached(steps, start)
        left = ahead & ~_reached(backwards, start)
        if not left.any():
            return ahead
        start = np.arange(len(left)) == np.argmax(left)


def period(steps: Sequence[csr_array]) -> int:
    """Return the period of a chain whose states all lead to one another: 1 if some sweep can stay where it is."""
    stays = np.prod([step.diagonal() for step in steps], axis=0)
    if stays.any():
        return 1
    depth = np.full(len(stays), -1)
    depth[0], period, t = 0, 0, 0
    front = depth == 0
    while front.any():
        t += 1
        reached = after(steps, front.astype(float)) > 0
        for seen in np.unique(depth[reached & (depth >= 0)]):
            period = int(np.gcd(period, t - seen))
        front = reached & (depth < 0)
        depth[front] = t
    return period
