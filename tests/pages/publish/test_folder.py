"""A published folder is put in its place whole, and takes the place of nothing else."""

import json
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

import pytest

from pages.publish.__main__ import Beside, _packages, main
from pages.publish.bundle import WORKER, charting, modules, script
from pages.publish.folder import Folder, NotOursError
from pages.publish.packaged import manifest, zipped

PACK = "packs/a.js"


def made(place, page="<html>", packs=(PACK,)):
    folder = Folder(place)
    for name in packs:
        folder.write(name, f"text of {name}")
    folder.note("one", "key", list(packs))
    folder.finish(page, {*packs}, ["one"])
    return folder


def test_a_course_takes_the_place_of_the_one_before(tmp_path):
    place = tmp_path / "course"
    made(place, "first", [PACK, "packs/old.js"])
    made(place, "second")
    assert (place / "index.html").read_text() == "second"
    assert [path.name for path in (place / "packs").iterdir()] == ["a.js"]
    assert [path.name for path in tmp_path.iterdir()] == ["course"]


def test_what_is_not_ours_stays(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(NotOursError, match="not a published course"):
        Folder(tmp_path)
    with pytest.raises(NotOursError):
        Folder(tmp_path / "thesis.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_lesson_is_made_once_from_the_same(tmp_path):
    place = tmp_path / "course"
    made(place)
    again = Folder(place)
    assert again.made("one", "key") == [PACK]
    assert again.made("one", "other key") is None
    (place / PACK).unlink()
    (again.part / PACK).unlink()
    assert again.made("one", "key") is None


def test_a_full_disk_leaves_the_last_course(tmp_path, monkeypatch, capsys):
    place = tmp_path / "course"
    made(place, "complete")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Folder, "write", full)
    assert main(["coin-posterior", "--out", str(place), "--processes", "1"]) == 1
    assert "No space left" in capsys.readouterr().err
    assert (place / "index.html").read_text() == "complete"


def test_a_package_that_a_disk_cannot_hold_leaves_course_and_package(tmp_path, monkeypatch):
    place = tmp_path / "course"
    made(place)
    beside = Beside("vega.js", "page.css", "course.js", ())
    found = {"title": "Samplers"}
    assert _packages(place, found, beside, plain=True, scorm=False) == []
    before = (tmp_path / "course.zip").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    (said,) = _packages(place, found, beside, plain=True, scorm=False)
    assert "course.zip was not written" in said
    assert "No space left" in said
    assert (tmp_path / "course.zip").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["course", "course.zip"]


def test_a_course_that_was_moved_aside_comes_back(tmp_path):
    place = tmp_path / "course"
    made(place, "complete")
    place.rename(tmp_path / ".course.before")
    Folder(place)
    assert (place / "index.html").read_text() == "complete"


def test_an_unknown_lesson_is_named_with_the_nearest(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["coin-posteriors", "--out", str(tmp_path / "course")])
    assert "is it coin-posterior?" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_lesson_that_does_not_check_is_left_out(tmp_path):
    (tmp_path / "bad.md").write_text("---\nschema: 1\nid: bad\n---\n")
    (tmp_path / "course.yaml").write_text("title: Mine\nsections:\n  - {title: A, lessons: [coin-posterior, bad]}\n")
    words = [sys.executable, "-m", "pages.publish", str(tmp_path), "--out", str(tmp_path / "out")]
    done = subprocess.run([*words, "--processes", "1"], capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == 1
    assert "bad.md is left out" in done.stderr
    assert json.loads((tmp_path / "out/samplescope.json").read_text())["lessons"] == ["coin-posterior"]


def test_all_modules_are_in_the_script_once_and_none_is_left_to_load():
    text = script().replace(json.dumps(script(WORKER)), "")  # the judge's own modules are in a script of their own
    assert {"player/player.js", "publish/packs.js"} <= modules().keys()
    assert "player/source.js" not in modules()
    assert all(text.count(f"const _{name.replace('/', '_').replace('.', '_')} =") == 1 for name in modules())
    assert not [line for line in text.splitlines() if line.startswith(("import ", "export ")) or "import.meta" in line]
    assert "vegaEmbed" in charting()[-40:]


def test_a_package_names_all_of_its_files(tmp_path):
    place = tmp_path / "course"
    made(place)
    texts = {"index.html": "for a platform", "imsmanifest.xml": manifest(place, "Clusters & <tables>")}
    with zipfile.ZipFile(zipped(place, tmp_path / "course.zip", texts)) as package:
        names = {*package.namelist()}
        found = ElementTree.fromstring(package.read("imsmanifest.xml"))
        assert package.read("index.html") == b"for a platform"
    named = {one.attrib["href"] for one in found.iter() if one.tag.endswith("}file")}
    assert names - named == {"imsmanifest.xml"}
    assert named <= names
    assert [one.text for one in found.iter() if one.tag.endswith("}title")] == ["Clusters & <tables>"] * 2
