"""A topic that is begun by `python -m pages.new` runs, and passes the tests that all topics pass."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pages import new

ROOT = Path(__file__).parents[2]
FOLDERS = ("samplers", "lessons", "pages", "tests", ".streamlit")
CONTRACT = ("tests/pages/topics/test_loaded_dice.py", "tests/pages/topics/test_film_contract.py")
CHECK = ("from lessons.__main__ import main", "assert main(['check', 'lessons/loaded-dice-1-first.md']) == 0")
ALONE = ("-q", "-p", "no:cacheprovider", "-k", "loaded_dice")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """Copy the house, and begin a topic in it; with what is compiled, except for what another process is writing."""
    root, left = tmp_path_factory.mktemp("house"), shutil.ignore_patterns("browser", "*.pyc.*")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, root / folder, ignore=left)
    shutil.copy(ROOT / "pyproject.toml", root)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert new.main(["loaded_dice"], root) == 0
    return root, before


def run(house, *lines):
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=house[0], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_topic_is_eight_files_and_one_line(house):
    root, before = house
    after = {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    changed = [path for path in before if path.suffix != ".pyc" and after[path] != before[path]]
    assert len(after.keys() - before.keys()) == 8
    assert {str(path.relative_to(root)) for path in changed} == {new.ORDERED, "lessons/format/STAGES.md"}
    lines = [set((text[root / new.ORDERED]).decode().splitlines()) for text in (before, after)]
    assert lines[1] - lines[0] == {'    "loaded_dice",'}


def test_its_lesson_has_no_problems_and_it_keeps_the_contract(house):
    """In one process, as most of the time goes into its imports."""
    said = run(house, "import sys, pytest", *CHECK, f"sys.exit(pytest.main({[*ALONE, *CONTRACT]}))")
    assert "no problems" in said
    assert "100%" in said


@pytest.mark.parametrize("name", ["Coin", "two words", "coin", "_", "x" * 99 + "é"])
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(name, tmp_path, capsys):
    with pytest.raises(SystemExit):
        new.main([name], tmp_path)
    assert not any(tmp_path.iterdir())
    assert "name" in capsys.readouterr().err
