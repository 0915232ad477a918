"""What a kind of question knows, so that no other code asks which kind it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypedDict

from pydantic import Field

from lessons.reader.keys import Strict, Text
from lessons.reader.problems import Report
from lessons.reader.questions.answers import Answers, Choice, Keys, Reasons, Ticked
from lessons.reader.values import Values
from lessons.stages.settings import StageSettings

IN_PICTURE = "Mark your guess in the picture, and say why."  # on paper


class Marked(TypedDict):
    """A place on a chart that can be pressed: its letter, and one point on the axis or in the plane, or a line's."""

    letter: str
    at: list[list[float]]


class Drawn(TypedDict):
    """What the player needs to draw guess and outcome on a chart; see ``pages/player/guess.js``.

    It is the ``axis`` for a place on it, or the ``field`` by which marks are known, or ``places`` by the keys of
    choices; within which ``limits`` the guess can be set, and in which ``step``.
    """

    axis: Literal["x", "y"] | None
    field: str | None
    limits: tuple[float, ...] | None
    step: float
    places: Mapping[str, Marked] | None


@dataclass(frozen=True)
class Form:
    """The form beside the picture, with which learners can answer without a pointer.

    Attributes
    ----------
    look : str
        One choice or several, lines of which one is struck out, a number that is typed, a slider, or a bar.
    grain : float
        By how much the number moves at a time.
    limits : sequence of float, optional
        The least and the most.
    empty : str
        The text of an empty field.
    hint : str
        How the question is answered, if not by ticking one choice.
    letters : mapping of str to str
        Of choices by their keys, where the picture has letters.
    """

    look: Literal["one", "several", "lines", "number", "slider", "bar"]
    grain: float = 1.0
    limits: Sequence[float] | None = None
    empty: str = ""
    hint: str = ""
    letters: Mapping[str, str] = field(default_factory=dict)

    @property
    def lists(self) -> bool:
        """Whether it lists the choices."""
        return self.look in ("one", "several", "lines")

    @property
    def slides(self) -> bool:
        """Whether it always has a value: that of its low end, until it is moved."""
        return self.look in ("slider", "bar")

    def words(self, choice: Choice) -> str:
        """Return a choice's text, after its letter if there is one in the picture."""
        letter = self.letters.get(choice.key)
        return f"**{letter}** · {choice.text}" if letter else choice.text


class QuestionKind(Strict):
    """A kind of question, and the keys by which a lesson asks one. What is here is for choices that are ticked.

    Attributes
    ----------
    way : str
        Its key in a step block, and its name in a class.
    by_hand : bool
        Whether it is answered on the chart.
    veils : bool
        Whether it can be asked on a chart that is hidden: its axes are shown, and what is drawn there waits.
    guessed : bool
        Whether there is one guess, after which a sentence says how far off it was and what is right; else a wrong
        answer can be given again.
    """

    way: ClassVar[str] = "choices"
    by_hand: ClassVar[bool] = False
    veils: ClassVar[bool] = False
    guessed: ClassVar[bool] = False

    outcome: Text | None = Field(
        default=None,
        description="The named outcome of the run that is asked for, after the answer; the checker compares.",
    )

    @property
    def on(self) -> str | None:
        """The chart on which guess and outcome are drawn; None if there is none."""
        return None

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
        """Report keys that do not fit one another, or the stage; its chart is one of the stage's by then."""

    def check_reasons(self, reasons: Reasons, values: Values, report: Report) -> None:
        """Report what is wrong with the list of answers and reasons, of which one at least is right."""
        right = next(choice for choice in reasons.choices if choice.correct)
        if len(reasons.choices) < 2:
            report((reasons.choice_line, 1), "a question needs at least two choices")
        elif self.outcome and not right.id.isdigit():
            message = f"the outcome {self.outcome} is a number, and so must be the id of the right choice"
            report((reasons.choice_line, 1), message)

    # ---- ask ------------------------------------------------------------------------------------------------------

    def form(self, choices: Sequence[Choice]) -> Form:
        """Return the form beside the picture."""
        return Form("one")

    def drawn(self, choices: Sequence[Choice]) -> Drawn:
        """Return what the player needs to draw guess and outcome on the chart."""
        return {"axis": None, "field": None, "limits": None, "step": 1, "places": None}

    # ---- answer ---------------------------------------------------------------------------------------------------

    def answers(self, choices: Sequence[Choice]) -> Answers:
        """Return what counts as an answer."""
        return Ticked(choices)

    def how_far(self, choices: Sequence[Choice], keys: Keys, said: Callable[[float], str]) -> str:
        """Return a sentence on guess and outcome, in Markdown; `said` writes a number."""
        return ""

    # ---- print ----------------------------------------------------------------------------------------------------

    @property
    def printed(self) -> str:
        """The task on a hand-out; "" if it lists the choices."""
        return IN_PICTURE

    @property
    def unseen(self) -> str:
        """The task on a hand-out that lacks the picture, as that would give the answer away."""
        return self.printed
