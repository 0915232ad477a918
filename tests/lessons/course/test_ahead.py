"""Lessons that another process reads for the server."""

import subprocess
import sys

from lessons.course import ahead
from lessons.course.library import label
from lessons.course.remembered import kept_by
from lessons.format.folders import SHIPPED

NOTED = "import pathlib, sys; pathlib.Path(sys.argv[1], 'noted').open('a').write('read ')"
TAKEN_UP = """
import sys
from lessons.course import ahead
from lessons.course.library import Library
ahead.have_read()
assert len(Library(ahead.folders(), ahead.KEPT).lessons) > 100
print(*{"pandas", "pyarrow", "scipy.stats"} & sys.modules.keys())
"""


def test_lessons_are_read_by_another_process_until_one_has_kept_them(tmp_path, monkeypatch):
    monkeypatch.setattr(ahead, "COMMAND", (sys.executable, "-c", NOTED))
    ahead.have_read(tmp_path)
    ahead.have_read(tmp_path)
    assert (tmp_path / "noted").read_text() == "read read "
    kept_by(tmp_path / label(SHIPPED)).touch()
    ahead.have_read(tmp_path)
    assert (tmp_path / "noted").read_text() == "read read "


def test_a_folder_that_cannot_be_written_has_no_process_read_for_it(tmp_path, monkeypatch):
    monkeypatch.setattr(ahead, "COMMAND", (sys.executable, "-c", NOTED))
    (tmp_path / "a file").touch()
    ahead.have_read(tmp_path / "a file")
    assert [path.name for path in tmp_path.iterdir()] == ["a file"]


def test_a_server_that_takes_them_up_loads_nothing_that_only_measuring_needs():
    """They take 85 MB, which a server that has loaded them never gives back."""
    done = subprocess.run([sys.executable, "-c", TAKEN_UP], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
