"""A rule that is written: the weights of an update, one line each, which the judge holds against the right ones."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from lessons.format.guesses import ELSE
from lessons.format.judging import verdict_on, why_not
from lessons.format.keys import Text
from lessons.format.problems import Report
from lessons.format.questions.answers import Answers, Choice, Keys, Reasons, Ticked
from lessons.format.questions.kind import Form, QuestionKind
from lessons.format.values import Values
from lessons.format.wording import did_you_mean
from lessons.settings.settings import StageSettings
from samplers.judge.bank import PROBLEMS
from samplers.judge.problem import Problem
from samplers.judge.rule import RuleError

CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Written(Ticked):
    """Answers by a rule: its lines, and after them the key of the choice that it comes to.

    The choices are the right rule, known errors of the problem by their names, and ``else``. The last key is for
    programs that cannot judge; here each rule is judged anew.
    """

    problem: str = ""

    def can_have(self, keys: Keys) -> bool:
        """Return whether the keys are as many lines as the rule has, and can be read."""
        texts = self.texts(keys)
        return bool(texts) and verdict_on(self.problem, texts) is not None

    def texts(self, keys: Keys) -> Keys:
        """Return the lines of the rule alone; none if there are too few or too many."""
        lines = len(PROBLEMS[self.problem].lines)
        return keys[:lines] if len(keys) in (lines, lines + 1) else ()

    def stored(self, keys: Keys) -> Keys:
        """Return the lines of a rule, and the key of the choice that it comes to."""
        return (*self.texts(keys), self.chosen(keys)[0].key)

    def chosen(self, keys: Keys) -> tuple[Choice, ...]:
        """Return the line that fits the verdict: the right rule, the known error, or ``else``; that too without one."""
        texts = self.texts(keys)
        verdict = verdict_on(self.problem, texts) if texts else None
        right = verdict is not None and verdict.score == 1
        fitting = {choice.text: choice for choice in self.choices if choice.correct == right}
        if right:
            return (next(iter(fitting.values())),)
        return (fitting.get((verdict and verdict.named) or ELSE, fitting[ELSE]),)

    def counted(self, keys: Keys) -> Keys | None:
        """Return the lines and the choice as a browser has them from a verdict; None if these are not all there.

        Nothing is judged here: a class of many learners waits for no proof.
        """
        known = PROBLEMS[self.problem]
        try:
            known.read(keys[:-1])
        except (RuleError, ValueError):
            return None
        return keys if keys[-1] in (choice.key for choice in self.choices) else None

    def in_words(self, keys: Keys) -> str:
        """Return the lines of the rule, as code; or the words of a choice."""
        return ", ".join(f"`{text}`" for text in self.texts(keys)) or "; ".join(keys)

    @property
    def right(self) -> list[str]:
        """The right rule, as an answer."""
        return [*self.right_keys]

    @property
    def right_keys(self) -> Keys:
        """The right rule, as an answer."""
        right = next(choice for choice in self.choices if choice.correct)
        return (*CODE.findall(right.text), right.key)


class Rule(QuestionKind):
    """The rule of an update, which the learner writes and has proved."""

    way = "rule"
    printed = "Write the rule: ______________________________________"

    problem: Text = Field(description="The problem of the judge's bank, by its id.")

    @property
    def _known(self) -> Problem | None:
        return PROBLEMS.get(self.problem)

    def check(self, values: Values, model: type[StageSettings], report: Report) -> None:
        """Report a problem that the bank does not have."""
        if self._known is None:
            place = values.place((self.way, "problem"))
            report(place, f"unknown problem '{self.problem[:40]}' {did_you_mean(self.problem, PROBLEMS)}")

    def check_reasons(self, reasons: Reasons, values: Values, report: Report) -> None:
        """Report a right rule that is not right, and choices that are no known errors."""
        if self._known is None:
            return
        for choice in reasons.choices:
            place = (reasons.choice_lines[choice.key], 1)
            if choice.correct:
                if said := self._not_right(self._known, CODE.findall(choice.text)):
                    report(place, said)
            elif choice.text != ELSE and choice.text not in self._known.wrong:
                unknown = f"no known error of {self.problem} has the name '{choice.text[:60]}'"
                report(place, f"{unknown} {did_you_mean(choice.text, [*self._known.wrong, ELSE])}")
        if ELSE not in (choice.text for choice in reasons.choices):
            report((reasons.choice_line, 1), f"all other rules have no reason; add a line - [ ] {ELSE} with a reason")

    def _not_right(self, problem: Problem, texts: Sequence[str]) -> str:
        """Return the fault of the right rule; "" if the judge proves it."""
        if len(texts) != len(problem.lines):
            return f"write each line of the right rule between two `: {', and '.join(problem.lines)}"
        verdict = verdict_on(problem.id, tuple(texts))
        if verdict is None:
            return f"the right rule cannot be read: {why_not(problem, texts)}"
        return "" if verdict.score == 1 else f"the rule that is marked as right is not: {verdict.text}"

    def form(self, choices: Sequence[Choice]) -> Form:
        return Form("rule", problem=self.problem, again="Repair")

    def answers(self, choices: Sequence[Choice]) -> Answers:
        return Written(choices, problem=self.problem)
