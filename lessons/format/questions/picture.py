"""One of the pictures beside each other: that of the run or of the rule which the question asks for is pressed."""

from collections.abc import Callable, Sequence

from pydantic import Field

from lessons.format.keys import Text
from lessons.format.problems import Report
from lessons.format.questions.answers import Choice, Keys, Reasons
from lessons.format.questions.kind import Drawn, Form, QuestionKind
from lessons.format.values import Values
from lessons.format.wording import did_you_mean
from lessons.settings.settings import StageSettings

LEAST = 2  # pictures


class Pictured(QuestionKind):
    """Some charts of the step are choices, and one of them is pressed; a choice without a chart can be ticked."""

    way = "picture"
    by_hand = True
    guessed = True

    charts: dict[str, Text] = Field(description="The chart that each choice is, by the choice's id.")

    @property
    def pictures(self) -> dict[str, str]:
        """The charts that are choices, by the choices' ids."""
        return self.charts

    def check(self, values: Values, model: type[StageSettings], report: Report) -> None:
        """Report charts that the stage does not have, and a question with fewer than two of them."""
        for name, chart in self.charts.items():
            if chart not in model.charts:
                message = f"unknown chart '{chart[:40]}' {did_you_mean(chart, model.charts)}"
                report(values.place((self.way, "charts", name)), message)
        if len(self.charts) < LEAST:
            report(values.place((self.way, "charts")), "there is nothing to choose from: name at least two charts")

    def check_reasons(self, reasons: Reasons, values: Values, report: Report) -> None:
        """Report charts that belong to no choice."""
        super().check_reasons(reasons, values, report)
        known = [choice.id for choice in reasons.choices if choice.id]
        for name in self.charts:
            if name not in known:
                message = f"no choice has the id '{name[:40]}' {did_you_mean(name, known)}"
                report(values.key_place((self.way, "charts", name)), message)

    def arranged(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """Return the choices in the order of their charts, then those without one."""
        order = [*self.charts]
        return sorted(choices, key=lambda choice: order.index(choice.key) if choice.key in order else len(order))

    def form(self, choices: Sequence[Choice]) -> Form:
        """Return the form beside the pictures."""
        return Form("one", hint="Press the picture, or choose here.")

    def drawn(self, choices: Sequence[Choice]) -> Drawn:
        """Return the chart of each choice."""
        return {**super().drawn(choices), "pictures": self.charts}

    def how_far(self, choices: Sequence[Choice], keys: Keys, said: Callable[[float], str]) -> str:
        """Return which picture was pressed, and which it is."""
        right, pressed = (self.answers(choices).in_words(each) for each in (self.answers(choices).right_keys, keys))
        return f"**{right}**: yes." if pressed == right else f"It is **{right}**; you chose **{pressed}**."
