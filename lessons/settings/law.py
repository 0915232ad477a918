"""Exact distributions of a run's outcome over all seeds, where known: a class's marks pile up beside them."""

from typing import Any, NamedTuple

import numpy as np

LEAST = 1e-4  # the smallest share that browsers get
NOW, LATER = "exactly, at this iteration", "the exact posterior: the long-run distribution of a correct chain"


class Law(NamedTuple):
    """The exact distribution of an outcome."""

    said: str  # a description
    mean: float  # the mean
    # values, shares: the values that are probable enough to show, and their probabilities; empty if only the mean is
    # known
    values: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()

    def as_message(self) -> dict[str, Any]:
        """Return it as a message for browsers."""
        told: dict[str, Any] = {"said": self.said, "mean": round(self.mean, 6)}
        return told | ({"values": self.values, "shares": self.shares} if self.values else {})


def listed(said: str, values: np.ndarray, shares: np.ndarray) -> Law:
    """Return the distribution of values with these probabilities, both of shape (n,)."""
    order = [index for index in np.argsort(values, kind="stable") if shares[index] >= LEAST]
    return Law(
        said,
        float(values @ shares),
        tuple(round(float(values[index]), 6) for index in order),
        tuple(round(float(shares[index]), 6) for index in order),
    )


def counted(said: str, shares: np.ndarray) -> Law:
    """Return the distribution of a count, whose probabilities of 0, 1, 2 … are given, shape (n,)."""
    return listed(said, np.arange(len(shares)), shares)
