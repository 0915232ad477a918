"""A lineup: the data among replicates that a model has drawn, for the eye or for a number to find.

Buja et al. (2009, Statistical inference for exploratory data analysis and model diagnostics, Philosophical Transactions
of the Royal Society A 367), section 4. The replicates come from draws of the posterior here, which has seen the data,
so a true model is found less often than one time in twenty, and not exactly as often (Gelman, Meng & Stern 1996).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from samplers.diagnostics.convergence import diagnose

TILES = 20  # in a lineup, with the data


class Share(NamedTuple):
    """The number of replicates that lie as far out as the data."""

    above: float  # the share of replicates whose number is the data's or larger: a posterior predictive p-value
    error: float | None  # its Monte Carlo standard error; None where all replicates lie on one side


def line_up(data: np.ndarray, replicates: Sequence[np.ndarray], place: int) -> np.ndarray:
    """Return data and replicates, each of shape (N, D), in one array with the data at a place from 0.

    Raises
    ------
    ValueError
        If the place is not one of the lineup's.
    """
    if not 0 <= place <= len(replicates):
        raise ValueError(f"place must be from 0 to {len(replicates)}, got {place}")
    return np.stack([*replicates[:place], data, *replicates[place:]])


def stands_out(tiles: np.ndarray, measure: Callable[[np.ndarray], float]) -> int:
    """Return the place of the tile, of shape (tiles, N, D), whose number is smallest; the first of equal ones."""
    return int(np.argmin([measure(tile) for tile in tiles]))


def share_above(ours: float, theirs: np.ndarray) -> Share:
    """Return the posterior predictive p-value of a number: the share of replicates that have as large a one.

    Parameters
    ----------
    ours : float
        The data's number.
    theirs : numpy.ndarray
        Those of replicates from successive draws of one chain, shape (draws,), from 1. The error takes the chain's
        autocorrelation into account.
    """
    above = theirs >= ours
    return Share(float(above.mean()), diagnose(above).mcse_mean)
