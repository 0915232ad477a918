"""The steps of a lesson: what waits for an answer, where a run ends, and what is done at charts and cards."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import same
from tests.browser.snippets import PLAYER

pytestmark = pytest.mark.browser


def test_a_prediction_locks_the_player_until_it_is_made(screen):
    screen.step_of("crp-seating", "fifth")
    screen.at(4)
    expect(screen.inspector).to_have_count(0)
    before = screen.picture()
    for act in ("first", "back", "play", "step", "last"):
        expect(screen.button(act)).to_be_disabled()
    expect(screen.page.locator("[data-part=scrub]")).to_be_disabled()
    screen.press("ArrowRight", "ArrowLeft", "Home", "End", "Space")
    screen.settle()
    screen.at(4, 12)
    assert same(screen.picture(), before)
    screen.answer("1/4")
    expect(screen.page.get_by_text("That divides by the customers alone.")).to_be_visible()
    screen.rests_at(5)
    assert not same(screen.picture(), before)
    for act in ("first", "back", "play", "step", "last"):
        expect(screen.button(act)).to_be_enabled()
    screen.press("ArrowRight")
    screen.rests_at(6)


def test_charts_that_would_tell_the_answer_wait_for_it(screen):
    screen.follow("crp_mixture?lesson=mixture-story&step=compare")
    shown = screen.page.locator("figure:visible")
    expect(shown).to_have_count(1)
    expect(shown.locator(".now")).to_be_hidden()
    bar = screen.page.get_by_role("slider", name="Border of the bar")
    box = bar.bounding_box()
    bar.click(position={"x": box["width"] * 0.05, "y": box["height"] / 2})  # once it no longer moves
    expect(screen.page.get_by_role("textbox", name="Your guess")).to_have_value(re.compile("^[123]$"))
    expect(screen.page.locator(".divide")).to_contain_text("your guess")
    screen.page.get_by_role("button", name="Check").click()
    expect(shown).to_have_count(2)
    expect(screen.page.locator(".divide")).to_contain_text("answer 2")
    expect(bar).to_be_disabled()
    expect(shown.first.locator(".now")).to_be_visible()


def test_if_all_charts_would_tell_a_sentence_stands_in_their_place(screen):
    screen.follow("why_sample?lesson=why-too-many&step=ways")
    sentence = screen.page.get_by_text("The charts appear once you have answered.")
    sentence.wait_for()
    expect(screen.page.locator("figure:visible")).to_have_count(0)
    screen.answer("6")
    expect(sentence).to_be_hidden()
    expect(screen.page.locator("figure:visible").first).to_be_visible()


def test_a_run_is_done_when_its_end_is_reached_and_next_goes_on(screen):
    screen.step_of("crp-seating", "beats")
    expect(screen.page.get_by_text("Play to customer 4, or press Run to 4.")).to_be_visible()
    screen.press("ArrowRight")
    screen.rests_at(3)
    screen.press("ArrowRight")
    expect(screen.page.get_by_text("Done: customer 4 is reached.")).to_be_visible()
    screen.page.get_by_role("button", name="Next", exact=True).click()
    screen.heading("The fifth customer").wait_for()
    expect(screen.button("step")).to_be_disabled()


@pytest.mark.parametrize("way", ["Space", "End"])
def test_play_and_last_stop_at_the_goal_and_say_so_at_once(screen, way):
    screen.step_of("crp-seating", "beats")
    screen.rests_at(2)
    screen.press("+", "+", way)
    expect(screen.page.get_by_text("Done: customer 4 is reached.")).to_be_visible()
    screen.rests_at(4)
    screen.press("End")  # the goal is reached: now it is the end
    screen.rests_at(12)


def test_a_goal_is_ticked_where_the_film_comes_to_rest_and_stays_so(screen):
    screen.step_of("crp-order", "try")
    screen.at(8)
    goals = screen.page.locator(".st-key-goals")
    expect(goals.get_by_text("check_box", exact=True)).to_have_count(0)
    for t in range(7, 3, -1):
        screen.button("back").click()
        screen.at(t)
    expect(goals.get_by_text("check_box", exact=True)).to_have_count(1)
    screen.button("last").click()
    screen.at(8)
    screen.page.reload()
    screen.at(8)
    expect(goals.get_by_text("check_box", exact=True)).to_have_count(1)


def test_next_twice_in_a_row_does_not_confuse_the_page(screen):
    screen.step_of("crp-seating", "empty")
    screen.page.get_by_role("button", name="Next", exact=True).dblclick()
    screen.page.get_by_role("heading", name=re.compile("The (first|second) customer")).wait_for()
    screen.settle()
    second = screen.heading("The second customer").count()
    assert screen.page.locator(".st-key-text h2").count() == 1
    screen.at(1 if second else 0)
    assert screen.address()["step"] == ("second" if second else "first")
    expect(screen.button("step")).to_be_disabled()


def test_shuffling_changes_the_order_and_not_the_probability(screen):
    screen.step_of("crp-order", "product")
    expect(screen.inspector).to_contain_text("As they came")
    room = screen.picture()
    screen.page.get_by_role("button", name="Shuffle the arrivals").click()
    expect(screen.inspector).to_contain_text("Shuffle 1")
    rows = screen.inspector.locator("table.orders tr")
    expect(rows).to_have_count(2)
    tops = [row.locator(".fraction b").all_inner_texts() for row in rows.all()]
    assert tops[0] != tops[1]
    assert sorted(tops[0]) == sorted(tops[1])
    assert len(set(screen.inspector.locator("td.log b").all_inner_texts())) == 1
    screen.at(8, 8)
    screen.fit()
    above = (picture[: len(room) * 3 // 4] for picture in (screen.picture(), room))  # the bar at the bottom is another
    assert same(*above), "everybody still sits where they sat"
    screen.press("Home", "ArrowRight")
    screen.at(1)
    first = screen.picture()
    screen.page.get_by_role("button", name="As they came").click()
    screen.repainted(first)
    assert "shuffle" not in screen.address()  # as the step has it


def test_a_control_repaints_the_charts(screen):
    screen.open("crp_seating?t=5")
    for name, chart in {"Concentration": 1, "Discount": 1, "Customers": 2}.items():
        before = screen.picture(chart)
        slider = screen.page.get_by_role("slider", name=name)
        slider.focus()
        screen.press("PageUp", "ArrowRight")
        screen.repainted(before, chart)
        expect(screen.page).to_have_url(re.compile(rf"{name.lower()}={float(slider.input_value()):g}(\.0)?&"))
        screen.rests_at(5)


def test_fractions_are_dragged_into_another_order_and_the_product_stays(screen):
    screen.open("crp_seating?customers=8&seed=36&t=8&view=evening")
    fractions = screen.inspector.locator("[data-place]")
    for way in ("pointer", "keys"):
        expect(fractions).to_have_count(8)
        screen.settle()
        last, first = (fractions.nth(number).bounding_box() for number in (7, 0))
        if way == "pointer":
            screen.page.mouse.move(last["x"] + 5, last["y"] + 5)
            screen.page.mouse.down()
            screen.page.mouse.move(first["x"] + 5, first["y"] + 5, steps=3)
            screen.page.mouse.up()
            expect(screen.page).to_have_url(re.compile("arrivals=8.1.2.3.4.5.6.7&"))
        else:
            fractions.nth(7).focus()
            screen.press("ArrowLeft")
            expect(screen.page).to_have_url(re.compile("arrivals=1.2.3.4.5.6.8.7&"))
        expect(screen.inspector).to_contain_text("Your order")
        expect(screen.inspector.locator("[data-person='8']")).to_be_focused()
        assert len(set(screen.inspector.locator("td.log b").all_inner_texts())) == 1
        screen.at(8)
        screen.page.get_by_role("button", name="As they came").click()
        expect(screen.inspector).not_to_contain_text("Your order")


# All that is written and seen, with its size on the screen: in the page and the player, in drawings, and on charts.
# Icons are letters as well, and what is raised or lowered is smaller everywhere.
WRITTEN = f"""() => {{
  const apart = "sub, sup, .katex-mathml, .msupsub, [data-testid=stIconMaterial]";
  const size = (one) => parseFloat(getComputedStyle(one).fontSize) * (one.getScreenCTM?.().a ?? 1);
  const seen = (one) => one.checkVisibility({{ visibilityProperty: true }}) && one.getBoundingClientRect().width > 1;
  const texts = (one) => [...one.childNodes].filter(({{ nodeType, data }}) => nodeType === 3 && data.trim());
  const read = (root) => [...root.querySelectorAll("*")].flatMap((one) => [
    ...(one.closest(apart) || !seen(one) ? [] : texts(one).map(({{ data }}) => [data.trim(), size(one)])),
    ...(one.shadowRoot ? read(one.shadowRoot) : []),
  ]);
  const drawn = ({{ marktype, items }}) => items.flatMap((item) =>
    marktype === "group" ? item.items.flatMap(drawn) : marktype === "text" ? [[`${{item.text}}`, item.fontSize]] : []);
  const charts = {PLAYER}.painter.views.filter(({{ figure }}) => !figure.hidden);
  return [read(document.body), charts.flatMap(({{ view }}) => drawn(view.scenegraph().root))];
}}"""


def test_present_makes_all_type_larger(new_screen):
    screen = new_screen()
    screen.step_of("crp-seating", "beats")
    screen.page.set_viewport_size({"width": 1920, "height": 1080})
    screen.settle()
    room = screen.picture()
    screen.page.get_by_test_id("stPopover").get_by_role("button").click()
    screen.page.get_by_text("Present", exact=True).click()
    screen.page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '24px'")
    screen.repainted(room)
    screen.press("Escape")
    screen.settle()
    page, charts = screen.page.evaluate(WRITTEN)
    words = " ".join(text for text, _ in page)
    assert all(part in words for part in ("Four beats", "customer 2 of", "Table sizes", "Random number"))
    assert len(charts) > 10
    assert not [(text, size) for text, size in page + charts if size < 24]
    for width, height in ((1920, 1080), (1280, 720)):
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.settle()
        assert screen.page.evaluate("document.querySelector('.stMain').scrollWidth") <= width


def test_instructors_notes_appear_on_demand(new_screen):
    screen = new_screen()
    screen.step_of("crp-seating", "empty")
    note = screen.page.get_by_text("Seat five volunteers by hand first")
    expect(note).to_have_count(0)
    screen.page.get_by_test_id("stPopover").get_by_role("button").click()
    screen.page.get_by_text("Instructor's notes").click()
    expect(note).to_be_visible()
