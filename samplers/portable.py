"""Arithmetic that gives the same last bit on every x86 processor and in every version of Python.

NUTS is chaotic: two runs that differ in the last bit of one number have nothing in common a few hundred iterations on.
So what a trajectory depends on is computed here, and not by what is fastest on the processor at hand. NumPy's ``exp``
and ``log`` and the dot products of its linear algebra are chosen by the processor's vector instructions, and each
choice rounds differently; from Python 3.12 on ``sum`` of floats makes up for rounding, and before it does not.

SciPy's Box-Cox transforms with the exponent 0 are the logarithm and the exponential, one element after the other, from
the system's mathematical library, as are its ``expit`` and ``log_expit``. That library still differs between systems.
"""

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

import numpy as np
from scipy import special


def exp(values: np.ndarray) -> np.ndarray:
    """Return e to the power of each element.

    Examples
    --------
    >>> exp(np.array([0.0, 1.0]))
    array([1.        , 2.71828183])
    """
    return special.inv_boxcox(values, 0.0)


def log(values: np.ndarray) -> np.ndarray:
    """Return the natural logarithm of each element, above 0.

    Examples
    --------
    >>> log(np.array([1.0, 2.0]))
    array([0.        , 0.69314718])
    """
    return special.boxcox(values, 0.0)


def dot(first: np.ndarray, second: np.ndarray) -> float:
    """Return the sum of the products of the elements of two arrays of one shape.

    Examples
    --------
    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    11.0
    """
    return float(np.add.reduce(first * second, axis=None))


def total(numbers: Iterable[float]) -> float:
    """Return the sum, added from left to right with a rounding after each.

    Examples
    --------
    >>> total([0.1] * 10)
    0.9999999999999999
    """
    return reduce(add, numbers, 0.0)


def weights_of(log_weights: Sequence[float]) -> list[float]:
    """Return weights from their logarithms, scaled so that the largest is 1: none overflows.

    Divided by their sum they are the softmax. They are NaN where a logarithm is, and where the largest is infinite.

    Examples
    --------
    >>> [round(weight, 9) for weight in weights_of([-1000.0, -1000.0 - math.log(4.0)])]
    [1.0, 0.25]
    """
    top = max(log_weights)
    return [math.exp(value - top) for value in log_weights]
