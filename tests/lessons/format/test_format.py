"""The reference for instructors says what the models say, and its example is a good lesson."""

import re
from pathlib import Path

import pytest

from lessons.__main__ import main
from lessons.check.checker import inspect
from lessons.check.files import parse_lesson
from lessons.check.runs import run_steps
from lessons.format import schema
from lessons.format.course_file import misfits
from lessons.format.problems import Report
from lessons.format.schema import KINDS, FrontMatter, Then
from lessons.format.values import Values
from lessons.format.wording import key_names
from lessons.settings.settings import flags_of, limits
from lessons.topics import STAGES
from tests.lessons.app_library import app_library
from tests.lessons.format.sample import QUESTION_KINDS, edited

TEXT, STAGES_TEXT, GUIDE = (
    (Path(schema.__file__).parent / name).read_text(encoding="utf-8")
    for name in ("FORMAT.md", "STAGES.md", "../README.md")
)
# those with … are forms to be filled in
LINKS = [link for text in (TEXT, GUIDE) for link in re.findall(r"`(!?\[[^\]`]*\]\([^)`]*\))`", text) if "…" not in link]
PAIRS = [pairs for text in (TEXT, GUIDE) for pairs in re.findall(r"`(\{[^`]*: [^`]*\})`", text) if "…" not in pairs]
YAML = [block for text in (TEXT, GUIDE) for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]
BLOCKS = [block for block in YAML if not block.startswith("data:")]  # which belongs into a lesson, see test_data_file


@pytest.mark.parametrize("model", [FrontMatter, Then, *QUESTION_KINDS, *KINDS.values()])
def test_every_key_stands_in_the_reference(model):
    assert [key for key in key_names(model) if f"`{key}`" not in TEXT] == []


def test_every_kind_stands_in_the_reference():
    assert [kind for kind in KINDS if f"`{kind}`" not in TEXT] == []


def test_the_reference_of_stages_is_the_one_that_the_command_writes(capsys):
    assert main(["stages"]) == 0
    assert capsys.readouterr().out == STAGES_TEXT


@pytest.mark.parametrize("stage", STAGES)
def test_every_setting_stands_in_the_reference_of_stages(stage):
    section = STAGES_TEXT.partition(f"\n## `{stage}`\n")[2].partition("\n## ")[0]
    assert [view for view in STAGES[stage].views if f"`{view}`" not in section] == []
    facts, _, section = section.partition("| setting |")
    assert [name for name, means in STAGES[stage].measured.items() if f"| `{name}` | {means} |" not in facts] == []
    for name, field in STAGES[stage].model_fields.items():
        if not flags_of(field).get("lesson", True):
            assert f"| `{name}` |" not in section
            continue
        row = next(line for line in section.split("\n") if line.startswith(f"| `{name}` |"))
        low, high = limits(field)
        if low is not None:
            assert f"{low:g} to {high:g}; {field.default:g} if left out" in row


def test_the_examples_are_a_good_lesson():
    lesson, *more = re.findall(r"````markdown\n(.*?)````", TEXT, re.DOTALL)
    reading = parse_lesson("\n".join([lesson, *more]), Path("example.md"))
    assert reading.problems == reading.warnings == ()
    assert more
    assert run_steps(reading.lesson) == []


def test_the_links_and_pictures_of_the_guides_are_good_in_a_lesson(tmp_path):
    (tmp_path / "pictures").mkdir()
    for name in ("tables.png", "pictures/my tables.svg"):
        (tmp_path / name).write_text("<svg/>")
    (tmp_path / "first.md").write_text(edited("crp-one", "crp-first-tables"))
    (tmp_path / "a.md").write_text(edited("Only text.", "\n\n".join(LINKS)))
    readings = inspect([tmp_path])
    assert len(LINKS) > 4
    assert [str(one) for reading in readings for one in (*reading.problems, *reading.warnings)] == []


@pytest.mark.parametrize("pairs", PAIRS)
def test_the_pairs_of_the_guides_are_read_as_they_are_written(pairs):
    report = Report(Path("a.md"))
    assert Values(f"key: {pairs}", 1, report).data["key"]
    assert report.problems == report.warnings == []


@pytest.mark.parametrize("block", BLOCKS)
def test_the_courses_of_the_guides_are_good_courses(block):
    found = parse_lesson(block, Path("course.yaml"))
    assert found.problems == found.warnings == ()
    ids = [lesson.id for lesson in app_library().lessons]
    assert misfits(found.course, [*ids, "my-lesson"]) == []
