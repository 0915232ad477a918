"""Unforeseen errors: each is a problem of its file, which it never leaves."""

import logging
import os

import pytest

from lessons.__main__ import main
from lessons.check import files
from lessons.check.files import parse_lesson
from lessons.check.numbers import outcomes
from lessons.check.runs import run_steps
from lessons.course import remembered
from lessons.course import shelf as shelf_module
from lessons.course.library import Library
from lessons.course.saving import digest_of, read_anyhow
from lessons.course.shelf import Shelf
from lessons.failing import UNFORESEEN
from lessons.topics.crp_mixture import CRPMixtureSettings
from lessons.topics.crp_seating import CRPSeatingSettings
from tests.lessons.format.sample import PATH, SAMPLE, check, edited, problems

BAD = "Only this text fails."


@pytest.fixture
def failing(monkeypatch):
    """Let the reader fail at a text, as at a mistake of ours."""
    build = files.build_lesson

    def fails(pieces, *more):
        if any(BAD in section.body for section in pieces.sections):
            raise KeyError("own")
        return build(pieces, *more)

    monkeypatch.setattr(files, "build_lesson", fails)


@pytest.fixture
def unmeasured(monkeypatch):
    """Let no run of restaurants be measured."""

    def fails(self, chain, t):
        raise KeyError("own")

    outcomes.cache_clear()
    monkeypatch.setattr(CRPSeatingSettings, "measure", fails)
    yield
    outcomes.cache_clear()


def test_a_file_that_cannot_be_read_keeps_its_last_valid_version_and_leaves_the_others_alone(tmp_path, failing, caplog):
    first, second = tmp_path / "a.md", tmp_path / "b.md"
    first.write_text(SAMPLE)
    second.write_text(SAMPLE.replace("crp-one", "crp-two"))
    library = Library([tmp_path])
    before = library.lessons
    first.write_text(edited("Only text.", f"{BAD} It is longer than the text before."))
    for _ in range(3):
        library.refresh()
    assert library.lessons == before
    (problem,) = library.problems.pop(first)
    assert problem.message.startswith(f"this file cannot be read. {UNFORESEEN} (KeyError at tests/")
    assert library.problems == {}
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR] == [str(problem)]
    assert [each.message for each in check(tmp_path)] == [problem.message]


def test_a_file_that_never_could_be_read_is_left_out(tmp_path, failing):
    (tmp_path / "a.md").write_text(edited("Only text.", BAD))
    (tmp_path / "b.md").write_text(SAMPLE.replace("crp-one", "crp-two"))
    assert [lesson.id for lesson in Library([tmp_path]).lessons] == ["crp-two"]


def test_a_number_that_fails_is_a_problem_at_its_place(unmeasured):
    (said,) = problems(edited("Some.", "There are {tables} tables."))
    assert said.startswith(f"39:11: {{tables}} cannot be computed: {UNFORESEEN} (KeyError at tests/")


def test_a_step_that_fails_is_a_problem_of_that_step(unmeasured):
    goal = "- [ ] Ten. {#ten}\n\n```step\nkind: sandbox\ngoals: {ten: {reach: {tables: 10}}}\n```"
    text = edited("Only text.", f"Try.\n\n{goal}")
    found = run_steps(parse_lesson(text, PATH).lesson)
    assert [problem.line for problem in found] == [42, 61]
    assert all(f"this step cannot be run: {UNFORESEEN}" in problem.message for problem in found)


def test_a_folder_that_cannot_be_read_keeps_what_was_read(tmp_path, monkeypatch):
    (tmp_path / "a.md").write_text(SAMPLE)
    shelf = Shelf(tmp_path)

    def gone(folder):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(shelf_module, "lesson_files", gone)
        shelf.refresh()
    assert len(shelf.lessons) == 1
    (problem,) = shelf.problems[tmp_path]
    assert problem.message == "the folder cannot be read: Input/output error"
    shelf.refresh()
    assert shelf.problems == {}


def test_a_reading_that_cannot_be_kept_is_read_again_at_the_next_start(tmp_path, monkeypatch):
    (tmp_path / "a.md").write_text(SAMPLE)
    with monkeypatch.context() as patch:
        patch.setattr(remembered.pickle, "dumps", lambda _: (_ for _ in ()).throw(RecursionError))
        assert len(Shelf(tmp_path, tmp_path / "kept").lessons) == 1
    assert len(Shelf(tmp_path, tmp_path / "kept").lessons) == 1


def test_nobody_waits_for_another_who_reads(tmp_path, monkeypatch):
    (tmp_path / "a.md").write_text(SAMPLE)
    library = Library([tmp_path])
    monkeypatch.setattr(Shelf, "refresh", lambda _: library.refresh())  # someone asks in the middle of it
    library.refresh()
    assert len(library.lessons) == 1


# ---- a learner's own data --------------------------------------------------------------------------------------------


def mixture(keys: str, settings: str = "") -> str:
    """Return a lesson on mixtures, with settings in its front matter and one step with these keys."""
    return f"""---
schema: 1
id: own
title: Own
stage: crp_mixture
track: clusters
minutes: 5
objectives: [see]
summary: [One, Two, Three]
stage_settings: {{{settings}}}
---
## Bring {{#bring}}
There are {{tables at 3}} tables.

- [ ] Your own. {{#mine}}

```step
kind: sandbox
{keys}
```
"""


GOAL = "goals: {mine: {settings: {data: own}, reach: {tables: 3}}}"


@pytest.mark.parametrize(
    ("settings", "keys", "place", "said"),
    [
        ("data: own", GOAL, "10:24", "begin with other data"),
        ("", f"settings: {{data: own}}\n{GOAL}", "19:18", "begin with other data"),
        (
            "",
            "goals: {mine: {settings: {data: own}, way: {settings: {data: own}}}}",
            "19:62",
            "out of the way",
        ),
        ("", f"publish: {{data: [far_point, own]}}\n{GOAL}", "19:17", "leave it out"),
    ],
)
def test_no_lesson_has_a_learners_own_data(settings, keys, place, said):
    (problem,) = problems(mixture(keys, settings))
    assert problem.startswith(f"{place}: own is a learner's own data")
    assert said in problem


def test_a_goal_that_needs_a_learners_own_data_is_not_tried_and_the_check_says_so(tmp_path, capsys):
    path = tmp_path / "own.md"
    path.write_text(mixture(GOAL))
    assert main(["check", "--show", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "line 12, goal {#mine}: not tried, as it needs a learner's own data" in printed
    assert "no problems, 1 goal not tried" in printed


def test_a_run_on_a_learners_own_data_is_none_of_the_stages():
    assert CRPMixtureSettings(data="own").unknown
    assert not CRPMixtureSettings().unknown


def test_a_pipe_is_no_lesson_and_nobody_waits_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "a.md").write_text(SAMPLE)
    assert [problem.message for problem in check(tmp_path)] == ["this is not an ordinary file"]
    assert [lesson.id for lesson in Library([tmp_path]).lessons] == ["crp-one"]


def test_a_file_that_cannot_be_read_can_be_looked_at(tmp_path):
    path = tmp_path / "a.md"
    path.write_bytes("Größe\r\n".encode("cp1252"))
    assert read_anyhow(path) == "Gr\ufffd\ufffde\n"
    assert read_anyhow(tmp_path) == digest_of(tmp_path) == ""
