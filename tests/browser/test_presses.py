"""Every press counts: right after a guess or a step, while a film plays, after a class has moved; by mouse, by finger.

PRESSES=20 presses twenty times each, in a class ten times; a test run goes through each case once or twice.
"""

import os
import re
from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.driver import WIDE, Screen, Server
from tests.browser.snippets import MARK, UNPAINTED

pytestmark = pytest.mark.browser
TIMES = int(os.environ.get("PRESSES", 2))
CHECKED = "crp_seating?lesson=crp-rich-get-richer&step=another"
STEPPED = "crp_seating?lesson=crp-rich-get-richer&step=long-run"


@pytest.fixture(scope="module")
def opened(browser: Browser, server: Server) -> Iterator[list[Screen]]:
    """Open two screens that can be touched. A new browser has to compile the page, which takes longer than a press."""
    contexts = [browser.new_context(viewport=WIDE, has_touch=True, color_scheme="light") for _ in range(2)]
    for context in contexts:
        context.add_init_script(UNPAINTED)
    yield [Screen(context.new_page(), server) for context in contexts]
    for context in contexts:
        context.close()


@pytest.fixture
def screens(opened: list[Screen]) -> Iterator[list[Screen]]:
    """Give both screens, and fail if anything went wrong on one."""
    yield opened
    assert not [problem for screen in opened for problem in screen.problems]


def middle(place: Locator) -> tuple[float, float]:
    """Return where on the screen something is."""
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def press(screen: Screen, by: str, *places: tuple[float, float]) -> None:
    """Press at places one right after the other, whatever is there: nobody looks whether a button can be pressed."""
    for place in places:
        (screen.page.mouse.click if by == "mouse" else screen.page.touchscreen.tap)(*place)


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_check_right_after_a_guess(screens, by):
    screen, _ = screens
    for _ in range(TIMES):
        screen.open(CHECKED)
        press(screen, by, screen.page.evaluate(MARK, "3"), middle(screen.page.locator(".st-key-check button")))
        expect(screen.page.locator("div.said").first).to_contain_text("It is Table 2; you chose Table 3.")
        screen.leave()


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_next_right_after_a_step_and_while_the_film_plays(screens, by):
    screen, _ = screens
    screen.open(STEPPED)
    for number in range(TIMES):
        following = middle(screen.page.locator(".st-key-next button"))
        press(screen, by, middle(screen.button("play" if number % 2 else "step")), following)
        screen.heading("Another evening").wait_for()
        screen.page.locator(".st-key-back button").click()
        screen.heading("Early luck").wait_for()
        screen.settle()


def of_the_class(screen: Screen, name: str) -> Locator:
    return screen.page.locator("#samplescope-class .dock").get_by_role("button", name=name, exact=True)


def test_in_a_class_presses_of_both_sides_right_after_it_has_moved_and_while_it_plays(screens):
    lead, learner = screens
    lead.open(STEPPED)
    lead.page.get_by_role("button", name="Display").click()
    lead.page.get_by_role("button", name="Lead a class").click()
    lead.page.get_by_role("button", name="Open a class").click()
    lead.page.get_by_role("dialog", name="Join the class").get_by_role("button", name="Close").click()
    panel, mine = (screen.page.locator("#samplescope-class .dock") for screen in screens)
    learner.page.goto(f"{learner.server.url}/?room={panel.locator('.code').inner_text()}")
    learner.page.get_by_role("button", name="Join", exact=True).click()
    learner.at(15)
    learner.wait_until_drawn()
    panel.get_by_text("Ask something else").click()
    panel.get_by_label("Your question").fill("Which?")
    panel.get_by_label("Choices, one a line").fill("This\nThat")
    of_the_class(lead, "Ask it").click()
    said = mine.locator(".said")
    for case, (plays, by) in enumerate(product((False, True), ("mouse", "finger"))):
        lead.button("first").click()  # or the film ends in the middle of it
        lead.at(0)
        learner.at(0)
        for number in range(case, case + max(1, TIMES // 2)):  # each presses another choice than the one before
            at = int(lead.address().get("t", 0))
            pause, on = middle(of_the_class(lead, "Pause")), lead.button("play" if plays else "step")
            press(lead, by, middle(on), pause)  # what is pressed right after a step, or while it plays
            of_the_class(lead, "Go on").wait_for()
            expect(said).to_have_text("paused: look up")
            press(lead, by, pause)
            expect(said).to_have_text("following")
            learner.passes(at + 1)
            choice = mine.get_by_role("radio", name=("This", "That")[number % 2])
            press(learner, by, middle(choice), middle(mine.locator("button[type=submit].primary")))
            expect(choice).to_be_checked()
            expect(mine.locator(".status")).to_contain_text("Your answer is in")
            press(learner, by, middle(of_the_class(learner, "Explore")))
            expect(said).to_have_text("exploring")
            if plays:
                lead.button("play").click()
            lead.page.wait_for_url(re.compile(r"[?&]t=\d+$"))
            press(learner, by, middle(of_the_class(learner, "Back to the class")))
            expect(said).to_have_text("following")
            lead.settle()
            learner.settle()
