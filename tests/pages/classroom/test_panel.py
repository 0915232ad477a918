"""An answer of a round goes to the page's own question, and nothing else that a browser says does."""

import json
from typing import Any

import pytest

from lessons.topics import STAGES
from pages.classroom.hands import forms
from pages.classroom.kept_in import TEACH
from pages.classroom.panel import ROOM, TAKEN
from pages.player.modules import loader, needed, text_of
from tests.pages import visits
from tests.pages.visits import app, form, views

GIVEN = {"id": "KX7M2PQ9 3", "lesson": "crp-seating", "step": "first"}
RIGHT = "1"


def told(test: Any, **given: Any) -> Any:
    """Have the browser report something, and return the app's page after it."""
    test.session_state[ROOM] = {"given": {**GIVEN, **given}}
    return test.run()


@pytest.fixture
def page() -> Any:
    return app("crp_seating.py", lesson="crp-seating", step="first")


def test_browsers_know_whether_a_class_needs_the_servers_key(page, monkeypatch):
    told: list[dict] = []
    monkeypatch.setattr("pages.classroom.panel._room", lambda **given: told.extend(given["data"]))
    page.run()
    monkeypatch.setenv(TEACH, "a key of sixteen characters")
    page.run()
    assert [data["key"] for data in told[-2:]] == [False, True]


def test_an_answer_is_taken_in_once_and_what_follows_it_happens(page):
    test = told(page, keys=[RIGHT])
    assert not test.exception
    assert visits.told(test, True)
    place = test.session_state["topic crp_seating"]
    assert place.t == 1
    assert test.session_state["answers"].get("crp-seating/first") == (RIGHT,)
    told(test, id="KX7M2PQ9 4", keys=["0.5"])  # it is answered
    assert test.session_state["answers"].get("crp-seating/first") == (RIGHT,)


@pytest.mark.parametrize(
    "given",
    [
        {"keys": ["nothing of the kind"]},
        {"keys": []},
        {"keys": None},
        {"keys": [RIGHT], "step": "empty"},
        {"keys": [RIGHT], "lesson": "none-such"},
        {"keys": [RIGHT], "lesson": ["crp-seating"]},
        {"keys": [RIGHT], "id": 3},
        {"keys": [RIGHT], "id": "x" * 101},
    ],
)
def test_what_is_no_answer_is_left_alone(page, given):
    test = told(page, **given)
    assert not test.exception
    assert test.session_state["answers"].get("crp-seating/first") is None


def test_an_answer_to_a_question_elsewhere_waits_there(page):
    test = told(page, step="fifth", keys=["1/5"])
    assert test.session_state["answers"].get("crp-seating/fifth") == ("1/5",)
    assert test.session_state["topic crp_seating"].step == "first"
    assert test.session_state[TAKEN] == GIVEN["id"]


def test_what_a_quiz_hides_is_there_for_a_class_whose_question_is_over():
    test = app("crp_seating.py", lesson="crp-two-doors", step="look")
    assert not views(test)
    told(test, lesson="crp-two-doors", step="look", keys=["Yes, full tables attract more"])
    assert visits.told(test, False)
    assert visits.right_answer(test), "it has been told"
    assert form(test)["state"]["again"] == ""
    assert views(test)


def test_every_page_carries_little_and_the_rest_comes_when_it_is_asked_for():
    door, code = (
        loader("classroom/room.js", file="classroom/door.js"),
        "".join(map(text_of, needed("classroom/room.js"))),
    )
    assert len(door) < 2_500 < len(code)
    assert "WebSocket" not in door
    assert "WebSocket" in code
    assert all(f'"{name}"' in forms() for name in STAGES)
    assert json.loads(forms())["coin"]["settings"]["bias"] == "Coin's own θ"
