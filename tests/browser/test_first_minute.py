"""A newcomer meets covers that play, one big picture, few controls, and a run that ends at its goal."""

import re
from collections import Counter

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driver import NARROW, WIDE, Screen, Server

pytestmark = pytest.mark.browser

PROJECTOR = {"width": 1920, "height": 1080}
PICTURE = ".main figure:not([hidden]) .canvas canvas"
QUESTION = "crp_mixture?lesson=mixture-one-update&step=score"
CONTROLS = ".st-key-settings :is(.stSlider, .stSelectbox, .stTextInput)"


def size(screen: Screen) -> tuple[float, float]:
    """Return width and height of the main picture."""
    screen.settle()
    box = screen.page.locator(PICTURE).first.bounding_box()
    assert box
    return box["width"], box["height"]


@pytest.mark.motion
@pytest.mark.parametrize("path", ["gibbs_text", "crp_seating"])
def test_a_cover_plays_by_itself_and_leads_on_and_back(screen, path):
    screen.follow(path)
    screen.page.locator(PICTURE).first.wait_for()
    screen.repainted(screen.picture())
    screen.page.get_by_role("button", name="Play freely").click()
    screen.wait_until_drawn()
    assert screen.page.locator(CONTROLS).filter(visible=True).count() < 5
    screen.page.go_back()
    expect(screen.page.get_by_role("button", name=re.compile("^Start the lessons"))).to_be_visible()


@pytest.mark.motion
def test_the_first_prediction_is_made_on_the_map(screen):
    """After three presses and a few words; the answer is the exact one for these very tosses."""
    screen.open()
    coin, discs = screen.page.get_by_role("button", name="Toss the coin"), screen.page.locator(".toss li")
    said, guess = screen.page.locator(".toss p"), screen.page.locator(".toss input")
    words = 0
    for number in (1, 2, 3):
        words += len(re.findall(r"\w+", said.inner_text()))
        expect(guess).to_be_hidden()
        coin.click()
        expect(discs).to_have_count(number)
        expect(said).to_contain_text("stretched back to area 1")
    assert words <= 30
    guess.fill("0.5")
    heads = screen.page.locator(".toss li.heads").count()
    expect(said).to_contain_text(f"{heads + 1}/5 = {(heads + 1) / 5:.2f}, the mean of the curve")
    expect(screen.page.locator(".toss").get_by_text("your guess")).to_be_visible()
    screen.page.get_by_role("button", name="Toss 20 more").click()
    expect(said).to_contain_text("with probability 0.9")
    expect(screen.page.locator(".toss").get_by_text("your guess")).to_be_hidden()
    heads, tails = map(int, re.findall(r"\d+", said.inner_text())[:2])
    assert heads + tails == 23
    expect(screen.page.locator(".toss").get_by_text("its θ")).to_be_hidden()
    screen.page.get_by_role("button", name="Show the coin’s own θ").click()
    expect(said).to_contain_text("The coin has θ = ")
    expect(screen.page.locator(".toss").get_by_text("its θ")).to_be_visible()
    screen.page.get_by_role("link", name="Go on with this coin").click()  # the lesson's coin, which has twenty tosses
    expect(screen.page.get_by_text("toss 20 of 20")).to_be_visible()


def test_a_card_is_a_link_as_a_whole(screen):
    screen.open()
    card = screen.page.locator(".st-key-card-crp_seating")
    card.get_by_role("link").wait_for()
    card.locator(".thumbnail").click(force=True)  # the link lies over it
    screen.heading("Chinese restaurant").wait_for()


def test_with_reduced_motion_a_cover_shows_its_end_and_on_a_phone_the_way_in(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.page.set_viewport_size(NARROW)
    screen.follow("crp_seating")
    expect(screen.page.locator("figcaption .now").first).to_contain_text("60 customers")
    expect(screen.page.get_by_role("button", name=re.compile("^Start the lessons"))).to_be_in_viewport(ratio=1)


def test_the_main_picture_is_big(screen):
    for topic in ("crp_mixture", "why_sample", "logistic", "gibbs_text", "marginalise", "laplace_line"):
        screen.go(f"{topic}?t=0")
        width, height = size(screen)
        assert width >= 520, topic
        assert height >= 400, topic


def test_a_projector_is_filled(new_screen):
    screen = new_screen()
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
    screen.follow("crp_seating?lesson=crp-two-doors&step=change")
    screen.page.get_by_role("button", name="Finish").click()
    screen.settle()
    expect(screen.heading("What you have seen")).to_be_in_viewport(ratio=1)


def test_a_run_ends_where_the_step_says(screen):
    screen.open("crp_seating?lesson=crp-rich-get-richer&step=long-run")
    lesson_goal = screen.button("goal")
    until = int(lesson_goal.inner_text().split()[-1])
    lesson_goal.click()
    screen.at(until)
    expect(screen.page.get_by_text(f"Done: customer {until} is reached.")).to_be_visible()
    expect(lesson_goal).to_be_hidden()


@pytest.mark.parametrize(
    # All but 40 requests are for Streamlit’s code and fonts; more for more kinds of controls. Formulas take 120 kB,
    # and the italic face of a lesson 138 kB.
    ("page", "requests", "most"),
    [
        ("draws?seed=7", 155, 1_300_000),
        ("crp_seating?t=0", 160, 1_400_000),
        ("crp_seating?lesson=crp-seating", 150, 1_470_000),
    ],
)
def test_a_first_visit_moves_few_bytes(browser: Browser, server: Server, page: str, requests: int, most: int):
    """On the connection of a phone each megabyte takes seconds, and this one has to come before anything is drawn."""
    context = browser.new_context(viewport=WIDE)
    screen = Screen(context.new_page(), server)
    network, sizes, asked = context.new_cdp_session(screen.page), [], Counter()
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    screen.page.on("request", lambda request: asked.update([request.url]))
    screen.go(page)
    context.close()
    assert not screen.problems
    moved = [size for size in sizes if size]
    assert 1_000_000 < sum(moved) <= most
    assert [url for url, many in asked.items() if many > 1] == []
    assert len(moved) <= requests
