"""Questions that are answered by a guess: a number, a mark of a chart, or a marker that is placed on one.

The reasons are a list, like those of choices, with values instead of sentences::

    - [x] 4.7
      > Right: …
    - [ ] 10 to 20
      > That would be …
    - [ ] else
      > …
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from lessons.reader.keys import Finite, Range, Strict, Text

ELSE = "else"  # stands for every guess that no other line has
SLACK = 1e-9  # what is as far off as it may be is right, however it was rounded

_NUMBER = r"[+\-−]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?|[+\-−]?\.\d+"
_DECIMAL_COMMA = re.compile(r"(\d*),(\d+)")
_VALUE = re.compile(rf"({_NUMBER})(?: to ({_NUMBER}))?|(below|above) ({_NUMBER})")


class Ask(Strict):
    """Keys of every way to ask for a guess."""

    outcome: Text | None = Field(
        default=None,
        description="The named outcome of the run that is asked for, after the answer; the checker compares.",
    )

    @property
    def is_number(self) -> bool:
        """Whether the answer is a number, and not one of the choices."""
        return True


class AskNumber(Ask):
    """A number that is typed or, within limits, set by a slider."""

    within: Finite = Field(default=0.0, ge=0, description="How far off a guess may be and is still right.")
    limits: Range | None = Field(default=None, description="The least and the most that can be guessed.")
    step: Finite | None = Field(
        default=None,
        gt=0,
        description="By how much the number moves at a time; left out, by one of the last digit that is written of "
        "the right answer, the limits and within.",
    )
    chart: Text | None = Field(default=None, description="The chart in which guess and outcome are drawn.")
    axis: Literal["x", "y"] | None = Field(default=None, description="The axis of that chart on which they lie.")

    def grain(self, right: Span) -> float:
        """Return by how much a guess moves at a time, where this answer is right."""
        digits = [right.digits, *(exactly(value).digits for value in (self.within, *(self.limits or ())))]
        return self.step or float(f"1e-{max(digits)}")

    def nearest(self, right: Span) -> float:
        """Return the guess nearest to the right answer that can be made by a slider, or typed as finely."""
        grain = self.grain(right)
        if self.limits is None:
            return round(right.low, exactly(grain).digits)
        low, high = self.limits
        return low + grain * min(round((right.low - low) / grain), math.floor((high - low) / grain + SLACK))


class AskDraw(AskNumber):
    """A marker or a level that is placed on a chart."""

    within: Finite = Field(gt=0, description="How far off a guess may be and is still right.")
    limits: Range = Field(description="The least and the most that can be guessed.")
    chart: Text = Field(description="The chart on which it is placed.")
    axis: Literal["x", "y"] = Field(description="The axis on which it is placed; on y it is a level.")

    def nearest(self, right: Span) -> float:
        """Return the guess nearest to the right answer that can be made: a marker moves by steps from 0."""
        grain, (low, high) = self.grain(right), self.limits
        return min(high, max(low, round(right.low / grain) * grain))


class AskPick(Ask):
    """A mark of a chart: one of the choices, whose ids are the marks' values, or a number within limits."""

    chart: Text = Field(description="The chart whose marks can be picked.")
    field: Text = Field(default="row", description="The field of a mark's data that says which mark it is.")
    limits: Range | None = Field(default=None, description="The least and the most, where marks are numbered.")

    @property
    def within(self) -> float:
        """How far off a guess may be and is still right: a mark is right or not."""
        return 0.0

    @property
    def is_number(self) -> bool:
        """Whether the answer is the number of a mark, and not one of the choices."""
        return self.limits is not None


@dataclass(frozen=True)
class Span:
    """The guesses that have a reason in a lesson.

    Attributes
    ----------
    low, high : float
        Both are included.
    digits : int
        Number of digits after the point of `low`, as it was written.
    """

    low: float
    high: float
    digits: int = 0

    @property
    def is_value(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    def has(self, guess: float, within: float = 0.0) -> bool:
        """Return whether a guess belongs here; to a single number it does if it is off by `within` at most."""
        if self.is_value:
            return abs(guess - self.low) <= within * (1 + SLACK) + SLACK
        return self.low <= guess <= self.high

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
