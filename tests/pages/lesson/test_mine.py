"""My work: what is kept is shown, becomes a page to hand in, comes back from a file, and can be deleted."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import pages.lesson.answers
import pages.lesson.mine
from lessons.check.files import parse_lesson
from lessons.course.recorded import lesson_of, seen_of
from lessons.course.work import NO_FILE, Given, KeptMoment, Work
from pages.lesson.answers import LEFT, MOMENT, Answers, finished, left_at
from pages.lesson.handed_in import as_html
from pages.lesson.lessons import library

ROOT = Path(__file__).parents[3]
LESSON = library().lesson("crp-seating")
KEPT = {
    "crp-seating/fifth": ("1/4",),
    "gone/predict": ("1",),
    LEFT + "crp-seating": ("fifth",),
    MOMENT + "a": ("crp_seating", "customers=80&t=12", "a note"),
    MOMENT + "b": ("no_topic", "x", ""),
}


@pytest.fixture
def mine(monkeypatch) -> Answers:
    known = Answers(kept=dict(KEPT), heard=True)
    for module in (pages.lesson.answers, pages.lesson.mine):
        monkeypatch.setattr(module, "answers", lambda: known)
    return known


def test_what_is_kept_is_a_file_in_the_order_of_the_course(mine):
    mine.kept["coin-posterior/strong"] = ("1",)
    found = pages.lesson.mine.work()
    assert [given.lesson for given in found.answers] == ["coin-posterior", "crp-seating", "gone"]
    assert [moment.topic for moment in found.moments] == ["crp_seating"]


def test_a_lesson_goes_on_where_it_was_left_unless_it_is_finished(mine):
    assert left_at(LESSON).id == "fifth"
    for step in LESSON.steps:
        if step.choices:
            mine.put(f"crp-seating/{step.id}", (step.choices[0].key,))
    assert finished(LESSON)
    assert left_at(LESSON) is LESSON.steps[0]
    mine.put(LEFT + "crp-order", ("no-such-step",))
    other = library().lesson("crp-order")
    assert left_at(other) is other.steps[0]


def test_a_file_from_another_browser_adds_to_what_is_here(mine, monkeypatch):
    monkeypatch.setattr(pages.lesson.mine.st, "session_state", {})
    before = pages.lesson.mine.work()
    other = Work(
        name="Ada",
        answers=(before.answers[0].model_copy(update={"answer": ("1/5",)}),),
        moments=(before.moments[0], before.moments[0].model_copy(update={"link": "t=3"})),
    )
    pages.lesson.mine._take_in(other)
    after = pages.lesson.mine.work()
    assert after.answers[0].answer == ("1/5",)
    assert {moment.link for moment in after.moments} == {"customers=80&t=12", "t=3"}
    assert len(after.moments) == 2


def test_a_right_answer_stays_where_the_file_has_a_wrong_one(mine, monkeypatch):
    monkeypatch.setattr(pages.lesson.mine.st, "session_state", {})
    question = next(step for step in LESSON.steps if step.id == "fifth")
    right = next(choice.key for choice in question.choices if choice.correct)
    [wrong] = [given for given in pages.lesson.mine.work().answers if given.lesson == "crp-seating"]
    mine.put("crp-seating/fifth", (right,))
    assert pages.lesson.mine._take_in(Work(answers=(wrong,))) == 1
    assert mine.get("crp-seating/fifth") == (right,)
    other = next(choice.key for choice in question.choices if not choice.correct and choice.key != "1/4")
    mine.put("crp-seating/fifth", (other,))  # wrong as well: the file's counts
    assert pages.lesson.mine._take_in(Work(answers=(wrong,))) == 0
    assert mine.get("crp-seating/fifth") == wrong.answer


def test_the_page_to_hand_in_has_questions_answers_reasons_settings_and_links(mine):
    page = as_html(
        pages.lesson.mine.work().model_copy(update={"name": "<b>Ada</b>"}), library(), "https://here.example/base"
    )
    step = next(step for step in LESSON.steps if step.id == "fifth")
    assert "&lt;b&gt;Ada&lt;/b&gt; · " in page
    assert "<b>" not in page
    assert '"https://here.example/base/crp_seating?lesson=crp-seating&amp;step=fifth"' in page
    assert '"https://here.example/base/crp_seating?customers=80&amp;t=12"' in page
    assert "✗ 1/4" in page
    assert step.title in page
    assert f"seed {LESSON.seed_for(step)}" in page
    assert page.count("<svg") == 1  # the moment's
    assert "<script" not in page
    assert "http://" not in re.sub(r"http://www.w3.org/\S+", "", page)


def page(kept: dict | None = None) -> AppTest:
    test = AppTest.from_file(ROOT / "pages" / "router.py", default_timeout=20).switch_page("work.py")
    test.session_state["answers"] = Answers(kept=dict(KEPT) if kept is None else kept, heard=True)
    return test.run()


def test_the_page_shows_answers_and_forgets_them():
    test = page()
    assert not test.exception
    assert any("The fifth customer" in each.value for each in test.markdown)
    test.button(key="again crp-seating").click().run()
    known = test.session_state["answers"]
    assert known.keys() == {"gone/predict", MOMENT + "a", MOMENT + "b"}
    test.button(key="delete").click().run()
    assert not known
    assert any("Nothing yet" in each.value for each in test.info)


@pytest.mark.parametrize("kept", [KEPT, {}], ids=["with answers", "empty"])
def test_work_is_brought_into_a_browser(kept):
    test = page(dict(kept))
    given = Given(lesson="coin-posterior", step="strong", answer=("1",))
    brought = Work(name="Ada", answers=(given,), moments=(KeptMoment(topic="coin", link="t=3"),))
    test.file_uploader[0].upload("my-work.json", brought.as_json().encode(), "application/json").run()
    assert not test.exception
    assert [each.value for each in test.success] == ["1 answer and 1 moment are here now."]
    known = test.session_state["answers"]
    assert known["coin-posterior/strong"] == ("1",)
    assert kept.items() <= known.items()
    assert test.text_input[0].value == "Ada"
    assert "Delete everything" in [button.label for button in test.button]


def test_a_name_that_was_typed_stays_and_no_work_is_refused():
    test = page()
    test.text_input[0].set_value("Grace").run()
    test.file_uploader[0].upload("my-work.json", Work(name="Ada").as_json().encode(), "application/json").run()
    assert test.text_input[0].value == "Grace"
    test.file_uploader[0].upload("other.json", b"[]", "application/json").run()
    assert not test.exception
    assert NO_FILE in test.error[0].value
    assert dict(test.session_state["answers"]) == KEPT


def test_moments_become_one_lesson_with_a_step_each(mine):
    same = "customers=80&concentration=3&seed=4"
    links = (f"{same}&t=12&view=evening", f"{same}&t=20", "t=60")
    mine.kept |= {f"{MOMENT}{n}": ("crp_seating", link, f"look *{n}*") for n, link in enumerate(links)}
    del mine.kept[MOMENT + "a"]
    seen = [seen_of(one.topic, one.link, one.note) for one in pages.lesson.mine._kept().values()]
    reading = parse_lesson(lesson_of(seen), Path("my-lesson.md"))
    assert reading.lesson is not None, reading.problems
    steps = reading.lesson.steps
    assert [reading.lesson.settings_for(step) for step in steps] == [one.settings for one in seen]
    assert [(reading.lesson.seed_for(step), step.at, step.open) for step in steps] == [
        (one.seed, one.t, one.view) for one in seen
    ]
    assert [(step.title, step.kind, step.then.advance) for step in steps] == [
        ("look 0", "predict", 8), ("look 1", "predict", 10), ("look 2", "quiz", 0)
    ]  # fmt: skip
    test = page(mine.kept)
    assert [button.label for button in test.get("download_button")][-1] == "Chinese restaurant: 3 steps"
    test.button(key=f"remove {MOMENT}1").click().run()
    assert [one.note for one in pages.lesson.mine.work().moments] == ["look *0*", "look *2*"]


def test_a_course_can_ask_for_a_student_number(folder):
    (folder / "course.yaml").write_text('title: Autumn\nask: "Student number"\nsections: []\n', "utf-8")
    test = AppTest.from_file(str(ROOT / "pages/router.py"), default_timeout=120)
    test.session_state["answers"] = Answers(kept=dict(KEPT), heard=True)
    test.run()
    test.switch_page("work.py").run()
    assert [field.label for field in test.text_input] == ["Your name, if you hand it in", "Student number"]
    assert "Ada · 007 · " in as_html(Work(name="Ada", number="007"), library(), "")
