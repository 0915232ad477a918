"""A share or a probability, as the part of a bar that lies left of a border, which is dragged."""

from collections.abc import Sequence

from pydantic import Field

from lessons.format.keys import Finite, Range
from lessons.format.questions.answers import Choice
from lessons.format.questions.kind import Form
from lessons.format.questions.number import Number


class Share(Number):
    """A bar is divided by hand; its left part is the guess."""

    way = "share"
    begins = "the bar begins at {:g}, which is right; make within smaller, or ask with draw, on a chart"

    within: Finite = Field(gt=0, description="How far off a guess may be and is still right.")
    limits: Range = Field(default=(0.0, 1.0), description="What the ends of the bar are; 0 and 1 if left out.")

    def form(self, choices: Sequence[Choice]) -> Form:
        """Return the form beside the picture: the bar."""
        return Form(
            "bar", self._grain(choices), self.limits, hint="Drag the divider in the bar: your answer is the left part."
        )
