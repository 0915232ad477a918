"""Checks that every sampler makes of its settings when it is built."""

from __future__ import annotations

import math
import operator


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


def finite_from(name: str, value: float, low: float, below: float) -> float:
    """Return the value as a float if low <= value < below.

    Raises
    ------
    ValueError
        With the name, what is allowed and what came, if it is not.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not low <= number < below:
        raise ValueError(f"{name} must be finite, >= {low:g} and < {below:g}, got {value!r}")
    return number


def whole_from(name: str, value: int, low: int) -> int:
    """Return the value as an int if it is a whole number and at least low.

    Raises
    ------
    TypeError
        If the value is no integer.
    ValueError
        If it is too small.
    """
    number = operator.index(value)
    if number < low:
        raise ValueError(f"{name} must be {low} or more, got {value}")
    return number
