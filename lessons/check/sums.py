"""Sums and products that a text prints with their value, and whether a reader who reckons finds that value."""

import re
from collections.abc import Iterator
from math import prod

PLAIN = [(r"\cdot", "·"), ("×", "·"), ("$", " "), ("−", "-"), (r"\,", ""), ("{", ""), ("}", "")]
NUMBER = r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?"
FACTOR = rf"(?:\(-?{NUMBER}\)|-?{NUMBER})"
TERM = rf"{FACTOR}(?: ?[·/] ?{FACTOR})*"
EQUATION = re.compile(
    rf"(?<![\w.^·/(+-])(?<![·/(+\d-] )(?<!\\)(?<!\be )({TERM}(?: [+-] {TERM})*) ?= ?"
    rf"(-?{NUMBER})(?![\w^!])(?! ?[·/+] ?\S)(?! - \d)"
)


def untrue(text: str) -> Iterator[str]:
    """Yield the equations of a paragraph, of numbers whose value is not the number after them."""
    for written, plain in PLAIN:
        text = text.replace(written, plain)
    for left, right in EQUATION.findall(" ".join(text.split())):
        if not any(sign in left for sign in (" + ", " - ", "·", "/")):
            continue
        value = sum(_term(sign, term) for sign, term in re.findall(rf"( [+-] |^)({TERM})", left))
        if abs(value - _number(right)) > 0.5 * _last(right) * (1 + 1e-9):
            yield f"{left} = {right}, and not {value:.6g}"


def _term(sign: str, term: str) -> float:
    first, *others = re.findall(rf"([·/]?) ?({FACTOR})", term)
    value = _number(first[1]) * prod(_power(_number(said), by) for by, said in others)
    return -value if "-" in sign else value


def _power(value: float, by: str) -> float:
    return value if by != "/" else 1 / value if value else float("inf")


def _number(said: str) -> float:
    return float(said.strip("()").replace(",", ""))


def _last(said: str) -> float:
    """Return the worth of the last digit of a number."""
    mantissa, _, power = said.partition("e")
    return float(10.0 ** (int(power or 0) - len(mantissa.partition(".")[2])))
