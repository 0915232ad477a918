"""The page of Laplace approximations in a real Chromium: steps, a start that is dragged, both sizes."""

import pytest
from playwright.sync_api import expect

from tests.browser.driver import NARROW, WIDE, same
from tests.browser.topic_page import SCROLLS, TopicPage

pytestmark = pytest.mark.browser


class Line(TopicPage):
    """The topic's page."""

    path, counter, charts = "laplace_line", "^step {t} of 30", 3


@pytest.fixture
def line(same_screen):
    return same_screen(Line)


def test_steps_move_everything_and_go_back(line):
    line.open()
    before = line.pictures()
    line.button("step").click()
    line.rests_at(1)
    expect(line.cards.first).to_contain_text("x = 0.594")
    assert not any(same(*pair) for pair in zip(before, line.pictures(), strict=True))
    line.press("ArrowLeft")
    line.rests_at(0)
    assert all(same(*pair) for pair in zip(before, line.pictures(), strict=True))
    line.press("End")
    line.rests_at(30)
    expect(line.page.locator("figcaption").first).to_contain_text("x = 2 → 2: the mode")
    line.view("All six")
    expect(line.inspector.locator("tr")).to_have_count(8)
    assert line.page.evaluate(SCROLLS) == {"across": 0, "down": 0}
    line.page.set_viewport_size(NARROW)
    line.settle()
    assert line.page.evaluate(SCROLLS)["across"] <= 0
    line.page.set_viewport_size(WIDE)


def test_the_start_is_dragged_along_the_curve(line):
    line.open("laplace_line?t=3")
    line.rests_at(3)
    before = line.pictures()
    box = line.canvas(0).bounding_box()
    middle = box["y"] + box["height"] / 2
    line.page.mouse.move(box["x"] + 0.4 * box["width"], middle)
    line.page.mouse.down()
    line.page.mouse.move(box["x"] + 0.7 * box["width"], middle, steps=4)
    dragged = line.repainted(before[0])  # the parabola rolls along while the pointer is down
    line.repainted(before[1], 1)
    line.page.mouse.up()
    line.rests_at(0)
    line.repainted(dragged)
    start = float(line.address()["start"])
    assert 0.4 < start < 0.8
    expect(line.page.get_by_role("slider", name="Start")).to_have_value(f"{start:g}")
    expect(line.page.locator("figcaption").first).to_contain_text("no density there, not taken")
    expect(line.cards.nth(1)).to_contain_text("The step is not taken")
