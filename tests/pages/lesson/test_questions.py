"""Questions: what they withhold, in which order their choices stand, and what an answer brings back."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.drawing.markdown import plain
from tests.pages.visits import app, buttons, check, form, head, options, press, pressed, right_answer, told, views

TOPIC = "crp_seating.py"
LESSON = """---
schema: 1
id: a-question
title: A question
stage: crp_seating
track: restaurant
minutes: 1
objectives: [answer]
summary: [One., Two., Three.]
show: [customers, concentration, seed]
---
## Where {#where}
- [x] 1/2
  > Right.
- [ ] 1, for sure
  > Too sure.
- [ ] 1/3
  > Too few.

```step
KEYS
```

## After {#after}
About [a table](#mark:table-1).
"""
PREDICT = "kind: predict\nat: 4\nthen: {advance: 1}"
QUIZ = "kind: quiz\nat: 4"


@pytest.fixture
def question(folder: Path):
    """Return a function that opens the question with keys of its own."""

    def opened(keys: str, **values: str) -> AppTest:
        (folder / "a-question.md").write_text(LESSON.replace("KEYS", keys), "utf-8")
        test = app(TOPIC, lesson="a-question", step="where", **values)
        assert not test.exception
        assert "## Where" in [markdown.value for markdown in test.markdown]
        return test

    return opened


def answer(test: AppTest, number: int) -> None:
    """Choose what stands there in the file, and check it."""
    check(test, ("1/2", "1, for sure", "1/3")[number])


def resting(test: AppTest) -> list[bool]:
    """Return which of the widgets under the text are disabled."""
    return [widget.disabled for widget in (*test.slider, *test.text_input)]


def test_numbers_stand_in_their_order(question):
    assert options(question(PREDICT)) == ["1/3", "1/2", "1, for sure"]


def test_a_fixed_order_stays(question):
    assert options(question(f"{PREDICT}\norder: fixed")) == ["1/2", "1, for sure", "1/3"]


def evening(test):
    """Open the whole evening, in which a lesson offers to shuffle."""
    test.session_state["topic crp_seating"].view = "evening"
    return test.run()


def test_a_prediction_withholds_all_but_the_charts(question):
    test = question(PREDICT)
    assert (head(test)["hide"], head(test)["quiet"]) == ([], True)
    assert views(test) == []
    assert not any('class="beats"' in html.proto.body for html in test.get("html")), "no inspector"
    assert "Shuffle the arrivals" not in buttons(test)
    assert "controls" in head(test)["lock"]
    assert resting(test) == [True]
    assert form(test)["state"]["locked"] == "The player and controls are locked until you have answered."
    assert not test.button(key="next").disabled
    answer(test, 0)
    assert views(test) == ["This customer", "Code", "Model", "Dishes", "The whole evening"]
    assert "Shuffle the arrivals" in buttons(evening(test))
    assert (head(test)["lock"], head(test)["quiet"]) == ([], False)
    assert resting(test) == [False]


@pytest.mark.parametrize(
    ("what", "keys", "name"),
    [("check", ["1/7"], ""), ("check", [], ""), ("check", ["1/2", "1/3"], ""), ("check", ["1/2"], "a-question/after"),
     ("check", ["1/2"], "nonsense"), ("dance", ["1/2"], ""), ("again", [], ""), ("tell", [], "")],
)  # fmt: skip
def test_what_is_no_answer_changes_nothing(question, what, keys, name):
    test = pressed(question(PREDICT), what, keys, name)
    assert form(test)["state"]["given"] is None
    assert head(test)["lock"] == ["play", "step", "back", "scrub", "controls"]


def test_an_answer_counts_though_the_learner_has_gone_on_meanwhile(question):
    test = question(PREDICT)
    name, place = form(test)["question"]["name"], test.session_state["topic crp_seating"]
    lesson, _ = place.current()
    place.open(lesson, lesson.steps[1])
    pressed(test, "check", ["1/2"], name)
    assert "## After" in [markdown.value for markdown in test.markdown]
    assert place.t == 4, "what is done after the answer is for the step of the question"
    press(test, "Back")
    assert told(test, True) == ["Right."]


def test_a_second_press_on_check_counts_no_more(question):
    test = question(QUIZ)
    answer(test, 1)
    assert form(test)["state"]["again"]
    pressed(test, "check", ["1/2"])
    assert told(test, False) == ["Too sure."]


def test_a_press_on_a_button_that_is_gone_is_forgotten(question):
    test = question(PREDICT)
    test.session_state["pressed"] = "Shuffle the arrivals"  # a question withholds it
    test.run()
    answer(test, 0)
    assert "Shuffle the arrivals" in buttons(evening(test))
    assert "shuffle=0" in head(test)["link"]


def test_only_the_view_that_a_question_opens_is_there(question):
    test = question(f"{PREDICT}\nopen: evening", view="customer")
    assert views(test) == ["The whole evening"]
    assert "view=evening" in head(test)["link"]
    assert "Shuffle the arrivals" not in buttons(test)


def test_a_question_may_leave_the_controls_free(question):
    test = question(f"{PREDICT}\nlock: [play]\nhide: [room, evening]")
    assert resting(test) == [False]
    assert views(test) == ["This customer", "Code", "Model", "Dishes"]
    assert "Shuffle the arrivals" not in buttons(test), "that is for the view of the whole evening, which is hidden"
    assert (head(test)["hide"], head(test)["quiet"]) == (["room"], False)
    answer(test, 0)
    assert (head(test)["hide"], views(test)) == ([], ["This customer", "Code", "Model", "Dishes", "The whole evening"])


def test_title_and_track_are_shown_as_they_were_written(question, folder):
    title, track = "2 * 3 for $5 and <$6 [sic]", "MCMC Übung_1"
    question(PREDICT)
    path = folder / "a-question.md"
    text = path.read_text("utf-8").replace("title: A question", f"title: {title}")
    path.write_text(text.replace("track: restaurant", f"track: {track}"), "utf-8")
    test = app()
    test.switch_page(TOPIC).run()
    label = test.button(key="lesson a-question").label
    assert title in label.replace("\\", "")
    assert "\\$5" in label
    assert plain(track) in [caption.value for caption in test.caption]
    assert any(title in option for option in app(TOPIC).selectbox[0].options)


def test_a_prediction_has_one_try_since_the_picture_answers_it(question):
    test = question(PREDICT)
    answer(test, 1)
    assert head(test)["go"] | {"t": 5, "walk": True} == head(test)["go"]
    assert told(test, False) == ["Too sure."]
    assert right_answer(test) == "1/2 Right."
    assert form(test)["state"]["again"] == ""


def test_what_a_quiz_hides_waits_for_the_second_try(question):
    test = question(QUIZ)
    for right in ("", "1/2 Right."):
        assert views(test) == []
        answer(test, 1)
        assert told(test, False) == ["Too sure."]
        assert right_answer(test) == right
        assert bool(views(test)) == bool(right), "the numbers tell the answer"
        assert bool(form(test)["state"]["again"]) != bool(right)
        if not right:
            pressed(test, "again")


def test_the_right_answer_is_told_after_a_miss_when_it_is_asked_for(question):
    test = question(QUIZ)
    answer(test, 1)
    pressed(test, "tell")
    assert right_answer(test) == "1/2 Right."
    assert form(test)["state"]["again"] == ""
    assert views(test)
