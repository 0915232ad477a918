"""Files are saved whole, in configured folders alone, and nobody's work is lost."""

import os

import pytest

from lessons.course.saving import MOST, ChangedError, earlier, files, keep, new_file, read, save, writable
from lessons.format.folders import LESSONS, SHIPPED


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    folder.mkdir()
    (tmp_path / "other.md").write_text("other")
    monkeypatch.setenv(LESSONS, str(folder))
    return folder


def test_a_save_replaces_the_file_and_keeps_the_version_before(folder):
    path = new_file(folder, "week-3.md")
    seen = save(path, "one\n", "")
    assert save(path, "one\n", seen) == seen
    assert earlier(path) == []
    save(path, "two\n", seen)
    assert path.read_text() == "two\n"
    assert [one.read_text() for one in earlier(path)] == ["one\n"]
    assert sorted(one.name for one in folder.iterdir()) == [".earlier", "week-3.md"]
    assert next(iter(files())) == "mine/week-3.md"  # earlier versions are no lessons


def test_line_breaks_stay_as_they_are(folder):
    path = folder / "a.md"
    path.write_bytes(b"one\r\ntwo\r\n")
    text, seen = read(path)
    assert text == "one\ntwo\n"
    save(path, "one\nthree\n", seen)
    assert path.read_bytes() == b"one\r\nthree\r\n"


def test_what_has_changed_meanwhile_is_not_written_over(folder):
    path = folder / "a.md"
    path.write_text("one")
    _, seen = read(path)
    path.write_text("somebody else's")
    for now in (seen, ""):
        with pytest.raises(ChangedError):
            save(path, "mine", now)
    path.unlink()
    with pytest.raises(ChangedError):
        save(path, "mine", seen)
    assert not path.exists()


@pytest.mark.parametrize("name", ["", ".md", "../other", "a/b", "..", ".hidden", "README", "glossary", "A b", "a\0"])
def test_a_new_file_has_a_plain_name(folder, name):
    with pytest.raises(ValueError, match="small letters"):
        new_file(folder, name)
    with pytest.raises(ValueError, match="80 characters, and this one has 90"):
        new_file(folder, "a" * 90)


def test_nothing_is_written_outside_of_the_folders(folder, tmp_path):
    for other in (tmp_path, SHIPPED, folder / ".."):
        with pytest.raises(ValueError, match=LESSONS):
            new_file(other, "a")
        with pytest.raises(ValueError, match="no folder"):
            save(other / "a.md", "text", "")
    (folder / "link.md").symlink_to(tmp_path / "other.md")
    _, seen = read(folder / "link.md")
    with pytest.raises(ValueError, match="no folder"):
        save(folder / "link.md", "text", seen)
    with pytest.raises(ValueError, match="already"):
        new_file(folder, "link")
    assert (tmp_path / "other.md").read_text() == "other"


def test_the_folder_of_the_app_counts_only_if_it_is_named(folder, monkeypatch):
    assert writable() == [folder]
    monkeypatch.setenv(LESSONS, os.pathsep.join([str(folder), str(SHIPPED), str(folder), "none"]))
    assert writable() == [folder, SHIPPED]
    monkeypatch.delenv(LESSONS)
    assert writable() == []


def test_a_save_that_fails_leaves_the_file_as_it_was(folder, monkeypatch):
    path = folder / "a.md"
    path.write_text("one")
    _, seen = read(path)
    with pytest.raises(ValueError, match="at most"):
        save(path, "x" * 300_000, seen)

    def full(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("lessons.course.saving.os.replace", full)
    with pytest.raises(OSError, match="disk full"):
        save(path, "two", seen)
    assert path.read_text() == "one"
    assert [one.name for one in folder.iterdir() if one.suffix == ".part"] == []


def test_so_many_earlier_versions_stay_and_only_those_of_the_file(folder):
    path = folder / "a.md"
    keep(folder / "a.b.md", b"another file's")
    for number in range(MOST + 2):
        keep(path, str(number).encode())
    assert [one.read_text() for one in earlier(path)] == [str(number) for number in range(MOST + 1, 1, -1)]
    assert len(earlier(folder / "a.b.md")) == 1
