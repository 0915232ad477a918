"""Answers of the routes about the judge's problems: tables, and verdicts. Each depends on its address alone."""

from collections.abc import Sequence

from lessons.format.judging import verdict_on, why_not
from pages.drawing.numbers import counted
from pages.judge.packing import RuleTable, RuleVerdict, described, table_of, told
from samplers.judge.bank import PROBLEMS
from samplers.judge.problem import Problem
from samplers.judge.rule import RuleError


def problem_of(name: str) -> Problem:
    """Return a problem by its id, or raise `RuleError`."""
    if name not in PROBLEMS:
        raise RuleError("There is no problem of that name.")
    return PROBLEMS[name]


def table(problem: Problem, points: Sequence[str]) -> RuleTable:
    """Return the table by which a rule plays."""
    played = described(problem)["points"]
    if [*points] != [str(played)]:
        raise RuleError(f"A rule plays with {played} points here.")
    return table_of(problem, played)


def verdict(problem: Problem, lines: Sequence[str]) -> RuleVerdict:
    """Return the verdict on a rule, or raise `RuleError` with the sentence why it cannot be read."""
    if len(lines) != len(problem.lines):
        raise RuleError(f"This rule has {counted(len(problem.lines), 'line')}.")
    found = verdict_on(problem.id, tuple(lines))
    if found is None:
        raise RuleError(why_not(problem, lines))
    return told(found)
