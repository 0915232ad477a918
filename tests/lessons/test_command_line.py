"""The command line: what it prints, and how it ends."""

import json
import re

import jsonschema
import pytest

from lessons.__main__ import main
from lessons.check.checker import Checker
from lessons.format.folders import SHIPPED
from lessons.format.placeholders import MESSAGE, SENTENCES
from lessons.topics import STAGES
from tests.lessons.format.sample import SAMPLE, edited


def test_a_good_folder_ends_with_0(tmp_path, capsys):
    (tmp_path / "a.md").write_text(SAMPLE)
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 lesson, no problems\n"


def test_a_problem_ends_with_1_and_is_shown_in_its_line(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text(edited("minutes: 12", "minuets: 12"))
    assert main(["check", str(path)]) == 1
    assert capsys.readouterr().out == (
        f"{path}:1:1: the key 'minutes' is missing: how long it takes\n    1 | ---\n        ^\n\n"
        f"{path}:7:1: unknown key 'minuets' (did you mean 'minutes'?)\n    7 | minuets: 12\n        ^\n\n"
        "1 lesson, 2 problems\n"
    )


def test_a_warning_ends_with_0_and_is_shown_apart_from_the_problems(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text(edited("Only text.", "It costs $5 or $6."))
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out == (
        "Valid, but probably not what you mean:\n\n"
        f"{path}:56:10: warning: the page sets '5 or ' as a formula; write \\$ for a dollar sign\n"
        "   56 | It costs $5 or $6.\n                 ^\n\n"
        "1 lesson, no problems, 1 warning\n"
    )
    assert main(["check", "--strict", str(path)]) == 1


def test_the_lessons_of_the_project_are_checked_by_default(monkeypatch, tmp_path):
    """Which takes seconds, and has a line of its own in the Makefile."""
    asked = []
    monkeypatch.setattr("lessons.__main__.Checker", lambda paths: asked.extend(paths) or Checker([tmp_path]))
    assert main(["check"]) == 0
    assert [path.resolve() for path in asked] == [SHIPPED]


def test_what_a_run_ends_with_is_shown_with_what_it_means(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text(SAMPLE)
    assert main(["check", "--show", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{path}: One update\n\n  line 14, predict {{#predict}}: after 1 customer, seed 7\n")
    _, _, run = said.partition("  line 38, run {#run}: after 30 customers, seed 7\n")
    assert run.startswith("    customers  30   customers seated\n    tables ")
    assert said.endswith("1 lesson, no problems\n")


@pytest.mark.parametrize(
    ("stage", "keys", "expected"),
    [
        ("crp_mixture", "settings: {step_by: update}", ["run {#run}: opened step by step, and not measured"]),
        ("logistic", "settings: {method: newton}", ["run {#run}: after 3 steps, seed 7", "    setbacks "]),
        ("generative", "settings: {method: story}", ["    answer    none   probability of class 1 at the query"]),
    ],
)
def test_what_has_no_value_is_shown_as_such(tmp_path, capsys, stage, keys, expected):
    path = tmp_path / "a.md"
    front = SAMPLE[: SAMPLE.index("## Before")].replace("crp_seating", stage)
    front = front.replace("stage_settings: {concentration: 1.0}\n", "").replace("[concentration, seed]", "[]")
    path.write_text(f"{front}## Run {{#run}}\n```step\nkind: run\nuntil: 3\n{keys}\n```\n")
    assert main(["check", "--show", str(path)]) == 0
    said = capsys.readouterr().out
    assert [each for each in expected if each not in said] == []


def test_what_is_saved_is_checked_again_until_somebody_stops_it(tmp_path, capsys, monkeypatch):
    good, other = tmp_path / "good.md", tmp_path / "other.md"
    good.write_text(SAMPLE)
    edits = iter(
        [
            lambda: None,
            lambda: other.write_text(edited("crp-one", "crp-two").replace("minutes: 12", "minuets: 12")),
            lambda: other.write_text(edited("crp-one", "crp-two")),
            other.unlink,
        ]
    )

    def sleep(seconds):
        try:
            next(edits)()
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("lessons.__main__.time.sleep", sleep)
    assert main(["check", "--watch", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert re.findall(r"(?m)^\d.*", said)[0] == "1 lesson, no problems", said
    assert re.findall(r"(?m)^\d[^:\n]*problems?$", said) == [
        "1 lesson, no problems",
        "2 lessons, 2 problems",
        "2 lessons, no problems",
        "1 lesson, no problems",
    ]
    assert re.findall(r"(?m)^\d\d:\d\d:\d\d  (.*)$", said) == ["other.md"] * 3, "what has not changed is not read"
    assert f"{other}:7:1: unknown key 'minuets' (did you mean 'minutes'?)\n    7 | minuets: 12" in said


@pytest.mark.parametrize("stage", STAGES)
def test_a_new_lesson_passes_the_check(tmp_path, capsys, stage):
    path = tmp_path / "Week 3_tables.md"
    assert main(["new", str(path.with_suffix("")), "--stage", stage]) == 0
    assert main(["check", str(path)]) == 0
    said, text = capsys.readouterr().out, path.read_text("utf-8")
    assert said.count(f"warning: {MESSAGE}\n") == text.count("Write here") + len(SENTENCES), "all else is left as it is"
    assert said.endswith(f"1 lesson, no problems, {said.count(': warning: ')} warnings\n")
    assert f"- [ ] You have come to {STAGES[stage]().counted_as} 12. " in text
    assert "id: week-3-tables " in text
    assert 'title: "Week 3 tables"' in text


def test_a_new_lesson_overwrites_none_and_needs_a_name(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SAMPLESCOPE_LESSONS", str(tmp_path))
    assert main(["new", "mine"]) == 0
    assert (tmp_path / "mine.md").is_file(), "in the instructor's own folder"
    assert main(["new", "mine"]) == 1
    assert main(["new", str(tmp_path / "no" / "folder")]) == 1
    assert main(["new", str(tmp_path / "…")]) == 1
    assert main(["new", "a" * 300]) == 1
    assert capsys.readouterr().err == (
        f"{tmp_path}/mine.md is there already; choose another name\n"
        f"there is no folder {tmp_path}/no; make it first: mkdir -p {tmp_path}/no\n"
        "a lesson's name has small letters and digits, such as week-3, and not '…'\n"
        "a lesson's name has at most 80 characters, and this one has 300\n"
    )
    assert main(["new", "Week 3"]) == 0
    assert capsys.readouterr().out.endswith(f"lessons check '{tmp_path}/Week 3.md'\n")


def test_a_new_lesson_lies_in_no_folder_of_the_app(tmp_path, capsys, monkeypatch):
    before = sorted(SHIPPED.glob("*"))
    monkeypatch.chdir(tmp_path)
    for unnamed in (None, ""):
        monkeypatch.delenv("SAMPLESCOPE_LESSONS", raising=False)
        if unnamed is not None:
            monkeypatch.setenv("SAMPLESCOPE_LESSONS", unnamed)
        assert main(["new", "week-3"]) == 1
        assert "say in which folder of yours: python -m lessons new ../mine/week-3, or name" in (
            capsys.readouterr().err
        )
    assert sorted(SHIPPED.glob("*")) == before
    assert main(["new", "./week-3"]) == 0
    assert (tmp_path / "week-3.md").is_file()


@pytest.mark.parametrize(
    "arguments",
    [[], ["chekc"], ["check", "--fix"], ["check", "there/is/no/such.md"], ["new"], ["new", "a", "--stage", "b"]],
)
def test_bad_usage_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as ending:
        main(arguments)
    assert ending.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_the_json_schema_accepts_a_good_lesson_and_refuses_a_bad_one(capsys):
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    good = {
        "front_matter": {"schema": 1, "id": "a", "title": "A", "stage": "crp_seating", "track": "t", "minutes": 1,
                         "objectives": ["o"], "summary": ["a", "b", "c"]},
        "step": {"kind": "predict", "at": 0, "lock": ["step"], "then": {"advance": 1}},
        "stages": {"crp_seating": {"concentration": 2.0}},
    }  # fmt: skip
    jsonschema.validate(good, schema)
    for part, wrong in [
        ("front_matter", {"stage": "x"}),
        ("step", {"lock": ["fly"]}),
        ("stages", {"crp_seating": {"customers": 501}}),
    ]:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**good, part: {**good[part], **wrong}}, schema)
