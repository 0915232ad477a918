"""The mixture's page in a real Chromium: sweeps, beats, guesses, two chains, long runs, own data, both themes."""

import io
import re
from collections import Counter

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.driver import same
from tests.browser.topic_page import COLORS_OF, TopicPage

pytestmark = pytest.mark.browser

SEVEN, BEATS = "crp_mixture?data=seven_points", "crp_mixture?data=seven_points&step_by=update&sweep=3"
LONG = "crp_mixture?points=500&start=apart&concentration=20"
STEP = "crp_mixture?lesson=mixture-spot-the-error&step=at-once"
CHARTS = "figure .canvas canvas"


class Mixture(TopicPage):
    """The topic's page."""

    path, counter = SEVEN, "^sweep {t} of 2000$"

    def beat(self, sweep: int, point: int, beat: str) -> None:
        expect(self.now).to_have_text(f"sweep {sweep} · point {point} · {beat}")


@pytest.fixture
def mixture(same_screen):
    return same_screen(Mixture)


# ---- sweeps and beats ------------------------------------------------------------------------------------------------


def test_a_sweep_changes_the_picture_and_the_inspector_follows(mixture):
    mixture.open()
    expect(mixture.inspector).to_contain_text("This is the start")
    before = mixture.pictures()
    mixture.button("step").click()
    mixture.rests_at(1)
    expect(mixture.cards).to_have_count(4)
    expect(mixture.cards.first).to_contain_text("Point 1 is lifted out")
    after = mixture.pictures()
    assert not any(same(*pair) for pair in zip(before, after, strict=True))
    mixture.view("Clusters")
    expect(mixture.inspector.locator("table.list")).to_contain_text("spread")
    mixture.press("ArrowRight", "ArrowRight")
    mixture.rests_at(3)
    shown = mixture.page.locator("figure").first.locator("figcaption .now").inner_text()
    rows = mixture.inspector.locator("table.list tr")
    expect(rows).to_have_count(1 + int(shown.split()[1]))
    mixture.press("ArrowLeft", "ArrowLeft")
    mixture.rests_at(1)
    mixture.settle()  # contours are drawn at rest alone
    assert same(mixture.picture(1), after[1])


def test_four_beats_reveal_four_cards_and_a_sweep_leads_to_the_next(mixture):
    mixture.open(f"{SEVEN}&t=1")
    mixture.level("Beat")
    mixture.beat(2, 0, "start")
    expect(mixture.inspector).to_contain_text("The sweep is about to begin")
    for number, beat in enumerate(("forget", "score", "sample", "remember"), 1):
        before = mixture.picture()
        mixture.press("ArrowRight")
        mixture.beat(2, 1, beat)
        expect(mixture.inspector.get_by_text("Not yet.")).to_have_count(4 - number)
        expect(mixture.inspector.locator("section.beat.main h4")).to_have_text(re.compile(beat.capitalize()))
        assert not same(mixture.picture(), before)
    mixture.press("End")
    mixture.beat(2, 7, "remember")
    end = mixture.picture()
    mixture.press("ArrowRight")
    mixture.beat(3, 0, "start")
    expect(mixture.page).to_have_url(re.compile(r"sweep=3.*&t=0$"))
    mixture.press("ArrowRight")
    mixture.beat(3, 1, "forget")
    expect(mixture.cards.first).to_contain_text("Point 1 is lifted out")
    mixture.press("ArrowLeft")
    mixture.beat(3, 0, "start")
    mixture.press("ArrowLeft")
    mixture.beat(2, 7, "remember")
    mixture.settle()
    assert same(mixture.picture(), end)
    expect(mixture.cards.last).to_contain_text("Point 7")
    mixture.level("Sweep")
    mixture.rests_at(2)
    came_back = mixture.pictures()
    mixture.page.reload()
    mixture.rests_at(2)
    assert all(same(now, then) for now, then in zip(mixture.pictures(), came_back, strict=True)), "traces too"


def test_the_code_follows_the_beats(mixture):
    mixture.open(f"{BEATS}&view=code&t=0")
    lit = mixture.inspector.locator(".lit code")
    for last in ("sampler.forget(", "sampler.score(", "conditional.pick(", "sampler.remember("):
        mixture.press("ArrowRight")
        expect(lit.last).to_contain_text(last)
    expect(mixture.inspector.get_by_label("CRPMixture.remember")).to_contain_text("tables = list(state.clusters)")


def test_a_guess_by_mouse_is_followed_by_arrow_keys_and_told(mixture):
    mixture.open(BEATS)
    mixture.press("ArrowRight")
    mixture.beat(3, 1, "forget")
    mixture.page.locator(".st-key-views").get_by_text("new", exact=True).click()
    expect(mixture.inspector.get_by_text("Not yet.")).to_have_count(3)
    for beat in ("score", "sample", "remember"):
        mixture.press("ArrowRight")
        mixture.beat(3, 1, beat)
    beside = mixture.page.locator(".st-key-views")
    expect(beside).to_contain_text(re.compile(r"(A|Not a)s you guessed \(\d\.\d\d\)"))
    mixture.press("ArrowRight")
    mixture.beat(3, 2, "forget")
    expect(mixture.page.get_by_text("Your guess:")).to_be_visible()
    mixture.press("ArrowRight", "ArrowRight", "ArrowRight")
    mixture.beat(3, 2, "remember")
    expect(mixture.cards.last).to_contain_text("Point 2")
    expect(beside.get_by_text("you guessed")).to_have_count(0)


# ---- two chains ------------------------------------------------------------------------------------------------------


def test_a_branch_is_a_second_chart_with_the_same_past(mixture):
    mixture.open(f"{SEVEN}&t=6&seed=4&view=chains")
    mixture.press_button("Branch here")
    expect(mixture.page.locator("figure").nth(1)).to_contain_text("Second chain: branched off")
    mixture.rests_at(6)
    captions = mixture.page.locator("figcaption .now")
    for t in (6, 5, 4):
        mixture.rests_at(t)
        mixture.settle()
        assert captions.nth(0).inner_text() == captions.nth(1).inner_text()
        assert same(mixture.picture(0), mixture.picture(1))
        mixture.press("ArrowLeft")
    mixture.rests_at(3)
    mixture.page.locator("[data-part=scrub]").fill("16")
    mixture.rests_at(16)
    mixture.settle()
    assert not same(mixture.picture(0), mixture.picture(1))
    mixture.press_button("One chain")
    expect(mixture.page.locator("figure")).to_have_count(4)
    expect(mixture.page.locator("figure").nth(1)).not_to_contain_text("Second chain")
    mixture.rests_at(16)


# ---- long runs -------------------------------------------------------------------------------------------------------

SAID = "() => { window.said = []; const roots = [...document.querySelectorAll('div')].map((e) => e.shadowRoot);"
SAID += " const now = roots.find((r) => r?.querySelector('.player')).querySelector('[data-part=now]');"
SAID += " new MutationObserver(() => window.said.push(now.textContent))"
SAID += ".observe(now, { childList: true, characterData: true, subtree: true }); }"


def test_a_long_run_comes_in_slices_the_page_answers_meanwhile_and_stop_stops(mixture):
    mixture.open(LONG)
    mixture.page.evaluate(SAID)
    mixture.press("End")
    expect(mixture.now).to_have_text(re.compile(r"^computing \d+ of 2000$"))
    play = mixture.button("play")
    expect(play).to_have_attribute("aria-label", re.compile("^Stop"))
    mixture.view("Chains")
    expect(mixture.inspector).to_contain_text("ESS bulk")
    assert mixture.now.inner_text().startswith("computing"), "the page answers meanwhile"
    expect(mixture.now).to_have_text(re.compile(r"^computing (3[1-9]|[4-9]\d|\d{3,}) of 2000$"))
    mixture.page.wait_for_function("() => new Set(window.said.filter((text) => text.startsWith('computing'))).size > 2")
    play.click()
    expect(mixture.now).to_have_text(re.compile(r"^sweep \d+ of 2000$"))
    expect(play).to_have_attribute("aria-label", re.compile("^Play"))
    t = int(mixture.now.inner_text().split()[1])
    assert 30 < t < 2000
    mixture.settle()
    mixture.rests_at(t)
    numbers = [int(text.split()[1]) for text in mixture.page.evaluate("window.said") if text.startswith("computing")]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 2, "in slices"
    expect(mixture.inspector).to_contain_text("R-hat")


def test_two_thousand_sweeps_are_there_in_the_end(mixture):
    mixture.open("crp_mixture?data=three_points&seed=99")
    mixture.press("End")
    mixture.rests_at(2000)
    expect(mixture.button("step")).to_be_disabled()
    mixture.view("Truth")
    expect(mixture.inspector).to_contain_text("After 2,000 sweeps")


# ---- truth, both themes ----------------------------------------------------------------------------------------------


def test_the_charts_of_the_truth_are_drawn_in_both_themes(mixture):
    mixture.open(f"{SEVEN}&t=40&view=truth")
    mixture.paint()
    pictures = {}
    charts = mixture.inspector.locator(".drawn-chart canvas")
    for scheme in ("light", "dark"):
        mixture.page.emulate_media(color_scheme=scheme)
        expect(charts).to_have_count(2)
        mixture.settle()
        for number in range(2):
            assert charts.nth(number).bounding_box()["height"] > 100
            assert charts.nth(number).evaluate(COLORS_OF) > 8, scheme
            pictures[scheme, number] = colours(charts.nth(number).screenshot())
        for number in range(4):
            assert mixture.canvas(number).evaluate(COLORS_OF) > 8, scheme
    for number in range(2):
        light, dark = (pictures[scheme, number].most_common(1)[0][0] for scheme in ("light", "dark"))
        assert sum(light) > 600 > 150 > sum(dark), "the paper is that of the theme"


def test_the_charts_of_a_view_follow_the_run_and_keep_their_canvas(mixture):
    mixture.open(f"{SEVEN}&t=40&view=truth")
    chart = mixture.inspector.locator(".drawn-chart canvas").first
    before = chart.evaluate("canvas => (window.before = canvas).toDataURL()")
    mixture.press("ArrowRight")
    expect(mixture.inspector).to_contain_text("After 41 sweeps")
    mixture.settle()
    assert chart.evaluate("canvas => canvas === window.before")
    assert chart.evaluate("canvas => canvas.toDataURL()") != before


def colours(picture: bytes) -> Counter:
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))
    return Counter(map(tuple, pixels.reshape(-1, 3).tolist()))


def test_the_matrix_is_drawn(mixture):
    mixture.open(f"{SEVEN}&t=40&view=clusters")
    chart = mixture.inspector.locator(".drawn-chart canvas")
    expect(chart).to_have_count(1)
    mixture.settle()
    assert chart.evaluate(COLORS_OF) > 8


# ---- own data --------------------------------------------------------------------------------------------------------


def file(name: str, text: str) -> dict:
    return {"name": name, "mimeType": "text/csv", "buffer": text.encode()}


def test_a_file_of_ones_own_plays_and_a_bad_one_says_why(mixture):
    page = mixture.page
    mixture.follow("crp_mixture?data=own")
    expect(page.get_by_text("upload it among the controls")).to_be_visible()
    assert page.locator("[data-part=now]").count() == 0
    files = page.locator("input[type=file]")
    files.set_input_files(file("bad.csv", "name\nAnn\nBob\nEve\n"))
    alert = page.locator(".st-key-text").get_by_test_id("stAlert")
    expect(alert).to_contain_text("bad.csv")
    assert page.locator("[data-part=now]").count() == 0
    rows = "\n".join(f"{x},{x * x % 11},{EVIL}" for x in range(12))
    files.set_input_files(file("good.csv", f"height,{EVIL},note\n{rows}"))
    expect(page.get_by_text("12 points.")).to_be_visible()
    expect(mixture.now).to_have_text("sweep 0 of 2000")
    before = mixture.picture()
    mixture.press("ArrowRight")
    mixture.rests_at(1)
    assert not same(mixture.picture(), before)
    mixture.view("Clusters")
    expect(mixture.inspector.locator("th").nth(2)).to_have_text(f"mean {EVIL}")


EVIL = "<img src=x onerror=alert(1)>"


# ---- links -----------------------------------------------------------------------------------------------------------


def test_a_link_to_one_beat_reproduces_it(new_screen, mixture):
    mixture.open(f"{BEATS}&seed=5&concentration=2&family=known")
    mixture.press(*["ArrowRight"] * 6)
    mixture.beat(3, 2, "score")
    expect(mixture.page).to_have_url(re.compile("&t=6$"))
    mixture.settle()
    shown = mixture.pictures()  # while it is in front: a page behind another paints when it likes
    other = new_screen(Mixture)
    other.open(mixture.page.url.removeprefix(mixture.server.url + "/"))
    other.beat(3, 2, "score")
    other.settle()
    assert other.inspector.inner_text() == mixture.inspector.inner_text()
    assert other.address() == mixture.address()
    # curves that nearly meet are painted in the order in which their tables came, which a link does not know
    assert all(same(*pair, few=1e-3) for pair in zip(other.pictures(), shown, strict=True))


# ---- sizes ----------------------------------------------------------------------------------------------------------


CHAINS, CLUSTERS = (f"{SEVEN}&t=9&second=start&view={view}" for view in ("chains", "clusters"))


def test_nothing_scrolls_sideways(mixture):
    views = mixture.page.locator(".st-key-views")
    places = {
        STEP: mixture.page.locator(".st-key-question"),
        f"{BEATS}&t=4": mixture.page.get_by_text("sweep 3 · point 1 · remember"),
        CLUSTERS: views.get_by_role("radio", name="Clusters", checked=True),
        CHAINS: views.get_by_role("radio", name="Chains", checked=True),
    }
    for path, there in places.items():
        mixture.go(path)
        expect(there).to_be_visible()
        assert mixture.scrolled_across() == [], path


def test_the_stage_moves_by_the_rule_that_is_written_and_its_link_replays_it(screen):
    screen.open("crp_mixture?lesson=mixture-write&step=rule")
    expect(screen.button("step")).to_be_disabled()
    fields = screen.page.locator(".rule-line input")
    fields.nth(0).fill("n")
    fields.nth(1).fill("alpha")
    inspector = screen.page.locator(".st-key-inspector")
    expect(inspector).to_contain_text("Your rule: a table = n, a new table = alpha")
    expect(screen.page).to_have_url(re.compile("written=crp-mixture%3Bn%3Balpha.*t=2"))
    link = screen.page.url
    fields.nth(0).fill("n * 3")
    expect(inspector).to_contain_text("2 · 3 = 6")
    screen.page.goto(link)
    expect(inspector).to_contain_text("Your rule: a table = n, a new table = alpha")
    for number, line in enumerate(["n", "alpha"]):
        expect(fields.nth(number)).to_have_value(line)
    screen.page.get_by_role("button", name="Prove it").click()
    screen.page.get_by_role("button", name="Repair").click()
    expect(inspector).to_contain_text("Your rule: a table = n, a new table = alpha")
    assert [field.input_value() for field in fields.all()] == ["n", "alpha"]
