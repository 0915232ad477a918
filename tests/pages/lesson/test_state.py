"""Links: whatever the address bar holds, a valid place comes out, and what was not taken is said."""

import gc
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pages.lesson.answers
from lessons.settings.settings import SEED_HIGH, SEED_LOW
from lessons.topics import STAGES
from lessons.topics.crp_seating import CRPSeatingSettings
from pages.contract.following import turn
from pages.lesson.answers import Answers
from pages.lesson.lessons import library
from pages.lesson.state import OWN_KEYS, Visit
from pages.player.kept import RUNS
from pages.topics.crp_mixture.run import MixtureRun
from tests.pages.visits import app

STAGE = "crp_seating"
LESSONS = library().for_stage(STAGE)
FIRST = LESSONS[0]
NAMES = [*CRPSeatingSettings.model_fields, *OWN_KEYS]


def place(stage: str = STAGE) -> Visit:
    """Return where a new session begins."""
    own = STAGES[stage]()
    return Visit(stage, own, view=next(iter(own.views)))


def followed(**values: str) -> Visit:
    there = place()
    there.follow(values)
    return there


def assert_valid(there: Visit) -> None:
    CRPSeatingSettings.model_validate(there.settings.model_dump())
    assert SEED_LOW <= there.seed <= SEED_HIGH
    assert 0 <= there.t <= there.settings.iterations
    assert there.view in there.settings.views
    assert all(isinstance(note, str) and 0 < len(note) < 300 for note in there.notes)
    assert there.current() is None or there.current()[1].id == there.step


def where(there: Visit) -> tuple:
    return there.settings, there.seed, there.t, there.lesson, there.step, there.view


# ---- nonsense --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"concentration": "abc"}, "concentration was 'abc', which is not a number; it is 1."),
        ({"concentration": "nan"}, "not a number"),
        ({"concentration": "1e999"}, "the most is 50"),
        ({"concentration": "-3"}, "the least is 0.1"),
        ({"discount": "1"}, "the most is 0.9"),
        ({"customers": "0"}, "the least is 1"),
        ({"customers": "1e3"}, "not a whole number"),
        ({"customers": "9" * 5_000}, "the most is 500"),
        ({"customers": ""}, "not a whole number"),
        ({"door": "window"}, "not one of seating, stick"),
        ({"shuffle": "-1"}, "the least is 0"),
        ({"seed": "-1"}, "seed was -1; the least is 0"),
        ({"seed": "99999999999"}, f"the most is {SEED_HIGH}"),
        ({"seed": "٣x"}, "not a whole number"),
        ({"t": "61"}, "t was 61; the most is 60"),
        ({"t": "-1"}, "the least is 0"),
        ({"t": "<script>"}, "not a whole number"),
        ({"lesson": "no-such-lesson"}, "There is no lesson of that name here"),
        ({"lesson": "crp-seating", "step": "no-such-step"}, "no step of that name"),
        (
            {"concentratoin": "2", "seed": "3"},
            "The link says concentratoin, which means nothing here. Did you mean concentration?",
        ),
    ],
)
def test_nonsense_is_left_out_or_clamped_and_said(values, said):
    there = followed(**values)
    assert_valid(there)
    assert said in " ".join(there.notes)


@pytest.mark.parametrize("stage", STAGES)
def test_nonsense_for_any_control_of_any_topic_is_said(stage):
    for name in (*STAGES[stage].model_fields, "seed", "t", "view"):
        there = place(stage)
        there.follow({name: "<script>"})
        STAGES[stage].model_validate(there.settings.model_dump())
        taken = getattr(there.settings, name, "") == "<script>"  # as text, which a learner may write as well
        assert taken or name in " ".join(there.notes)


@pytest.mark.parametrize(
    "values",
    [
        {"concentration": "2.5", "customers": "30", "seed": "3", "t": "30", "view": "evening"},
        {"lesson": "crp-order"},
        {"lesson": "crp-order", "step": "try", "shuffle": "9", "t": "2"},
        {"door": "stick"},
        {"embed": "true", "embed_options": "dark_theme", "user": "7", "utm_source": "lms", "\x00": "\x00"},
    ],
)
def test_a_good_link_says_nothing(values):
    there = followed(**values)
    assert_valid(there)
    assert there.notes == []


def test_values_arrive_where_they_belong():
    there = followed(concentration="2.5", customers="30", seed="3", t="29", view="evening", shuffle="4")
    assert there.settings == CRPSeatingSettings(concentration=2.5, customers=30, shuffle=4)
    assert (there.seed, there.t, there.view, there.lesson) == (3, 29, "evening", None)
    assert there.reel.go is not None
    assert there.reel.go["t"] == 29


# ---- lessons ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", library().lessons, ids=lambda lesson: lesson.id)
def test_a_link_to_a_step_opens_it_as_the_lesson_says(lesson):
    for step in lesson.steps:
        there = place(lesson.stage)
        there.follow({"lesson": lesson.id, "step": step.id})
        assert there.current() == (lesson, step)
        assert there.settings == lesson.settings_for(step)
        assert (there.seed, there.t) == (lesson.seed_for(step), step.at or 0)
        assert there.view == (step.open or next(iter(there.settings.views)))
        assert there.notes == []


def test_an_unknown_step_opens_the_first():
    there = followed(lesson=FIRST.id, step="no-such-step")
    assert there.current() == (FIRST, FIRST.steps[0])


def test_an_unknown_lesson_is_free_play_with_the_defaults():
    there = followed(lesson=FIRST.id, step=FIRST.steps[2].id)
    there.follow({"lesson": "no-such-lesson", "step": "empty"})
    assert there.current() is None
    assert there.settings == CRPSeatingSettings()


# ---- round trip ------------------------------------------------------------------------------------------------------

PLACES = st.builds(
    lambda settings, seed, view, lesson, part: (settings, seed, view, lesson, part),
    st.builds(
        CRPSeatingSettings,
        concentration=st.floats(0.1, 50),
        discount=st.floats(0, 0.9),
        customers=st.integers(1, 500),
        shuffle=st.integers(0, 999),
        door=st.sampled_from(["seating", "stick"]),
    ),
    st.integers(SEED_LOW, SEED_HIGH),
    st.sampled_from(list(CRPSeatingSettings.views)),
    st.none() | st.sampled_from([(lesson, step) for lesson in LESSONS for step in lesson.steps]),
    st.floats(0, 1),
)


@given(PLACES)
@settings(max_examples=200, deadline=None)
def test_a_link_leads_back_to_the_same_place(asked):
    own, seed, view, lesson, part = asked
    here = place()
    if lesson:
        here.open(*lesson)
    here.change(**own.model_dump())
    here.seed, here.view = seed, view
    here.move(round(part * own.customers))
    link = f"{here.link()}&t={here.t}"  # as the player writes it
    there = followed(**dict(parse_qsl(link, keep_blank_values=True)))
    if lesson and lesson[1].kind == "predict":
        here.move(lesson[1].at or 0)  # nobody has answered: what the link shows may be the outcome
    assert where(there) == where(here)
    assert there.notes == []
    assert there.link() == here.link()


def test_a_text_that_was_emptied_stays_empty():
    here = Visit("gibbs_text", STAGES["gibbs_text"](message=""), view="new")
    assert "message=&" in here.link()
    there = Visit("gibbs_text", STAGES["gibbs_text"](), view="new")
    there.follow(dict(parse_qsl(here.link(), keep_blank_values=True)))
    assert there.settings.message == ""


@pytest.fixture
def known(monkeypatch) -> Answers:
    """Return the answers of the session, none at first."""
    mine = Answers()
    monkeypatch.setattr(pages.lesson.answers, "answers", lambda: mine)
    return mine


@pytest.mark.parametrize(("given", "arrives"), [((), 4), (("1/4",), 9), (("no longer there",), 4), (("1/4", "1/5"), 4)])
def test_a_prediction_that_is_still_to_be_made_opens_where_it_is_asked(known, given, arrives):
    known.kept = {"crp-seating/fifth": given}
    assert followed(lesson="crp-seating", step="fifth", t="9").t == arrives


def test_its_own_link_is_not_followed_again():
    here = place()
    own = dict(parse_qsl(here.link()))
    here.change(concentration=5.0)
    here.move(3)
    before, order = where(here), here.reel.go
    here.follow({**own, "t": "40"})  # the address bar is behind: the browser has not heard yet
    assert where(here) == before
    assert here.reel.go is order
    here.follow({})
    assert where(here) == before


def test_a_link_that_was_followed_once_does_not_pull_the_learner_back():
    here = place()
    here.follow({"lesson": FIRST.id})
    here.open(FIRST, FIRST.steps[2])
    here.follow({"lesson": FIRST.id})
    assert here.step == FIRST.steps[2].id


def test_a_link_opens_the_same_wherever_the_learner_was():
    here, asked = place(), {"customers": "30"}
    here.follow({"customers": "20", "seed": "9", "view": "model", "t": "5"})
    assert (here.seed, here.view, here.t) == (9, "model", 5)
    here.follow(asked)
    assert where(here) == where(followed(**asked))


def test_the_same_link_again_after_others_is_followed():
    here = place()
    asked = {"lesson": FIRST.id}
    here.follow(asked)
    here.open(FIRST, FIRST.steps[2])
    here.follow(dict(parse_qsl(here.link())))  # the player has written its own
    here.follow(asked)
    assert here.step == FIRST.steps[0].id


def test_back_and_forward_lead_to_what_the_page_wrote_itself():
    here = place()
    here.open(FIRST, FIRST.steps[0])
    first = {**dict(parse_qsl(here.link())), "t": "0"}
    here.open(FIRST, FIRST.steps[2])
    here.follow(first)
    assert here.step == FIRST.steps[2].id
    here.follow(first, again=True)
    assert here.step == FIRST.steps[0].id
    here.open(FIRST, FIRST.steps[2])
    here.follow(first)  # Streamlit sends the address that it knows with every click
    assert here.step == FIRST.steps[2].id


def test_a_connection_that_was_lost_for_a_moment_moves_nobody():
    here = place()
    own = {**dict(parse_qsl(here.link())), "t": "3"}
    here.move(7)
    order = here.reel.go
    here.follow(own, again=True)
    assert (here.t, here.reel.go) == (7, order)


def test_whoever_comes_back_by_a_link_is_where_it_leads():
    here = place()
    own = {**dict(parse_qsl(here.link())), "t": "3"}
    here.move(7)
    here.follow(own, arrived=True)
    assert here.t == 3


def test_other_values_of_the_same_names_are_another_link():
    here = place()
    own = dict(parse_qsl(here.link()))
    here.follow({**own, "seed": "12"})
    assert here.seed == 12
    assert urlencode({**own, "seed": "12"}) == here.link()


# ---- changes ---------------------------------------------------------------------------------------------------------


def test_fewer_customers_take_the_player_along():
    here = place()
    here.move(50)
    here.change(customers=20)
    assert here.t == 20
    assert here.reel.go["t"] == 20
    here.change(concentration=2.0)
    assert here.t == 20


@pytest.mark.parametrize(("asked", "arrives"), [(-5, 0), (7, 7), (10**9, 60)])
def test_the_player_is_sent_only_where_there_is_something(asked, arrives):
    here = place()
    here.move(asked)
    assert here.t == here.reel.go["t"] == arrives


@pytest.mark.parametrize("by", [1, -1, 0, 10**9])
def test_a_run_without_chapters_has_none_to_turn_to(by):
    here = place()
    here.move(7)
    before = where(here)
    turn(here, by)
    assert where(here) == before


def test_leaving_a_lesson_keeps_the_settings():
    here = place()
    here.open(FIRST, FIRST.steps[4])
    before = here.settings, here.seed, here.t
    here.leave_lesson()
    assert here.current() is None
    assert (here.settings, here.seed, here.t) == before


def test_a_step_without_an_iteration_stays_where_the_learner_is():
    here = place()
    before, after = FIRST.steps[:2]
    here.open(FIRST, before)
    here.move(9)
    here.open(FIRST, replace(after, at=None))
    assert here.t == 9


def test_a_session_holds_no_run_that_the_server_has_dropped():
    test = app("crp_mixture.py", points="30", seed="991")
    assert test.session_state["topic crp_mixture"].screened
    RUNS.keep("as large as all", None, RUNS.budget + 1)
    RUNS.keep("as large as all", None, 0)
    gc.collect()
    assert not [one for one in gc.get_objects() if isinstance(one, MixtureRun) and one.chain.seed == 991]
