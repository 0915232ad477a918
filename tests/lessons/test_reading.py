"""The map from textbooks to lessons names lessons that are there, each once a chapter."""

import re

from lessons.format.folders import SHIPPED
from pages.lesson.lessons import library

TEXT = (SHIPPED / "course" / "READING.md").read_text("utf-8")
ROWS = [re.findall(r"`([a-z0-9-]+)`", line) for line in TEXT.splitlines() if line.startswith("| ") and "`" in line]


def test_every_lesson_of_a_chapter_is_there_and_named_once():
    known = {lesson.id for lesson in library().lessons}
    assert TEXT.count("\n## ") == 4
    assert len(ROWS) > 30
    assert [name for row in ROWS for name in row if name not in known] == []
    assert [row for row in ROWS if len(set(row)) < len(row)] == []
