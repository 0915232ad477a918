"""A share or a probability, as the part of a bar that lies left of a border, which is dragged."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from lessons.format.keys import Finite, Range
from lessons.format.questions.answers import Choice
from lessons.format.questions.kind import Drawn, Form
from lessons.format.questions.number import Number

Own = Literal["places", "tables", "words", "states", "distances", "counts", "dishes"]  # see pages/form/own.js


class Share(Number):
    """A bar below the picture is divided by hand, or a chart whose axis is the bar; its left part is the guess."""

    way = "share"
    by_hand = True
    veils = True

    within: Finite = Field(gt=0, description="How far off a guess may be and is still right.")
    limits: Range = Field(default=(0.0, 1.0), description="What the ends of the bar are; 0 and 1 if left out.")
    own: Own | None = Field(default=None, description="The rule that a guess makes; it runs beside the true one.")

    def form(self, choices: Sequence[Choice]) -> Form:
        """Return the form beside the picture, with the way to the bar."""
        form = replace(super().form(choices), own=self.own or "")
        if self.chart:
            return form
        return replace(form, hint="Drag the border in the bar, or type a number: the left part.")

    def drawn(self, choices: Sequence[Choice]) -> Drawn:
        """Return the axis on which guess and outcome lie: that of the bar, if it is no chart's."""
        return super().drawn(choices) | {"axis": self.axis or "x"}
