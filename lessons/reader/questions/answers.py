"""Answers to a question that count: keys of its choices, or a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lessons.reader.guesses import ELSE, Span, read_guess, span, written

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
        """The name under which the answer is kept, unique in its question: the id if there is one, else the text."""
        return self.id or self.text


class Reasons(Protocol):
    """The list of answers and reasons of a question, with their lines in the file."""

    choices: list[Choice]
    choice_line: int
    choice_lines: dict[str, int]


class Answers(Protocol):
    """The answers that a question can have."""

    def can_have(self, keys: Keys) -> bool:
        """Return whether these are an answer."""

    def chosen(self, keys: Keys) -> tuple[Choice, ...]:
        """Return the choices that an answer ticks, or the line that has its number."""

    def counted(self, keys: Keys) -> Keys | None:
        """Return an answer in the one way of writing in which a class counts it; None if it is none."""

    def in_words(self, keys: Keys) -> str:
        """Return an answer as learners read it."""

    @property
    def right(self) -> list[str] | float:
        """The keys of the choices that are right, or the number that is."""

    @property
    def right_keys(self) -> Keys:
        """The answer that is right: keys of choices, or the number as it is written in the lesson."""

    @property
    def right_span(self) -> Span | None:
        """The number that an outcome of the run has to be; None if what is right is none."""


@dataclass(frozen=True)
class Ticked:
    """Answers that are keys of choices: of one, or of several."""

    choices: Sequence[Choice]
    several: bool = False

    def can_have(self, keys: Keys) -> bool:
        """Return whether these are keys of choices, and not too many."""
        return {*keys} <= {choice.key for choice in self.choices} and (self.several or len(keys) == 1)

    def chosen(self, keys: Keys) -> tuple[Choice, ...]:
        """Return the choices that are ticked."""
        return tuple(choice for choice in self.choices if choice.key in keys)

    def counted(self, keys: Keys) -> Keys | None:
        """Return the keys as they are, if none is there twice."""
        return keys if self.can_have(keys) and len({*keys}) == len(keys) else None

    def in_words(self, keys: Keys) -> str:
        """Return the texts of the choices."""
        return "; ".join(" ".join(choice.text.split()) for choice in self.chosen(keys))

    @property
    def right(self) -> list[str]:
        """The keys of the choices that are right."""
        return [choice.key for choice in self.choices if choice.correct]

    @property
    def right_keys(self) -> Keys:
        """The same, as an answer."""
        return tuple(self.right)

    @property
    def right_span(self) -> Span | None:
        """The number that the right choice has for an id, None if it has none."""
        return span(self.right_keys[0])


@dataclass(frozen=True)
class Numbers:
    """Answers that are a number, for which the choices' texts say what is right and why."""

    choices: Sequence[Choice]
    within: float = 0.0
    limits: Sequence[float] | None = None

    def can_have(self, keys: Keys) -> bool:
        """Return whether this is one number within the limits."""
        return len(keys) == 1 and read_guess(keys[0], self.limits) is not None

    def chosen(self, keys: Keys) -> tuple[Choice, ...]:
        """Return the line that has the number: the right one first, `else` last."""
        guess = float(keys[0])
        lines = sorted(self.choices, key=lambda line: (not line.correct, line.text == ELSE))  # the first that fits
        return next((line,) for line in lines if (found := span(line.text)) and found.has(guess, self.within))

    def counted(self, keys: Keys) -> Keys | None:
        """Return the number as guesses are written."""
        return (written(float(keys[0])),) if self.can_have(keys) else None

    def in_words(self, keys: Keys) -> str:
        """Return the number with a minus sign."""
        return keys[0].replace("-", "−")

    @property
    def right(self) -> float:
        """The number that is right."""
        return self.right_span.low

    @property
    def right_keys(self) -> Keys:
        """The number as it is written in the lesson, for a program to read."""
        return (self._line.text.replace(",", "").replace("−", "-"),)

    @property
    def right_span(self) -> Span:
        """The line that is right."""
        found = span(self._line.text)
        assert found is not None  # the checker has seen to it
        return found

    @property
    def _line(self) -> Choice:
        return next(choice for choice in self.choices if choice.correct)
