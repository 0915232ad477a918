"""Verdicts on rules that learners write, each found once."""

from collections.abc import Sequence
from functools import lru_cache

from samplers.judge.bank import PROBLEMS
from samplers.judge.problem import Problem
from samplers.judge.rule import RuleError
from samplers.judge.verdict import Verdict, judge

KEPT = 2_000  # verdicts


@lru_cache(KEPT)
def verdict_on(problem: str, texts: tuple[str, ...]) -> Verdict | None:
    """Return the verdict on a rule for a problem of the bank; None if a line cannot be read."""
    try:
        return judge(PROBLEMS[problem], texts)
    except RuleError:
        return None


def why_not(problem: Problem, texts: Sequence[str]) -> str:
    """Return the sentence on why a rule cannot be read; "" if it can."""
    try:
        judge(problem, texts)
    except RuleError as error:
        return str(error)
    return ""
