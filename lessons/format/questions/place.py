"""A place or a line on a chart that is pressed: one of a few, each with a letter and a choice of its own."""

from collections.abc import Callable, Mapping, Sequence
from string import ascii_uppercase
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from lessons.format.keys import Finite, Text
from lessons.format.problems import Report
from lessons.format.questions.answers import Choice, Keys, Reasons
from lessons.format.questions.kind import Drawn, Form, Marked, QuestionKind
from lessons.format.values import Values
from lessons.format.wording import did_you_mean
from lessons.settings.settings import StageSettings

LEAST = 2  # places


def _points(given: Any) -> Any:
    """Return the points of a place: a number on an axis and [x, y] are one point, a list of such is a line."""
    single = [given] if isinstance(given, int | float) else given
    numbers = isinstance(single, list) and all(isinstance(part, int | float) for part in single)
    return [single] if numbers else single


Point = Annotated[tuple[Finite, ...], Field(strict=False)]
Spot = Annotated[tuple[Point, ...], Field(strict=False, min_length=1), BeforeValidator(_points)]


class Placed(QuestionKind):
    """A few places or lines are marked on a chart, and one is pressed; a choice without a place can be ticked."""

    way = "place"
    by_hand = True
    veils = True
    guessed = True
    printed = ""  # choices are listed, as paper has no letters in its picture

    chart: Text = Field(description="The chart on which the places are marked.")
    axis: Literal["x", "y"] | None = Field(
        default=None, description="The axis on which they lie; left out, they are points of the plane."
    )
    at: dict[str, Spot] = Field(
        description="Where each choice is, by its id: [x, y], a number on the axis, or a line: [[x, y], [x, y], …]."
    )

    @property
    def on(self) -> str:
        """The chart on which the places are marked."""
        return self.chart

    def check(self, values: Values, model: type[StageSettings], report: Report) -> None:
        """Report places that are none: on an axis each is a number, and a point has two, as has each of a line."""
        many = 1 if self.axis else 2
        for name, spot in self.at.items():
            if any(len(point) != many for point in spot) or (self.axis and len(spot) > 1):
                wanted = f"a number on {self.axis}" if self.axis else "[x, y], or a line: [[x, y], [x, y]]"
                report(values.place((self.way, "at", name)), f"this should be {wanted}")
        if len(self.at) < LEAST:
            report(values.place((self.way, "at")), "there is nothing to choose from: mark at least two places")

    def check_reasons(self, reasons: Reasons, values: Values, report: Report) -> None:
        """Report places that belong to no choice."""
        super().check_reasons(reasons, values, report)
        known = [choice.id for choice in reasons.choices if choice.id]
        for name in self.at:
            if name not in known:
                message = f"no choice has the id '{name[:40]}' {did_you_mean(name, known)}"
                report(values.key_place((self.way, "at", name)), message)

    def arranged(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """Return the choices as their places are read, from left to right or down an axis, then those without one.

        A line is where its letter is, at its middle point.
        """

        def where(choice: Choice) -> tuple[bool, float]:
            spot = self.at.get(choice.key, ())
            first = spot[len(spot) // 2][0] if spot else 0.0
            return not spot, -first if self.axis == "y" else first

        return sorted(choices, key=where)

    def form(self, choices: Sequence[Choice]) -> Form:
        """Return the form beside the picture: the choices, with the letters of their places."""
        what = "line" if all(len(spot) > 1 for spot in self.at.values()) else "place"
        return Form("one", hint=f"Press on a {what} in the picture, or choose here.", letters=self._letters(choices))

    def _letters(self, choices: Sequence[Choice]) -> Mapping[str, str]:
        return dict(zip((choice.key for choice in choices if choice.key in self.at), ascii_uppercase, strict=False))

    def drawn(self, choices: Sequence[Choice]) -> Drawn:
        """Return the places, with their letters."""
        letters = self._letters(choices)
        places = {
            key: Marked(letter=letter, at=[list(point) for point in self.at[key]]) for key, letter in letters.items()
        }
        return {**super().drawn(choices), "axis": self.axis, "places": places}

    def how_far(self, choices: Sequence[Choice], keys: Keys, said: Callable[[float], str]) -> str:
        """Return which place was pressed, and which it is."""
        right, pressed = (self.answers(choices).in_words(each) for each in (self.answers(choices).right_keys, keys))
        return f"**{right}**: yes." if pressed == right else f"It is **{right}**; you chose **{pressed}**."
