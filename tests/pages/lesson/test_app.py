"""The pages as scripts: every lesson's every step, every answer, links with nonsense, and a broken lesson."""

import json
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from lessons.catalogue import TOPICS, topic_info
from lessons.format.guesses import span, written
from lessons.format.lesson import Lesson, Step
from lessons.format.questions.answers import Choice
from lessons.topics import STAGES
from pages.contract.waiting import NotYet
from pages.drawing.markdown import plain
from pages.form.value import html_of
from pages.lesson import goals
from pages.lesson.answers import Answers
from pages.lesson.ending import NONE, RIGHT, WRONG
from pages.lesson.lessons import address_of, library, plan, prose
from pages.lesson.state import Visit
from pages.topics.coin import CoinStage
from samplers.judge.bank import PROBLEMS
from tests.pages.html import words
from tests.pages.lesson.covers import LESSONS, TOPIC, cover, instructors, listed
from tests.pages.rules import rule_for
from tests.pages.server.asking import ask
from tests.pages.visits import app, buttons, check, dials, follow, form, head, press, pressed, said, told

pytestmark = pytest.mark.usefixtures("little")
ALL = library().lessons
STEPS = [(lesson, step) for lesson in ALL for step in lesson.steps]
QUESTIONS = [(lesson, step) for lesson, step in STEPS if step.choices]
IDS = {"ids": lambda thing: thing.id}


def at_step(lesson: Lesson, step: Step) -> AppTest:
    return app(topic_info(lesson.stage).page, lesson=lesson.id, step=step.id)


# ---- the course map --------------------------------------------------------------------------------------------------


def test_the_course_map_leads_to_every_topic_and_to_the_next_lesson():
    test = app()
    assert not test.exception
    links = [(link.proto.page, link.proto.query_string, link.proto.label) for link in test.get("page_link")]
    first = library().for_stage(TOPICS[0].stage)[0]
    assert links[0][1:] == (f"lesson={first.id}", f"**Start here · {first.minutes} min**")
    topics = [f"**{n} · {topic.title}**" for n, topic in enumerate(TOPICS, 1)]
    assert [label for _, _, label in links[1:]] == [*topics, "How this teaches"]
    assert not any("being edited" in caption.value for caption in test.caption)


@pytest.mark.parametrize("info", TOPICS, ids=lambda info: info.stage)
def test_a_cover_lists_its_lessons_plays_a_film_and_leads_on(info):
    test = cover(info.page)
    lessons = [lesson for lesson in ALL if lesson.stage == info.stage]
    labels = listed(test)
    assert list(labels) == [lesson.id for lesson in lessons]
    for number, lesson in enumerate(lessons, 1):
        assert labels[lesson.id] == f"{number} · {plain(lesson.title)} · {lesson.minutes} min"
    poster = json.loads(test.get("bidi_component")[-1].proto.json)[0]
    assert poster["total"] == info.cover.frames
    topic, _, query = poster["source"].partition("?")
    film = ask(f"{topic}/film", **dict(parse_qsl(query, keep_blank_values=True))).json
    assert [expander.label for expander in test.expander] == ["Read on"]
    assert set(info.cover.charts) <= {chart["name"] for chart in film["charts"]}
    assert STAGES[topic](**info.cover.settings).iterations >= info.cover.frames
    test.button(key="start").click().run()
    assert f"## {lessons[0].steps[0].title}" in [markdown.value for markdown in test.markdown]


def test_from_a_cover_one_plays_freely():
    test = cover()
    test.button(key="free").click().run()
    assert head(test)["total"] == 60


def test_map_and_cover_say_what_has_been_answered():
    lesson, step = QUESTIONS[0]
    mine = [other for other in ALL if other.stage == lesson.stage]
    test = at_step(lesson, step)
    for other, question in QUESTIONS:
        if other is lesson:
            test.session_state["answers"].put(f"{other.id}/{question.id}", (question.choices[0].key,))
    test.query_params.clear()
    test.switch_page("home.py").run()
    assert any(f"1 of {len(mine)} lessons done" in caption.value for caption in test.caption)
    test.switch_page(topic_info(lesson.stage).page).run()
    assert test.button(key="start").label == f"Continue with 2 · {mine[1].minutes} min"
    assert listed(test)[lesson.id].startswith(":material/check:")


# ---- topic pages -----------------------------------------------------------------------------------------------------


def test_free_play_has_all_controls():
    test = app(TOPIC)
    assert not test.exception
    assert not test.warning
    assert [slider.label for slider in test.slider] == ["Customers"]
    assert dials(test) == {"Concentration α": 1.0, "Discount d": 0.0, "Runs": 0}
    assert [number.label for number in test.text_input] == ["Seed"]
    assert head(test)["total"] == 60
    assert head(test)["lock"] == []


# One question for each way to ask, and one for each topic
ASKED = {(step.once, step.ask.guessed, step.ask.several, step.form.lists): (lesson, step) for lesson, step in QUESTIONS}
ASKED |= {lesson.stage: (lesson, step) for lesson, step in QUESTIONS}


def test_every_answer_can_be_given_and_has_a_reason():
    for lesson, step in QUESTIONS:
        for choice in step.choices:
            assert step.chosen(an_answer(step, choice)) == (choice,)
            assert prose(lesson, choice.reason)


@pytest.mark.parametrize(("lesson", "step"), ASKED.values(), **IDS)
def test_an_answer_gets_its_reason(lesson, step):
    """In a script of its own, without a stage."""

    def question(place):
        from pages.lesson import quiz

        quiz.ask(place, place.screen().question)

    place = Visit(lesson.stage, lesson.settings_for(step), lesson=lesson.id, step=step.id)
    test = AppTest.from_function(question, args=(place,))
    for choice in step.choices:
        test.session_state["answers"] = Answers(kept={f"{lesson.id}/{step.id}": an_answer(step, choice)})
        test.run()
        assert not test.exception
        (said,) = told(test, choice.correct)
        reason = words(html_of(lesson, choice.reason, address_of))
        assert said.endswith(reason)
        assert (said == reason) == (not step.ask.guessed), "a sentence says how far off a guess was"
        assert not told(test, not choice.correct)
        right = choice.correct and sum(other.correct for other in step.choices) == 1
        assert bool(form(test)["state"]["again"]) != (right or step.once)


def an_answer(step: Step, choice: Choice) -> tuple[str, ...]:
    """Return an answer for which this choice has the reason; one that nobody can give has no place in a lesson."""
    if step.form.problem:
        return rule_for(step, choice)
    if step.form.lists:
        return (choice.key,)
    low, high = step.form.limits or (-1e7, 1e7)
    lines = [found for line in step.choices if (found := span(line.text))]
    guesses = [end for line in lines for end in (line.low, line.high)] + np.linspace(low, high, 501).tolist()
    answers = [written(guess) for guess in guesses if low <= guess <= high]
    return next((answer,) for answer in answers if step.chosen((answer,)) == (choice,))


def drawn_at(block: Block, path: tuple[int, ...] = ()) -> dict[tuple[int, ...], str]:
    """Return the kinds of what a script drew, by their places."""
    places = {}
    for number, node in block.children.items():
        inside = drawn_at(node, (*path, number)) if isinstance(node, Block) else {(*path, number): node.type}
        places.update(inside)
    return places


@pytest.mark.parametrize("late", ["stage", "readout"])
def test_where_progress_was_drawn_something_else_is_drawn(late, monkeypatch):
    """Streamlit keeps what an inner fragment drew, when the outer one runs again and draws nothing at its place."""
    test = app("coin.py")
    then = drawn_at(test.main)

    def wait(*_):
        raise NotYet("Computing: 65 of 100", 0.65, lambda: None, 65)

    monkeypatch.setattr(*{"stage": (CoinStage, "film"), "readout": (goals, "look")}[late], wait)
    (place,) = [place for place, kind in drawn_at(test.run().main).items() if kind == "progress"]
    assert then[place[:-1]] == "empty", "a fragment has a container of its own"


def test_while_a_film_is_made_the_last_one_is_there_with_its_own_source_until_the_learner_leaves(monkeypatch):
    theirs = CoinStage.film

    def slow(stage, settings, seed):
        if settings.tosses == 30:
            raise NotYet("Computing: 65 of 100", 0.65, lambda: None, 65)
        return theirs(stage, settings, seed)

    monkeypatch.setattr(CoinStage, "film", slow)
    test = app("coin.py", tosses="25", t="3")
    before = head(test)
    follow(test, tosses=30, t=3)
    now = head(test)
    assert (now["chain"], now["source"]) == (before["chain"], before["source"])
    assert test.get("progress")
    test.switch_page("work.py").run()
    test.switch_page("coin.py")
    follow(test, tosses=30, t=3)
    assert "samplescope_player" not in {each.proto.component_name for each in test.get("bidi_component")}, (
        "a new player would fetch the new film under the old one's name"
    )


def test_trying_again_asks_again():
    lesson, step = next(one for one in QUESTIONS if not one[1].once and not one[1].ask.several)
    test = app(f"{lesson.stage}.py", lesson=lesson.id, step=step.id)
    wrong, right = ([choice.key for choice in step.choices if choice.correct is fine] for fine in (False, True))
    check(test, wrong[0])
    assert form(test)["state"]["given"] == [wrong[0]]
    pressed(test, "again")
    assert form(test)["state"]["given"] is None
    assert not told(test, False)
    check(test, right[0])
    assert len(told(test, True)) == 1


def test_next_and_back_go_through_all_lessons_of_a_topic():
    test = app(TOPIC, lesson=LESSONS[0].id)
    steps, seen = [step for lesson in LESSONS for step in lesson.pages], []
    for step in steps:
        seen.append(next(m.value for m in test.markdown if m.value.startswith("## ")))
        if step is not steps[-1]:
            test.button(key="next").click().run()
            assert not test.exception
    assert seen == [f"## {step.title}" for step in steps]
    ways = [(link.proto.page, link.proto.label) for link in test.get("page_link")]
    assert ways == [
        ("crp_mixture", "**Next topic: Clusters without a number**"),
        ("", "Course map"),
        ("work", "My work"),
    ]
    test.button(key="free").click().run()
    assert "## Chinese restaurant" in [markdown.value for markdown in test.markdown]
    test = app(TOPIC, lesson=LESSONS[0].id, step=LESSONS[0].steps[2].id)
    test.button(key="back").click().run()
    assert f"## {LESSONS[0].steps[1].title}" in [markdown.value for markdown in test.markdown]


def test_the_end_of_a_lesson_sums_up_shows_what_was_answered_and_leads_on():
    lesson, after = LESSONS[3:5]
    test = at_step(lesson, lesson.pages[-1])
    given = {"ten": ("2.3",), "alpha": ("13",), "double": ("24",)}
    for step, keys in given.items():
        test.session_state["answers"].put(f"{lesson.id}/{step}", keys)
    test.run()
    texts = [markdown.value for markdown in test.markdown]
    assert "\n".join(f"- {plain(line)}" for line in lesson.summary) in texts
    assert texts[-6:] == [
        "**Your answers** · 2 of 5 right",
        f"{WRONG} Ten customers · **2.3**; right: **2.93**",
        f"{RIGHT} A larger concentration · **13**; right: **13.3**",
        f"{NONE} Because · *not answered*",
        f"{RIGHT} Twice the customers · **24**; right: **23.4**",
        f"{NONE} A power law · *not answered*",
    ]
    assert test.button(key="next").label == f"Next lesson: {after.title} · {after.minutes} min"
    assert head(test)["at"] == lesson.steps[-1].at
    test.button(key="back").click().run()
    assert f"## {lesson.steps[-1].title}" in [markdown.value for markdown in test.markdown]


@pytest.mark.parametrize("info", TOPICS, ids=lambda info: info.stage)
def test_each_lesson_leads_to_the_next(info):
    lessons = [lesson for lesson in ALL if lesson.stage == info.stage]
    assert [plan().after(lesson) for lesson in lessons] == [*lessons[1:], None]


def test_at_the_end_the_stage_stays_as_it_was():
    test = app(TOPIC, lesson=LESSONS[0].id, step="sandbox", concentration="7", t="12")
    test.button(key="next").click().run()
    assert "## What you have seen" in [markdown.value for markdown in test.markdown]
    assert "concentration=7.0" in head(test)["link"]
    assert head(test)["at"] == 12


def test_controls_change_the_film():
    test = app(TOPIC)
    before = head(test)["chain"]
    test.slider[0].set_value(20).run()
    assert head(test)["total"] == 20
    assert head(test)["chain"] != before
    seed = next(button for button in test.button if button.label == "Next seed")
    chain = head(test)["chain"]
    seed.click().run()
    assert head(test)["chain"] != chain
    assert "seed=8" in head(test)["link"]


def test_shuffling_shows_two_products_and_can_be_undone():
    test = app(TOPIC)
    assert "shuffle=1" in head(press(test, "Shuffle the arrivals"))["link"]
    assert "view=evening" in head(test)["link"]
    assert "shuffle=0" in head(press(test, "As they came"))["link"]
    assert "As they came" not in buttons(test)


def test_instructors_notes_are_shown_on_demand_only():
    lesson, step = next(pair for pair in STEPS if pair[1].instructor)
    test = at_step(lesson, step)
    assert step.instructor not in [box.value for box in test.info]
    instructors(test)
    assert step.instructor in [box.value for box in test.info]


# ---- links -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"concentration": "abc"}, "which is not a number"),
        ({"customers": "-5", "t": "9999"}, "the least is 1"),
        ({"lesson": "no-such-lesson"}, "no lesson of that name"),
        ({"lesson": "crp-seating", "step": "x"}, "no step of that name"),
        ({"seed": "1e5"}, "not a whole number"),
        ({"<seed>": "1", "seed": "1"}, "The link says <seed>, which means nothing here. Did you mean seed?"),
        ({"door": "[a](javascript:alert(1)) **$x$** :red[y]"}, "not one of seating, stick"),
    ],
)
def test_nonsense_in_a_link_is_said(values, words):
    test = app(TOPIC, **values)
    assert not test.exception
    assert "The link was not quite right" in said(test)
    assert words in said(test).replace("\\", "")
    assert head(test)["total"] >= 1


def test_a_link_whose_ampersands_were_escaped_opens_what_was_meant():
    test = app(TOPIC, **{"concentration": "2", "amp;t": "5", "amp;seed": "11", "amp;view": "evening"})
    assert not test.warning
    place = test.session_state["topic crp_seating"]
    assert (place.settings.concentration, place.seed, place.t, place.view) == (2.0, 11, 5, "evening")
    later = app(TOPIC, **{"t": "8", "amp;t": "5"})
    assert later.session_state["topic crp_seating"].t == 8, "what the player wrote counts"
    assert "which is not a number" in said(app(TOPIC, **{"t": "0", "amp;concentration": "abc"}))


def test_markdown_in_a_link_stays_text():
    test = app(TOPIC, door="[a](javascript:1)$x$`y`<b>")
    note = said(test)
    for character in "[](<`$":
        assert f"\\{character}" in note
        assert note.count(character) == note.count(f"\\{character}")


def test_a_note_about_a_link_goes_when_the_learner_goes_on():
    test = app(TOPIC, lesson="crp-seating", step="x")
    assert test.warning
    test.button(key="next").click().run()
    assert not test.warning


# ---- a broken lesson -------------------------------------------------------------------------------------------------


def test_a_rule_that_is_proved_before_the_stage_had_it_moves_the_chain():
    test, right = app("crp_seating.py", lesson="crp-write", step="rule"), [*PROBLEMS["crp-seating"].right]
    pressed(test, "wrote", ["1", "1"])
    assert form(test)["question"]["rule"]["written"] == ["1", "1"]
    check(test, *right)
    assert form(test)["question"]["rule"]["written"] == right
