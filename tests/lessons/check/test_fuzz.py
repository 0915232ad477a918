"""Whatever comes in, nothing is raised."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.check.files import parse_lesson, read_lesson
from lessons.settings.settings import read_text
from lessons.topics import STAGES
from tests.lessons.format.sample import PATH, SAMPLE

PIECES = st.sampled_from(
    ["---\n", "## A {#a}\n", "```step\n", "```\n", "::: hint\n", ":::\n", "- [x] a\n", "- [ ] b\n", "  > c\n", "$",
     "`", "kind: run\n", "until: 3\n", "![](a)", "<b>", "\n", "\t", " ", "schema: 1\n", "? [a]\n", "&a ", "*a ", "{",
     "}", "[", "]", "'", '"', "\ufeff", "\x85", "\u2028", "\ud800", "\x00", "\\", "***\n", "===\n", "1. [x] a\n",
     "# B\n", ">", "- ", "### C {#c}\n", "> d\n", "```yaml\n", "[a](b.md)", "[a](#lesson:b)", "[a](javascript:b)",
     "![a](b.png)", "![a](<..%2fb.png>)", "[a]: http://[\n", "[a]", "<http://[::>", "$\\frac{", "\\begin{a}", "^2",
     "$5 or $6"]
)  # fmt: skip


COURSE = """title: A
language: en
sections:
  - title: B
    open_from: "2026-10-12 09:00"
    lessons: [crp-one, two]
hide: [coin]
"""


def check_places(text, path=PATH):
    """Read a text, and check that every problem points into it."""
    reading = parse_lesson(text, path)
    lines = reading.source.split("\n")
    for problem in reading.problems:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        problem.framed(reading.source)


@given(st.lists(st.one_of(PIECES, st.text(max_size=5))).map("".join))
@settings(deadline=None, max_examples=400)
def test_any_text(text):
    check_places(text)


@given(st.integers(0, len(COURSE)), st.integers(0, len(COURSE)), st.one_of(PIECES, st.text(max_size=5)))
@settings(deadline=None, max_examples=400)
def test_any_course(start, end, piece):
    check_places(COURSE[:start] + piece + COURSE[end:], Path("course.yaml"))


@given(st.binary(max_size=200), st.integers(0, len(SAMPLE)))
@settings(deadline=None, max_examples=100)
def test_any_bytes(tmp_path_factory, data, position):
    path = tmp_path_factory.getbasetemp() / "fuzz.md"
    path.write_bytes(SAMPLE[:position].encode() + data)
    reading = read_lesson(path)
    assert (reading.lesson is None) == bool(reading.problems)


NUMBER_LIKE = st.from_regex(r"\A\s*[-+]?[0-9٣]{0,50}\.?[0-9]{0,9}([eE][-+]?[0-9]{1,6})?\s*\Z")


@given(st.sampled_from(sorted(STAGES)), st.data())
@settings(deadline=None)
def test_any_text_of_a_url_gives_valid_settings(stage, data):
    model = STAGES[stage]
    text = st.one_of(st.text(), NUMBER_LIKE, st.floats().map(str), st.integers().map(str))
    values = data.draw(st.dictionaries(st.one_of(st.sampled_from(sorted(model.model_fields)), st.text()), text))
    read, notes = read_text(model, values)
    assert model.model_validate(read.model_dump()) == read
    assert len(notes) <= len(model.model_fields)
