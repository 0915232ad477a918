"""An instructor's file, and the desk on which it lies."""

from pathlib import Path

import pytest

from lessons.course.template import lesson_from
from lessons.format.folders import LESSONS
from pages.lesson.lessons import read_anew
from pages.studio.desk import Desk


@pytest.fixture
def mine(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv(LESSONS, str(tmp_path))
    path = tmp_path / "week-3.md"
    path.write_text(lesson_from("week-3"))
    monkeypatch.setattr("pages.lesson.page.BEAT", 0.0)  # each run looks at the files
    read_anew()
    yield path
    read_anew()


@pytest.fixture
def here(mine) -> Desk:
    here = Desk()
    here.open(mine)
    return here
