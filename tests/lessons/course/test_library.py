"""All lessons together: those of the app, and an instructor's folders over them."""

import os

import pytest

from lessons.course.library import Library
from lessons.format.folders import LESSONS, SHIPPED, folders, missing
from tests.lessons.app_library import app_library
from tests.lessons.format.sample import edited


@pytest.fixture
def two(tmp_path):
    """Return a folder of the app's lessons and one of an instructor's."""
    for name, file, identifier in (
        ("app", "a", "one"),
        ("app", "b", "two"),
        ("own", "z", "one"),
        ("own", "c", "three"),
    ):
        (tmp_path / name).mkdir(exist_ok=True)
        text = edited("crp-one", identifier).replace("One update", f"{identifier} of {name}")
        (tmp_path / name / f"{file}.md").write_text(text)
    return tmp_path / "app", tmp_path / "own"


def titles(library):
    return [lesson.title for lesson in library.lessons]


def test_a_later_folder_replaces_an_id_in_its_place_and_adds_the_others_behind(two):
    library = Library(two)
    assert titles(library) == ["one of own", "two of app", "three of own"]
    assert library.problems == {}
    assert library.lesson("one") is library.lessons[0]
    assert library.lesson("four") is None
    assert library.for_stage("crp_seating") == library.lessons
    assert library.for_stage("another") == ()


def test_editing_works_in_every_folder(two, tmp_path):
    library = Library(two, tmp_path / "kept")
    (two[1] / "c.md").write_text("broken")
    library.refresh()
    assert titles(library)[2] == "three of own"
    assert list(library.problems) == [two[1] / "c.md"]
    assert titles(Library(two, tmp_path / "kept")) == titles(library), "after a restart as well"
    (two[1] / "z.md").unlink()
    library.refresh()
    assert titles(library)[0] == "one of app"


def test_files_of_one_name_are_kept_apart(two, tmp_path):
    (two[1] / "a.md").write_text(edited("crp-one", "four"))
    Library(two, tmp_path / "kept")
    for folder in two:
        (folder / "a.md").write_text("broken")
    assert sorted(lesson.id for lesson in Library(two, tmp_path / "kept").lessons) == ["four", "one", "three", "two"]


def test_a_folder_has_its_glossary_over_that_of_the_app(two):
    (two[0] / "glossary.md").write_text("## seat, seats\nA place.\n## hill\nA density.\n")
    (two[1] / "glossary.md").write_text("## seat\nMine.\n## sweep\nOne round.\n")
    library = Library(two)
    meanings = [
        {term.forms: term.meaning for term in terms}
        for terms in (library.terms_of(two[0] / "a.md"), library.terms_of(two[1] / "c.md"), library.terms)
    ]
    assert meanings[0] == {("seat", "seats"): "A place.", ("hill",): "A density."}
    assert meanings[1] == meanings[2] == {("hill",): "A density.", ("seat",): "Mine.", ("sweep",): "One round."}


def test_who_looked_a_moment_ago_does_not_look_again(two):
    library = Library(two)
    (two[1] / "c.md").unlink()
    library.refresh(within=60)
    assert titles(library)[2] == "three of own"
    library.refresh()
    assert "three of own" not in titles(library)


def test_the_environment_names_folders(two, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(LESSONS, os.pathsep.join(["own", "", str(two[0]), "none", "own/c.md", str(SHIPPED)]))
    assert folders() == [SHIPPED, two[1], two[0], tmp_path / "none", two[1] / "c.md"]
    gone, file = missing()
    assert gone.startswith(f"{LESSONS} names {tmp_path / 'none'}, which is not there: no lessons come from it")
    assert "which is a file" in file
    library = Library(folders()[3:])
    assert library.lessons == ()
    (tmp_path / "none").mkdir()
    (two[0] / "a.md").rename(tmp_path / "none" / "a.md")
    library.refresh()
    assert titles(library) == ["one of app"], "a folder that comes later is read"


def test_without_the_environment_there_is_the_folder_of_the_app(monkeypatch):
    monkeypatch.delenv(LESSONS, raising=False)
    assert (folders(), missing()) == ([SHIPPED], [])


def test_the_apps_own_lessons_are_served_as_they_are_written():
    """Learners get the last valid version of a broken file, and so does every other test."""
    found = app_library().problems
    assert not found, [str(problem) for problems in found.values() for problem in problems]
