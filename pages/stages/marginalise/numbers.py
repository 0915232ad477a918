"""Numbers as the inspector writes them, inside formulas."""

from __future__ import annotations

import math

import numpy as np


def signed(value: float, digits: int = 2) -> str:
    """Return a number with a real minus, infinite or not."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.{digits}f}".replace("-", "−")


def bracketed(value: float, digits: int = 2) -> str:
    """Return a number as a term of a formula: in brackets if it is negative."""
    return f"({signed(value, digits)})" if value < 0 else signed(value, digits)


def small(value: float) -> str:
    """Return a number from 0 in few characters; what underflowed is 0."""
    if value == 0:
        return "0"
    if value >= 0.001:
        return f"{value:.3f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10<sup>{signed(int(exponent), 0)}</sup>"


def probability(value: float) -> str:
    """Return a probability; next to 0 and 1 as an inequality."""
    return "&lt; 0.001" if 0 < value < 0.0005 else "&gt; 0.999" if 1 > value > 0.9995 else f"{value:.3f}"


def in_few(values: np.ndarray, most: int = 3) -> str:
    """Return a vector, its beginning if it is long."""
    more = ", …" if len(values) > most else ""
    return f"({', '.join(signed(float(value)) for value in values[:most])}{more})"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
