"""Checks that every sampler makes of its settings when it is built."""

from __future__ import annotations

import math


def finite_above(name: str, value: float, bound: float) -> float:
    """Return the value as a float if it is finite and greater than the bound.

    Raises
    ------
    ValueError
        With the name, what is allowed and what came, if it is not.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number > bound):
        raise ValueError(f"{name} must be finite and > {bound:g}, got {value!r}")
    return number
