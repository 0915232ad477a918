"""The bare stage: what an address shows, what events lead to, and what a broken address is answered."""

import gzip
import json
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from starlette.routing import Router

from lessons.flow import Answers, Place, screen
from lessons.topics import STAGES
from pages.contract.film import Film
from pages.contract.stage import stage_of
from pages.embed.host import Staged, asked, staged
from pages.embed.page import ENTRY, style
from pages.http.packing import packed
from pages.lesson.lessons import library
from pages.lesson.state import Visit
from pages.player.modules import VEGA, needed, text_of
from pages.server.headers import SecurityHeaders
from pages.server.routes import routes
from tests.loop import awaited
from tests.pages.server.asking import ask, reply_of

MOST = 450_000  # bytes of a stage until it can be played
QUESTIONS = [  # the first of each topic's that hides something
    next((lesson, step) for lesson in library().for_stage(stage) for step in lesson.steps if step.choices and step.lock)
    for stage in STAGES
    if any(step.choices and step.lock for lesson in library().for_stage(stage) for step in lesson.steps)
]
of_each = pytest.mark.parametrize("asks", QUESTIONS, ids=lambda one: f"{one[0].id}/{one[1].id}")


def shown(topic: str, **values: object) -> Staged:
    return staged(asked(topic, {name: str(value) for name, value in values.items()}))


def after(told: Staged, topic: str, **event: object) -> Staged:
    """Return the answer to an event of the player."""
    message = told["message"]
    here = {**dict(parse_qsl(message["address"], keep_blank_values=True)), "t": str(message["at"])}
    here |= {"answered": "1"} if told["answered"] else {}
    return staged(asked(topic, here), json.dumps({"chain": message["chain"], "number": 1, **event}))


# ---- what is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("topic", STAGES)
def test_a_topic_is_shown_as_its_page_shows_it(topic):
    here = Visit(topic, STAGES[topic]())
    here.follow({"seed": "3"})
    told = shown(topic, seed=3)
    assert told["message"]["source"] == here.source()
    assert told["message"]["address"] == here.link() == "seed=3"
    assert [name for name, _ in told["views"]] == list(here.screen().views)
    assert (told["view"], told["notes"], told["asks"]) == ("", [], False)


@of_each
def test_a_step_that_asks_hides_what_the_lesson_hides_until_the_answer_is_shown(asks):
    lesson, step = asks
    told = shown(lesson.stage, lesson=lesson.id, step=step.id, t=9)
    place = Place(lesson.stage, STAGES[lesson.stage]()).opened(lesson, step)
    seen = screen(place, Answers())
    message = told["message"]
    assert told["asks"]
    assert (message["lock"], message["hide"]) == (list(seen.lock), list(seen.hidden))
    assert message["at"] == min(step.at or 0 if step.kind == "predict" else 9, message["total"])
    assert [name for name, _ in told["views"]] == list(seen.views)
    assert message["ask"] is None or (message["ask"]["outcome"], message["ask"]["hand"]) == (None, False)
    uncovered = after(told, lesson.stage, kind="answered")
    then = place.answered()
    assert (uncovered["asks"], uncovered["message"]["lock"]) == (False, [])
    assert uncovered["message"]["source"] == then.source
    assert uncovered["message"]["at"] == then.t or step.kind != "predict"


def test_charts_and_a_view_can_be_named():
    told = shown("coin", charts="trace,density", view="code")
    assert told["message"]["wanted"] == ["trace", "density"]
    assert told["view"] == "code"


def test_a_value_out_of_range_is_said_and_the_nearest_is_shown():
    told = shown("coin", tosses=10**6, concentratoin=1, priorheads=2)
    assert told["notes"] == [
        "tosses was 1000000; the most is 200, so it is 200.",
        "The link says priorheads, which means nothing here. Did you mean prior_heads?",
    ]


# ---- events ----------------------------------------------------------------------------------------------------------


def test_a_level_leads_to_the_film_of_its_beats_and_back():
    told = shown("crp_mixture", t=3)
    near = after(told, "crp_mixture", kind="zoom", level="Beat", t=3)
    assert near["message"]["address"] == "step_by=update&sweep=4"
    far = after(near, "crp_mixture", kind="zoom", level="Sweep", t=5)
    assert far["message"]["address"] == "sweep=4"  # where the beats open again
    assert far["message"]["at"] == 3


def test_a_mark_that_is_clicked_opens_and_a_dial_turns():
    told = shown("crp_seating", t=9)
    opened = after(told, "crp_seating", kind="open", what="customer", which=4, t=9)
    assert (opened["message"]["at"], opened["walks"]) == (4, False)
    turned = after(shown("coin"), "coin", kind="dial", name="prior_heads", value=2.5, t=0, done=True)
    assert turned["message"]["address"] == "prior_heads=2.5"


def test_a_tile_of_a_wall_opens_its_run():
    wall = shown("crp_seating", runs="first", t=20)
    one = after(wall, "crp_seating", kind="open", what="run", which=5, t=20)
    assert dict(parse_qsl(one["message"]["address"])) == {"seed": "4"}


def test_an_event_of_another_film_changes_nothing():
    told = shown("coin")
    crossed = after(told, "coin", kind="open", chain="of another film", what="customer", which=4, t=9)
    assert crossed["message"] == told["message"]


# ---- broken addresses ------------------------------------------------------------------------------------------------


BROKEN = {
    "no topic": ("nothing", {}, "There is no topic “nothing”."),
    "no lesson": ("coin", {"lesson": "none"}, "There is no lesson of that name in this topic."),
    "another topic's lesson": ("coin", {"lesson": "crp-seating"}, "There is no lesson of that name in this topic."),
    "no step": ("crp_seating", {"lesson": "crp-seating", "step": "<b>"}, "This lesson has no step of that name."),
    "no chart": ("coin", {"charts": "<script>"}, "There is no chart “<script>” here: density, trace, wall, heap."),
}


@pytest.fixture(scope="module")
def app() -> Any:
    return SecurityHeaders(Router(routes()), "https://lms.example.edu")


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_address_is_a_page_with_a_sentence(app, case):
    topic, values, said = BROKEN[case]
    reply = awaited(reply_of(app, f"/stage/{topic}", urlencode(values)))
    page = reply.body.decode()
    assert reply.status == 404
    assert said.replace("<", "&lt;").replace(">", "&gt;") in page.replace("&#x27;", "'")
    assert page.count("<script") == 1  # the one that sets the theme
    assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("event", ["x", "{}", "[]", '{"kind": "zoom"}'])
def test_an_event_that_is_none_is_answered_by_a_sentence(event):
    reply = ask("coin/stage", event=event)
    assert (reply.status, reply.body.decode()) == (400, "This event is none of the player's.")


def test_data_that_are_gone_are_said():
    reply = ask("crp_mixture/stage", data="own", own="0" * 32)
    assert reply.status == 400
    assert reply.body.decode().endswith(".")


# ---- the page --------------------------------------------------------------------------------------------------------


def test_the_page_sets_no_cookie_and_only_named_sites_may_frame_it(app):
    reply = awaited(reply_of(app, "/stage/coin", "tosses=9"))
    assert reply.status == 200
    assert "set-cookie" not in reply.headers
    assert reply.headers["content-security-policy"].endswith("frame-ancestors 'self' https://lms.example.edu")


@pytest.mark.parametrize("topic", STAGES)
def test_a_stage_moves_few_bytes(topic):
    """All that a browser asks for until it can play, as it is sent, with some 400 bytes of headers each."""
    code = [text_of(name) for name in (*needed(ENTRY), VEGA)] + [style()[0]]
    told = shown(topic)
    source = told["message"]["source"].partition("?")[2]
    film = stage_of(topic).film(*_run(topic))
    answers = [json.dumps(told), json.dumps(film.described())]
    size = sum(len(packed(text.encode(), "br")) for text in code)
    size += sum(len(gzip.compress(text.encode(), 1)) for text in answers) + len(gzip.compress(film.packed(0, 10), 1))
    size += 400 * (len(code) + len(answers) + 2) + 2 * len(source)
    assert size < MOST


def _run(topic: str) -> tuple[Any, int]:
    place = asked(topic, {}).place
    film: Film = stage_of(topic).film(place.settings, place.seed)
    film.reach(min(10, film.total))
    return place.settings, place.seed


def test_no_module_of_a_stage_keeps_anything():
    """Nothing reads what learners have kept; the one mention is of a button that is taken out."""
    keeps = [name for name in needed(ENTRY) if name != VEGA and "localStorage" in text_of(name)]
    assert keeps == ["player/taking.js"]
    assert '[data-take="keep"]' in text_of(ENTRY)
