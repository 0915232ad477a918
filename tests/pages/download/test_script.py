"""The script of a moment gives the numbers of the page to the last bit, and needs no more than the samplers."""

import ast
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lessons.topics import STAGES
from tests.pages.download.moments import CASES, bits, script_of
from tests.pages.waiting import waited

ROOT = Path(__file__).parents[3]

RUN_ALL = """
import contextlib, io, json, pickle, sys
made = []
for text, names in json.load(open(sys.argv[1])):
    space = {}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(text, "script", "exec"), space)
    made.append(({name: space[name] for name in names}, said.getvalue()))
assert not sys.modules.keys() & {"streamlit", "altair", "pandas", "pydantic", "pages"}
pickle.dump(made, open(sys.argv[2], "wb"))
"""


@pytest.fixture(scope="module")
def pages():
    """The values that the page has under the names of each case."""
    return [waited(lambda case=case: case[3](STAGES[case[0]](**case[1]))) for case in CASES]


@pytest.fixture(scope="module")
def ran(pages, tmp_path_factory):
    """The values that all scripts have made, in a process that sees the samplers and the data of lessons alone."""
    folder = tmp_path_factory.mktemp("beside")
    (folder / "samplers").symlink_to(ROOT / "samplers")
    (folder / "lessons").mkdir()
    (folder / "lessons/__init__.py").touch()
    (folder / "lessons/data").symlink_to(ROOT / "lessons/data")
    texts = [
        (script_of(topic, STAGES[topic](**settings), t), list(page))
        for (topic, settings, t, _), page in zip(CASES, pages, strict=True)
    ]
    (folder / "texts.json").write_text(json.dumps(texts))
    (folder / "run_all.py").write_text(RUN_ALL)
    subprocess.run([sys.executable, "run_all.py", "texts.json", "made"], cwd=folder, check=True)
    return texts, pickle.loads((folder / "made").read_bytes())


def test_every_topic_has_a_case():
    assert set(STAGES) - {topic for topic, *_ in CASES} == set(), "add a row to CASES of moments.py"


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{topic} {settings}" for topic, settings, *_ in CASES])
def test_a_script_gives_the_numbers_of_the_page(number, pages, ran):
    made, said = ran[1][number]
    assert made
    for name, value in pages[number].items():
        assert bits(made[name]) == bits(value), name
    assert " = " in said


def test_a_script_is_short_and_says_what_it_needs(ran):
    for (text, _), (topic, *_) in zip(ran[0], CASES, strict=True):
        assert len(text.splitlines()) < 80, topic
        assert max(map(len, text.splitlines())) <= 120
        named = {node.module.split(".")[0] for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
        assert ("lessons/" in text.split('"""')[1]) == ("lessons" in named)


def test_the_check_sees_one_bit():
    one, other = np.array([0.1, 0.2]), np.array([0.1, np.nextafter(0.2, 1)])
    assert bits({"a": (one, 0.5)}) == bits({"a": (one.copy(), 0.5)})
    assert bits(one) != bits(other)
    assert bits(0.2) != bits(float(other[1]))
