"""A folder of lessons: what learners are served while an instructor edits."""

import os
import pickle

import pytest

from lessons.check import files
from lessons.course import remembered
from lessons.course import shelf as shelf_module
from lessons.course.shelf import Shelf
from lessons.format.folders import SHIPPED
from tests.lessons.format.sample import SAMPLE, check, edited

BROKEN = edited("title: One update", "titel: One update")


def write(path, text):
    """Write a file and make sure that it counts as changed."""
    path.write_text(text)
    write.clock += 1_000_000_000
    os.utime(path, ns=(write.clock, write.clock))


write.clock = 1_700_000_000_000_000_000


def ids(shelf):
    return [lesson.id for lesson in shelf.lessons]


def test_lessons_stand_in_the_order_of_their_file_names(tmp_path):
    for file, name in (("b-1", "b"), ("b-10", "c"), ("a", "a"), ("b-9", "between")):
        write(tmp_path / f"{file}.md", edited("crp-one", f"lesson-{name}"))
    write(tmp_path / "README.md", "no lesson")
    shelf = Shelf(tmp_path)
    assert ids(shelf) == ["lesson-a", "lesson-b", "lesson-between", "lesson-c"]
    assert shelf.problems == {}


def test_a_file_that_breaks_keeps_its_last_valid_version(tmp_path):
    path = tmp_path / "a.md"
    write(path, SAMPLE)
    shelf = Shelf(tmp_path)
    before = shelf.lessons
    write(path, BROKEN)
    shelf.refresh()
    shelf.refresh()
    assert shelf.lessons == before
    assert [str(problem) for problem in shelf.problems[path]] == [
        f"{path.as_posix()}:1:1: the key 'title' is missing: what learners see above the lesson",
        f"{path.as_posix()}:4:1: unknown key 'titel' (did you mean 'title'?)",
    ]
    write(path, edited("One update", "Another"))
    shelf.refresh()
    assert shelf.problems == {}
    assert shelf.lessons[0].title == "Another"


def test_the_last_valid_version_is_served_after_a_restart_as_well(tmp_path):
    path, kept = tmp_path / "lessons" / "a.md", tmp_path / "kept"
    path.parent.mkdir()
    write(path, SAMPLE)
    before = Shelf(path.parent, kept).lessons
    write(path, BROKEN)
    shelf = Shelf(path.parent, kept)
    assert shelf.lessons == before
    assert path in shelf.problems
    assert Shelf(path.parent).lessons == ()
    write(path, edited("One update", "Another"))
    shelf.refresh()
    write(path, BROKEN)
    assert [lesson.title for lesson in Shelf(path.parent, kept).lessons] == ["Another"]
    path.unlink()
    assert Shelf(path.parent, kept).lessons == (), "what was deleted stays away"


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"no lesson"])
def test_what_was_kept_is_checked_as_well(tmp_path, content):
    path, kept = tmp_path / "a.md", tmp_path / "kept"
    kept.mkdir()
    (kept / "a.md").write_bytes(content)
    write(path, BROKEN)
    assert Shelf(tmp_path, kept).lessons == ()


def test_where_nothing_can_be_kept_lessons_are_served_all_the_same(tmp_path):
    write(tmp_path / "a.md", SAMPLE)
    (tmp_path / "kept").write_text("a file, no folder")
    shelf = Shelf(tmp_path, tmp_path / "kept")
    assert len(shelf.lessons) == 1
    write(tmp_path / "a.md", BROKEN)
    shelf.refresh()
    assert len(shelf.lessons) == 1


def test_a_file_that_was_never_valid_is_not_served(tmp_path):
    write(tmp_path / "a.md", BROKEN)
    write(tmp_path / "b.md", SAMPLE)
    shelf = Shelf(tmp_path)
    assert ids(shelf) == ["crp-one"]
    assert list(shelf.problems) == [tmp_path / "a.md"]


def test_a_file_that_vanishes_goes(tmp_path):
    path = tmp_path / "a.md"
    write(path, SAMPLE)
    shelf = Shelf(tmp_path)
    path.unlink()
    shelf.refresh()
    assert shelf.lessons == ()
    assert shelf.problems == {}


def test_only_changed_files_are_read(tmp_path, monkeypatch):
    write(tmp_path / "a.md", SAMPLE)
    shelf = Shelf(tmp_path)
    monkeypatch.setattr(files.Path, "read_bytes", lambda path: pytest.fail("a file that has not changed was read"))
    shelf.refresh()
    assert ids(shelf) == ["crp-one"]


def test_the_first_file_keeps_an_id(tmp_path):
    write(tmp_path / "a.md", SAMPLE)
    write(tmp_path / "b.md", edited("crp-one", "crp-two"))
    shelf = Shelf(tmp_path)
    write(tmp_path / "b.md", edited("One update", "A copy"))
    shelf.refresh()
    assert ids(shelf) == ["crp-one", "crp-two"]  # the second file's last valid version
    (problem,) = shelf.problems[tmp_path / "b.md"]
    assert (problem.line, problem.column) == (3, 5)
    assert problem.message == "the id 'crp-one' is taken by a.md; ids are unique"


COPIES = ["rich (Kopie).md", "rich - Copy.md", "rich copy.md", "a copy of rich.md"]


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_does_not_take_the_place_of_its_original(tmp_path, copy):
    write(tmp_path / copy, SAMPLE)
    write(tmp_path / "rich.md", SAMPLE)
    for shelf in (Shelf(tmp_path), Shelf(tmp_path)):
        assert [lesson.path.name for lesson in shelf.lessons] == ["rich.md"]
        assert [*shelf.problems] == [tmp_path / copy]
    assert [problem.path for problem in check(tmp_path)] == [tmp_path / copy]


@pytest.mark.parametrize("text", [edited("One update", "Changed"), BROKEN], ids=["changed", "broken"])
def test_the_file_that_was_served_keeps_its_id_whatever_its_copy_is_called(tmp_path, text):
    path = tmp_path / "week-3.md"
    write(path, SAMPLE)
    shelf = Shelf(tmp_path)
    write(tmp_path / "a.md", edited("One update", "A copy"))
    write(path, text)
    shelf.refresh()
    shelf.refresh()
    assert [lesson.path for lesson in shelf.lessons] == [path]
    assert {*shelf.problems} - {path} == {tmp_path / "a.md"}


def test_a_folder_that_is_not_there_is_a_problem_and_no_crash(tmp_path):
    shelf = Shelf(tmp_path / "none")
    assert shelf.lessons == ()
    (problem,) = shelf.problems[tmp_path / "none"]
    assert problem.message == "there is no such folder of lessons"


# ---- what was read at an earlier start -------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    """A folder in which a first start has kept what it read of two lessons."""
    folder = tmp_path / "kept"
    write(tmp_path / "a.md", SAMPLE)
    write(tmp_path / "b.md", edited("crp-one", "crp-two"))
    Shelf(tmp_path, folder)
    return folder


def test_a_start_reads_no_file_that_has_not_changed(tmp_path, kept, monkeypatch):
    monkeypatch.setattr(shelf_module, "read_lesson", lambda path: pytest.fail(f"{path} was read"))
    assert Shelf(tmp_path, kept).lessons == Shelf(tmp_path, kept).lessons != ()


def test_a_start_reads_the_files_that_have_changed_since(tmp_path, kept, monkeypatch):
    write(tmp_path / "b.md", edited("crp-one", "crp-three"))
    read = []
    monkeypatch.setattr(shelf_module, "read_lesson", lambda path: read.append(path) or files.read_lesson(path))
    assert ids(Shelf(tmp_path, kept)) == ["crp-one", "crp-three"]
    assert ids(Shelf(tmp_path, kept)) == ["crp-one", "crp-three"]
    assert read == [tmp_path / "b.md"]


@pytest.mark.parametrize("content", [b"", b"\x80", pickle.dumps(3)[:-1], b"cno_module\nname\n."])
def test_readings_that_cannot_be_read_are_read_again(tmp_path, kept, content):
    (readings,) = kept.glob("*.pickle")
    readings.write_bytes(content)
    assert ids(Shelf(tmp_path, kept)) == ["crp-one", "crp-two"]


def test_readings_of_other_code_are_left_alone_and_make_room(tmp_path, kept, monkeypatch):
    monkeypatch.setattr(remembered, "seal", lambda: "another")
    monkeypatch.setattr(remembered.pickle, "loads", lambda _: pytest.fail("they were read"))
    assert ids(Shelf(tmp_path, kept)) == ["crp-one", "crp-two"]
    assert [path.name for path in kept.glob("*.pickle")] == ["readings-another.pickle"]


@pytest.mark.parametrize(
    ("name", "matters"),
    [
        ("lessons/topics/coin.py", True),
        ("lessons/topics/coin.yaml", True),
        ("samplers/data/words.tsv", True),
        ("lessons/clusters.course.yaml", False),
        ("lessons/coin.md", False),
    ],
)
def test_readings_depend_on_code_data_and_words(tmp_path, monkeypatch, name, matters):
    monkeypatch.setattr(remembered, "ROOT", tmp_path)
    seal = remembered.seal.__wrapped__
    before, path = seal(), tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text("1")
    assert (seal() != before) == matters


def test_a_broken_file_is_read_at_each_start(tmp_path, kept):
    write(tmp_path / "a.md", BROKEN)
    for _ in range(2):
        shelf = Shelf(tmp_path, kept)
        assert [*shelf.problems] == [tmp_path / "a.md"]
        assert ids(shelf) == ["crp-one", "crp-two"]


def test_the_lessons_of_the_app_are_the_same_from_an_earlier_start(tmp_path):
    read, again = Shelf(SHIPPED, tmp_path), Shelf(SHIPPED, tmp_path)
    assert (read.lessons, read.terms, read.courses) == (again.lessons, again.terms, again.courses)
    assert read.lessons[0] is not again.lessons[0]
