"""A list of rules, right ones in odd forms, wrong ones and hostile texts: the verdict is right in all."""

from collections import Counter

import pytest

from samplers.judge.bank import PROBLEMS
from samplers.judge.rule import RuleError
from samplers.judge.verdict import judge
from tests.samplers.judge.rules import CASES, Case

WITHOUT_A_LONG_RUN = {"broken", "reducible", "periodic"}  # which a known error may be, too


def name_of(case: Case) -> str:
    return f"{case.problem}: {' | '.join(case.texts)[:60]}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_every_rule_of_the_list_has_its_verdict(case):
    problem = PROBLEMS[case.problem]
    if case.kind == "refused":
        with pytest.raises(RuleError):
            judge(problem, case.texts)
        return
    verdict = judge(problem, case.texts)
    assert verdict.named == case.named
    assert (verdict.score == 1) == (case.kind in ("right", "invariant"))
    if case.kind == "known":
        assert verdict.kind in {"known"} | WITHOUT_A_LONG_RUN
        assert verdict.text.startswith(f"This is: {case.named}. ")
    else:
        assert verdict.kind == case.kind


def test_the_list_is_long_enough_and_has_every_problem():
    assert len(CASES) >= 100
    assert {case.problem for case in CASES} == PROBLEMS.keys()
    kinds = Counter(case.kind for case in CASES)
    assert kinds["known"] >= 9 * kinds["unknown"] / 2
    assert min(kinds[kind] for kind in ("right", "known", "refused")) >= 30
