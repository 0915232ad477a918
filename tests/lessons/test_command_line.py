"""The command line: what it prints, and how it ends."""

import json

import jsonschema
import pytest

from lessons.reader.__main__ import main
from tests.lessons.sample import SAMPLE, edited


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


def test_the_lessons_of_the_project_are_checked_by_default(capsys):
    assert main(["check"]) == 0
    assert capsys.readouterr().out.endswith("no problems\n")


@pytest.mark.parametrize("arguments", [[], ["chekc"], ["check", "--fix"], ["check", "there/is/no/such.md"]])
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
