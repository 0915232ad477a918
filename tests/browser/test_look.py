"""Nothing overlaps, scrolls sideways, jumps or is blank, in both themes."""

from itertools import cycle

import pytest
from playwright.sync_api import expect

from tests.browser import pictures
from tests.browser.driver import NARROW, WIDE, Screen, same
from tests.browser.sizes import LEAST, LOOKED
from tests.browser.topic_page import COLORS_OF, SCROLLS

pytestmark = pytest.mark.browser

FIFTH = "crp_seating?lesson=crp-seating&step=fifth"

BOXES = """() => {
  const roots = [...document.querySelectorAll("div")].map((element) => element.shadowRoot);
  const root = roots.find((root) => root?.querySelector(".player"));
  const shown = [...root.querySelectorAll("[data-part=bar] > *, figcaption, .canvas")].filter((e) => e.offsetParent);
  return shown.map((element, i) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const { act, part } = element.dataset;
    return [act ?? part ?? `${element.className || element.tagName} ${i}`, x, y, width, height];
  });
}"""


def overlapping(boxes: list) -> list[tuple[str, str]]:
    """Return the names of boxes that share more than a pixel each way."""
    pairs = []
    for i, (name, x, y, width, height) in enumerate(boxes):
        for other, x2, y2, width2, height2 in boxes[:i]:
            across = min(x + width, x2 + width2) - max(x, x2)
            down = min(y + height, y2 + height2) - max(y, y2)
            if across > 1 and down > 1:
                pairs.append((other, name))
    return pairs


def test_overlaps_are_seen():
    assert overlapping([["a", 0, 0, 10, 10], ["b", 10, 0, 5, 5], ["c", 8, 8, 5, 5]]) == [("a", "c")]


def colours(screen: Screen) -> list[int]:
    return [screen.canvas(number).evaluate(COLORS_OF) for number in range(4)]


def test_no_chart_is_blank_and_a_switch_of_the_theme_repaints(screen):
    screen.open("crp_seating?t=30&concentration=3")
    light = screen.pictures()
    assert min(colours(screen)) > 8
    screen.page.emulate_media(color_scheme="dark")
    for number in range(4):
        screen.repainted(light[number], number)
    screen.rests_at(30)
    screen.settle()
    assert min(colours(screen)) > 8
    dark = screen.pictures()
    screen.page.emulate_media(color_scheme="light")
    for number in range(4):
        screen.repainted(dark[number], number)
    screen.fit()
    assert all(same(now, then) for now, then in zip(screen.pictures(), light, strict=True))
    screen.press("ArrowRight")
    screen.rests_at(31)
    if pictures.wanted():
        screen.paint()
        pictures.make(screen)


CROWDED, SANDBOX = "crp_seating?customers=500&t=500", "crp_seating?lesson=crp-order&step=sandbox"


@pytest.mark.parametrize("path", ["", FIFTH, CROWDED, SANDBOX], ids=["course map", "question", "crowded", "sandbox"])
def test_nothing_scrolls_sideways_and_nothing_overlaps(screen, path):
    screen.open(path)
    for size in (WIDE, NARROW):
        screen.page.set_viewport_size(size)
        screen.settle()
        assert screen.page.evaluate(SCROLLS)["across"] <= 0
        if not path:
            continue
        boxes = screen.page.evaluate(BOXES)
        assert len(boxes) > 8
        assert overlapping(boxes) == []
        if size == NARROW:  # there the charts stand in a strip that is swept, the main picture first
            boxes = [box for box in boxes if "canvas" not in box[0] and "FIGCAPTION" not in box[0]]
        assert all(x >= 0 and x + width <= size["width"] for _, x, _, width, _ in boxes)


def test_where_text_has_no_room_beside_the_charts_it_stands_below_them(screen):
    """An upright tablet, a frame in another page, the studio's look at a lesson."""
    screen.open(FIFTH)
    for width in (660, 768, 960):
        screen.page.set_viewport_size({"width": width, "height": 1024})
        screen.settle()
        boxes = screen.page.evaluate(BOXES)
        assert overlapping(boxes) == []
        assert all(x >= 0 and x + across <= width for _, x, _, across, _ in boxes), "all charts are in the window"
        question = screen.page.locator(".st-key-question").bounding_box()
        assert question["width"] > 0.9 * width
        assert question["y"] > max(y + down for _, _, y, _, down in boxes)
        assert question["y"] + question["height"] < 1024


def test_a_step_with_a_question_fits_on_one_screen(screen):
    screen.open(FIFTH)
    assert screen.page.evaluate(SCROLLS)["down"] <= 0
    for there in (screen.canvas(0), screen.page.get_by_role("button", name="Next", exact=True)):
        box = there.bounding_box()
        assert box["y"] + box["height"] <= WIDE["height"]


def test_nothing_jumps_while_stepping_and_playing(screen):
    screen.open("crp_seating?customers=60&concentration=4")
    for size in (WIDE, NARROW):
        screen.page.set_viewport_size(size)
        screen.settle()
        before, inspector = screen.page.evaluate(BOXES), screen.inspector.bounding_box()
        for t in (1, 2, 3):
            screen.press("ArrowRight")
            screen.rests_at(t)
            assert screen.page.evaluate(BOXES) == before
        screen.page.locator("[data-part=speed]").select_option("60")
        screen.button("play").click()
        screen.passes(20)
        during = screen.page.evaluate(BOXES)
        screen.rests_at(60)
        assert during == before
        assert screen.page.evaluate(BOXES) == before
        now = screen.inspector.bounding_box()
        assert (now["x"], now["y"], now["width"]) == (inspector["x"], inspector["y"], inspector["width"])
        screen.press("Home")
        screen.rests_at(0)


def test_a_phone_keeps_the_main_picture_and_leads_to_each_of_the_others_below_it(screen):
    screen.page.set_viewport_size(NARROW)
    screen.open("crp_seating?t=30")
    names, figures = screen.page.locator("[data-part=names] button"), screen.page.locator("[data-part=charts] figure")
    expect(names).to_have_text(
        ["Tables against customers", "Tables after 60", "Table sizes", "Dish of the next customer"]
    )
    for number in (2, 0):
        names.nth(number).click()
        expect(names.nth(number)).to_have_attribute("aria-pressed", "true")
        expect(figures.nth(number + 1)).to_be_in_viewport(ratio=0.9)
        expect(figures.nth(0)).to_be_in_viewport(ratio=0.9)
    screen.page.set_viewport_size(WIDE)
    expect(names.first).to_be_hidden()


def test_charts_stay_legible_at_twice_the_size(screen):
    """The window is low then, and the player scrolls with the page: no chart is as flat as a share of the window."""
    screen.page.set_viewport_size({"width": WIDE["width"] // 2, "height": WIDE["height"] // 2})
    for path, charts in (("generative?lesson=generative-naive&step=free", 2), ("crp_mixture?t=0", 1)):
        screen.charts = charts
        screen.open(path)
        figures = screen.page.locator("[data-part=charts] figure:visible .canvas").all()
        assert len(figures) >= charts
        assert min(figure.bounding_box()["height"] for figure in figures) >= 100, path


def test_a_phone_begins_with_the_chart_that_is_asked_on(screen):
    screen.page.set_viewport_size(NARROW)
    screen.charts = 3
    screen.open("logistic?lesson=logistic-ellipse&step=root")
    expect(screen.page.locator("[data-chart=trace]")).to_be_in_viewport(ratio=0.9)


def test_what_a_step_is_about_is_on_the_screen(screen):
    screen.charts = 1
    for step in ("mixture-how-sure&step=noise", "mixture-best-clustering&step=average"):
        screen.open(f"crp_mixture?lesson={step}")
        box = screen.inspector.bounding_box()
        assert box["y"] < 0.7 * WIDE["height"]


# The steps with the longest texts and most controls, each of another topic.
LONGEST = [
    "gibbs_text?lesson=text-mixture&step=way",
    "generative?lesson=generative-averaging&step=free",
    "marginalise?lesson=stan-gamma-to-label&step=sandbox",
    "crp_mixture?lesson=mixture-story&step=sandbox",
    "walk_the_hill?lesson=walk-throw-the-puck&step=own",
]
ENDS = """() => Object.fromEntries(["next button", "inspector"].flatMap((name) => {
  const box = document.querySelector(`.st-key-${name}`);
  return box?.checkVisibility() && !box.querySelector(".listing") ? [[name, box.getBoundingClientRect().bottom]] : [];
}))"""


PADDING = 6  # pixels below the last line of a card, which may be cut


@pytest.mark.parametrize("step", LONGEST, ids=lambda step: step.partition("=")[2].partition("&")[0])
def test_next_is_in_the_window_and_cards_end_there(same_screen, step):
    screen = same_screen()
    screen.go(step)
    ends = screen.page.evaluate(ENDS)
    assert "next button" in ends
    assert {name: end for name, end in ends.items() if end > WIDE["height"] + PADDING} == {}


# On a phone: the chart, and how wide and high it is drawn at least.
ROOMY = {
    "marginalise?lesson=stan-no-discrete&step=slope": ("plane", 200, 200),
    "ibp_features?lesson=features-shapes&step=images": ("pictures", 330, 260),
    "draws?lesson=coin-draws&step=error": ("heap", 340, 130),
    "why_sample?lesson=why-too-many&step=visits": ("clusterings", 330, 260),
}
# Words that reach beyond what they belong to, by a selector of each.
BEYOND = """([words, holder]) => [...document.querySelectorAll(words)].filter((one) => one.checkVisibility() &&
  one.getBoundingClientRect().right > one.closest(holder).getBoundingClientRect().right + 1).map((one) => one.outerHTML)
"""


@pytest.mark.parametrize("step", ROOMY, ids=lambda step: step.partition("=")[2].partition("&")[0])
def test_what_is_small_has_room_on_a_phone(same_screen, step):
    screen, (name, *least) = same_screen(), ROOMY[step]
    screen.page.set_viewport_size(NARROW)
    screen.go(step)
    screen.settle()
    box = screen.page.locator(f"figure[data-chart={name}] .canvas").bounding_box()
    screen.page.set_viewport_size(WIDE)
    assert (box["width"] >= least[0], box["height"] >= least[1]) == (True, True), box


def test_words_stay_within_their_own_picture_on_a_phone(screen):
    screen.page.set_viewport_size(NARROW)
    screen.charts = 2
    screen.open("crp_mixture?lesson=mixture-story&step=better")
    assert screen.page.locator(".abreast .key:visible").count() > 1
    assert screen.page.evaluate(BEYOND, ["figcaption .key", "figure"]) == []
    screen.open("logistic?lesson=logistic-newton&step=newton")
    for guess in ("12", "30", "1"):
        field = screen.page.get_by_role("textbox", name="Your guess")
        field.fill(guess)
        field.press("Tab")
        expect(screen.page.locator("svg.guess text")).to_have_text(f"your guess {guess}")
        assert screen.page.evaluate(BEYOND, ["svg.guess text", "figure"]) == []


def test_a_wide_table_scrolls_in_itself(same_screen):
    screen = same_screen()
    screen.page.set_viewport_size(NARROW)
    screen.go("generative?lesson=generative-posteriors&step=product")
    screen.settle()
    table = screen.page.locator("table.list").first
    wide = "table => [table, table.parentElement, document.querySelector('.stMain')].map((one) => one.scrollWidth)"
    room = wide.replace("scrollWidth", "clientWidth")
    (table_wide, _, page_wide), (_, box, page) = table.evaluate(wide), table.evaluate(room)
    screen.page.set_viewport_size(WIDE)
    assert table_wide > box, "it has room, and shows nothing"
    assert page_wide == page


# Of all questions, the one whose answer leaves least room above Next, the longest one, and one on a bar, whose answer
# uncovers a chart.
ANSWERED = {
    "climb_mixture?lesson=climb-a-bound&step=q": "",
    "walk_the_hill?lesson=walk-hard-hills&step=names": "",
    "crp_seating?lesson=crp-family&step=dishes": "0.3",
}
WINDOWS = [WIDE, {"width": 1366, "height": 768}, NARROW]


def faults(screen: Screen, colours: cycle) -> dict[tuple[int, str], list[str]]:
    """Return the faults of the open step in three windows, by their widths and colours, which alternate."""
    found = {}
    for size in WINDOWS:
        scheme = next(colours)
        screen.page.emulate_media(color_scheme=scheme)
        screen.page.set_viewport_size(size)
        screen.settle()
        told = {"least": LEAST if size != NARROW else 0, "wide": size != NARROW}
        found[size["width"], scheme] = screen.page.evaluate(LOOKED, told)
    screen.page.set_viewport_size(WIDE)
    screen.settle()
    return {where: what for where, what in found.items() if what}


@pytest.mark.parametrize("step", ANSWERED, ids=lambda step: step.partition("=")[2].partition("&")[0])
def test_a_question_and_its_answer_are_seen_in_both_colours_and_three_windows(same_screen, step):
    screen, colours = same_screen(), cycle(["light", "dark"])
    screen.go(step)
    assert faults(screen, colours) == {}
    if guess := ANSWERED[step]:
        screen.page.get_by_role("textbox", name="Your guess").fill(guess)
    else:
        screen.page.locator(".st-key-question label").last.click()
    check = screen.page.get_by_role("button", name="Check", exact=True)
    check.click()
    check.wait_for(state="detached")
    assert faults(screen, cycle(["dark", "light"])) == {}
