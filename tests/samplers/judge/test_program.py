"""A student's own program is judged exactly: right ones are right, errors are named, and what goes wrong is told."""

import inspect
import json
import re
import subprocess
import sys
import threading
import unittest
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from samplers.judge.__main__ import main
from samplers.judge.bank import PROBLEMS
from samplers.judge.limit import OutOfTimeError, within
from samplers.judge.paths import MOST_PATHS, Draw, ends
from samplers.judge.program import grade, judge_program, told
from tests.samplers.judge.students import ALL_AT_ONCE, ONE_TOO_MANY, RIGHT, SWEEP, UPDATE

CRP = PROBLEMS["crp-mixture"]
SMALL = replace(CRP, points=4)  # of the same updates, on 15 states
ROOT = Path(__file__).parents[3]


# ---- verdicts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", RIGHT)
def test_right_programs_are_right(problem):
    verdict = judge_program(PROBLEMS[problem], RIGHT[problem])
    assert verdict.score == 1, verdict.text
    assert verdict.kind == ("invariant" if problem == "split-merge" else "right")


def test_a_whole_sweep_is_right_from_every_state():
    verdict = judge_program(CRP, SWEEP)
    assert (verdict.kind, verdict.distance) == ("right", 0.0)
    assert "a sweep from each of 52 states" in verdict.text


def test_a_known_error_is_named_with_its_smallest_counterexample():
    verdict = judge_program(SMALL, ONE_TOO_MANY)
    assert (verdict.kind, verdict.named) == ("known", "one is added, though the point is out already")
    assert verdict.counterexample.points == 2
    assert "Smallest counterexample: update 0 of [0, 0]" in told(verdict)
    swept = judge_program(SMALL, SWEEP.replace("[len(those) *", "[(len(those) + 1) *"))
    assert swept.named == verdict.named
    assert "a sweep from [0, 0]" in told(swept)


def test_labels_that_are_all_drawn_from_the_old_ones_are_wrong():
    verdict = judge_program(SMALL, ALL_AT_ONCE)
    assert verdict.kind == "unknown"
    assert 0.01 < verdict.distance < 0.9
    assert verdict.score == pytest.approx(1 - verdict.distance)


def test_a_chain_that_goes_round_in_a_circle_is_named_as_that():
    verdict = judge_program(
        PROBLEMS["metropolis-grid"],
        "def sweep(labels, data, draw):\n    return [(labels[0] + 1) % len(data.density)]\n",
    )
    assert verdict.kind == "periodic"
    verdict = judge_program(PROBLEMS["metropolis-grid"], "def sweep(labels, data, draw):\n    return [0]\n")
    assert verdict.kind == "reducible"
    assert (verdict.score, verdict.distance) == (0.0, None)


def test_what_a_program_defines_can_be_given_as_it_is():
    names: dict = {}
    exec(UPDATE, names)
    assert judge_program(SMALL, names).score == 1
    assert judge_program(SMALL, names["update"]).score == 1


# ---- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("def update(i, labels, data, draw)\n    pass", "Line 1 of your program is not Python: expected ':'."),
        ("x = \0", "is not Python"),
        ("x = 1", "must define sweep(labels, data, draw), update(i, labels, data, draw) or weight(line, names)"),
        ("import no_such_module", "Line 1 of your program: ModuleNotFoundError"),
        ("raise SystemExit(3)", "Line 1 of your program: SystemExit: 3."),
        ("def update(i, labels, data, draw):\n    n = 0\n    return labels[99]", "Line 3 of your program: IndexError"),
        (
            "def update(i, labels, data, draw):\n    1 / 0",
            "Line 2 of your program: ZeroDivisionError: division by zero.",
        ),
        ("def update(i, labels, data, draw):\n    return update(i, labels, data, draw)", "RecursionError"),
        ("def update(labels):\n    pass", "Your program: TypeError"),
        (
            "def update(i, labels, data, draw):\n    draw([1, -1])",
            "Line 2 of your program: weight 1 of 2 that draw got is",
        ),
        ("def update(i, labels, data, draw):\n    draw([0.0, 0])", "all weights that draw got are 0."),
        ("def update(i, labels, data, draw):\n    draw([float('nan')])", "is not a number."),
        ("def update(i, labels, data, draw):\n    draw([float('inf'), 1])", "is infinite."),
        ("def update(i, labels, data, draw):\n    draw([])", "draw got no weights."),
        ("def update(i, labels, data, draw):\n    draw(3)", "draw takes a list of weights, and got 3."),
        (
            "def update(i, labels, data, draw):\n    return 'no'",
            "your program came to no: these are no labels of this problem.",
        ),
        ("def update(i, labels, data, draw):\n    labels.append(0)", "these are no labels of this problem"),
        ("def update(i, labels, data, draw):\n    data.points = ()", "Line 2 of your program: AttributeError"),
        ("def weight(line, names):\n    return 'much'", "weight must return a number, and returned much for a table."),
        ("def weight(line, names):\n    return -1", "The weight of a table is negative, where n = "),
        ("def weight(line, names):\n    return names['m']", "Line 2 of your program: KeyError"),
    ],
)
def test_what_goes_wrong_in_a_program_is_told_with_its_line_and_not_raised(program, said):
    verdict = judge_program(CRP, program)
    assert (verdict.kind, verdict.score) == ("broken", 0.0)
    assert said in verdict.text


@pytest.mark.parametrize(
    "source",
    [
        "import random\ndef chance(): return random.random() < 0.5",
        "import random\nown = random.Random()\ndef chance(): return own.random() < 0.5",
        "import numpy as np\ndef chance(): return np.random.rand() < 0.5",
        "import numpy as np\nrng = np.random.default_rng()\ndef chance(): return rng.random() < 0.5",
        "import random\ndef chance(): random.seed(1); return random.random() < 2",
        "calls = []\ndef chance(): calls.append(1); return len(calls) % 2",
        "import time\ndef chance(): return time.perf_counter_ns()",
    ],
)
@pytest.mark.parametrize("use", ["return [int(chance())] + labels[1:]", "draw([1, 1 + chance()])"])
def test_chance_that_does_not_come_from_draw_is_seen(source, use):
    hidden = (
        f"{source}\ndef update(i, labels, data, draw):\n    try:\n        {use}\n    except Exception:\n        pass\n"
    )
    verdict = judge_program(PROBLEMS["pi-explicit"], hidden)
    assert verdict.kind == "broken"
    assert "does not do the same again" in verdict.text or "no labels" in verdict.text


def test_endless_programs_are_stopped():
    swallows = "while True:\n        try:\n            while True: pass\n        except {}: pass"
    once = "try:\n        while True: pass\n    except BaseException: pass\n    while True: pass"
    for body in ("while True: pass", swallows.format("Exception"), once):
        verdict = judge_program(CRP, f"def update(i, labels, data, draw):\n    {body}\n", seconds=0.2)
        assert verdict.text == "Your program did not finish within 0.2 seconds."


def test_too_many_draws_are_said_and_not_waited_for():
    verdict = judge_program(CRP, "def update(i, labels, data, draw):\n    while draw([1]) == 0: pass\n")
    assert "draws more than 1,000 times on one path" in verdict.text
    verdict = judge_program(CRP, "def update(i, labels, data, draw):\n    [draw([1, 1]) for _ in range(20)]\n")
    assert f"has more than {MOST_PATHS:,} paths" in verdict.text


def test_a_problem_without_labels_asks_for_weights():
    verdict = judge_program(PROBLEMS["e-step"], UPDATE)
    assert "“e-step” has no labels to update: write weight(line, names)." in verdict.text


def test_a_program_can_be_judged_in_any_thread_and_is_stopped_there():
    endless = "def update(i, labels, data, draw):\n    while True: pass\n"
    found = []

    def work() -> None:
        found.append(judge_program(SMALL, UPDATE).kind)
        found.append(judge_program(SMALL, endless, seconds=0.1).text)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == ["right", "Your program did not finish within 0.1 seconds."]


def test_a_limit_that_is_not_reached_leaves_nothing_behind():
    before = threading.active_count()
    assert [within(60, lambda number=number: number) for number in range(50)] == [*range(50)]
    for _ in range(50):
        with suppress(OutOfTimeError):
            within(0, lambda: sum(range(1000)))
    while threading.active_count() > before:
        pass


def test_calls_can_be_followed_after_a_limit():
    """An error that is set for a thread and taken back stops the next followed call for good, in CPython 3.11."""
    code = "from samplers.judge.limit import within; within(60, int); sys.setprofile(lambda *_: None); (lambda: 1)()"
    subprocess.run([sys.executable, "-c", f"import sys; {code}"], check=True, timeout=60)


def test_every_path_is_run_once_with_its_probability():
    runs = []

    def run(draw: Draw) -> tuple[int, ...]:
        path = [draw([1, 3])]
        if path[0]:
            path.append(draw([1, 0, 2]))
        runs.append(tuple(path))
        return tuple(path)

    assert ends(run) == pytest.approx({(0,): 0.25, (1, 0): 0.25, (1, 2): 0.5})
    assert runs == [(0,), (0,), (1, 0), (1, 2)]  # the first one twice, to see whether it does the same


# ---- how it is used --------------------------------------------------------------------------------------------------


def test_a_plain_script_prints_the_verdict(tmp_path, capsys):
    file = tmp_path / "student.py"
    file.write_text(UPDATE, encoding="utf-8")
    command = [sys.executable, "-m", "samplers.judge", "crp-mixture", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1], done.stderr) == (0, "Score: 1.00", "")
    file.write_text(ONE_TOO_MANY, encoding="utf-8")
    assert main(["crp-mixture", str(file)]) == 1
    assert capsys.readouterr().out.startswith("This is: one is added")


def test_the_command_says_what_there_is(tmp_path, capsys):
    assert main([]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*PROBLEMS]
    assert main(["crp-mixture"]) == 0
    assert "data.alpha: α, the weight of a new table" in capsys.readouterr().out
    assert main(["crp"]) == 2
    assert main(["crp-mixture", str(tmp_path / "none.py")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_in_pytest_it_is_one_assertion():
    score, message = grade("crp-mixture", ONE_TOO_MANY)
    with pytest.raises(AssertionError, match="This is: one is added"):
        assert score == 1, message


def in_guide(sign: str) -> str:
    """Return the guide's code for a grader: the block in which a sign comes."""
    guide = (ROOT / "lessons" / "README.md").read_text(encoding="utf-8")
    (block,) = (
        block for block in re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL) if sign in block
    )
    return block


def names_of(program: str) -> dict:
    names: dict = {}
    exec(program, names)
    return names


def module(monkeypatch: pytest.MonkeyPatch, path: str, **names: object) -> None:
    """Put a module that graders bring, with what the guide's code takes of it, where it is imported."""
    made = ModuleType(path)
    vars(made).update(names)
    monkeypatch.setitem(sys.modules, path, made)


@pytest.mark.parametrize(("program", "least", "most"), [(UPDATE, 10, 10), (ONE_TOO_MANY, 1, 9.9)])
def test_in_nbgrader_the_last_line_of_the_guides_cell_is_the_points(program, least, most, capsys):
    *lines, last = in_guide("print(message)").strip().splitlines()
    names = names_of(program)
    exec("\n".join(lines), names)
    assert least <= eval(last, names) <= most
    assert capsys.readouterr().out.startswith("Right" if most == 10 else "This is: one is added")


def test_in_otter_the_guides_file_asserts_with_the_verdict(monkeypatch):
    """Otter reads ``OK_FORMAT``, and calls test cases with the names of the notebook that are their arguments."""
    cases = []

    def test_case(points: int):
        return lambda function: cases.append((points, function)) or function

    module(monkeypatch, "otter")
    module(monkeypatch, "otter.test_files", test_case=test_case)
    file = names_of(in_guide("OK_FORMAT"))
    assert (file["OK_FORMAT"], file["name"], file["points"]) == (False, "update", 10)
    ((points, case),) = cases
    assert points == file["points"]

    def run(program: str) -> None:
        names = names_of(program)
        case(**{name: names[name] for name in inspect.signature(case).parameters})

    run(UPDATE)
    with pytest.raises(AssertionError, match="This is: one is added"):
        run(ONE_TOO_MANY)


class Feedback:
    """PrairieLearn's feedback: the score of the test that runs, and text in its file, which `name` opens."""

    test: Any = None
    file: str | None = None
    said: ClassVar[list[str]] = []

    @classmethod
    def set_score(cls, score: float) -> None:
        cls.test.points = max(0.0, min(1.0, score))

    @classmethod
    def add_feedback(cls, text: str) -> None:
        if cls.file is None:
            raise RuntimeError("there is no file of feedback")
        cls.said.append(text)


def points(number: float):
    def decorate(method):
        vars(method)["points"] = number
        return method

    return decorate


def name(title: str):
    def decorate(method):
        @wraps(method)
        def named(test):
            Feedback.file = f"feedback_{method.__name__}"
            method(test)

        vars(named)["name"] = title
        return named

    return decorate


@pytest.mark.parametrize(("program", "score", "said"), [(UPDATE, 1, "Right"), (ONE_TOO_MANY, 0.5, "This is: one is ")])
def test_in_prairielearn_the_guides_test_sets_the_share_of_the_points_and_feedback(monkeypatch, program, score, said):
    """PrairieLearn's tests are of `unittest`, with the student's names in ``self.st``."""
    module(monkeypatch, "code_feedback", Feedback=Feedback)
    module(monkeypatch, "pl_helpers", name=name, points=points)
    module(monkeypatch, "pl_unit_test", PLTestCase=unittest.TestCase)
    monkeypatch.setattr(Feedback, "said", [])
    monkeypatch.setattr(Feedback, "file", None)
    tests = names_of(in_guide("PLTestCase"))["Test"]
    tests.st = SimpleNamespace(update=names_of(program)["update"])
    Feedback.test = tests("test_update")
    assert tests.test_update.points == 10
    result = Feedback.test.run()
    assert result.wasSuccessful(), result.errors
    assert score <= Feedback.test.points <= 1
    assert (Feedback.test.points == 1) == (score == 1)
    assert Feedback.said[0].startswith(said)


def test_the_template_notebook_gets_full_marks_with_its_solution_and_none_without():
    cells = json.loads((ROOT / "lessons" / "assignment.ipynb").read_text(encoding="utf-8"))["cells"]
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert "print(message)\n10 * score" in codes[-1]
    names: dict = {}
    for code in codes:
        exec(compile(code, "<cell>", "exec"), names)
    assert names["score"] == 1
    for code in codes:  # as nbgrader hands it out
        exec(re.sub(r"### BEGIN SOLUTION.*### END SOLUTION", "raise NotImplementedError", code, flags=re.DOTALL), names)
    assert names["score"] == 0
    assert "NotImplementedError" in names["message"]


def test_the_guide_lists_the_bank():
    guide = (ROOT / "lessons" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w-]+)`(\*?) \| (\d+) \|", guide, flags=re.MULTILINE)
    assert listed == [
        (problem.id, "" if problem.own else "*", str(len(problem.at(problem.points).states)))
        for problem in PROBLEMS.values()
    ]
