"""The wrong line of a rule or the wrong factor of a formula, which is struck out."""

from collections.abc import Sequence

from lessons.format.questions.answers import Choice
from lessons.format.questions.kind import Form, QuestionKind


class Strike(QuestionKind):
    """The choices are the lines of a rule, in their order; the wrong one is struck out."""

    way = "strike"
    of_rule = True

    def form(self, choices: Sequence[Choice]) -> Form:
        """Return the form beside the picture: the lines."""
        return Form("lines", hint="Press on a line to strike it out.")
