"""Chains as somebody may bring them: a mixture whose labels switch, with divergences and a saved warm-up."""

import numpy as np

from lessons.own.draws import OwnDraws

SWITCHED = (20, 31)  # the draws between which the names are the other way round


def own_chains(chains: int = 3, draws: int = 40, warmup: int = 5) -> OwnDraws:
    """Return chains of two means of a mixture; in the first chain their names are swapped for a while."""
    rng = np.random.default_rng(1)
    values = rng.normal([-1.0, 2.0], 0.2, (chains, warmup + draws, 2))
    first, stop = (warmup + at for at in SWITCHED)
    values[0, first:stop] = values[0, first:stop, ::-1]
    diverged = np.zeros(values.shape[:2], np.uint8)
    diverged[1, [2, warmup + 3, warmup + 9]] = 1
    return OwnDraws(("mu[1]", "mu[2]"), values, diverged, warmup, marked=True)
