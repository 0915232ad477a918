"""A newcomer meets covers that play, one big picture, few controls, and a run that ends at its goal."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import NARROW, Screen

pytestmark = pytest.mark.browser

PROJECTOR = {"width": 1920, "height": 1080}
PICTURE = ".main figure:not([hidden]) .canvas canvas"
QUESTION = "crp_mixture?lesson=mixture-one-update&step=score"
CONTROLS = ".st-key-settings :is(.stSlider, .stSelectbox, .stNumberInput)"


def size(screen: Screen) -> tuple[float, float]:
    """Return width and height of the main picture."""
    screen.settle()
    box = screen.page.locator(PICTURE).first.bounding_box()
    assert box
    return box["width"], box["height"]


@pytest.mark.motion
@pytest.mark.parametrize("path", ["", "gibbs_text", "crp_seating"])
def test_a_cover_plays_by_itself_and_leads_on_and_back(screen, path):
    screen.page.goto(f"{screen.server.url}/{path}")
    screen.page.locator(PICTURE).first.wait_for()
    screen.repainted(screen.picture())
    if not path:
        screen.page.get_by_role("link", name=re.compile("^Start here")).click()
        expect(screen.page.locator(".dots")).to_be_visible()
        return
    screen.page.get_by_role("button", name="Play freely").click()
    screen.wait_until_drawn()
    assert screen.page.locator(CONTROLS).filter(visible=True).count() < 4
    screen.page.go_back()
    expect(screen.page.get_by_role("button", name=re.compile("^Start the lessons"))).to_be_visible()


def test_with_reduced_motion_a_cover_shows_its_end_and_on_a_phone_the_way_in(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.page.set_viewport_size(NARROW)
    screen.page.goto(f"{screen.server.url}/crp_seating")
    expect(screen.page.locator("figcaption .now").first).to_contain_text("60 customers")
    expect(screen.page.get_by_role("button", name=re.compile("^Start the lessons"))).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("path", ["crp_mixture", "why_sample", "logistic", "gibbs_text", "marginalise", "laplace_line"])
def test_the_main_picture_is_big(screen, path):
    screen.page.goto(f"{screen.server.url}/{path}?t=0")
    screen.page.locator(PICTURE).first.wait_for()
    width, height = size(screen)
    assert width >= 520
    assert height >= 400


def test_a_projector_is_filled(screen):
    screen.page.set_viewport_size(PROJECTOR)
    screen.open("crp_mixture?t=3")
    screen.page.get_by_role("button", name="Display").click()
    screen.page.get_by_text("Present", exact=True).click()
    expect(screen.page.get_by_role("link", name="One coin")).to_be_hidden()
    screen.page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '24px'")
    assert size(screen)[1] >= 0.6 * PROJECTOR["height"]


def test_on_a_phone_the_picture_stays_while_the_question_is_read(screen):
    screen.page.set_viewport_size(NARROW)
    screen.open(QUESTION)
    screen.page.locator(".st-key-question").scroll_into_view_if_needed()
    expect(screen.page.locator(PICTURE).first).to_be_in_viewport(ratio=0.9)
    expect(screen.page.locator(".st-key-question").get_by_role("radiogroup")).to_be_in_viewport()
    screen.page.goto(f"{screen.server.url}/crp_seating?lesson=crp-two-doors&step=change")
    screen.page.get_by_role("button", name="Finish").click()
    expect(screen.heading("What you have seen")).to_be_in_viewport(ratio=1)
    screen.settle()
    assert screen.page.evaluate("document.querySelector('.stMain').scrollTop") == 0


def test_a_run_ends_where_the_step_says(screen):
    screen.open("crp_seating?lesson=crp-rich-get-richer&step=long-run")
    lesson_goal = screen.button("goal")
    until = int(lesson_goal.inner_text().split()[-1])
    lesson_goal.click()
    screen.at(until)
    expect(screen.page.get_by_text(f"Done: customer {until} is reached.")).to_be_visible()
    expect(lesson_goal).to_be_hidden()
