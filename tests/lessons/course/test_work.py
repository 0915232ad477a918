"""A learner's work: what a file holds, what an answer is worth now, and the table of what a class handed in."""

import csv
import io
import json

import pytest

from lessons.__main__ import main
from lessons.course.learners import handed_in
from lessons.course.spreadsheet import as_csv
from lessons.course.tables import ANSWERS, answers
from lessons.course.work import LARGEST, Given, KeptMoment, Work, judged, read_work, version
from pages.lesson.lessons import library

LESSON = library().lesson("crp-seating")
STEP = next(step for step in LESSON.steps if step.id == "fifth")
RIGHT = Given(lesson="crp-seating", step="fifth", answer=("1/5",), version=version(STEP))
WRONG = RIGHT.model_copy(update={"answer": ("1/4",)})
WORK = Work(name="Ada", answers=(RIGHT, WRONG), moments=(KeptMoment(topic="coin", link="seed=3&t=12", note="here"),))


def test_a_file_is_read_as_it_was_written():
    assert read_work(WORK.as_json().encode()) == WORK


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "this is not a “My work” file"),
        (b"\xff\xfe", "this is not a “My work” file"),
        (b"[]", "this is not a “My work” file"),
        (b'{"samplescope": "play"}', "samplescope: "),
        (b'{"answers": [{"lesson": "../x", "step": "a", "answer": ["b"]}]}', "answers.0.lesson: "),
        (b'{"answers": [{"lesson": "a", "step": "a", "answer": []}]}', "answers.0.answer: "),
        (b'{"surprise": 1}', "surprise: "),
        (b" " * (LARGEST + 1), "1,000,001 bytes"),
    ],
)
def test_what_is_no_work_is_refused_with_its_place(content, said):
    with pytest.raises(ValueError, match=r"^(this is not|the file has)") as refused:
        read_work(content)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("given", "right", "remark"),
    [
        (RIGHT, True, ""),
        (WRONG, False, ""),
        (RIGHT.model_copy(update={"version": ""}), True, ""),
        (RIGHT.model_copy(update={"version": "00000000"}), True, "the question has changed since this was handed in"),
        (
            RIGHT.model_copy(update={"answer": ("x",)}),
            None,
            "the question has changed: this is no longer an answer to it",
        ),
        (RIGHT.model_copy(update={"step": "gone"}), None, "the lesson has no step with this id"),
        (RIGHT.model_copy(update={"lesson": "gone"}), None, "there is no lesson with this id"),
    ],
)
def test_an_answer_is_held_against_the_lesson_as_it_is_now(given, right, remark):
    found = judged(given, library())
    assert (found.right, found.remark) == (right, remark)


def test_goals_count_as_reached_when_they_are_reached_as_often_as_they_ask():
    lesson, step = next((one, step) for one in library().lessons for step in one.steps if step.goals)
    goal = step.goals[0]
    some = tuple(f"{goal.id} {seed}" for seed in range(goal.keys.seeds))
    assert (
        f"1 of {len(step.goals)} goals reached"
        == judged(Given(lesson=lesson.id, step=step.id, answer=some), library()).answer
    )


def test_a_class_becomes_a_table_and_what_is_no_work_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("lessons.__main__.Library", lambda _: library())  # it has read them before
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "my-work.json").write_text(WORK.as_json(), "utf-8")
    (tmp_path / "eve.json").write_text(WORK.model_copy(update={"name": "=1+1"}).as_json(), "utf-8")
    (tmp_path / "odd.json").write_text("{", "utf-8")
    assert main(["collect", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert out[0] == "\ufeff", "Excel knows by it that the letters are UTF-8"
    rows = list(csv.DictReader(io.StringIO(out[1:])))
    assert [(row["file"], row["name"], row["answer"], row["right"]) for row in rows] == [
        ("ada/my-work.json", "Ada", "1/5", "yes"),
        ("ada/my-work.json", "Ada", "1/4", "no"),
        ("eve.json", "'=1+1", "1/5", "yes"),
        ("eve.json", "'=1+1", "1/4", "no"),
    ]
    assert {row["question"] for row in rows} == {STEP.title}
    assert "odd.json: this is not a “My work” file" in err


def test_an_empty_class_is_a_table_without_rows(tmp_path):
    left_out: list[str] = []
    assert as_csv(answers(handed_in(tmp_path, left_out), library())) == ",".join(ANSWERS) + "\n"
    assert left_out == []


def test_what_a_learner_writes_is_text_in_a_spreadsheet():
    (row,) = as_csv([("@SUM(A1)", "+1", "-1", "\t=1", "a=b", "", "", "")]).splitlines()
    assert json.dumps(row.split(",")[:5]) == json.dumps(["'@SUM(A1)", "'+1", "'-1", "'\t=1", "a=b"])
