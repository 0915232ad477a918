"""Iterations that are picked out to be looked at."""

import numpy as np


def next_like(values: np.ndarray, wanted: int, t: int) -> int:
    """Return the next iteration after t with this value, else the first one of all; t if there is none."""
    found = np.flatnonzero(values == wanted)
    later = found[found > t]
    return int(later[0]) if later.size else int(found[0]) if found.size else t
