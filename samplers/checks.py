"""Checks of settings that every sampler makes when it is built."""

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def finite_above(name: str, value: float, bound: float) -> float:
    """Return the value as a float if it is finite and greater than the bound.

    Raises
    ------
    ValueError
        With the name, what is allowed and what came, if it is not.
    """
    number = _as_float(value)
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
    number = _as_float(value)
    if not low <= number < below:
        raise ValueError(f"{name} must be finite, >= {low:g} and < {below:g}, got {value!r}")
    return number


def whole_from(name: str, value: int, low: int) -> int:
    """Return the value as an int if it is a whole number and at least low.

    Raises
    ------
    TypeError
        If the value is not an integer.
    ValueError
        If it is too small.
    """
    number = operator.index(value)
    if number < low:
        raise ValueError(f"{name} must be {low} or more, got {value}")
    return number


def for_each(name: str, value: ArrayLike, count: int, *, zero: bool = False) -> np.ndarray:
    """Return finite numbers above 0 as a read-only array of shape (count,); a single number is repeated.

    With ``zero=True``, 0 is allowed as well.

    Raises
    ------
    ValueError
        With the name, what is allowed and what came, unless there is one number, or `count` of them, all in range.
    """
    try:
        numbers = np.array(value, float)
    except (TypeError, ValueError):
        numbers = np.array(math.nan)
    in_range = np.isfinite(numbers) & ((numbers >= 0) if zero else (numbers > 0))
    if numbers.shape not in ((), (count,)) or not in_range.all():
        bound = ">= 0" if zero else "> 0"
        raise ValueError(f"{name} must be a number {bound}, or {count} of them, and finite, got {value!r}")
    return np.broadcast_to(numbers, (count,))


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan
