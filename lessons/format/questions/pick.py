"""A mark of a chart that is pressed: one of the choices, whose ids are the marks' values, or a number within limits."""

from collections.abc import Callable, Sequence

from pydantic import Field

from lessons.format.keys import Range, Text
from lessons.format.problems import Report
from lessons.format.questions.answers import Answers, Choice, Keys, Numbers, Reasons, Ticked
from lessons.format.questions.kind import IN_PICTURE, Drawn, Form, QuestionKind
from lessons.format.questions.number import check_lines
from lessons.format.values import Values
from lessons.format.wording import did_you_mean
from lessons.settings.settings import StageSettings


class Pick(QuestionKind):
    """A mark of a chart: one of the choices, whose ids are the marks' values, or a number within limits."""

    way = "pick"
    by_hand = True
    names = True
    guessed = True
    printed = IN_PICTURE

    chart: Text = Field(description="The chart whose marks can be picked.")
    field: Text = Field(default="row", description="The field of a mark's data that says which mark it is.")
    limits: Range | None = Field(default=None, description="The least and the most, where marks are numbered.")

    @property
    def on(self) -> str:
        """The chart whose marks can be picked."""
        return self.chart

    def check(self, values: Values, model: type[StageSettings], report: Report) -> None:
        """Report a chart without marks to press, and a field that no mark of it has."""
        if self.chart not in model.picks:
            known = f"these have some: {', '.join(model.picks)}" if model.picks else "no chart of this stage has any"
            report(values.place((self.way, "chart")), f"the chart '{self.chart}' has no marks to press; {known}")
        elif self.field not in model.picks[self.chart]:
            place = values.place((self.way, "field") if "field" in self.model_fields_set else (self.way,))
            unknown = f"no mark of the chart '{self.chart}' has the field '{self.field[:40]}'"
            report(place, f"{unknown} {did_you_mean(self.field, model.picks[self.chart])}")

    def check_reasons(self, reasons: Reasons, values: Values, report: Report) -> None:
        """Report lines that are no numbers where marks are numbered, and what is wrong with choices elsewhere."""
        if self.limits is None:
            super().check_reasons(reasons, values, report)
        else:
            check_lines(reasons, self.limits, report)

    def form(self, choices: Sequence[Choice]) -> Form:
        if self.limits is None:
            return Form("one", hint="Press on it in the picture, or choose here.")
        hint = "Press on it in the picture, or type its number."
        return Form("number", limits=self.limits, empty="Press it, or type its number", hint=hint)

    def drawn(self, choices: Sequence[Choice]) -> Drawn:
        """Return the field by which marks are known."""
        return {**super().drawn(choices), "field": self.field, "limits": self.limits}

    def answers(self, choices: Sequence[Choice]) -> Answers:
        return Ticked(choices) if self.limits is None else Numbers(choices, limits=self.limits)

    def how_far(self, choices: Sequence[Choice], keys: Keys, said: Callable[[float], str]) -> str:
        """Return which mark was picked, and which it is."""
        exact, else_ = self.comparison(choices)
        right = next(choice.text for choice in choices if choice.correct)
        picked = keys[0] if self.limits else self.answers(choices).chosen(keys)[0].text
        return exact if picked == right else else_.replace("{guess}", picked)

    def comparison(self, choices: Sequence[Choice]) -> tuple[str, str]:
        """Return the sentences about the right mark, and about any other."""
        right = next(choice.text for choice in choices if choice.correct)
        return f"Right: **{right}**.", f"It is **{right}**; you chose **{{guess}}**."
