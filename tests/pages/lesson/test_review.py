"""The page *Review*, the questions that come back on their topics' pages, and the question before a lesson."""

from datetime import UTC, datetime, timedelta

from lessons.course.work import WHEN
from lessons.review import ASKED, BEFORE, IDEA, OFF, SURE, TRIES
from pages.lesson.answers import Answers, checked
from tests.pages.visits import check, new, press

NOW = datetime.now(UTC)
COIN = {"before": "0.5", "one": "0.1", "order": "same", "strong": "0.55"}
COIN["strong-why"] = "a prior always outweighs the data"


def kept(days: float = 3) -> dict[str, tuple[str, ...]]:
    """The memory of a browser of the first lesson, finished some days ago."""
    at = f"{NOW - timedelta(days=days):{WHEN}}"
    found = {}
    for step, key in COIN.items():
        found[f"coin-posterior/{step}"] = (key,)
        found[f"{TRIES}coin-posterior/{step}"] = ("1", at, at, key)
    return found


def open_(page, known=None, **values):
    answers = Answers(kept=kept() if known is None else known, heard=True)
    test = new(answers)
    if values:
        test.query_params.update(values)
    test.switch_page(page).run()
    assert not test.exception
    return test, test.session_state["answers"]


def text(test):
    return "\n".join(element.value for kind in (test.markdown, test.caption, test.info) for element in kind)


def test_what_is_due_is_listed_and_asked_one_after_the_other():
    test, _ = open_("review.py")
    assert "**4 questions, about two minutes**" in text(test)
    assert "One coin · A prior becomes a posterior · 4" in text(test)
    press(test, "Begin")
    assert "## Before any toss" in text(test)
    assert "1 of 4" in text(test)
    assert "In the lesson" not in text(test)


def test_an_answer_to_it_says_what_was_said_then_and_keeps_the_old_answer():
    test, answers = open_("coin.py", lesson="again-coin-posterior-one")
    assert "It landed heads." in text(test)
    check(test, "0.667")
    said = "In the lesson, on another run, you said **0.1**; it was **0.333**."
    assert said in text(test)
    assert answers["coin-posterior/one"] == ("0.1",)
    record = answers[IDEA + "conjugate"]
    assert (record[0], record[2]) == ("1", "coin-posterior/one")
    assert checked({IDEA + "conjugate": list(record)}) == {IDEA + "conjugate": record}


def test_nothing_is_due_on_the_same_day_and_nothing_has_been_met_at_first():
    test, _ = open_("review.py", kept(0.2))
    assert "Nothing is due now. The next question comes within a day." in text(test)
    test, _ = open_("review.py", {})
    assert "Nothing yet" in text(test)


def test_it_can_be_switched_off_and_on():
    test, answers = open_("review.py")
    test.toggle(key="review on").set_value(False).run()
    assert answers[OFF] == ("off",)
    assert "Review is switched off" in text(test)
    assert not any(button.label == "Begin" for button in test.button)
    test.switch_page("home.py").run()
    assert "Review" not in [link.proto.label for link in test.get("page_link")]
    test, _ = open_("draws.py", kept() | {OFF: ("off",)}, lesson="coin-draws")
    assert "Before you go on" not in text(test)


def test_a_later_lesson_begins_with_a_question_that_can_be_skipped():
    test, answers = open_("draws.py", lesson="coin-draws")
    assert "**Before you go on** · one question from *A prior becomes a posterior*" in text(test)
    press(test, "Skip")
    assert answers[BEFORE + "coin-draws"] == ("skipped",)
    assert "Before you go on" not in text(test)


def test_the_first_lesson_and_a_lesson_on_the_same_day_begin_as_ever():
    for known, page, lesson in ((kept(), "coin.py", "coin-posterior"), (kept(0.2), "draws.py", "coin-draws")):
        test, _ = open_(page, known, lesson=lesson)
        assert "Before you go on" not in text(test)


def test_the_question_before_a_lesson_leads_back_to_it():
    test, answers = open_("draws.py", lesson="coin-draws")
    press(test, "Answer it")
    assert answers[BEFORE + "coin-draws"] == ("asked",)
    assert "## Before any toss" in text(test)
    press(test, "Go on")  # to a page without its parameters: a session without a browser keeps the old ones
    assert test.session_state["review back"] == "coin-draws"


def test_a_class_s_leader_is_asked_nothing():
    known = Answers(kept=kept(), heard=True, shelf="code")
    test = new(known)
    test.query_params["lesson"] = "coin-draws"
    test.switch_page("draws.py").run()
    assert "Before you go on" not in text(test)


def test_the_glossary_lists_the_steps_that_ask_about_an_idea():
    test, _ = open_("home.py")
    [glossary] = [one.value for one in test.markdown if "**burn\\-in** ·" in one.value]
    entry = glossary.partition("**burn\\-in** ·")[2].partition("**chain**")[0]
    assert "[Too low](draws?lesson=coin-chain&step=low)" in entry
    assert "lesson=text-when-to-stop&step=burn-in" in entry


# ---- how sure --------------------------------------------------------------------------------------------------------


def wrong_and_sure():
    """A learner who was sure of a wrong answer."""
    test, answers = open_("coin.py", {}, lesson="coin-posterior", step="strong")
    [sure] = [group for group in test.button_group if group.label == ASKED]
    sure.set_value("know").run()
    check(test, "0.65")
    return test, answers


def test_how_sure_is_kept_with_the_first_answer_and_shown_in_my_work():
    test, answers = wrong_and_sure()
    assert answers[SURE + "coin-posterior/strong"] == ("know", "wrong")
    assert ASKED not in [group.label for group in test.button_group]
    test.switch_page("work.py").run()
    assert not test.exception
    [drawing] = [one.proto.body for one in test.get("html") if '<div class="calibration"' in one.proto.body]
    assert "<span>I know</span>" in drawing
    assert "<span>0 of 1 right</span>" in drawing


def test_only_predictions_of_lessons_that_want_it_ask_how_sure_and_no_class_does():
    for lesson, step, asked in (("coin-posterior", "strong", True), ("coin-posterior", "one", False)):
        test, _ = open_("coin.py", {}, lesson=lesson, step=step)
        assert (ASKED in [group.label for group in test.button_group]) == asked
    test, _ = open_("coin.py", lesson="again-coin-posterior-strong")
    assert ASKED not in [group.label for group in test.button_group]
