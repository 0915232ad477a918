"""A published folder is put in its place whole, and takes the place of nothing else."""

import json
import re
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pytest

from lessons.check.runs import untried
from lessons.course.library import Library
from lessons.course.plan import Plan
from lessons.format.course_file import read_course
from lessons.format.folders import LESSONS
from lessons.format.problems import Report
from pages.embed.routes import ELEMENT
from pages.lesson.lessons import library, read_anew
from pages.publish import __main__ as publishing
from pages.publish.__main__ import Beside, UnknownError, _chosen, _make, _packages, main
from pages.publish.bundle import WORKER, charting, modules, script
from pages.publish.described import described
from pages.publish.folder import MARK, Folder, NotOursError
from pages.publish.lesson import Writer
from pages.publish.packaged import NAMES
from pages.publish.page import BARE, course, index
from tests.lessons.format.sample import SAMPLE
from tests.pages.publish.own_lesson import OWN

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
    beside = Beside("vega.js", "page.css", "course.js", "stage.css", "stage.js", ())
    found = {"title": "Samplers"}
    plain = {"zip": True, "scorm": False, "xapi": False}
    assert _packages(place, found, beside, {}, plain) == []
    before = (tmp_path / "course.zip").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    (said,) = _packages(place, found, beside, {}, plain)
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
    made = json.loads((tmp_path / "out/samplescope.json").read_text())["lessons"]
    assert made == ["coin-posterior", "again-coin-posterior-one", "again-coin-posterior-strong"]


def test_a_folder_is_published_without_what_does_not_check_and_says_so(tmp_path):
    (tmp_path / "bad.md").write_text("---\nschema: 1\nid: bad\n---\n")
    with pytest.raises(UnknownError, match=r"no valid lesson in .*: bad\.md is left out: "):
        _chosen(Library([tmp_path]), [str(tmp_path)])
    (tmp_path / "good.md").write_text(SAMPLE)
    chosen, wrong = _chosen(Library([tmp_path]), [str(tmp_path)])
    assert [lesson.id for lesson in chosen.lessons] == ["crp-one"]
    assert [one.partition(": ")[0] for one in wrong] == ["bad.md is left out"]


def test_a_lesson_that_cannot_be_made_is_left_out_with_a_reason(tmp_path, monkeypatch):
    def fails(*_):
        raise AssertionError

    monkeypatch.setattr(publishing, "ProcessPoolExecutor", lambda _: ThreadPoolExecutor())
    monkeypatch.setattr(publishing, "_publish", fails)
    files, (said,) = _make(Folder(tmp_path / "course"), [library().lesson("coin-posterior")], 1)
    assert files == {}
    assert said.startswith("coin-posterior is left out: Samplescope itself fails here (AssertionError at tests/")


@pytest.fixture
def own(tmp_path, monkeypatch, request):
    """Give the app a lesson in which learners can bring their own data, with a goal on them or as a test has it."""
    (tmp_path / "own.md").write_text(getattr(request, "param", OWN))
    monkeypatch.setenv(LESSONS, str(tmp_path))
    read_anew()
    yield library().lesson("own")
    read_anew()


def test_a_goal_on_a_learners_own_data_is_published_without_its_run(own):
    found = Writer(library(), frozenset()).published(own, lambda *_: None)
    (step, _) = found["steps"]
    assert [run["values"]["data"] for run in step["runs"]] == ["Three blobs", "Seven points"]
    assert {*map(tuple, step["goals"][0]["reached"].values())} == {()}
    assert step["missing"] == "Other settings, and data of your own, need the app, which computes new runs."


CHOSEN = OWN.replace("settings: {data: own}, reach: {tables: 3}", "reach: {tables: 1}")


@pytest.mark.parametrize("own", [CHOSEN], indirect=True, ids=["any data"])
def test_a_step_whose_data_can_be_chosen_says_where_ones_own_are_read(own):
    assert not untried(own, own.steps[0])
    (step, _) = Writer(library(), frozenset()).published(own, lambda *_: None)["steps"]
    assert step["missing"] == "Other settings, and data of your own, need the app, which computes new runs."


def test_all_modules_are_in_the_script_once_and_none_is_left_to_load():
    text = script().replace(json.dumps(script(WORKER)), "")  # the judge's own modules are in a script of their own
    assert {"player/player.js", "publish/packs.js"} <= modules().keys()
    assert "player/source.js" not in modules()
    assert all(text.count(f"const _{name.replace('/', '_').replace('.', '_')} =") == 1 for name in modules())
    assert not [line for line in text.splitlines() if line.startswith(("import ", "export ")) or "import.meta" in line]
    assert "vegaEmbed" in charting()[-40:]


WEEKS = """title: Clusters & tables
ask: Student number
sections:
  - {title: "Week 1 & more", lessons: [coin-posterior, crp-seating], due: "2026-10-19 12:00"}
  - {title: Week 2, lessons: [crp-order]}
"""


def weeks(files, tmp_path):
    report = Report(tmp_path / "course.yaml")
    found = read_course(WEEKS, tmp_path / "course.yaml", report)
    assert not report.problems
    return course(Plan(library().lessons, found), (), files, "", "vega")


def test_a_map_has_numbers_through_all_sections_pictures_of_their_topics_and_when_they_are_due(tmp_path):
    found = weeks(dict.fromkeys(["coin-posterior", "crp-seating", "crp-order"], "file"), tmp_path)
    assert [[lesson["number"] for lesson in section["lessons"]] for section in found["sections"]] == [[1, 2], [3]]
    assert [len(section["pictures"]) for section in found["sections"]] == [2, 1]
    assert [section["due"][:22] for section in found["sections"]] == ["Monday 19 October 2026", ""]
    assert found["ask"] == "Student number"
    everything = course(Plan(library().lessons), (), dict.fromkeys(["crp-order", "mixture-story"], "file"), "", "vega")
    assert [section["lessons"][0]["number"] for section in everything["sections"]] == [3, 1]


def test_a_package_has_an_item_for_each_lesson_and_names_all_of_its_files(tmp_path):
    place = tmp_path / "out"
    made(place)
    for name in (BARE, ELEMENT.name):
        (place / name).write_text("beside the map", "utf-8")
    found = weeks({"coin-posterior": "a", "crp-order": "a"}, tmp_path)
    files = {"coin-posterior": [PACK], "crp-order": [PACK]}
    beside = Beside("vega.js", "page.css", "course.js", "stage.css", "stage.js", ())
    assert _packages(place, found, beside, files, {"zip": False, "scorm": True, "xapi": True}, 75) == []
    with zipfile.ZipFile(tmp_path / "out-scorm.zip") as package:
        names = {*package.namelist()}
        root = ElementTree.fromstring(package.read("imsmanifest.xml"))
        page = package.read("lesson-crp-order.html").decode()
    with zipfile.ZipFile(tmp_path / "out-xapi.zip") as package:
        described = ElementTree.fromstring(package.read("tincan.xml"))
        assert [one.text for one in described.iter() if one.tag.endswith("}launch")] == ["index.html"]
        assert "index.html" in package.namelist()
    assert '"scorm":true' in page
    assert '"review":[{' in page  # its own questions come back
    assert "coin-posterior" not in page
    named = {one.attrib["href"] for one in root.iter() if one.tag.endswith("}file")}
    assert named == names - {"imsmanifest.xml"}
    assert not {"index.html", MARK} & names
    spaces = {"c": NAMES[""], "adlcp": NAMES["adlcp"]}
    texts = [one.text for one in root.iter() if one.tag.endswith("}title")]
    assert texts[:2] == ["Clusters & tables", "Week 1 & more"]
    assert root.get(f"{{{NAMES['xsi']}}}schemaLocation", "").split()[::2] == [*spaces.values()]
    items = root.findall(".//c:item[@identifierref]", spaces)
    assert [one.findtext("adlcp:masteryscore", "", spaces) for one in items] == ["75", "75"]
    kind = f"{{{NAMES['adlcp']}}}scormtype"
    kinds = {one.get("identifier"): one.get(kind) for one in root.findall(".//c:resource", spaces)}
    assert kinds == {"lesson-coin-posterior": "sco", "lesson-crp-order": "sco", "common": "asset"}
    assert {one.get("identifierref") for one in items} == {name for name, kind in kinds.items() if kind == "sco"}


def test_a_course_says_to_catalogues_what_it_teaches():
    some = tuple(library().lesson(name) for name in ("coin-posterior", "crp-seating"))
    text = described(Plan(some), {"coin-posterior"})
    (said,) = re.findall(r'<script type="application/ld\+json">(.*)</script>', text)
    found = json.loads(said)
    assert found["@type"] == ["Course", "LearningResource"]
    (part,) = found["hasPart"]
    assert part["name"] == some[0].title
    assert part["teaches"] == [*some[0].objectives]
    assert part["timeRequired"] == f"PT{some[0].minutes}M"
    assert part["license"].endswith("/by/4.0/")
    assert text in index(course(Plan(some), [], {}, "", ""), "a.css", "a.js", text)
