"""The player under buttons, keys and the mouse, judged by its pixels."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import Screen, same
from tests.browser.snippets import PLAYER

pytestmark = pytest.mark.browser

TWELVE, SIXTY = "crp_seating?customers=12&seed=19", "crp_seating"
# Counts the different pictures that a canvas shows from one animation frame to the next.
WATCH = """canvas => {
  const seen = window.seen = new Set();
  const watch = () => { seen.add(canvas.toDataURL()); if (window.seen === seen) requestAnimationFrame(watch); };
  watch();
}"""
A_SECOND = f"""() => {{
  const player = {PLAYER};
  player.state = {{ ...player.state, playing: true }};
  for (let tenth = 0; tenth < 10; tenth++) player.do({{ type: "tick", seconds: 0.1 }});
  player.do({{ type: "act", act: "play" }});
}}"""
FAST = f"""ticks => {{
  const player = {PLAYER};
  player.state = {{ ...player.state, playing: true, speed: 60 }};
  for (let tick = 0; tick < ticks; tick++) player.do({{ type: "tick", seconds: 0.05 }});
  player.do({{ type: "act", act: "play" }});
}}"""
SEEN = "() => { const { size } = window.seen; window.seen = null; return size; }"


def shared(path):
    """Make a fixture of a page that tests of this file share: to open one takes longer than most of them."""

    @pytest.fixture(scope="module")
    def opened(context, server):
        screen = Screen(context.new_page(), server)
        screen.page.emulate_media(reduced_motion="no-preference")
        screen.open(path)
        yield screen
        screen.page.close()

    return opened


def at_the_start(screen):
    """Bring a shared page to the front, as it was when it was opened; afterwards, nothing may have gone wrong on it."""
    screen.page.bring_to_front()
    screen.page.locator("[data-part=speed]").select_option("2")
    screen.page.evaluate("document.activeElement.blur()")
    if screen.button("first").is_enabled():
        screen.button("first").click()
    screen.rests_at(0)
    yield screen
    assert not screen.problems


opened_with_twelve, opened_with_sixty = shared(TWELVE), shared(SIXTY)


@pytest.fixture
def twelve(opened_with_twelve):
    yield from at_the_start(opened_with_twelve)


@pytest.fixture
def sixty(opened_with_sixty):
    yield from at_the_start(opened_with_sixty)


@pytest.mark.parametrize("way", ["button", "key"])
def test_step_moves_one_customer(twelve, way):
    for t in (1, 2, 3):
        before = twelve.picture()
        twelve.button("step").click() if way == "button" else twelve.press("ArrowRight")
        twelve.rests_at(t)
        assert not same(twelve.picture(), before)
        assert twelve.address()["t"] == str(t)


def test_every_chart_follows(twelve):
    before = twelve.pictures()
    twelve.press("ArrowRight", "ArrowRight", "ArrowRight")
    twelve.rests_at(3)
    assert not any(same(now, then) for now, then in zip(twelve.pictures(), before, strict=True))


def test_back_shows_exactly_what_was_there(twelve):
    shown = {}
    for t in range(4):
        twelve.rests_at(t)
        shown[t] = twelve.pictures(), twelve.inspector.inner_text()
        twelve.press("ArrowRight")
    twelve.rests_at(4)
    for t in (3, 2, 1, 0):
        twelve.button("back").click() if t % 2 else twelve.press("ArrowLeft")
        twelve.rests_at(t)
        pictures, text = shown[t]
        assert all(same(now, then) for now, then in zip(twelve.pictures(), pictures, strict=True))
        assert twelve.inspector.inner_text() == text


def test_home_and_end_and_their_buttons(twelve):
    twelve.press("End")
    twelve.rests_at(12)
    for act in ("step", "last"):
        expect(twelve.button(act)).to_be_disabled()
    end = twelve.picture()
    twelve.press("Home")
    twelve.rests_at(0)
    for act in ("back", "first"):
        expect(twelve.button(act)).to_be_disabled()
    twelve.button("last").click()
    twelve.rests_at(12)
    assert same(twelve.picture(), end)
    twelve.press("ArrowRight")
    twelve.settle()
    twelve.at(12, 12)
    twelve.button("first").click()
    twelve.rests_at(0)


def test_two_quick_clicks_are_two_steps(twelve):
    twelve.button("step").dblclick()
    twelve.rests_at(2)
    twelve.button("step").click(click_count=3)
    twelve.rests_at(5)
    twelve.settle()
    twelve.rests_at(5)


def test_the_slider_scrubs(sixty):
    before = sixty.picture()
    sixty.page.locator("[data-part=scrub]").fill("42")
    sixty.rests_at(42)
    assert not same(sixty.picture(), before)
    sixty.page.locator("[data-part=scrub]").focus()
    sixty.press("ArrowLeft")
    sixty.rests_at(41)


def test_play_goes_to_the_end_and_stops(sixty):
    sixty.page.locator("[data-part=speed]").select_option("60")
    sixty.button("play").click()
    expect(sixty.button("play")).to_have_attribute("aria-label", re.compile("^Pause"))
    sixty.rests_at(60)
    expect(sixty.button("play")).to_have_attribute("aria-label", re.compile("^Play"))
    end = sixty.picture()
    sixty.settle()
    assert same(sixty.picture(), end)
    assert not sixty.page.locator("html[data-playing]").count()
    sixty.press("Space")  # once more from the beginning
    sixty.page.wait_for_function("() => document.documentElement.hasAttribute('data-playing')")
    sixty.rests_at(60)


def test_space_plays_and_pauses(sixty):
    sixty.press("+", "+", "Space")
    sixty.passes(5)
    sixty.press("Space")
    expect(sixty.button("play")).to_have_attribute("aria-label", re.compile("^Play"))
    t = int(sixty.now.inner_text().split()[1])
    assert 5 <= t < 60
    sixty.rests_at(t)
    still = sixty.picture()
    sixty.settle()
    assert same(sixty.picture(), still)


@pytest.mark.parametrize("ticks", [2, 3])
def test_every_chart_shows_where_a_fast_film_was_paused(twelve, ticks):
    """While it plays, the charts beside the main picture are painted in turn."""
    twelve.page.evaluate(FAST, ticks)
    twelve.rests_at(3 * ticks)
    paused = twelve.pictures()
    twelve.press("ArrowLeft", "ArrowRight")
    twelve.rests_at(3 * ticks)
    assert all(same(now, then) for now, then in zip(twelve.pictures(), paused, strict=True))


def test_plus_and_minus_and_the_list_set_the_speed(sixty):
    speed = sixty.page.locator("[data-part=speed]")
    expect(speed).to_have_value("2")
    sixty.press("+")
    expect(speed).to_have_value("5")
    sixty.press("-", "-")
    expect(speed).to_have_value("1")
    sixty.press("-", "-", "-")
    expect(speed).to_have_value("0.5")
    sixty.press(*"++++++++")
    expect(speed).to_have_value("60")
    speed.select_option("15")
    sixty.page.evaluate(f"() => {PLAYER}.settle(15)")  # its frames are there, or the second would pass without them
    sixty.rests_at(15)
    sixty.press("Home")
    sixty.rests_at(0)
    sixty.page.evaluate(A_SECOND)
    sixty.rests_at(15)


def test_a_pause_in_the_middle_of_a_walk_keeps_the_picture(twelve):
    twelve.press("-", "-")
    standing = twelve.picture()
    twelve.button("play").click()
    walking = twelve.repainted(standing)
    twelve.repainted(walking)
    twelve.button("play").click()
    expect(twelve.button("play")).to_have_attribute("aria-label", re.compile("^Play"))
    paused = twelve.picture()
    twelve.settle()
    assert same(twelve.picture(), paused)
    twelve.at(0, 12)
    assert not same(paused, standing)
    assert not same(paused, walking)
    twelve.button("play").click()
    twelve.repainted(paused)
    twelve.at(1, 12)
    twelve.button("play").click()
    twelve.press("ArrowRight")
    twelve.settle()
    assert not same(twelve.picture(), paused)


def test_customers_walk(twelve):
    twelve.canvas(0).evaluate(WATCH)
    twelve.press("ArrowRight")
    twelve.rests_at(1)
    assert twelve.page.evaluate(SEEN) > 5


def test_with_reduced_motion_nothing_moves_in_between(screen):
    screen.page.emulate_media(reduced_motion="reduce")
    screen.open(TWELVE)
    screen.canvas(0).evaluate(WATCH)
    screen.press("ArrowRight")
    screen.rests_at(1)
    assert screen.page.evaluate(SEEN) == 2
    screen.canvas(0).evaluate(WATCH)
    screen.press("Space")
    screen.passes(3)
    screen.press("Space")
    screen.settle()
    assert screen.page.evaluate(SEEN) == int(screen.address()["t"])  # one for each customer from the first on


def test_a_long_film_is_fetched_while_it_plays(screen):
    screen.open("crp_seating?customers=500&concentration=5")
    screen.press("End")
    screen.rests_at(500)
    screen.press("Home")
    screen.rests_at(0)
    screen.page.locator("[data-part=speed]").select_option("60")
    screen.press("Space")
    screen.passes(260)  # more than the first message holds
    screen.press("Space")


def test_keys_meant_for_others_are_left_to_them(twelve):
    twelve.page.get_by_role("textbox", name="Seed").click()
    twelve.press("ArrowRight", "Home", "End")
    twelve.page.get_by_role("slider", name="Concentration").focus()
    twelve.press("Home")
    twelve.settle()
    twelve.at(0, 12)
    twelve.page.locator("[data-part=speed]").focus()
    twelve.press("End")
    twelve.settle()
    twelve.at(0, 12)
    expect(twelve.page.locator("[data-part=speed]")).to_have_value("60")


def test_space_plays_after_a_click_on_next_and_presses_it_after_a_tab(screen):
    screen.step_of("crp-seating", "beats")
    following = screen.page.get_by_role("button", name="Next", exact=True)
    screen.page.get_by_role("button", name="Back", exact=True).click()
    screen.heading("The second customer").wait_for()
    screen.settle()
    following.click()
    screen.heading("Four beats").wait_for()
    screen.settle()
    screen.press("Space")
    screen.at(4)
    screen.heading("Four beats").wait_for()
    screen.settle()
    screen.press("Tab")
    following.focus()
    screen.press("Space")
    screen.heading("The fifth customer").wait_for()


def test_one_key_of_a_dial_keeps_an_iteration_whose_frames_are_far(screen):
    screen.charts = 2
    screen.open("why_sample?method=chain&t=2000")
    dial, before = screen.page.get_by_role("slider", name="Point 3"), screen.page.url
    dial.press("ArrowRight")
    screen.page.wait_for_url(lambda url: url != before)
    screen.settle()
    expect(screen.now).to_have_text("update 2000 of 2000")
    assert screen.address()["t"] == "2000"


def test_the_link_button_says_that_it_copied(twelve):
    twelve.button("link").click()
    expect(twelve.button("link")).to_have_text(re.compile("Copied|See the address bar"))
    expect(twelve.button("link")).to_have_text("")


def test_a_film_that_takes_long_has_its_frame_on_the_stage(new_screen):
    screen = new_screen()
    screen.page.route("**/film?*", lambda _: None)  # it waits
    screen.page.goto(f"{screen.server.url}/crp_seating?lesson=crp-seating")
    expect(screen.now).to_have_text("Making the first frames")
    frame = screen.page.locator(".frame")
    expect(frame).to_be_visible()
    assert frame.locator("span").all_inner_texts() == ["Room"]
    cards, before = screen.inspector, screen.inspector.bounding_box()
    screen.page.unroute("**/film?*")  # and goes on
    expect(screen.canvas(0)).to_be_visible()
    expect(frame).to_be_hidden()
    after = cards.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 60, "the cards have kept their place"
