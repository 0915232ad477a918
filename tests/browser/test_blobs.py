"""The page of blobs in a real Chromium: experiments by a click, rays and blocks, names that change, sizes and axe."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import same
from tests.browser.topic_page import TopicPage

pytestmark = pytest.mark.browser

HUMPS = "gibbs_blobs?data=two_humps&points=16&number=2&family=known&class_prior=2&blocks=uncollapsed&seed=5"


@pytest.fixture
def blobs(same_screen):
    return same_screen(TopicPage)


def test_an_experiment_is_a_click(blobs):
    blobs.open("gibbs_blobs")
    before = blobs.picture()
    experiments = blobs.page.locator(".st-key-experiment")
    experiments.get_by_text("Multinomial, K = 2", exact=True).click()
    before = blobs.repainted(before)
    blobs.press("ArrowRight")
    blobs.rests_at(1)
    blobs.view("Components")
    sizes = blobs.inspector.locator("table.list tr td:nth-child(2)")
    expect(sizes).to_have_text(["119", "1"])
    experiments.get_by_text("CRP", exact=True).click()
    expect(blobs.page.locator("figure").nth(1)).to_contain_text("Number of components so far")
    blobs.repainted(before)
    blobs.rests_at(0)


def test_blocks_have_four_beats_of_their_own(blobs):
    blobs.open(f"{HUMPS}&step_by=update&sweep=3&t=67")
    blobs.press("ArrowRight")
    expect(blobs.now).to_have_text(re.compile("sweep 3 · π +· remember"))
    expect(blobs.cards.last).to_contain_text("The weights π are now")
    for number, beat in enumerate(("forget", "score", "sample", "remember"), 1):
        blobs.press("ArrowRight")
        expect(blobs.now).to_have_text(re.compile(f"sweep 3 · θ +· {beat}"))
        expect(blobs.inspector.get_by_text("Not yet.")).to_have_count(4 - number)
    expect(blobs.cards.first).to_contain_text("The old parameters θ are forgotten")


def test_names_change_the_means_and_nothing_else(blobs):
    blobs.open(f"{HUMPS}&t=300&view=switching")
    blobs.rests_at(300)
    expect(blobs.inspector).to_contain_text("Whatever the names")
    tables = blobs.inspector.locator("table.list")
    blobs.unfold("A second chain, and names")
    blobs.settle()
    blobs.fit()  # Vega repaints a part at a time, and may leave a speck of what was there
    before = [blobs.picture(number) for number in range(3)], [tables.nth(i).inner_text() for i in range(2)]
    relabel = blobs.page.get_by_role("combobox", name="Relabel")
    relabel.scroll_into_view_if_needed()  # a list closes when what is under it scrolls
    blobs.settle()
    relabel.click()
    blobs.page.get_by_role("option", name="By mean", exact=True).click()
    expect(blobs.page).to_have_url(re.compile("relabel=by\\+mean"))
    expect(tables.nth(0)).not_to_have_text(before[1][0])
    assert tables.nth(1).inner_text() == before[1][1]
    blobs.repainted(before[0][1], 1)
    blobs.fit()
    assert same(blobs.picture(2), before[0][2]), "the log joint"


def test_another_model_stands_beside_on_the_same_points(blobs):
    blobs.open("gibbs_blobs?components=multinomial&number=3&second=gaussian&seed=5&t=20")
    titles = blobs.page.locator("figcaption b")
    expect(titles.nth(0)).to_have_text("Multinomial components")
    expect(titles.nth(1)).to_have_text("Gaussian components")
    blobs.settle()
    assert not same(blobs.picture(0), blobs.picture(1))
    assert blobs.scrolled_across() == []
