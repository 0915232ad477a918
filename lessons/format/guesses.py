"""Guesses as numbers, and the lines of a lesson that stand for them.

The reasons are a list, like those of choices, with values instead of sentences::

    - [x] 4.7
      > Right: …
    - [ ] 10 to 20
      > That would be …
    - [ ] else
      > …
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

ELSE = "else"  # stands for every guess that no other line has
SLACK = 1e-9  # what is as far off as it may be is right, however it was rounded

_NUMBER = r"[+\-−]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?|[+\-−]?\.\d+"
_DECIMAL_COMMA = re.compile(r"(\d*),(\d+)")
_VALUE = re.compile(rf"({_NUMBER})(?: to ({_NUMBER}))?|(below|above) ({_NUMBER})")


@dataclass(frozen=True)
class Span:
    """The guesses that have a reason in a lesson."""

    # low, high: both are included
    low: float
    high: float
    digits: int = 0  # number of digits after the point of `low`, as it was written

    @property
    def is_value(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    def has(self, guess: float, within: float = 0.0) -> bool:
        """Return whether a guess belongs here; to a single number it does if it is off by `within` at most."""
        wide = self.widened(within)
        return wide.low <= guess <= wide.high

    def widened(self, within: float, others: Sequence[float] = ()) -> "Span":
        """Return the guesses that belong here, as the least and the most; those that are nearer to others do not."""
        off = within * (1 + SLACK) + SLACK if self.is_value else 0.0
        below = [(self.low + other) / 2 for other in others if other < self.low and self.is_value]
        above = [(self.high + other) / 2 for other in others if other > self.high and self.is_value]
        return Span(max([self.low - off, *below]), min([self.high + off, *above]), self.digits)

    def rounds(self, value: float) -> bool:
        """Return whether a number, rounded to the digits of this one, is this one."""
        return abs(value - self.low) <= 0.5 * 10.0**-self.digits * (1 + SLACK)


def exactly(value: float) -> Span:
    """Return a number as the span that a line with that number has."""
    return Span(value, value, len(written(value).partition(".")[2]))


def span(text: str) -> Span | None:
    """Return the guesses that a line names: ``4``, ``10 to 20``, ``below 3``, ``above 7``, ``else``; None if none."""
    if text == ELSE:
        return Span(-math.inf, math.inf)
    match = _VALUE.fullmatch(text)
    if match is None:
        return None
    if match[3]:
        end = _read(match[4])
        side = -math.inf if match[3] == "below" else math.inf
        low, high = sorted((math.nextafter(end, side), side))
        return Span(low, high)
    low, high = _read(match[1]), _read(match[2] or match[1])
    return Span(low, high, len(match[1].partition(".")[2])) if low <= high else None


def with_point(text: str) -> str | None:
    """Return a line whose numbers have decimal commas as it should be written; None if that is not what is wrong."""
    pointed = _DECIMAL_COMMA.sub(r"\1.\2", text)
    return pointed if pointed != text and span(pointed) is not None else None


def _read(number: str) -> float:
    return float(number.replace(",", "").replace("−", "-"))


def read_guess(text: str, limits: Sequence[float] | None = None) -> float | None:
    """Return the number of a guess that was kept or reported; None if it is none, or not within the limits."""
    try:
        guess = float(text)
    except ValueError:
        return None
    low, high = limits or (-math.inf, math.inf)
    return guess if math.isfinite(guess) and low <= guess <= high else None


def written(guess: float) -> str:
    """Return a guess as text, as it is kept."""
    return f"{guess:.10g}"
