"""The reference for instructors says what the models say, and its example is a good lesson."""

import re
from pathlib import Path

import pytest

from lessons import reader
from lessons.reader import STAGES, parse_lesson
from lessons.reader.files import run_steps
from lessons.reader.schema import KINDS, FrontMatter, Then
from lessons.reader.settings import limits
from lessons.reader.wording import key_names

TEXT = (Path(reader.__file__).parent / "FORMAT.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("model", [FrontMatter, Then, *KINDS.values(), *STAGES.values()])
def test_every_key_stands_in_the_reference(model):
    assert [key for key in key_names(model) if f"`{key}`" not in TEXT] == []


def test_every_kind_view_and_measure_stands_in_the_reference():
    words = [*KINDS, *STAGES]
    for stage in STAGES.values():
        words += [*stage.views, *stage.measured]
    assert [word for word in words if f"`{word}`" not in TEXT] == []


@pytest.mark.parametrize("stage", STAGES)
def test_limits_and_defaults_in_the_reference_are_right(stage):
    section = TEXT.partition(f"\n`{stage}`: ")[2].partition("\n`crp_")[0]
    for name, field in STAGES[stage].model_fields.items():
        row = next(line for line in section.split("\n") if line.startswith(f"| `{name}` |"))
        low, high = limits(field)
        if low is not None:
            assert f"{low:g} to {high:g}" in row
            assert f"{field.default:g} if left out" in row


def test_the_example_is_a_good_lesson():
    example = re.search(r"````markdown\n(.*?)````", TEXT, re.DOTALL)
    reading = parse_lesson(example[1], Path("example.md"))
    assert reading.problems == ()
    assert run_steps(reading.lesson) == []
