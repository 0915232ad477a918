"""Labels summed out in a real browser: terms, leapfrogs, Gibbs beside, downloads, both themes, a narrow screen, axe."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.topic_page import COLORS_OF, TopicPage

pytestmark = pytest.mark.browser


class Sums(TopicPage):
    """The page of labels that are summed out."""

    def open(self, query: str = "", charts: int = 3) -> None:
        self.charts = charts
        super().open(f"marginalise?{query}")

    def view(self, name: str) -> None:
        self.page.locator(".st-key-views").get_by_text(name, exact=True).click()


@pytest.fixture
def sums(same_screen):
    return same_screen(Sums)


def test_a_run_walks_and_is_opened_term_by_term(sums):
    sums.open("t=0", 4)
    before = sums.picture(0)
    sums.press("ArrowRight")
    expect(sums.now).to_contain_text("iteration 1 of 2000")
    sums.repainted(before)
    expect(sums.inspector).to_contain_text("Follow the gradient")
    sums.level("Term")
    expect(sums.now).to_have_text("at iteration 1, term 0 of 39")
    lit, filled = sums.picture(0), sums.picture(1)
    sums.press("ArrowRight", "ArrowRight")
    expect(sums.inspector).to_contain_text("θ, the weights of the classes")
    sums.repainted(lit, 0)
    sums.repainted(filled, 1)
    table = sums.picture(2)
    sums.press("ArrowRight")
    expect(sums.inspector).to_contain_text("w[1] is “now”")
    sums.repainted(table, 2)
    sums.press("End")
    expect(sums.inspector).to_contain_text("A label is drawn")


def test_an_iteration_is_opened_leapfrog_by_leapfrog_and_goes_on_to_the_next(sums):
    sums.open("model=two+means&step_by=leapfrog&iteration=320&t=0")
    before = sums.picture(0)
    sums.press("ArrowRight")
    expect(sums.inspector).to_contain_text("Half a kick")
    sums.repainted(before)
    sums.press("End")
    expect(sums.now).to_contain_text("a point is chosen")
    expect(sums.inspector).to_contain_text("U-turn")
    sums.button("step").click()
    expect(sums.now).to_contain_text("iteration 321, 0 of")


def test_three_words_are_walked_in_a_triangle(sums):
    sums.open("words=3&step_by=leapfrog&iteration=9&t=0", 4)
    expect(sums.page.locator("figure").nth(1)).to_contain_text("Word probabilities φ")
    before = sums.picture(1)
    sums.press("ArrowRight")
    expect(sums.inspector).to_contain_text("φ = ")
    sums.repainted(before, 1)
    assert sums.canvas(1).evaluate(COLORS_OF) > 3


def test_gibbs_runs_beside(sums):
    sums.open("layout=beside+Gibbs&warmup=50&view=gibbs&t=120", 4)
    expect(sums.now).to_have_text("iteration 120 of 2000")
    expect(sums.inspector.locator("table.race tr")).to_have_count(5)
    assert all(sums.canvas(number).evaluate(COLORS_OF) > 3 for number in range(4))


def test_underflow_is_shown_on_a_line_and_by_choice(sums):
    sums.open("layout=sums&view=gamma&document=2&t=50", 1)
    expect(sums.inspector).not_to_contain_text("−∞")
    sums.page.locator(".st-key-views").get_by_role("combobox").click()
    sums.page.get_by_role("option", name="× 1,000").click()
    expect(sums.inspector).to_contain_text("log 0 = −∞")
    expect(sums.page).to_have_url(re.compile("repeat=1000"))


def test_program_and_data_can_be_taken_along(sums):
    sums.open("variant=prediction&view=program&t=0", 4)
    expect(sums.inspector.locator(".code.moved")).to_have_count(2)
    for label, name in (("Save the program", "prediction.stan"), ("Save its data", "prediction.json")):
        with sums.page.expect_download() as caught:
            sums.inspector.get_by_role("link", name=label).click()
        assert caught.value.suggested_filename == name
        content = caught.value.path().read_text()
    assert json.loads(content)["M2"] == 2


def test_the_view_that_a_step_opens_stays_while_its_run_is_made(sums):
    sums.open("lesson=stan-spot-the-error&step=triangle")
    sums.page.get_by_role("button", name="Next", exact=True).click()
    sums.heading("Error 1").wait_for()
    expect(sums.now).to_contain_text("iteration 1000")
    expect(sums.page.get_by_role("radio", name="Program")).to_be_checked()
    expect(sums.page).to_have_url(re.compile("step=error-1&t=1000$"))


def test_both_themes_and_both_sizes(sums):
    sums.open("step_by=term&iteration=3&t=9")
    light = sums.picture(1)
    sums.page.emulate_media(color_scheme="dark")
    sums.repainted(light, 1)
    assert sums.scrolled_across() == []
