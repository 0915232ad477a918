"""The page of generative classification in a real Chromium: the story, a query that is dragged, strips, both sizes."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import same
from tests.browser.topic_page import TopicPage

pytestmark = pytest.mark.browser


class Generative(TopicPage):
    """The topic's page."""

    path, counter, charts = "generative?view=step", "^{t} of 40 examples", 3


@pytest.fixture
def page(same_screen):
    return same_screen(Generative)


def test_examples_arrive_and_the_query_is_dragged(page):
    page.open("generative?view=query&t=12")
    page.rests_at(12)
    before = page.pictures()
    page.button("step").click()
    page.rests_at(13)
    assert not any(same(*pair) for pair in zip(before, page.pictures(), strict=True))
    expect(page.page.locator("figcaption").nth(1)).to_contain_text("/ (2 + 13)")
    box = page.canvas(0).bounding_box()
    page.page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"])
    page.page.mouse.down()
    page.page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.7 * box["height"], steps=4)
    page.page.mouse.up()
    page.rests_at(13)
    expect(page.page).to_have_url(re.compile(r"query_1=-.*query_2=-"))
    page.settle()
    asked = page.address()
    expect(page.inspector).to_contain_text(f"x₁ = {float(asked['query_1']):.2f}".replace("-", "−"))
    page.page.get_by_role("button", name="without x₁").click()
    expect(page.inspector).to_contain_text("Left out of the product: x₁.")
    assert page.scrolled_across() == []


def test_a_strip_that_is_pressed_moves_one_feature(page):
    page.open("generative?data=mixed&view=query&t=20")
    page.rests_at(20)
    box = page.canvas(0).bounding_box()
    page.page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 0.3 * box["height"])
    expect(page.inspector).to_contain_text("link = yes")
