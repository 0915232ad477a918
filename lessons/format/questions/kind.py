"""The base class of all kinds of questions; no other code asks which kind a question is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypedDict

from pydantic import Field

from lessons.format.guesses import Span
from lessons.format.keys import Strict, Text
from lessons.format.problems import Report
from lessons.format.questions.answers import Answers, Choice, Keys, Reasons, Ticked
from lessons.format.values import Values
from lessons.settings.settings import StageSettings

IN_PICTURE, TO_WRITE = "Mark your guess in the picture, and say why.", "Your number: ______________"  # on a hand-out


class Marked(TypedDict):
    """A place on a chart to press: its letter, and a point on the axis or in the plane, or the points of a line."""

    letter: str
    at: list[list[float]]


class Drawn(TypedDict):
    """Places and limits by which the player draws guess and outcome on a chart; see ``pages/player/guess.js``.

    One of these: the ``axis`` for a place on it, the ``field`` that identifies marks, or, by the keys of choices, the
    ``places`` or the ``pictures``, which are charts. Also the ``limits`` and the ``step`` of the guess.
    """

    axis: Literal["x", "y"] | None
    field: str | None
    limits: tuple[float, ...] | None
    step: float
    places: Mapping[str, Marked] | None
    pictures: Mapping[str, str] | None


@dataclass(frozen=True)
class Form:
    """The form beside the picture, with which learners can answer without a mouse."""

    # one choice, several choices, lines to strike one out, a typed number, a slider, a bar, or a rule to write
    look: Literal["one", "several", "lines", "number", "slider", "rule"]
    grain: float = 1.0  # the step of the number
    limits: Sequence[float] | None = None  # the lowest and the highest number
    empty: str = ""  # the text of an empty field
    hint: str = ""  # how to answer, if not by ticking one choice
    letters: Mapping[str, str] = field(default_factory=dict)  # the letters in the picture, by the keys of their choices
    own: str = ""  # the rule that a guess makes, which then runs beside the true one; "" if it makes none
    problem: str = ""  # the problem whose rule is written, by its id in the judge's bank; "" if none is
    again: str = "Try again"  # the words for another try

    @property
    def lists(self) -> bool:
        """Whether it lists the choices."""
        return self.look not in ("number", "slider", "rule")

    def words(self, choice: Choice) -> str:
        """Return a choice's text, preceded by its letter if the picture has letters."""
        letter = self.letters.get(choice.key)
        return f"**{letter}** · {choice.text}" if letter else choice.text


class QuestionKind(Strict):
    """A kind of question, and the keys with which a lesson asks one. The defaults here are for choices to tick.

    Attributes
    ----------
    way : str
        Its key in a step block, and its name in a class.
    by_hand : bool
        Whether learners answer on the chart, or, if it has none, on a bar below the picture.
    names : bool
        Whether an answer that is a number is the name of a mark, so that a class's answers have no mean.
    veils : bool
        Whether its chart can be hidden: then only the axes show until the answer.
    guessed : bool
        Whether there is only one try, after which a sentence says how far off the guess was and what is right;
        otherwise learners can try again.
    of_rule : bool
        Whether a wrong rule in the settings makes the right answer, whatever the run.
    printed : str
        The task on a hand-out; "" if it lists the choices.
    unseen : str
        The task on a hand-out without the picture, which would give the answer away; "" for the same one.
    """

    way: ClassVar[str] = "choices"
    by_hand: ClassVar[bool] = False
    names: ClassVar[bool] = False
    veils: ClassVar[bool] = False
    guessed: ClassVar[bool] = False
    of_rule: ClassVar[bool] = False
    printed: ClassVar[str] = ""
    unseen: ClassVar[str] = ""

    outcome: Text | None = Field(
        default=None,
        description="The named outcome of the run that is asked for, after the answer; the checker compares.",
    )

    @property
    def on(self) -> str | None:
        """The chart that shows guess and outcome; None if there is none."""
        return None

    @property
    def pictures(self) -> Mapping[str, str]:
        """The charts that are choices, by the choices' ids."""
        return {}

    @property
    def fixed(self) -> bool:
        """Whether choices keep their order."""
        return True

    @property
    def several(self) -> bool:
        """Whether several choices may be right."""
        return False

    # ---- parse and check ------------------------------------------------------------------------------------------

    def check(self, values: Values, model: type[StageSettings], report: Report) -> None:
        """Report keys that contradict each other or the stage; the chart has already been checked."""

    def check_reasons(self, reasons: Reasons, values: Values, report: Report) -> None:
        """Report problems in the list of answers and reasons, at least one of which is marked right."""
        right = next(choice for choice in reasons.choices if choice.correct)
        if len(reasons.choices) < 2:
            report((reasons.choice_line, 1), "a question needs at least two choices")
        elif self.outcome and not right.id.isdigit():
            message = f"the outcome {self.outcome} is a number, and so must be the id of the right choice"
            report((reasons.choice_line, 1), message)

    # ---- ask ------------------------------------------------------------------------------------------------------

    def arranged(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """Return the choices of a file in the order in which its step has them."""
        return choices

    def form(self, choices: Sequence[Choice]) -> Form:
        """Return the form beside the picture."""
        return Form("one")

    def drawn(self, choices: Sequence[Choice]) -> Drawn:
        """Return the data with which the player draws guess and outcome on the chart."""
        return {"axis": None, "field": None, "limits": None, "step": 1, "places": None, "pictures": None}

    # ---- answer ---------------------------------------------------------------------------------------------------

    def answers(self, choices: Sequence[Choice]) -> Answers:
        """Return the possible answers."""
        return Ticked(choices)

    def reaches(self, right: Span) -> bool:
        """Return whether an answer can be given that is near enough to a right number."""
        return True

    def how_far(self, choices: Sequence[Choice], keys: Keys, said: Callable[[float], str]) -> str:
        """Return a Markdown sentence that compares guess and outcome; `said` formats a number."""
        return ""

    def comparison(self, choices: Sequence[Choice]) -> tuple[str, str]:
        """Return the sentences of `how_far` for a number, exactly right or else, with gaps: {guess}, {off}, {side}."""
        return "", ""
