"""A number that is typed or, within limits, set by a slider."""

import math
from collections.abc import Callable, Sequence
from math import inf
from typing import Literal

from pydantic import Field

from lessons.format.guesses import ELSE, SLACK, Span, exactly, span, with_point
from lessons.format.keys import Finite, Range, Text
from lessons.format.problems import Report
from lessons.format.questions.answers import Answers, Choice, Keys, Numbers, Reasons
from lessons.format.questions.kind import TO_WRITE, Drawn, Form, QuestionKind
from lessons.format.values import Values
from lessons.settings.settings import StageSettings

BEGINS = "the slider begins at {:g}, which is right; begin lower, or leave limits out"


class Number(QuestionKind):
    """A number that is typed or, within limits, set by a slider."""

    way = "number"
    guessed = True
    printed = TO_WRITE

    within: Finite = Field(default=0.0, ge=0, description="How far off a guess may be and is still right.")
    limits: Range | None = Field(default=None, description="The least and the most that can be guessed.")
    step: Finite | None = Field(
        default=None,
        gt=0,
        description="The step by which the number moves; if left out, one unit of the last digit written in the "
        "right answer, the limits and within.",
    )
    chart: Text | None = Field(default=None, description="The chart in which guess and outcome are drawn.")
    axis: Literal["x", "y"] | None = Field(default=None, description="The axis of that chart on which they lie.")

    @property
    def on(self) -> str | None:
        """The chart on which guess and outcome are drawn."""
        return self.chart

    def check(self, values: Values, model: type[StageSettings], report: Report) -> None:
        """Report a chart without an axis, and an axis without a chart."""
        if (self.chart is None) != (self.axis is None):
            report(values.place((self.way,)), "chart and axis belong together: give both, or neither")

    def check_reasons(self, reasons: Reasons, values: Values, report: Report) -> None:
        """Report lines that stand for no guess, and a right answer that cannot be given, or cannot be missed."""
        check_lines(reasons, self.limits, report)
        right = next(choice for choice in reasons.choices if choice.correct)
        if (found := span(right.text)) and found.is_value and _inside(found, self.limits):
            self._check_reach(found, right.text, values, report)

    def _check_reach(self, right: Span, text: str, values: Values, report: Report) -> None:
        """Report a `step` that passes over the right answer, and a `within` that makes every guess right."""
        if not self.reaches(right):
            finer = self.model_copy(update={"step": None}).grain(right)
            message = f"no guess in steps of {self.step:g} is within {self.within:g} of the right one, {text[:40]}"
            report(values.place((self.way, "step")), f"{message}; leave step out, which makes it {finer:g}")
        if self.limits and all(right.has(end, self.within) for end in self.limits):
            low, high = self.limits
            message = f"every guess from {low:g} to {high:g} is within {self.within:g} of {text[:40]}, and so right"
            report(values.place((self.way, "within")), f"{message}; make within smaller")
        elif not self.by_hand and self.limits and right.has(self.limits[0], self.within):
            report(values.place((self.way, "limits")), BEGINS.format(self.limits[0]))

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

    def reaches(self, right: Span) -> bool:
        """Return whether a guess in steps of `step` is within `within` of the right number."""
        return self.step is None or right.has(self.nearest(right), self.within)

    def form(self, choices: Sequence[Choice]) -> Form:
        look: Literal["number", "slider"] = "number" if self.by_hand or self.limits is None else "slider"
        hint = "Press where your guess is in the picture, or type a number." if self.by_hand else ""
        return Form(look, self._grain(choices), self.limits, "Type a number", hint)

    def _grain(self, choices: Sequence[Choice]) -> float:
        return self.grain(Numbers(choices).right_span)

    def drawn(self, choices: Sequence[Choice]) -> Drawn:
        """Return the axis on which guess and outcome lie."""
        step = self._grain(choices)
        return {**super().drawn(choices), "axis": self.axis, "limits": self.limits, "step": step}

    def answers(self, choices: Sequence[Choice]) -> Answers:
        return Numbers(choices, self.within, self.limits)

    def how_far(self, choices: Sequence[Choice], keys: Keys, said: Callable[[float], str]) -> str:
        """Return by how much a guess is too high or too low."""
        known = Numbers(choices, self.within, self.limits)
        right = all(line.correct for line in known.chosen(keys))
        off = float(keys[0]) - known.right
        exact, else_ = self.comparison(choices)
        if right and abs(off) < SLACK:
            return exact
        side = ("high" if off > 0 else "low") + (", near enough" if right else "")
        return else_.format(guess=keys[0].replace("-", "−"), off=said(abs(off)), side=side)

    def comparison(self, choices: Sequence[Choice]) -> tuple[str, str]:
        """Return the sentences about a guess that is exactly right, and about any other."""
        outcome = Numbers(choices, self.within, self.limits).right_keys[0].replace("-", "−")
        return f"Right: **{outcome}**.", f"You said **{{guess}}**, and it is **{outcome}**: {{off}} too {{side}}."


def check_lines(reasons: Reasons, limits: Sequence[float] | None, report: Report) -> None:
    """Report lines that stand for no guess at the number that a question asks for, and guesses without a line."""
    low, high = limits or (-inf, inf)
    for choice in reasons.choices:
        found, place = span(choice.text), (reasons.choice_lines[choice.key], 1)
        if found is None:
            pointed = with_point(choice.text)
            remedy = (
                f"{pointed[:40]}, with a point" if pointed else f"a number, 10 to 20, below 10, above 20, or {ELSE}"
            )
            report(place, f"'{choice.text[:40]}' is no guess; write {remedy}")
        elif choice.correct and not found.is_value:
            report(place, "the right answer is one number; within says how far off a guess may be")
        elif not _inside(found, limits):
            report(place, f"no learner can guess '{choice.text[:40]}': the limits are {low:g} and {high:g}")
    if ELSE not in (choice.text for choice in reasons.choices):
        report((reasons.choice_line, 1), f"all other guesses have no reason; add a line - [ ] {ELSE} with a reason")


def _inside(found: Span, limits: Sequence[float] | None) -> bool:
    low, high = limits or (-inf, inf)
    return found.low <= high and found.high >= low
