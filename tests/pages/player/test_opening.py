"""The first pictures of topics are drawn ahead, for one version of the code: then none of them waits for Altair."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.flow import Place
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import patiently
from pages.drawing import once
from pages.player import modules, opening

DRAW = """
import sys
from pathlib import Path
from pages.player import opening
opening.FOLDER = Path(sys.argv[1])
opening.draw()
"""
OPEN = """
import sys, json, hashlib
from pathlib import Path
from lessons.flow import Place
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import patiently
from pages.player import opening
opening.FOLDER = Path(sys.argv[1])
opening.take_up_kept()
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


def film_of(topic: str) -> str:
    place = Place(topic, STAGES[topic]())
    film = patiently(lambda: stage_of(topic).film(place.settings, place.seed))
    return hashlib.sha256(json.dumps(film.described()).encode()).hexdigest()


def run_alone(program: str, shelf: Path) -> str:
    """Return the output of a program in a process of its own, in which no film has been made yet."""
    words = [sys.executable, "-c", program, str(shelf)]
    return subprocess.run(words, cwd=modules.ROOT, capture_output=True, text=True, check=True).stdout


def test_all_topics_open_without_altair_and_with_the_charts_that_it_draws(shelf):
    shelf.mkdir()
    (shelf / "an-older-build.txt").touch()
    run_alone(DRAW, shelf)
    assert [path.name for path in shelf.iterdir()] == [f"{modules.BUILD}.txt"]
    found, loaded = json.loads(run_alone(OPEN, shelf))
    assert not loaded
    assert found == {topic: film_of(topic) for topic in STAGES}


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
