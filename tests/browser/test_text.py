"""The page of messages in a real Chromium: sweeps, beats, hands that pick messages and drag the burn-in, own files."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import same
from tests.browser.snippets import PLAYER
from tests.browser.topic_page import TopicPage

pytestmark = pytest.mark.browser

SIX = "gibbs_text?data=six_messages"
STATISTICS = f"{SIX}&layout=statistics&chains=2&t=60&view=statistics&known_labels=2"
ROWS, WORDS, ALL, TRACE = range(4)
SCROLLED = "document.querySelector('.stMain').scrollTop"


class Messages(TopicPage):
    """The topic's page."""

    path = SIX

    def drag(self, number: int, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press, move and release on a chart; places are shares of its width and height."""
        box = self.canvas(number).bounding_box()
        places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        self.page.mouse.move(*places[1], steps=5)

    def click(self, number: int, x: float, y: float) -> None:
        box = self.canvas(number).bounding_box()
        self.page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


@pytest.fixture
def messages(same_screen):
    return same_screen(Messages)


def test_a_sweep_and_its_beats(messages):
    messages.open(f"{SIX}&seed=3")
    before = messages.pictures()
    messages.button("step").click()
    messages.rests_at(1)
    assert not any(same(*pair) for pair in zip(before, messages.pictures(), strict=True))
    expect(messages.cards).to_have_count(4)
    expect(messages.cards.nth(1)).to_contain_text("log ratio of 1 to 2")
    messages.level("Beat")
    expect(messages.now).to_have_text("sweep 1 · message 1 · forget")
    for number, beat in enumerate(("score", "sample", "remember"), 2):
        messages.press("ArrowRight")
        expect(messages.now).to_have_text(f"sweep 1 · message 1 · {beat}")
        expect(messages.inspector.get_by_text("Not yet.")).to_have_count(4 - number)
    messages.press("End")
    expect(messages.now).to_have_text("sweep 1 · words · remember")
    expect(messages.cards.last).to_contain_text("next sweep are scored with these")
    messages.press("ArrowRight")
    expect(messages.page).to_have_url(re.compile("sweep=2&.*&t=0$"))
    messages.level("Sweep")
    messages.rests_at(1)


def test_a_message_is_opened_by_its_row_its_cell_and_its_number(messages):
    messages.open("gibbs_text?t=3&view=text")
    expect(messages.inspector).to_contain_text("Message 1, now in class")
    messages.click(ROWS, 0.3, 0.5)
    expect(messages.page).to_have_url(re.compile("document=8&"))
    expect(messages.inspector).to_contain_text("Message 8, now in class")
    expect(messages.inspector.locator(".tint").first).to_be_visible()
    before = messages.picture(ROWS)
    messages.click(ALL, 0.85, 0.6)
    expect(messages.page).to_have_url(re.compile(r"document=(1[7-9]|[2-9]\d|1\d\d|2\d\d)&"))
    opened = int(messages.address()["document"])
    assert opened > 16
    expect(messages.inspector).to_contain_text(f"Message {opened}, now in class")
    messages.repainted(before)
    box = messages.page.get_by_role("textbox", name="Message")
    box.fill("254")
    box.press("Enter")
    expect(messages.inspector).to_contain_text("Message 254, now in class")
    messages.page.wait_for_function(f"{PLAYER}.painter.params.scrolled === 238")


def test_a_list_scrolls_and_follows_the_message_under_way(messages):
    messages.open("gibbs_text?t=3")
    first, at = messages.picture(ROWS), messages.canvas(ROWS).bounding_box()
    messages.page.mouse.move(at["x"] + 0.3 * at["width"], at["y"] + 0.5 * at["height"])
    messages.page.mouse.wheel(0, 300)
    further = messages.repainted(first)
    assert messages.page.evaluate(SCROLLED) == 0
    messages.page.mouse.wheel(0, 99_999)
    messages.repainted(further)
    messages.page.wait_for_function(f"{PLAYER}.painter.params.scrolled === 238")
    messages.page.mouse.wheel(0, 300)  # at its end it lets the page go on
    messages.page.wait_for_function(f"{SCROLLED} > 0")
    messages.click(ROWS, 0.3, 0.5)
    expect(messages.page).to_have_url(re.compile("document=246&"))
    messages.page.get_by_role("group", name="Messages: a list that scrolls").press("PageUp")
    messages.page.wait_for_function(f"{PLAYER}.painter.params.scrolled < 238")
    messages.level("Beat")
    expect(messages.now).to_contain_text("message 246")
    messages.page.locator("[data-part=scrub]").fill("300")
    messages.page.wait_for_function(
        f"{PLAYER}.painter.params.current === 74 && {PLAYER}.painter.params.scrolled === 72"
    )


def test_the_burn_in_is_dragged_and_all_follows(messages):
    messages.open(STATISTICS)
    row = messages.inspector.locator("table.list tr").nth(1)
    expect(row).to_contain_text(re.compile(r"chain 1\s*60\s*40"))
    messages.settle()
    trace, running, kept = (messages.picture(number) for number in (0, 1, 3))
    messages.drag(0, (0.3, 0.5), (0.5, 0.5))
    messages.repainted(trace, 0)
    messages.repainted(running, 1)  # while it is still held
    expect(messages.page).not_to_have_url(re.compile("burn_in="))  # the default, 20
    messages.page.mouse.up()
    expect(messages.page).to_have_url(re.compile("burn_in="))
    burn_in = int(messages.address()["burn_in"])
    assert 20 < burn_in < 40
    expect(row).to_contain_text(re.compile(rf"chain 1\s*60\s*{60 - burn_in}"))
    messages.repainted(kept, 3)
    messages.rests_at(60)
    messages.page.get_by_text("Charts and statistics", exact=True).click()
    slider = messages.page.get_by_role("slider", name="Burn-in")
    expect(slider).to_have_value(str(burn_in))
    slider.press("ArrowLeft")
    expect(messages.page).to_have_url(re.compile(f"burn_in={burn_in - 1}&"))


def test_a_step_that_opens_while_the_run_plays_comes_to_its_own_sweep(messages):
    messages.open("gibbs_text?lesson=text-when-to-stop&step=draws")
    messages.button("play").click()
    messages.page.wait_for_function("() => document.documentElement.hasAttribute('data-playing')")
    messages.press_button("Next")
    messages.rests_at(50)
    messages.settle()
    at_rest = f"[{PLAYER}.film.drawn, {PLAYER}.film.rested]"
    there = messages.page.evaluate(at_rest)
    assert there[0].endswith(" 50")
    assert there[1]
    messages.page.reload()
    messages.rests_at(50)
    messages.settle()
    assert messages.page.evaluate(at_rest) == there


def test_own_messages(messages):
    messages.follow("gibbs_text?data=own")
    messages.settle()  # "My work" takes files as well
    lines = "".join(
        f"{('ham', 'spam')[i % 2]}\t{('see you at home', 'win <b>cash</b> now')[i % 2]}\n" for i in range(40)
    )
    messages.page.locator("input[type=file]").set_input_files(
        {"name": "own.tsv", "mimeType": "text/plain", "buffer": lines.encode()}
    )
    messages.canvas(3).wait_for(state="attached")
    expect(messages.page.get_by_text("40 messages were read: 20 ham, 20 spam.", exact=True)).to_be_visible()
    messages.page.locator("[data-part=scrub]").fill("30")
    messages.rests_at(30)
    expect(messages.page.locator("figcaption").first).to_contain_text("100 % match the true labels")


def test_a_conditional_that_is_undefined_is_shown(messages):
    messages.open("gibbs_text?data=long_messages&rule=no%20logarithms&t=2")
    expect(messages.cards.nth(1)).to_contain_text("0 / 0")
    expect(messages.page.locator("figcaption").first).to_contain_text("50 %")


@pytest.mark.parametrize("path", [f"{SIX}&step_by=update&t=4", STATISTICS])
def test_nothing_scrolls_sideways(messages, path):
    messages.open(path)
    assert messages.scrolled_across() == []
