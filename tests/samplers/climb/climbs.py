"""Points and climbs that the tests share."""

import numpy as np

from samplers.conjugate import NormalInverseGamma, NormalInverseWishart, NormalKnownVariance
from samplers.data.blobs import DATASETS

FEW = np.array([-2.1, -1.6, 0.2, 1.0, 1.7])
OVERLAPPING = DATASETS["overlapping"](40, 1).data
KNOWN, UNKNOWN = NormalKnownVariance(0.0, 4.0, 0.5), NormalInverseGamma(0.0, 0.125, 2.0, 0.5)
PLANE_KNOWN = NormalKnownVariance([0.0, 0.0], 4.0, 0.64)
PLANE_UNKNOWN = NormalInverseWishart([0.0, 0.0], 0.1, 5.0, 0.5 * np.eye(2))


def climbed(climb, seed=0, half_steps=600, start=None):
    """The states of a climb, from its start or from labels, and its records."""
    states = [climb.init(np.random.default_rng(seed)) if start is None else climb.state(start)]
    records = []
    for _ in range(half_steps):
        state, record = climb.step(states[-1])
        states.append(state)
        records.append(record)
    return states, records


def falls(values):
    """By how much a list of numbers falls at most from one to the next, beyond rounding."""
    values = np.array(values)
    down = np.append(values[:-1] - values[1:], 0.0)
    return max(0.0, float((down - 1e-9 * (1 + np.abs(values))).max()))
