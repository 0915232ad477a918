"""Guesses on a chart in a real Chromium: a marker that is dragged, a mark that is clicked, and what comes out."""

import pytest
from playwright.sync_api import expect

from tests.browser.driver import Screen
from tests.browser.snippets import MARK, PLAYER

pytestmark = pytest.mark.browser
PLACE = f"""([axis, value]) => {{
  const {{ guess }} = {PLAYER}, {{ view, canvas }} = guess.charts.find(({{ name }}) => name === guess.asked.chart);
  const {{ left, top }} = canvas.getBoundingClientRect(), [x, y] = view.origin(), room = view.padding();
  const at = view.scale(axis)(value);
  return axis === "x" ? [left + room.left + x + at, top + 60] : [left + 60, top + room.top + y + at];
}}"""


def drawn(screen: Screen, look: str):
    """Return the lines and rings of a guess (``own``) or an outcome."""
    return screen.page.locator(f"svg.guess :is(line, rect).{look}")


def check(screen: Screen) -> None:
    screen.page.get_by_role("button", name="Check").click()


def test_a_marker_is_dragged_to_a_place_and_what_comes_out_is_drawn_beside_it(screen):
    screen.charts = 1
    screen.open("coin?lesson=coin-posterior&step=strong")
    screen.page.mouse.move(*screen.page.evaluate(PLACE, ["x", 0.4]))
    screen.page.mouse.down()
    screen.page.mouse.move(*screen.page.evaluate(PLACE, ["x", 0.5]))
    expect(screen.page.locator("svg.guess text")).to_have_text("your guess 0.5")
    screen.page.mouse.move(*screen.page.evaluate(PLACE, ["x", 0.65]))
    screen.page.mouse.up()
    field = screen.page.get_by_role("textbox", name="Your guess")
    expect(field).to_have_value("0.65")
    field.fill("0.6")
    field.press("Tab")
    expect(screen.page.locator("svg.guess text")).to_have_text("your guess 0.6")
    check(screen)
    expect(screen.page.locator("div.said").first).to_contain_text("You said 0.6, and it is 0.55: 0.05 too high.")
    expect(screen.page.get_by_role("button", name="Next")).to_be_in_viewport(ratio=1)
    expect(screen.page.locator("svg.guess text.outcome")).to_have_text("answer 0.55")  # when the walk is over
    expect(drawn(screen, "own")).to_have_count(1)
    screen.page.reload()
    screen.wait_until_drawn()
    expect(screen.page.locator("svg.guess text.own")).to_have_text("your guess 0.6")
    screen.page.get_by_role("button", name="Next").click()
    expect(drawn(screen, "own")).to_have_count(0)


def test_number_keys_choose_and_enter_checks(screen):
    screen.step_of("crp-rich-get-richer", "another")
    screen.settle()
    screen.press("2")
    expect(screen.page.get_by_role("radio", name="Table 2")).to_be_checked()
    expect(drawn(screen, "own")).to_have_count(1)
    screen.press("Enter")
    expect(screen.page.locator("div.said").first).to_contain_text("Right: Table 2.")
    expect(screen.page.locator("[role=status].unseen")).to_contain_text("Table 2 now seats 153")


def test_a_table_is_clicked_and_the_ring_grows_with_it(screen):
    screen.step_of("crp-rich-get-richer", "another")
    screen.settle()
    screen.page.mouse.click(*screen.page.evaluate(MARK, "3"))
    expect(screen.page.get_by_role("radio", name="Table 3")).to_be_checked()
    width = float(drawn(screen, "own").get_attribute("width"))
    screen.page.get_by_role("radiogroup").get_by_text("Table 2", exact=True).click()
    expect(screen.page.get_by_role("radio", name="Table 2")).to_be_checked()
    expect(drawn(screen, "own")).to_have_count(1)
    check(screen)
    expect(screen.page.locator("div.said").first).to_contain_text("Right: Table 2.")
    screen.at(200)
    expect(drawn(screen, "outcome")).to_have_count(1)
    assert float(drawn(screen, "own").get_attribute("width")) > 2 * width


def test_a_marked_place_is_pressed_and_the_right_one_is_lit(screen):
    screen.charts = 2
    screen.open("logistic?lesson=logistic-by-hand&step=where")
    screen.settle()
    expect(screen.page.locator("svg.guess circle.spot")).to_have_count(3)
    middle = screen.page.locator("svg.guess g.place", has_text="A").bounding_box()
    screen.page.mouse.click(middle["x"] + 20, middle["y"] + 4)
    expect(screen.page.get_by_role("radio", name="In the middle")).to_be_checked()
    check(screen)
    expect(screen.page.locator("div.said").first).to_contain_text("you chose In the middle")
    expect(screen.page.locator("svg.guess circle.outcome")).to_have_count(1)
    expect(screen.page.locator("svg.guess circle.own")).to_have_count(1)
    screen.open("ibp_buffet?lesson=buffet-limit&step=poisson")  # lines, on a chart whose marks wait
    screen.settle()
    expect(screen.page.locator("svg.guess rect.veil")).to_have_count(1)
    expect(screen.page.locator("svg.guess path.spot")).to_have_count(3)
    screen.page.mouse.click(*screen.page.evaluate(PLACE, ["x", 4.9]))
    check(screen)
    expect(screen.page.locator("svg.guess rect.veil")).to_have_count(0)
    expect(screen.page.locator("svg.guess path.outcome")).to_have_count(1)
