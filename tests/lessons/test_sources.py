"""Sections that are cited exist, and each idea of the documents is taught where the table says."""

import re

from lessons.topics import STAGES
from pages.lesson.lessons import library
from tests.browser.driver import ROOT

TUTORIAL = {"1", "2", "2.1", "2.2", "2.3", "3", "4", "5", "5.1", "5.2", "5.3", "5.4", "6", "6.1", "6.2"}
CITED = re.compile(
    r"Gershman\s+&\s+Blei\s+\(?2012(?:,\s+A\s+tutorial[\w\s]+?models)?\)?,?\s+"
    r"(?:\*A tutorial on Bayesian nonparametric models\*,\s+)?sections?\s+"
    r"((?:[\d.]+\d|\d)(?:(?:,\s+|\s+and\s+)[\d.]*\d)*)"
)


def test_the_sections_of_the_tutorial_that_are_cited_exist():
    """Gershman & Blei (2012), whose section 3 has no parts."""
    texts = [
        path.read_text("utf-8")
        for folder, ending in (("lessons", "md"), ("pages", "py"), ("samplers", "py"))
        for path in (ROOT / folder).rglob(f"*.{ending}")
    ]
    plain = (re.sub(r'"\s*\n\s*"|\n\s*', " ", text) for text in texts)
    cited = [number for text in plain for found in CITED.findall(text) for number in re.findall(r"[\d.]*\d", found)]
    assert len(cited) > 30
    assert set(cited) <= TUTORIAL


LISTED = (ROOT / "lessons" / "SOURCES.md").read_text("utf-8")
ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+?) \| (.*) \|$", re.MULTILINE)


def test_each_step_and_view_in_the_table_of_ideas_is_there():
    """Lessons are named as their files begin; an idea that no step teaches says what is missing."""
    steps = {
        "-".join(lesson.path.stem.split("-")[:2]): {step.id for step in lesson.steps} for lesson in library().lessons
    }
    views = {view for stage in STAGES.values() for view in stage.views.values()}
    rows = ROW.findall(LISTED)
    assert len(rows) == 180
    for number, idea, taught, missing in rows:
        named = re.findall(r"`([a-z]+-\d+)((?: #[\w-]+)+)`", taught)
        assert named or missing, f"{number}, {idea}: it is taught nowhere, and the table does not say so"
        for lesson, ids in named:
            assert {one.strip("#") for one in ids.split()} <= steps[lesson], f"{number}, {idea}: {lesson}{ids}"
        assert set(re.findall(r"\*(.+?)\*", taught)) <= views


def test_the_table_counts_what_is_missing():
    missing = sum(bool(row[3].strip()) for row in ROW.findall(LISTED))
    assert f"{180 - missing} are taught, and {missing} in part or not at all" in LISTED


def test_no_lesson_takes_more_than_twelve_minutes():
    assert [lesson.id for lesson in library().lessons if lesson.minutes > 12] == []
