"""Numbers as short text, with a true minus sign, and with their nouns.

Texts are HTML: powers of ten are superscripts, and inequality signs are escaped.
"""

from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from math import exp, floor, inf, isinf, isnan, log, log10, prod

import numpy as np
from numpy.typing import ArrayLike

LOG_TEN = log(10)
EXACT = 17  # significant digits that tell all numbers apart
HUGE = 1e9  # from here on numbers are written with a power of ten


def fixed(value: float, digits: int = 2, *, plus: bool = False) -> str:
    """Return a number with `digits` decimals, ±∞, or 0/0 for NaN; with ``plus``, positive numbers have a +.

    From a billion on it has `digits` decimals and a power of ten.
    """
    if isnan(value):
        return "0/0"
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    return _typeset(f"{value:{'+' if plus else ''}.{digits}{'f' if abs(value) < HUGE else 'e'}}")


def to_scale(value: float, scale: float, digits: int = 2) -> str:
    """Return a number with as many decimals as `scale` deserves: `digits` of them for a scale of 1.

    Beyond six decimals, or six meaningless digits, it is written with a power of ten.
    """
    decimals = digits - floor(log10(scale))
    if abs(decimals) <= 6:
        return fixed(value, max(0, decimals))
    return _typeset(f"{value:.{max(0, decimals + floor(log10(abs(value) or scale)))}e}")


def significant(value: float, digits: int = 3, *, least: float = 0.0, grouped: bool = False) -> str:
    """Return a number with `digits` significant digits, or ±∞.

    Parameters
    ----------
    value : float
        Any number.
    digits : int, optional
        The number of digits, from 1.
    least : float, optional
        Numbers closer to 0 than this count as rounding errors, and are written as 0.
    grouped : bool, optional
        From 1,000 to below ten million, write all digits before the point, in groups of three.
    """
    if isinf(value):
        return fixed(value)
    if abs(value) < least:
        return "0"
    return _typeset(f"{value:,.0f}" if grouped and 1_000 <= abs(value) < 1e7 else f"{value:.{digits}g}")


def probability(value: float) -> str:
    """Return a probability with three decimals; one that would read as 0 has a power of ten, such as 5e−5."""
    return f"{value:.3f}" if value >= 0.0005 or value == 0 else _typeset(f"{value:.0e}")


def nearly_sure(value: float) -> str:
    """Return a probability; one that would read as 1 but is smaller becomes an inequality."""
    return "&gt; 0.999" if 0.9995 < value < 1 else probability(value)


def of_its_log(log_value: float, digits: int = 3) -> str:
    """Return a number from its logarithm, 0 from −∞; a very small or large one as a · 10ⁿ, even where it underflows."""
    if log_value == -inf:
        return "0"
    if -9 < log_value < 9 and "e" not in (text := f"{exp(log_value):.{digits}g}"):
        return text
    power = floor(log_value / LOG_TEN)
    return f"{10 ** (log_value / LOG_TEN - power):.{digits - 1}f}·10<sup>{fixed(power, 0)}</sup>"


def enough_digits(work: Callable[[int], float | Decimal], digits: int = 3) -> int:
    """Return with how many significant digits the numbers of a formula let a reader find its value.

    Parameters
    ----------
    work : callable
        The value of the formula, with its numbers rounded to a number of significant digits.
    digits : int, optional
        The number of significant digits that the value has, and the fewest of the formula's.
    """
    value = f"{work(EXACT):.{digits - 1}e}"
    return next((each for each in range(digits, 2 * digits) if f"{work(each):.{digits - 1}e}" == value), 2 * digits)


def enough_decimals(work: Callable[[int], float], decimals: int = 2) -> int:
    """Return with how many decimals the numbers of a sum let a reader find its value.

    Parameters
    ----------
    work : callable
        The value of the sum, with its numbers rounded to a number of decimals.
    decimals : int, optional
        The decimals that the value has, and the fewest of the sum's numbers.
    """
    value, most = fixed(work(EXACT), decimals), 2 * decimals + 2
    return next((each for each in range(decimals, most) if fixed(work(each), decimals) == value), most)


def subtracted(first: float, *others: float, decimals: int = 2, mark: str = "") -> str:
    """Return a number less others, with the value: "9.486 − (−30.456) = 39.94".

    The numbers have as many decimals as it takes for a reader who subtracts them to find the value, which has
    `decimals`. `mark` is an HTML element around the value.
    """
    enough = enough_decimals(lambda n: round(first, n) - sum(round(each, n) for each in others), decimals)
    value = fixed(first - sum(others), decimals)
    told = f"<{mark}>{value}</{mark}>" if mark else value
    return f"{' − '.join([fixed(first, enough), *(bracketed(fixed(each, enough)) for each in others)])} = {told}"


def cut(value: float, digits: int) -> float:
    """Return the number that a reader finds where a value has this number of significant digits."""
    return float(f"{value:.{digits}g}")


def multiplied(*logs: float, digits: int = 3, mark: str = "") -> str:
    """Return a product of numbers, from their logarithms, with its value: "0.3333 · 0.2054 = 0.0685".

    The factors have as many digits as it takes for a reader who multiplies them to find the value. This has `digits`
    significant digits, or more where that spares many in the factors. `mark` is an HTML element around the value.
    """
    enough = digits
    if -inf not in logs:
        tried = range(digits, digits + 3)
        found = [enough_digits(lambda n: prod(_read(each, n) for each in logs), of_value) for of_value in tried]
        enough, digits = min(zip(found, tried, strict=True))
    value = of_its_log(sum(logs), digits)
    told = f"<{mark}>{value}</{mark}>" if mark else value
    return f"{' · '.join(of_its_log(each, enough) for each in logs)} = {told}"


def _read(log_value: float, digits: int) -> Decimal:
    """Return the number of a logarithm as `of_its_log` writes it."""
    return Context(prec=digits).plus(Decimal(log_value).exp())


def small(value: float) -> str:
    """Return a number from 0 with three decimals, or as a · 10ⁿ; one that underflowed is 0."""
    if value >= 0.001 or value == 0:
        return f"{value:.3f}" if value else "0"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10<sup>{fixed(int(exponent), 0)}</sup>"


def bracketed(text: str) -> str:
    """Return a number's text as a term of a formula, in brackets if it is negative."""
    return f"({text})" if text.startswith("−") else text


def vector(values: Sequence[float] | np.ndarray, write: Callable[[float], str] = fixed, most: int = 3) -> str:
    """Return numbers in brackets, only the first `most` if there are many."""
    more = ", …" if len(values) > most else ""
    return f"({', '.join(write(float(value)) for value in values[:most])}{more})"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, or with the plural, which ends in s or es unless `nouns` is given."""
    plural = nouns or noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def rounded(values: ArrayLike, digits: int = 4) -> list[float]:
    """Return numbers with a few significant digits, for a chart; four are finer than a pixel."""
    numbers = np.asarray(values, float).tolist()
    texts = f"%.{digits}g " * len(numbers) % tuple(numbers)  # a third of the time that each takes by itself
    return [float(text) for text in texts.split()]


def _typeset(text: str) -> str:
    return text.replace("e-0", "e-").replace("-", "−")
