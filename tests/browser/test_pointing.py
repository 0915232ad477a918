"""Picture, cards and a lesson's words point at each other; what a question withholds is in no picture."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.driver import Screen, same
from tests.browser.snippets import PLAYER

pytestmark = pytest.mark.browser

ITEMS = f"""(mark) => {{
  const [{{ view, figure }}] = {PLAYER}.painter.views;
  const {{ left, top }} = figure.querySelector("canvas").getBoundingClientRect();
  const [x, y] = view.origin(), padding = view.padding(), middle = (a, b) => (a + b) / 2;
  const each = (one) => (one.items ? one.items.flatMap(each) : [one]);
  return each(view.scenegraph().root).filter(({{ datum }}) => datum?.mark === mark).map((one) => ({{
    kind: one.mark.marktype,
    x: left + padding.left + x + middle(one.bounds.x1, one.bounds.x2),
    y: top + padding.top + y + middle(one.bounds.y1, one.bounds.y2),
  }}));
}}"""


def items(screen: Screen, mark: str) -> list[dict]:
    """Return the items of the first chart that are a mark, with their kinds and their middles on the page."""
    return screen.page.evaluate(ITEMS, mark)


def is_lit(element: Locator, lit: bool = True) -> None:
    (expect(element).to_have_css if lit else expect(element).not_to_have_css)("outline-color", "rgb(176, 124, 0)")


def test_a_number_on_a_card_lights_its_mark_and_a_mark_its_numbers(screen):
    screen.open("crp_seating?customers=20&t=9&seed=3&concentration=2")
    row = screen.inspector.locator("tr[data-mark=table-1]")
    dark = screen.picture()
    row.hover()
    is_lit(row)
    lit = screen.repainted(dark)
    screen.page.mouse.move(5, 400)
    assert same(screen.repainted(lit), dark)
    is_lit(row, False)
    row.focus()
    assert same(screen.repainted(dark), lit)
    screen.inspector.locator("tr[data-mark=new]").focus()
    is_lit(row, False)
    (part,) = [item for item in items(screen, "table-1") if item["kind"] == "rect"]
    screen.page.mouse.move(part["x"] + 20, part["y"])
    is_lit(row)
    (customer, *_) = items(screen, "customer-9")
    screen.page.mouse.move(customer["x"], customer["y"])
    is_lit(screen.inspector.locator("[data-mark=customer-9]"))


def test_words_point_and_lead_nowhere(screen):
    screen.step_of("crp-seating", "second")
    words = screen.page.locator("a[href='#mark:table-1']")
    address, dark = screen.page.url, screen.picture()
    words.focus()
    is_lit(words)
    lit = screen.repainted(dark)
    words.click()
    assert screen.page.url == address
    assert not same(lit, dark)


def test_the_bar_comes_with_the_answer(screen):
    screen.step_of("crp-seating", "fifth")
    bar = [item for item in items(screen, "table-1") if item["kind"] == "rect"]
    assert items(screen, "table-1")
    assert bar == []
    screen.page.get_by_text("1/5", exact=True).click()
    screen.page.get_by_role("button", name="Check").click()
    screen.rests_at(5)
    assert [item for item in items(screen, "table-1") if item["kind"] == "rect"]


def click(screen: Screen, mark: str) -> None:
    (item, *_) = items(screen, mark)
    screen.page.mouse.click(item["x"], item["y"])


def test_a_click_on_a_mark_opens_it_and_one_on_a_trace_goes_there(screen):
    screen.open("crp_seating?customers=30&t=20&seed=3")
    click(screen, "customer-9")
    screen.rests_at(9)
    trace = screen.canvas(1)
    box = trace.bounding_box()
    trace.click(position={"x": 0.9 * box["width"], "y": box["height"] / 3})
    expect(screen.now).to_have_text(re.compile("customer 2[5-9] of 30"))
    screen.open("crp_mixture?data=three_points&seed=3&t=5")
    click(screen, "point-2")
    expect(screen.now).to_have_text("sweep 5 · point 2 · forget")
    expect(screen.inspector).to_contain_text("Point 2 is lifted out")


def test_what_a_lesson_locks_is_not_opened(screen):
    screen.step_of("crp-seating", "second")
    screen.wait_until_drawn()
    screen.settle()
    at = screen.address()
    click(screen, "customer-1")
    screen.settle()
    assert screen.address() == at
