"""A class's answers, to take along; nothing in it is markup or a formula, and nobody else gets it."""

import csv
import io
import json

import pytest

from pages.classroom.export import Said, as_csv, as_json, as_page
from pages.classroom.hands import hands_round
from pages.classroom.messages import Asked, HandsOn, Shown
from pages.classroom.room import Core
from pages.classroom.store import Answer, Member
from tests.pages.classroom.people import QUESTION, asked

SEATING = Shown(page="crp_seating", query="seed=7&customers=60")
EVIL = "=1+1<script>alert(1)</script>"


@pytest.fixture(scope="module")
def said():
    keys = [choice.key for choice in asked().choices]
    hands = hands_round(SEATING, HandsOn(vary="seed", outcome="tables", t=60))
    core = Core().asking(Asked(lesson=QUESTION[0], step=QUESTION[1])).handing(hands)
    core = core.asking(Asked(lesson="coin-posterior", step=_number())).ending()
    given = {1: {"a": (keys[0],), "b": (keys[1],)}, 2: {"a": ("4",)}, 3: {"b": ("0.5",)}}
    answers = {n: {who: Answer(n, who, keys, 0.0) for who, keys in each.items()} for n, each in given.items()}
    return Said("KX7M2PQ9", core, {"a": Member(0, EVIL), "b": Member(1, "")}, answers)


def _number() -> str:
    from pages.lesson.lessons import library

    return next(step.id for step in library().lesson("coin-posterior").steps if step.choices and not step.form.lists)


def test_the_table_has_a_row_for_each_answer_and_no_formula(said):
    rows = list(csv.DictReader(io.StringIO(as_csv(said))))
    assert [(row["round"], row["learner"]) for row in rows] == [("1", "1"), ("1", "2"), ("3", "2"), ("2", "1")]
    assert rows[0]["name"] == f"'{EVIL}"
    assert {row["right"] for row in rows[:2]} <= {"yes", "no"}
    assert (rows[3]["step"], rows[3]["answer"]) == ("seed 8", "4")


def test_the_page_shows_names_as_they_are(said):
    page = as_page(said)
    assert "<script" not in page
    assert "=1+1&lt;script&gt;" in page
    assert "Class KX7M-2PQ9" in page
    assert "✓" in page
    assert "Exact mean: " in page
    assert "Learner 2" in page


def test_what_is_shown_next_year_names_nobody(said):
    told = json.loads(as_json(said))
    assert sum(told["rounds"][0]["tally"].values()) == 2
    assert told["rounds"][1]["tally"] == {"0.5": 1}
    assert "script" not in json.dumps(told)
