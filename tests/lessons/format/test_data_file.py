"""Data beside a lesson: what is read of a file, what is said of it, and that all runs of the lesson are on it."""

import os
import pickle
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from lessons.__main__ import main
from lessons.check.files import read_lesson
from lessons.check.runs import run_steps
from lessons.course.library import Library
from lessons.course.shelf import Shelf
from lessons.data import csv_text, messages
from lessons.format import schema
from lessons.format.data_file import DataKeys
from lessons.format.wording import key_names
from lessons.own import examples, labelled, points, rows, series
from lessons.own.store import OWN_DATA, found, held, keep_own
from lessons.topics import STAGES
from samplers import Chain
from tests.lessons.format import own_data
from tests.lessons.format.own_data import SAMPLES

FORMAT = (Path(schema.__file__).parent / "FORMAT.md").read_text("utf-8")
NO_DATA = re.compile(r"(?m)^data: .*\n")
every = pytest.mark.parametrize("stage", SAMPLES)


def looking_at(settings: str) -> Callable[[str], str]:
    """Give the second step settings of its own."""
    return lambda text: text.replace("until: 8", f"until: 8\nsettings: {settings}")


def without_numbers(text: str) -> str:
    """Put a number in place of each that the run gives: of these more is said if there is no run."""
    return re.sub(r"\{\w+( at 4)?\}", "1", text)


# ---- what is read ----------------------------------------------------------------------------------------------------


def test_every_topic_that_takes_data_has_a_lesson_here():
    assert {name for name, model in STAGES.items() if model.takes} == {*SAMPLES}
    assert {name for name, model in STAGES.items() if "own" in model.model_fields} == {*SAMPLES}


@every
def test_runs_numbers_and_questions_are_on_the_file(stage, tmp_path):
    reading = own_data.read(tmp_path, stage)
    assert reading.problems == ()
    assert all("the text above the choices has" in one.message for one in reading.warnings), "the sample states it"
    lesson = reading.lesson
    settings = lesson.settings_for(lesson.steps[0])
    assert settings.data == "own"
    assert held(settings.own) is lesson.held
    assert settings.own_data is lesson.held.data
    now = settings.measure(Chain(settings.sampler(), 7), 4)[SAMPLES[stage].outcome]
    (right,) = (choice for choice in lesson.steps[0].choices if choice.correct)
    assert float(right.text.replace("−", "-").replace(",", "")) == pytest.approx(now, rel=5e-3)
    assert lesson.steps[0].body == f"After four it is {right.text}."
    assert run_steps(lesson) == []


@every
def test_what_was_read_is_said_in_notes(stage, tmp_path):
    reading = own_data.read(tmp_path, stage)
    assert {(note.line, note.kind) for note in reading.notes} == {(10, "note")}
    said = " ".join(note.message for note in reading.notes)
    assert re.search(r"\d+ (points|rows|values|examples|messages were read|chains of 12 draws)", said)
    if SAMPLES[stage].text == own_data.TABLE:
        assert "read as Windows-1252" in said
        assert "decimal commas" in said


@every
def test_it_is_as_large_as_the_file(stage, tmp_path):
    lesson = own_data.read(tmp_path, stage).lesson
    settings = lesson.settings_for(lesson.steps[0])
    gone = settings.model_copy(update={"own": "0" * 32})
    assert settings.iterations <= gone.iterations
    if hasattr(settings, "size"):
        assert settings.size < gone.size


def test_a_file_of_data_is_what_a_learner_uploads(tmp_path):
    lesson = own_data.read(tmp_path, "crp_mixture").lesson
    assert keep_own(lesson.held.data) == lesson.held.digest


def test_a_step_can_have_other_data(tmp_path):
    reading = own_data.read(tmp_path, "crp_mixture", edit=looking_at("{data: three_blobs}"))
    settings = [reading.lesson.settings_for(step) for step in reading.lesson.steps]
    assert [each.data for each in settings] == ["own", "three_blobs", "own"]
    assert settings[1].own == ""


def test_named_data_first_and_the_file_later(tmp_path):
    sample = SAMPLES["crp_mixture"].with_(settings="{data: three_blobs}")
    lesson = own_data.read(tmp_path, "crp_mixture", sample, looking_at("{data: own}")).lesson
    assert [lesson.settings_for(step).data for step in lesson.steps] == ["three_blobs", "own", "three_blobs"]
    assert lesson.settings_for(lesson.steps[1]).own == lesson.held.digest


# ---- what is said of what cannot be used -----------------------------------------------------------------------------

WRONG = [
    ("crp_mixture", "grössen.csv", "10:7: there is no file grössen.csv beside this lesson (did you mean 'größen.csv'"),
    ("crp_mixture", "../größen.csv", "10:7: ../größen.csv is not beside the lesson; copy it there"),
    ("crp_mixture", "/größen.csv", "10:7: /größen.csv is not beside the lesson; copy it there"),
    ("crp_mixture", '"file:größen.csv"', "10:7: file:größen.csv is not beside the lesson; copy it there"),
    ("crp_mixture", "away.csv", "10:7: away.csv leads out of the lesson's folder; copy it beside the lesson"),
    ("crp_mixture", "folder", "10:7: folder is not an ordinary file"),
    ("crp_mixture", "large.csv", "10:7: large.csv: The file has 20.0 MB; at most 20 MB can be read."),
    ("crp_mixture", "picture.csv", "10:7: picture.csv: By its first bytes this is a picture, not a CSV file."),
    ("crp_mixture", "{columns: [Größe]}", "10:7: the key 'file' is missing: the file, beside the lesson or in a"),
    ("crp_mixture", "{file: größen.csv, colums: [Größe]}", "10:26: unknown key 'colums' (did you mean 'columns'?)"),
    (
        "crp_mixture",
        "{file: größen.csv, columns: [Gewicht, Grösse]}",
        "10:45: there is no column 'Grösse' to use in größen.csv (did you mean 'Größe'?)",
    ),
    (
        "crp_mixture",
        "{file: größen.csv, columns: [Name]}",
        "10:36: there is no column 'Name' to use in größen.csv: “Name” has text in most rows",
    ),
    (
        "crp_mixture",
        "{file: größen.csv, label: Name}",
        "10:33: crp_mixture has no use for label of a file; it has for file, columns, standardise",
    ),
    (
        "crp_mixture",
        "[größen.csv]",
        "10:7: data: this should be the name of a file, or pairs such as {file",
    ),
    ("crp_mixture", '"a\\0.csv"', "10:7: a .csv is not beside the lesson; copy it there"),
    ("jumps", "{file: größen.csv, columns: [Gewicht]}", "10:14: This topic shows points in a plane: two columns"),
    ("hidden_chain", POINTS := own_data.POINTS, "10:14: A series is one column, and 2 are named"),
    (
        "logistic",
        "größen.csv",
        "10:7: Columns of numbers: 2; three are needed, two features and a label of two values.",
    ),
    ("logistic", "{file: kranke.csv, label: gesund}", "10:33: there is no column 'gesund' to use in kranke.csv"),
    ("generative", "{file: größen.csv, label: Gewicht}", "10:14: The class “Gewicht” has 24 different values; two or"),
    (
        "gibbs_text",
        "{file: post.csv, text: Brief}",
        "10:30: there is no column 'Brief' to use in post.csv (there is: Art, Nachricht)",
    ),
    ("coin", "größen.csv", "10:7: the topic coin takes no data from a file; these do: crp_mixture, "),
]


@pytest.mark.parametrize(("stage", "data", "expected"), WRONG, ids=[f"{row[0]} {row[1]}" for row in WRONG])
def test_what_cannot_be_used_is_said_at_its_place(stage, data, expected, tmp_path):
    folder = tmp_path / "lessons"
    (folder / "folder").mkdir(parents=True)
    for sample in SAMPLES.values():
        (folder / sample.name).write_bytes(sample.text.encode("cp1252"))
    (tmp_path / "away.csv").write_text("a,b\n1,2\n3,4\n5,6\n")
    (folder / "away.csv").symlink_to(tmp_path / "away.csv")
    (folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n")
    with (folder / "large.csv").open("wb") as large:
        large.truncate(csv_text.LARGEST_FILE + 1)
    known = SAMPLES.get(stage, SAMPLES["crp_mixture"])
    outcome = known.outcome if stage in SAMPLES else next(iter(STAGES[stage].measured))
    problems = own_data.read(folder, stage, known.with_(data=data, outcome=outcome), without_numbers).problems
    (said,) = (str(problem).partition("with-data.md:")[2] for problem in problems)
    assert said.startswith(expected)


def test_data_that_a_step_cannot_use_are_said_at_the_step(tmp_path):
    (problem,) = own_data.read(tmp_path, "gibbs_text", edit=looking_at("{minimum_count: 20}")).problems
    assert "this step cannot run on the lesson's data: Nothing to sample: no word is left" in problem.message
    assert problem.line == 29


def test_without_a_file_own_data_are_refused_and_nothing_is_raised(tmp_path):
    for stage in SAMPLES:
        sample = SAMPLES[stage].with_(settings="{data: own}")
        problems = own_data.read(tmp_path, stage, sample, lambda text: NO_DATA.sub("", text)).problems
        assert "name one in the front matter, data: heights.csv" in str(problems[0])


@pytest.mark.parametrize(
    "edit", [("data: {file", "data: {fil"), ("title: Own data\n", ""), ("minutes: 5", "minutes: five")]
)
def test_what_else_is_wrong_makes_no_more_problems_of_own_data(edit, tmp_path):
    sample = SAMPLES["crp_mixture"].with_(settings="{data: own}")
    change = looking_at("{data: own}")
    said = own_data.read(
        tmp_path, "crp_mixture", sample, lambda text: without_numbers(change(text.replace(*edit)))
    ).problems
    assert not [problem for problem in said if "name it in the front matter" in problem.message]
    assert said


def test_no_file_of_a_lesson_can_be_named_by_its_digest(tmp_path):
    sample = SAMPLES["crp_mixture"].with_(settings=f"{{own: {'a' * 32}}}")
    (problem,) = own_data.read(tmp_path, "crp_mixture", sample, without_numbers).problems
    assert "own names data of learners" in problem.message


# ---- how long the data are there -------------------------------------------------------------------------------------


def test_they_are_there_as_long_as_the_lesson(tmp_path, monkeypatch):
    lesson = own_data.read(tmp_path, "crp_mixture").lesson
    digest, kind = lesson.held.digest, type(lesson.held.data)
    OWN_DATA._drop(digest)
    again = own_data.read(tmp_path, "crp_mixture").lesson
    OWN_DATA._drop(digest)
    assert again.held is lesson.held, "equal data are one object"
    del again
    assert found(digest, kind) is lesson.held.data
    assert found(digest, int) is None
    kept = pickle.dumps(lesson)
    del lesson
    assert held(digest) is None
    assert found(digest, kind) is None
    lesson = pickle.loads(kept)
    OWN_DATA._drop(digest)
    assert found(digest, kind) is lesson.held.data, "as a lesson that a start remembers"


def test_a_lesson_follows_its_file_and_keeps_the_last_valid_one(tmp_path):
    folder, kept = tmp_path / "mine", tmp_path / "kept"
    folder.mkdir()
    path = own_data.write(folder, "crp_mixture")
    other = folder / "other.md"
    other.write_text(own_data.LESSON.format(stage="jumps", sample=SAMPLES["jumps"]).replace("with-data", "other"))
    shelf = Shelf(folder, kept)
    first = {lesson.id: lesson.held.digest for lesson in shelf.lessons}
    assert first.keys() == {"with-data", "other"}
    file = folder / "größen.csv"

    times = count(1)

    def change(text: str) -> None:
        file.write_bytes(text.encode("cp1252"))
        os.utime(file, ns=(1, next(times)))
        shelf.refresh()

    change(own_data.TABLE.replace("150", "151"))
    second = {lesson.id: lesson.held.digest for lesson in shelf.lessons}
    assert all(second[name] != first[name] for name in first)
    change("Größe;Gewicht\n1;2\n")
    assert {lesson.id: lesson.held.digest for lesson in shelf.lessons} == second
    assert {*shelf.problems} == {path, other}
    assert "at least 3 are needed" in shelf.problems[path][0].message
    again = Shelf(folder, kept)  # a new start finds the file broken
    assert {lesson.id: lesson.held.digest for lesson in again.lessons} == second
    file.unlink()
    again.refresh()
    assert {lesson.id for lesson in again.lessons} == {"with-data", "other"}
    change(own_data.TABLE)
    assert {lesson.id: lesson.held.digest for lesson in shelf.lessons} == first
    assert not shelf.problems


def test_another_lesson_is_none_the_worse(tmp_path):
    broken = own_data.write(tmp_path, "crp_mixture", SAMPLES["crp_mixture"].with_(data="none.csv"))
    whole = tmp_path / "whole.md"
    whole.write_text(NO_DATA.sub("", broken.read_text("utf-8")).replace("with-data", "whole"))
    library = Library([tmp_path])
    assert [lesson.path for lesson in library.lessons] == [whole]
    assert {*library.problems} == {broken}


# ---- the reference and the command -----------------------------------------------------------------------------------


def test_every_key_and_every_topic_stands_in_the_reference():
    section = FORMAT.partition("\n## Data\n")[2].partition("\n## ")[0]
    keys = [line.split("`")[1] for line in section.split("\n") if line.startswith("| `")]
    assert sorted(keys) == sorted(key_names(DataKeys))
    assert [stage for stage in SAMPLES if f"`{stage}`" not in section] == []


def test_the_limits_of_the_reference_are_those_of_the_readers():
    section = " ".join(FORMAT.partition("\n## Data\n")[2].partition("\n## ")[0].split())
    for said in (
        f"take one or two columns and {points.MOST_POINTS} rows",
        f"takes two features and {labelled.MOST_POINTS} rows",
        f"`generative` six features and {examples.MOST_EXAMPLES} rows",
        f"rows of {rows.MOST_COLUMNS} columns, {rows.MOST_ROWS} of them",
        f"its first {series.MOST_HOURS} rows",
        f"at most {csv_text.LARGEST_FILE / 1e6:g} MB, messages {messages.LARGEST_FILE / 1e6:g} MB",
    ):
        assert said in section
    assert examples.MOST_FEATURES == 6


def test_the_example_of_the_reference_is_read(tmp_path):
    section = FORMAT.partition("\n## Data\n")[2]
    data = re.search(r"```yaml\ndata: (.*)\n```", section)[1]
    (tmp_path / "heights.csv").write_text("name,height,weight\n" + "".join(f"n{n},{n * n},{n}\n" for n in range(9)))
    reading = own_data.read(tmp_path, "crp_mixture", SAMPLES["crp_mixture"].with_(data=data))
    assert reading.problems == ()
    assert [column.name for column in reading.lesson.held.data.columns] == ["height", "weight"]


def test_the_command_says_what_was_read(tmp_path, capsys):
    path = own_data.write(tmp_path, "crp_mixture")
    assert main(["check", "--show", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Data that were read:" in said
    assert "with-data.md:10:7: note: 24 points." in said
    assert "1 lesson, no problems" in said


def test_data_of_two_lessons_are_apart(tmp_path):
    one = own_data.read(tmp_path, "crp_mixture").lesson
    two = own_data.read(tmp_path, "gibbs_blobs").lesson
    assert one.held.digest != two.held.digest
    assert not np.array_equal(one.held.data.data, two.held.data.data)
    assert read_lesson(one.path).lesson.held is two.held
