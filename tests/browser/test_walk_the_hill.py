"""The plane to walk on in a real Chromium: a path that is drawn as it is made, and a puck that is thrown by hand."""

import pytest
from playwright.sync_api import expect

from tests.browser.driver import NARROW, same
from tests.browser.topic_page import SCROLLS, TopicPage

pytestmark = pytest.mark.browser


class Plane(TopicPage):
    """The topic's page."""

    path, counter, charts = "walk_the_hill", "^iteration {t} of 2000", 2


@pytest.fixture
def plane(same_screen):
    return same_screen(Plane)


@pytest.mark.motion
def test_a_path_is_drawn_while_a_step_lasts_and_is_the_same_when_one_comes_back(plane):
    plane.open("walk_the_hill?t=4")
    plane.rests_at(4)
    before = plane.picture(0)
    plane.button("step").click()
    on_the_way = plane.repainted(before)
    plane.rests_at(5)
    plane.repainted(on_the_way)
    expect(plane.cards.nth(1)).to_contain_text("10 leapfrog steps")
    after = plane.pictures()
    plane.press("ArrowLeft")
    plane.rests_at(4)
    assert same(before, plane.picture(0))
    plane.press("ArrowRight")
    plane.rests_at(5)
    assert all(same(*pair) for pair in zip(after, plane.pictures(), strict=True))
    plane.page.set_viewport_size(NARROW)
    plane.settle()
    assert plane.page.evaluate(SCROLLS)["across"] <= 0


def test_the_puck_is_thrown_by_its_arrow(plane):
    plane.open("walk_the_hill?method=hand&target=ring&t=10")
    expect(plane.now).to_have_text("leapfrog step 10 of 10")
    before = plane.pictures()
    box = plane.canvas(0).bounding_box()
    place = {"x": box["x"] + 0.3 * box["width"], "y": box["y"] + 0.5 * box["height"]}
    plane.page.mouse.move(**place)
    plane.page.mouse.down()
    plane.page.mouse.move(place["x"] + 60, place["y"] + 30, steps=4)
    plane.repainted(before[1], 1)  # the path follows while the pointer is down: its energy is another one
    plane.page.mouse.up()
    plane.settle()
    address = plane.address()
    assert float(address["start_x"]) != 0.25
    assert "push_x" not in address, "the default, 1"
    assert "push_y" not in address, "the default, 0.5"
    expect(plane.inspector).to_contain_text("If the path ended here")
