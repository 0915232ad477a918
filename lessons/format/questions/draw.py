"""A marker or a level that is placed on a chart."""

from typing import Literal

from pydantic import Field

from lessons.format.guesses import Span
from lessons.format.keys import Finite, Range, Text
from lessons.format.questions.kind import IN_PICTURE, TO_WRITE
from lessons.format.questions.number import Number


class Draw(Number):
    """A marker or a level that is placed on a chart."""

    way = "draw"
    by_hand = True
    veils = True
    printed = IN_PICTURE
    unseen = TO_WRITE

    within: Finite = Field(gt=0, description="How far off a guess may be and is still right.")
    limits: Range = Field(description="The least and the most that can be guessed.")
    chart: Text = Field(description="The chart on which it is placed.")
    axis: Literal["x", "y"] = Field(description="The axis on which it is placed; on y it is a level.")

    def nearest(self, right: Span) -> float:
        """Return the guess nearest to the right answer that can be made: a marker moves by steps from 0."""
        grain, (low, high) = self.grain(right), self.limits
        return min(high, max(low, round(right.low / grain) * grain))
