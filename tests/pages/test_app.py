"""The pages as scripts: every lesson's every step, every answer, links with nonsense, and a broken lesson."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import pages.parts.course
import pages.parts.lessons
from lessons.reader import Lesson, Step
from pages.parts.lessons import FOLDER, body, library
from pages.parts.state import Topic
from pages.topics import TOPICS, topic_info
from tests.pages.test_player import unpack

ROOT = Path(__file__).parents[2]
TOPIC = "pages/crp_seating.py"
ALL = library().lessons
LESSONS = library().for_stage("crp_seating")
STEPS = [(lesson, step) for lesson in ALL for step in lesson.steps]
QUESTIONS = [(lesson, step) for lesson, step in STEPS if step.choices]
IDS = {"ids": lambda thing: thing.id}


def app(page: str = "", **values: str) -> AppTest:
    """Return the app at a page, opened by a link."""
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    if page:
        test.query_params.update(values)
        test.switch_page(page)
    return test.run()


def at_step(lesson: Lesson, step: Step) -> AppTest:
    return app(topic_info(lesson.stage).page, lesson=lesson.id, step=step.id)


def head(test: AppTest) -> dict:
    """Return the header of the message that the player got."""
    player = next(c for c in test.get("bidi_component") if c.proto.component_name == "samplescope_player")
    return unpack(player.proto.bytes)[0]


def dials(test: AppTest) -> dict[str, float]:
    """Return what stands beside the charts to be turned, and where it stands."""
    return {dial["title"]: dial["value"] for dial in head(test)["dials"]}


def said(test: AppTest) -> str:
    """Return all warnings."""
    return "\n".join(warning.value for warning in test.warning)


def buttons(test: AppTest) -> list[str]:
    return [button.label for button in test.button]


# ---- the course map --------------------------------------------------------------------------------------------------


def test_the_course_map_links_every_lesson():
    test = app()
    assert not test.exception
    links = {link.proto.query_string: link.proto.label for link in test.get("page_link")}
    for lesson in ALL:
        assert lesson.title in links[f"lesson={lesson.id}"]
        assert any(lesson.objectives[0] in caption.value for caption in test.caption)
    free = [link.proto.label for link in test.get("page_link") if not link.proto.query_string]
    assert free == ["Play freely, without a lesson"] * len(TOPICS)
    assert not test.code, "no lesson is broken"


def test_the_course_map_counts_answers():
    lesson, step = QUESTIONS[0]
    test = at_step(lesson, step)
    test.radio[0].set_value(0).run()
    test.button(key="check").click().run()
    test.query_params.clear()
    test.switch_page("pages/home.py").run()
    of = sum(1 for other, _ in QUESTIONS if other is lesson)
    assert any(f"1 of {of} questions answered" in caption.value for caption in test.caption)


# ---- topic pages -----------------------------------------------------------------------------------------------------


def test_free_play_has_all_controls():
    test = app(TOPIC)
    assert not test.exception
    assert not test.warning
    assert [slider.label for slider in test.slider] == ["Customers"]
    assert dials(test) == {"Concentration α": 1.0, "Discount d": 0.0}
    assert [number.label for number in test.number_input] == ["Seed"]
    assert head(test)["total"] == 60
    assert head(test)["lock"] == []


@pytest.mark.parametrize("lesson", ALL, **IDS)
def test_every_step_opens_and_an_answer_unlocks_it(lesson):
    """Walk through a lesson in one session: a new one takes longer than a step."""
    test = at_step(lesson, lesson.steps[0])
    for step in lesson.steps:
        test.session_state[f"topic {lesson.stage}"].followed = None  # the same link once more counts as a new one
        test.query_params.clear()
        test.query_params.update({"lesson": lesson.id, "step": step.id})
        test.run()
        assert not test.exception
        assert_open(test, lesson, step)
        if step.choices:
            assert_unlocked(test, lesson, step)


@pytest.mark.parametrize("lesson", ALL, **IDS)
def test_every_answer_gets_its_reason(lesson):
    """Each question in a script of its own, without a stage."""

    def question(lesson, step, place):
        from pages.parts import quiz

        quiz.ask(place, lesson, step)

    place = Topic(lesson.stage, lesson.settings_for(lesson.steps[0]))
    for step in lesson.steps:
        test = AppTest.from_function(question, args=(lesson, step, place))
        for number, choice in enumerate(step.choices):
            test.session_state["answers"] = {(lesson.id, step.id): (number,)}
            test.run()
            assert not test.exception
            here, elsewhere = (test.success, test.warning) if choice.correct else (test.warning, test.success)
            assert [box.value for box in here] == [choice.reason]
            assert not elsewhere
            right = choice.correct and sum(other.correct for other in step.choices) == 1
            assert ("Try again" in buttons(test)) != right


def assert_open(test: AppTest, lesson: Lesson, step: Step) -> None:
    """See that a step shows its text, its film, its locks, and its controls alone."""
    text = [markdown.value for markdown in test.markdown]
    assert f"## {step.title}" in text
    assert body(lesson, step) in text
    assert all(hint in text for hint in step.hints)
    own, message = lesson.settings_for(step), head(test)
    assert message["at"] == (step.at or 0)
    if lesson.stage == "marginalise":  # how long a path is only the chain knows
        assert (step.at or 0) <= message["total"] <= own.iterations
    else:
        assert message["total"] == own.iterations
    assert f"lesson={lesson.id}&step={step.id}" in message["link"]
    labels = {widget.label for widget in [*test.slider, *test.number_input, *test.selectbox]} | dials(test).keys()
    titles = {name: type(own).model_fields[name].title for name in own.controls if name != "seed"}
    titles["seed"] = "Seed"
    shown = {titles[name] for name in lesson.show_for(step) if name == "seed" or own.matters(name)}
    assert shown <= labels
    assert not (set(titles.values()) - shown) & labels, "the other settings have no control"


def choose(test: AppTest, lesson: Lesson, step: Step, number: int) -> None:
    """Tick one answer."""
    key = f"choice {lesson.id} {step.id}"
    (test.checkbox(key=f"{key} {number}").check() if step.multiple else test.radio(key=key).set_value(number)).run()


def assert_unlocked(test: AppTest, lesson: Lesson, step: Step) -> None:
    """Give an answer, and see that it unlocks what was locked."""
    locks = list(step.lock), list(step.hide)
    assert test.button(key="check").disabled
    assert (head(test)["lock"], head(test)["hide"]) == locks
    choose(test, lesson, step, 0)
    assert (head(test)["lock"], head(test)["hide"]) == locks, "choosing alone unlocks nothing"
    test.button(key="check").click().run()
    assert not test.exception
    assert len(test.success) + len(test.warning) == 1
    assert (head(test)["lock"], head(test)["hide"]) == ([], [])


def test_trying_again_asks_again():
    test = app(TOPIC, lesson="crp-seating", step="fifth")
    test.radio[0].set_value(2).run()
    test.button(key="check").click().run()
    assert test.radio[0].disabled
    test.button(key="again").click().run()
    assert not test.radio[0].disabled
    assert not test.warning
    assert head(test)["lock"] == ["play", "step", "back", "scrub"]
    test.radio[0].set_value(0).run()
    test.button(key="check").click().run()
    assert len(test.success) == 1


def test_a_prediction_is_followed_by_what_it_was_about():
    test = app(TOPIC, lesson="crp-seating", step="fifth")
    assert head(test)["go"]["walk"] is False
    test.radio[0].set_value(1).run()
    test.button(key="check").click().run()
    assert head(test)["go"]["walk"] is True
    assert head(test)["go"]["t"] == 5


def test_next_and_back_go_through_all_lessons_of_a_topic():
    test = app(TOPIC, lesson=LESSONS[0].id)
    steps, seen = [step for lesson in LESSONS for step in lesson.steps], []
    for _ in steps:
        seen.append(next(m.value for m in test.markdown if m.value.startswith("## ")))
        test.button(key="next").click().run()
        assert not test.exception
    assert seen == [f"## {step.title}" for step in steps]
    assert "## Chinese restaurant" in [markdown.value for markdown in test.markdown], (
        "and then the learner plays freely"
    )
    test = app(TOPIC, lesson=LESSONS[0].id, step=LESSONS[0].steps[2].id)
    test.button(key="back").click().run()
    assert f"## {LESSONS[0].steps[1].title}" in [markdown.value for markdown in test.markdown]


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
    next(button for button in test.button if button.label == "Shuffle the arrivals").click().run()
    assert not test.exception
    assert "shuffle=1" in head(test)["link"]
    assert "view=evening" in head(test)["link"]
    next(button for button in test.button if button.label == "As they came").click().run()
    assert "shuffle=0" in head(test)["link"]
    assert "As they came" not in buttons(test)


def test_instructors_notes_are_shown_on_demand_only():
    lesson, step = next(pair for pair in STEPS if pair[1].instructor)
    test = at_step(lesson, step)
    assert step.instructor not in [box.value for box in test.info]
    next(switch for switch in test.toggle if switch.label == "Instructor's notes").set_value(True).run()
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
        ({"x": "<script>alert(1)</script>"}, "parts that mean nothing here"),
        ({"door": "[a](javascript:alert(1)) **$x$** :red[y]"}, "not one of seating, stick"),
    ],
)
def test_nonsense_in_a_link_is_said(values, words):
    test = app(TOPIC, **values)
    assert not test.exception
    assert "The link was not quite right" in said(test)
    assert words in said(test).replace("\\", "")
    assert head(test)["total"] >= 1


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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Let the app read a copy of the lessons that may be broken."""
    copy = tmp_path / "lessons"
    copy.mkdir()
    for path in FOLDER.glob("*.md"):
        (copy / path.name).write_bytes(path.read_bytes())
    for module in (pages.parts.lessons, pages.parts.course):
        monkeypatch.setattr(module, "FOLDER", copy)
    st.cache_resource.clear()
    yield copy
    st.cache_resource.clear()


def broken(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace("minutes: 8", "minuets: 8", 1), "utf-8")


def test_a_lesson_that_breaks_keeps_its_last_valid_version(folder):
    test = app()
    broken(folder / "crp-1-seating.md")
    test.run()
    assert not test.exception
    assert "crp-1-seating.md:7:1: unknown key 'minuets'" in test.code[0].value
    assert any("crp-1-seating.md** has a problem" in markdown.value for markdown in test.markdown)
    links = {link.proto.query_string for link in test.get("page_link")}
    assert {f"lesson={lesson.id}" for lesson in LESSONS} <= links
    test.query_params["lesson"] = "crp-seating"
    test.switch_page(TOPIC).run()
    assert not test.exception
    assert f"## {LESSONS[0].steps[0].title}" in [markdown.value for markdown in test.markdown]


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\xff\xfe\x00" * 100,
        b"---\nschema: 1\n",
        b"",
        b"# no front matter",
        b"---\na: &a [*a, *a]\n---\n",
        "---\nschema: [€\n---".encode(),
    ],
    ids=["binary", "unclosed", "empty", "no front matter", "aliases", "yaml"],
)
def test_a_lesson_that_was_never_valid_is_a_card_and_the_others_work(folder, content):
    (folder / "crp-1-seating.md").write_bytes(content)
    test = app()
    assert not test.exception
    assert "crp-1-seating.md:" in test.code[0].value
    links = {link.proto.query_string for link in test.get("page_link")}
    assert "lesson=crp-seating" not in links
    assert {f"lesson={lesson.id}" for lesson in LESSONS[1:]} <= links
    test.query_params["lesson"] = LESSONS[1].id
    test.switch_page(TOPIC).run()
    assert not test.exception
    assert f"## {LESSONS[1].steps[0].title}" in [markdown.value for markdown in test.markdown]
    assert f"1 · {LESSONS[1].title}" in test.selectbox[0].options
    test.query_params.clear()
    test.query_params["lesson"] = "crp-seating"
    test.run()
    assert not test.exception
    assert "no lesson of that name" in said(test)


def test_a_lesson_that_is_mended_is_served_again(folder):
    path = folder / "crp-1-seating.md"
    whole = path.read_text("utf-8")
    path.write_text("nothing", "utf-8")
    test = app()
    assert test.code
    path.write_text(whole, "utf-8")
    test.run()
    assert not test.code


@pytest.mark.parametrize("keep", [0, 1])
def test_without_lessons_the_course_map_and_free_play_work(folder, keep):
    for path in sorted(folder.glob("*.md"))[keep:]:
        path.unlink()
    test = app()
    assert not test.exception
    test.switch_page(TOPIC).run()
    assert not test.exception


def test_a_lesson_that_vanishes_while_it_is_open_leaves_free_play(folder):
    test = app(TOPIC, lesson="crp-order")
    (folder / "crp-3-order.md").unlink()
    test.run()
    assert not test.exception
    assert "## Chinese restaurant" in [markdown.value for markdown in test.markdown]
