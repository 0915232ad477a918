"""The form of a question on the page: what folds away, what stays where it is, and what outlives a reload."""

import pytest
from playwright.sync_api import expect

from pages.lesson.lessons import library
from tests.browser.driver import Screen
from tests.browser.walker import GUESSED, Walk

pytestmark = pytest.mark.browser
SMALL = {"width": 1280, "height": 800}
MANY = 10  # questions with the longest texts


def told(step) -> int:
    """Return how many letters a learner has before her after a wrong answer."""
    wrong = step.chosen(Walk.wrong(step))
    right = [choice for choice in step.choices if choice.correct] if step.once else []
    return sum(len(one.reason) for one in [*wrong, *right])


QUESTIONS = [
    (lesson, step)
    for lesson in library().lessons
    for step in lesson.steps
    if step.choices and not step.form.problem and Walk.wrong(step)
]
LONGEST = sorted(QUESTIONS, key=lambda one: len(one[1].body) + told(one[1]))[-MANY:]


def box(screen: Screen, of: str) -> dict[str, float]:
    found = screen.page.locator(of).bounding_box()
    assert found
    return found


@pytest.mark.parametrize(("lesson", "step"), LONGEST, ids=lambda one: one.id)
def test_verdict_and_reason_are_in_view_and_next_does_not_move(screen, lesson, step):
    screen.page.set_viewport_size(SMALL)
    screen.charts = 0
    screen.go(f"{lesson.stage}?lesson={lesson.id}&step={step.id}")
    screen.page.locator(".st-key-check").wait_for()
    screen.settle(60)
    before = box(screen, ".st-key-next button")
    screen.page.evaluate(GUESSED, Walk.wrong(step)[0])
    screen.heard()
    screen.page.get_by_role("button", name="Check").click()
    expect(screen.page.locator(".st-key-verdict")).to_be_focused()
    screen.settle(60)
    assert box(screen, ".st-key-next button") == pytest.approx(before, abs=0.5)
    parts = screen.page.locator(".st-key-verdict, .st-key-told").all()
    boxes = [part.bounding_box() for part in parts]
    assert min(one["y"] for one in boxes) >= 0
    assert max(one["y"] + one["height"] for one in boxes) <= before["y"]
    assert not screen.page.locator(".st-key-text .guess-field, .st-key-text .choices").locator("visible=true").count()


def test_what_is_typed_outlives_a_reload_and_is_drawn_again(screen):
    screen.charts = 1
    screen.open("coin?lesson=coin-posterior&step=strong")
    field = screen.page.get_by_role("textbox", name="Your guess")
    field.fill("0,6")
    expect(screen.page.locator("svg.guess text")).to_have_text("your guess 0.6")
    screen.page.reload()
    expect(field).to_have_value("0,6")
    expect(screen.page.locator("svg.guess text")).to_have_text("your guess 0.6")
    screen.settle()
    field.fill("x")
    screen.page.reload()
    expect(screen.page.locator(".refused")).to_contain_text("is not a number")
    expect(screen.page.locator("svg.guess text")).to_have_count(0)


def test_choices_can_be_read_again_after_the_answer(screen):
    screen.open("crp_seating?lesson=crp-seating&step=fifth")
    screen.press("2", "Enter")
    fold = screen.page.locator(".folded summary")
    expect(fold).to_have_text("Your answer: 1/4")
    fold.click()
    expect(screen.page.get_by_role("radio", name="1/4")).to_be_checked()
    expect(screen.page.get_by_role("radio", name="1/4")).to_be_disabled()
