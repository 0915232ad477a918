"""The claims of a lesson: the names and the numbers in its text, and whether a screen shows them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lessons.format.lesson import Step

NUMBER = re.compile(r"(?<![\w.,])(?<!\w[-−])([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?!\w)( ?%)?")
FORMULA = re.compile(r"\$\$.+?\$\$|\$.+?\$", re.DOTALL)
NO_NUMBERS = re.compile(r"`[^`]*`|^\s*\d+\. ", re.MULTILINE)  # code, and the numbers of a list
STRUCTURE = re.compile(r"\\frac(?:\{\d+\}|\d)(?:\{\d+\}|\d)|[\^_](?:\{[^{}]*\}|\w)|\\[a-zA-Z]+|\\.|[{}$]")
NAME = re.compile(r"(?<![*\w])(\*{1,2})([^*\s](?:[^*]*[^*\s])?)\1(?![*\w])")


@dataclass(frozen=True)
class Number:
    """A number as it was written: its value, how many digits stand after its point, and whether it is a percentage."""

    text: str
    value: float
    digits: int
    percent: bool = False

    def rounds(self, other: "Number") -> bool:
        """Return whether the other number, rounded to the digits of this one, is this one."""
        shift = 0 if self.percent == other.percent else 2 if self.percent else -2
        value, digits = self.value / 10.0**shift, self.digits + shift
        return other.digits >= digits and abs(value - other.value) <= 0.5 * 10.0**-digits * (1 + 1e-9)


def exactly(value: float) -> Number:
    """Return a number of which all digits are known."""
    return Number(f"{value:g}", float(value), 15)


def numbers(text: str) -> list[Number]:
    """Return the numbers in a text, in order."""
    found = []
    for sign, whole, part, percent in NUMBER.findall(text):
        value = float(f"{whole.replace(',', '')}.{part or 0}")
        written = f"{'-' * bool(sign)}{whole}{f'.{part}' if part else ''}{'%' * bool(percent)}"
        found.append(Number(written, -value if sign else value, len(part), bool(percent)))
    return found


def claimed_numbers(markdown: str) -> list[Number]:
    """Return the numbers that a text states. A single digit in a formula belongs to the formula."""
    plain = NO_NUMBERS.sub(" ", markdown)
    formulas = " ; ".join(STRUCTURE.sub(" ", formula) for formula in FORMULA.findall(plain))
    return numbers(FORMULA.sub(" ", plain)) + [each for each in numbers(formulas) if each.digits or abs(each.value) > 9]


def claimed_names(markdown: str, terms: Iterable[str] = ()) -> list[str]:
    """Return a text's names of things on the screen: bold or in italics, with a capital, and no term of the glossary.

    The rest is emphasis.
    """
    told = [name for _, name in NAME.findall(FORMULA.sub(" ", NO_NUMBERS.sub(" ", markdown)))]
    known = {words(term) for term in terms}
    return [name for name in told if name[0].isupper() and name[-1] not in ".?!" and words(name) not in known]


def words(text: str) -> str:
    """Return a text as names are compared: without case, line breaks and quotation marks, all apostrophes alike."""
    return " ".join(re.sub('[“”"]', "", text).replace("’", "'").casefold().split())


def told_before(step: Step) -> str:
    """Return the texts that can be read before an answer; the numbers of goals are asked for, and not told."""
    goals = [NUMBER.sub(" ", goal.text) for goal in step.goals]
    return "\n\n".join([step.body, *step.hints, *goals])


def told_after(step: Step) -> str:
    """Return the text after an answer or a goal: all reasons, and the choices that are right."""
    answers = [f"{choice.text if choice.correct else ''}\n\n{choice.reason}" for choice in step.choices]
    return "\n\n".join([*answers, *(goal.reason for goal in step.goals)])


@dataclass
class Screen:
    """The text of some screens, and the data of their charts."""

    text: str
    numbers: list[Number]

    @classmethod
    def read(cls, texts: Sequence[str], held: Iterable[float] = ()) -> "Screen":
        """Return the words and numbers of these texts and charts."""
        return cls(words("\n".join(texts)), [*numbers(" ; ".join(texts)), *map(exactly, held)])

    def __add__(self, other: "Screen") -> "Screen":
        return Screen(f"{self.text}\n{other.text}", self.numbers + other.numbers)

    def missing(self, markdown: str, terms: Iterable[str] = ()) -> list[str]:
        """Return the claims of a text that this screen does not show."""
        names = [name for name in claimed_names(markdown, terms) if words(name) not in self.text]
        told = [claim.text for claim in claimed_numbers(markdown) if not any(map(claim.rounds, self.numbers))]
        return list(dict.fromkeys(names + told))
