"""The page of blobs in a real Chromium: experiments by a click, rays and blocks, names that change, sizes and axe."""

import re

import pytest
from playwright.sync_api import expect

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.topics.gibbs_blobs.lineups import Round
from tests.browser.driver import same
from tests.browser.topic_page import TopicPage

pytestmark = pytest.mark.browser

HUMPS = "gibbs_blobs?data=two_humps&points=16&number=2&family=known&class_prior=2&blocks=uncollapsed&seed=5"


class LineupPage(TopicPage):
    """A page that opens with one chart, the lineup."""

    charts, counter = 1, "^(step|sweep) {t} of "


@pytest.fixture
def lineups(same_screen):
    return same_screen(LineupPage)


@pytest.fixture
def blobs(same_screen):
    return same_screen(TopicPage)


def test_an_experiment_is_a_click(blobs):
    blobs.open("gibbs_blobs")
    before = blobs.picture()
    experiments = blobs.page.locator("[class*=st-key-gibbs_blobs-experiment]")
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


def pressed(blobs: TopicPage, tile: int) -> None:
    """Press a tile of a lineup, by its number."""
    canvas = blobs.canvas(0)
    box = canvas.bounding_box()
    assert box
    row, column = divmod(tile - 1, 5)
    canvas.click(position={"x": box["width"] * (column + 0.5) / 5, "y": box["height"] * (row + 0.5) / 4})


def test_a_press_on_a_lineup_shows_the_data_and_then_the_draw_of_a_replicate(lineups):
    lineups.open("gibbs_blobs?data=three_blobs&points=20&number=2&shown=lineup&seed=3&t=2")
    lineups.rests_at(2)
    caption = lineups.page.locator("figure").first
    expect(caption).to_contain_text("press the tile")
    settings = GibbsBlobsSettings(data="three_blobs", points=20, number=2, shown="lineup")
    made = Round(settings, 3, 1)
    tile = 3 if made.place != 2 else 4
    pressed(lineups, tile)
    lineups.rests_at(3)
    expect(caption).to_contain_text(f"the data are tile {made.place + 1}")
    pressed(lineups, tile)
    lineups.rests_at(settings.drawn_at(tile - 1 - (tile - 1 > made.place)))
    expect(caption).to_contain_text("Points")
    assert (lineups.address()["seed"], lineups.address()["data_seed"]) == ("4", "2")
