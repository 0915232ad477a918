"""A reference for a class's votes on a lineup: how often classes that see replicates alone press one tile as often.

Votes on one lineup are not independent: what draws one learner's eye draws another's. So each tile of a simulated
lineup has a weight of its own, all drawn from one Dirichlet distribution with a pseudo-count α, and learners vote by
these weights. A small α means that a class agrees on a few tiles. The class's own votes on replicates say which α are
likely; all of a grid are equally probable before that.
"""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from scipy import special

from samplers.diagnostics.lineup import TILES

ALPHAS = np.geomspace(0.05, 5.0, 25)
CLASSES = 2_000


def alpha_weights(others: tuple[int, ...]) -> np.ndarray:
    """Return how probable each α is, given the votes on the replicates of a lineup, one number a tile that had any."""
    votes, counts = sum(others), np.array(others, float)[:, None]
    total = (TILES - 1) * ALPHAS
    rising = (special.gammaln(ALPHAS + counts) - special.gammaln(ALPHAS)).sum(axis=0)
    log_weights = rising + special.gammaln(total) - special.gammaln(total + votes)
    weights: np.ndarray = special.softmax(log_weights)
    return weights


@lru_cache(64)
def as_often(hits: int, others: tuple[int, ...]) -> float:
    """Return the share of simulated classes, as large as this one, that press one given tile as often as the data's.

    Parameters
    ----------
    hits : int
        Votes on the data.
    others : tuple of int
        Votes on each replicate that had any, in any order.
    """
    rng = np.random.default_rng(TILES)
    alpha = rng.choice(ALPHAS, size=CLASSES, p=alpha_weights(others))
    weight = rng.beta(alpha, (TILES - 1) * alpha)  # of one tile among those of a Dirichlet
    return float((rng.binomial(hits + sum(others), weight) >= hits).mean())


def compared(tally: Mapping[str, int], right: str) -> str:
    """Return a sentence as HTML that holds a class's votes on a lineup against classes that saw replicates alone."""
    hits, votes = tally.get(right, 0), sum(tally.values())
    if not votes:
        return ""
    others = tuple(sorted(many for key, many in tally.items() if key != right))
    share = as_often(hits, others)
    said = f"{share:.1%}".replace("%", " %") if share * CLASSES >= 1 else "none"
    return (
        f"<p>{hits} of {votes} pressed the data. Of {CLASSES:,} simulated classes that see replicates alone, and agree "
        f"as this class does, {said} press one given tile as often.</p>"
    )
