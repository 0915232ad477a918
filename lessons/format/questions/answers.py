"""The possible answers to a question: keys of its choices, or a number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lessons.format.guesses import ELSE, Span, read_guess, span, written

Keys = tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """One answer to a question: its text and its reason are Markdown; its id may be empty."""

    text: str
    correct: bool
    reason: str
    id: str = ""

    @property
    def key(self) -> str:
        """The name under which the answer is stored, unique in its question: the id, or else the text."""
        return self.id or self.text


class Reasons(Protocol):
    """The list of answers and reasons of a question, with their lines in the file."""

    choices: list[Choice]
    choice_line: int
    choice_lines: dict[str, int]


@dataclass(frozen=True)
class Ticked:
    """Answers by choices to tick: one, or several."""

    choices: Sequence[Choice]
    several: bool = False

    def can_have(self, keys: Keys) -> bool:
        """Return whether these are keys of choices, and only one unless several are allowed."""
        return {*keys} <= {choice.key for choice in self.choices} and (self.several or len(keys) == 1)

    def chosen(self, keys: Keys) -> tuple[Choice, ...]:
        """Return the ticked choices."""
        return tuple(choice for choice in self.choices if choice.key in keys)

    def stored(self, keys: Keys) -> Keys:
        """Return the part of a possible answer that is kept: the keys."""
        return keys

    def counted(self, keys: Keys) -> Keys | None:
        """Return the keys unchanged; None if they are invalid or a key repeats."""
        return keys if self.can_have(keys) and len({*keys}) == len(keys) else None

    def in_words(self, keys: Keys) -> str:
        """Return the texts of the choices."""
        return "; ".join(" ".join(choice.text.split()) for choice in self.chosen(keys))

    @property
    def right(self) -> list[str]:
        """The keys of the right choices."""
        return [choice.key for choice in self.choices if choice.correct]

    @property
    def right_keys(self) -> Keys:
        """The same, as an answer."""
        return tuple(self.right)

    @property
    def right_span(self) -> Span | None:
        """The number in the right choice's id; None if its id is not a number."""
        return span(self.right_keys[0])

    @property
    def lines(self) -> list[tuple[Span, Choice]]:
        """None: choices are ticked."""
        return []


@dataclass(frozen=True)
class Numbers:
    """Answers by a number; the choices' texts are the right number and wrong ones."""

    choices: Sequence[Choice]
    within: float = 0.0
    limits: Sequence[float] | None = None

    def can_have(self, keys: Keys) -> bool:
        """Return whether the keys are one number within the limits."""
        return len(keys) == 1 and read_guess(keys[0], self.limits) is not None

    def chosen(self, keys: Keys) -> tuple[Choice, ...]:
        """Return the line that fits the number: the right one, else the nearest number, else a range, else `else`."""
        guess = float(keys[0])
        return next((line,) for found, line in self.lines if found.has(guess))

    def stored(self, keys: Keys) -> Keys:
        """Return the part of a possible answer that is kept: the number."""
        return keys

    def counted(self, keys: Keys) -> Keys | None:
        """Return the number in the standard form of guesses."""
        return (written(float(keys[0])),) if self.can_have(keys) else None

    def in_words(self, keys: Keys) -> str:
        """Return the number with a minus sign."""
        return keys[0].replace("-", "−")

    @property
    def right(self) -> float:
        """The right number."""
        return self.right_span.low

    @property
    def right_keys(self) -> Keys:
        """The right number as in the lesson, in a form that programs can read."""
        return (self._line.text.replace(",", "").replace("−", "-"),)

    @property
    def lines(self) -> list[tuple[Span, Choice]]:
        """The numbers that each line stands for; of those that fit a number, the first counts.

        Where two wrong numbers are less than twice `within` apart, they meet half-way.
        """
        known = [(found, line) for line in self.choices if (found := span(line.text))]
        known.sort(key=lambda each: (not each[1].correct, not each[0].is_value, each[1].text == ELSE))
        wrong = [found.low for found, line in known if found.is_value and not line.correct]
        return [(found.widened(self.within, () if line.correct else wrong), line) for found, line in known]

    @property
    def right_span(self) -> Span:
        """The right line's number."""
        found = span(self._line.text)
        assert found is not None  # the checker has ensured this
        return found

    @property
    def _line(self) -> Choice:
        return next(choice for choice in self.choices if choice.correct)


Answers = Ticked | Numbers  # the possible answers to a question
