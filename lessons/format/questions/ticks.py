"""Choices that are ticked: the question of a step that names no other kind."""

from collections.abc import Sequence
from typing import Literal

from lessons.format.questions.answers import Answers, Choice, Ticked
from lessons.format.questions.kind import Form, QuestionKind


class Ticks(QuestionKind):
    """One choice is ticked, or several. Its keys are in the step block itself."""

    multiple: bool = False
    order: Literal["shuffled", "fixed"] = "shuffled"
    why: bool = False  # whether its choices are clauses, one of which explains what was seen

    @property
    def fixed(self) -> bool:
        return self.order == "fixed"

    @property
    def several(self) -> bool:
        return self.multiple

    def form(self, choices: Sequence[Choice]) -> Form:
        if self.why:
            return Form("one", hint="Pick the clause that explains what you saw.")
        return Form("several", hint="Several may be right.") if self.multiple else Form("one")

    def answers(self, choices: Sequence[Choice]) -> Answers:
        return Ticked(choices, self.multiple)
