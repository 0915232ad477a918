"""The first pictures of topics are drawn ahead, for one version of the code: then none of them waits for Altair."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.topics import STAGES
from pages.drawing import once
from pages.player import modules, opening

FILMS = """
import sys, json, hashlib
from pathlib import Path
from lessons.flow import Place
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import patiently
from pages.player import opening
opening.FOLDER = Path(sys.argv[1])
getattr(opening, sys.argv[2])()
found = {}
for topic in STAGES:
    place = Place(topic, STAGES[topic]())
    film = patiently(lambda: stage_of(topic).film(place.settings, place.seed))
    found[topic] = hashlib.sha256(json.dumps(film.described()).encode()).hexdigest()
print(json.dumps([found, "altair" in sys.modules]))
"""


@pytest.fixture(autouse=True)
def shelf(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "FOLDER", tmp_path / "charts")
    monkeypatch.setattr(once, "_given", {})
    monkeypatch.setattr(once, "_noted", None)
    return tmp_path / "charts"


def films_after(first: str, shelf: Path) -> tuple[dict[str, str], bool]:
    """Return digests of the films of a process that first draws or takes up charts, and whether it loaded Altair."""
    words = [sys.executable, "-c", FILMS, str(shelf), first]
    found, loaded = json.loads(subprocess.run(words, cwd=modules.ROOT, capture_output=True, check=True).stdout)
    return found, loaded


def test_all_topics_open_without_altair_and_with_the_charts_that_it_draws(shelf):
    shelf.mkdir()
    (shelf / "an-older-build.txt").touch()
    drawn, by_altair = films_after("draw", shelf)
    assert by_altair
    assert [path.name for path in shelf.iterdir()] == [f"{modules.BUILD}.txt"]
    found, loaded = films_after("take_up_kept", shelf)
    assert not loaded
    assert found == drawn
    assert found.keys() == STAGES.keys()


def test_another_version_of_the_code_takes_up_nothing(shelf, monkeypatch):
    shelf.mkdir()
    (shelf / f"{modules.BUILD}.txt").write_text("chart () ()\t[{},null]\n")
    opening.take_up_kept()
    assert once._given == {"chart () ()": "[{},null]"}
    once._given.clear()
    monkeypatch.setattr(modules, "BUILD", "another")
    opening.take_up_kept()
    assert once._given == {}


def test_code_that_changes_meanwhile_keeps_nothing(shelf, monkeypatch):
    monkeypatch.setattr(opening, "STAGES", {})
    monkeypatch.setattr(modules, "_build", lambda: "another")
    opening.draw()
    assert not shelf.exists()


def test_where_nothing_can_be_written_or_started_the_server_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "STAGES", {})
    monkeypatch.setattr(opening, "COMMAND", ("/no/such/program",))
    (tmp_path / "a-file").touch()
    monkeypatch.setattr(opening, "FOLDER", tmp_path / "a-file")
    opening.draw()
    opening.have_drawn()
    opening.take_up_kept()
    assert once._given == {}


def test_another_process_draws_only_what_is_missing(shelf, monkeypatch):
    ran = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: ran.append(command))
    opening.have_drawn()
    shelf.mkdir()
    (shelf / f"{modules.BUILD}.txt").touch()
    opening.have_drawn()
    assert ran == [opening.COMMAND]
