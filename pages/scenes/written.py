"""Updates by a rule that a learner wrote: the cards with her numbers in her formula, and what its lines may know."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from math import log

from pages.contract.case import RuleOption
from pages.drawing.cards import Option, quiet, score_table
from pages.drawing.numbers import bracketed, of_its_log, significant
from samplers.judge.problem import Problem
from samplers.judge.rule import LETTERS
from samplers.judge.written import Known, WrittenConditional

NAME = re.compile(r"[^\W\d]\w*")
FAULT = "No probabilities: <b>{fault}</b> The first option is taken."


def case_of(names: Iterable[str], known: Iterable[Known]) -> list[RuleOption]:
    """Return the options of an update for the desk."""
    pairs = zip(names, known, strict=True)
    return [{"name": name, "line": one.line, "known": dict(one.values)} for name, one in pairs]


def score(conditional: WrittenConditional, options: Sequence[Option], chosen: int) -> str:
    """Return the card of scores: each option's numbers in her formula, and the probability that they make."""
    heading = formula(conditional.problem, [rule.text for rule in conditional.rules])
    logs = conditional.problem.form == "logarithms"
    shown = [
        replace(option, terms=_typed(conditional.rules[one.line].text, one.values, weight))
        for option, one, weight in zip(options, conditional.known, conditional.given, strict=True)
    ]
    if conditional.fault:
        shown = [replace(option, probability=0.0) for option in shown]
        return score_table(shown, -1, heading) + f"<p>{FAULT.format(fault=escape(conditional.fault))}</p>"
    return score_table(shown, chosen, heading) + (quiet("Log weights; the largest is taken off first.") if logs else "")


def _typed(text: str, values: Mapping[str, float | Sequence[float]], weight: float) -> str:
    """Return a line with its numbers and what it comes to: as long as she likes, it breaks where the card ends."""
    return f'<span class="typed">{numbers(text, values)} = {significant(weight, 4)}</span>'


def formula(problem: Problem, texts: Sequence[str]) -> str:
    """Return a rule as the head of its numbers, as HTML."""
    lines = zip(problem.lines, texts, strict=True)
    return "Your rule: " + ", ".join(f"{escape(label)} = {_typeset(text)}" for label, text in lines)


def numbers(text: str, values: Mapping[str, float | Sequence[float]]) -> str:
    """Return a line with its numbers in place of the names, as HTML; lists and functions keep their names."""

    def number(found: re.Match[str]) -> str:
        value = values.get(LETTERS.get(found[0], found[0]))
        return found[0] if value is None or isinstance(value, Sequence) else f"\0{value!r}\0"

    parts = NAME.sub(number, text).split("\0")
    return "".join(_figure(float(part)) if place % 2 else _typeset(part) for place, part in enumerate(parts))


def _figure(value: float) -> str:
    return of_its_log(log(value)) if 0 < value < 1e-3 else bracketed(significant(value, 4))


def _typeset(text: str) -> str:
    """Return a line with signs of multiplication and true minus signs."""
    return re.sub(r"(?<!\*)\s*\*\s*(?!\*)", " · ", escape(text)).replace("-", "−")
