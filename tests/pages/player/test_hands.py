"""Points that learners move with the pointer: what the browser reports, and what goes back to it."""

import pytest

from pages.contract.charts import Chart
from pages.contract.events import OF_ANY_FILM, Dialled, Touch, Turn, heard
from pages.contract.film import Film
from pages.player.player import Reel
from tests.pages.player.films import film, told

TOLD = {"kind": "touch", "chain": "a", "hand": "probe", "x": 1.25, "y": -2, "moved": True, "row": None}
REPORTS = [
    {"kind": "rest", "chain": "a", "t": 5},
    {"kind": "turn", "chain": "a", "by": -1},
    TOLD,
    {"kind": "dial", "chain": "a", "name": "scale", "value": 2, "t": 5, "done": False},
]


@pytest.mark.parametrize(
    ("told", "touch"),
    [
        ({}, Touch("probe", 1.25, -2.0, True, None)),
        ({"row": 3, "moved": False}, Touch("probe", 1.25, -2.0, False, 3)),
        ({"row": 0.0}, Touch("probe", 1.25, -2.0, True, 0)),
        ({"x": 1, "y": "2.5"}, Touch("probe", 1.0, 2.5, True, None)),
    ],
)
def test_what_the_browser_reports_is_a_touch(told, touch):
    event = heard(TOLD | told, "a")
    assert event == touch
    assert [type(value) for value in (event.x, event.y, event.moved)] == [float, float, bool]
    assert type(event.row) in (int, type(None)), "row 0 is a mark, and no row is none"


@pytest.mark.parametrize(
    ("report", "part"),
    [(report, part) for report in REPORTS for part in report if part != "chain" or report["kind"] not in OF_ANY_FILM],
)
def test_a_report_without_one_of_its_parts_is_refused(report, part):
    with pytest.raises((KeyError, ValueError), match=part):
        heard({key: value for key, value in report.items() if key != part}, "a")


def test_reports_of_another_film_are_dropped_but_for_those_of_any_film():
    events = [heard(report, "another") for report in REPORTS]
    assert events == [None, None, None, Dialled("scale", 2.0, t=5, done=False)]


def test_reports_are_heard_once_however_often_they_are_told():
    reel = Reel()
    first = {"kind": "turn", "number": 1, "chain": "a", "by": 1}
    second = TOLD | {"number": 2}
    assert list(reel.news([first], "a")) == [Turn(1)]
    assert list(reel.news([first, second], "a")) == [heard(TOLD, "a")]
    assert list(reel.news([first, second], "a")) == []
    assert told(film(), reel)["heard"] == 2
    assert list(reel.news([first | {"number": 3}], "another")) == []
    assert reel.heard == 3, "it is not told for ever"


def test_a_chart_says_which_hand_moves_on_it():
    chart = Chart("room", "Room", "", "A room.", {}, hand="probe")
    assert chart.as_dict()["hand"] == "probe"
    assert Chart("room", "Room", "", "A room.", {}).as_dict()["hand"] == ""


def test_params_come_with_every_message_as_they_are_now():
    reel = Reel()
    heads = [told(film(params=params), reel) for params in ({"probe": (1.0, 2.0)}, {"probe": (3.0, 2.0)}, {})]
    assert [head["params"] for head in heads] == [{"probe": [1.0, 2.0]}, {"probe": [3.0, 2.0]}, {}]
    assert len({head["chain"] for head in heads}) == 1, "a hand that has moved is no other film"


def resting(by: str) -> Film:
    return film(still=lambda t: {"curve": {"t": [t], "by": [by]}}, stilled_by=by)


def test_what_is_drawn_at_rest_is_asked_again_when_what_decides_it_changes():
    one, other, none = (told(a_film, Reel())["still"] for a_film in (resting("a"), resting("b"), film()))
    assert one != other
    assert none is None
    assert told(resting("a"), Reel(), at=3)["still"] == one
