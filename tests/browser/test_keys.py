"""By keyboard alone: what has the focus shows it, and after a press the focus goes to what came of it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import Screen

pytestmark = pytest.mark.browser

FIFTH, COLUMN = "crp_seating?lesson=crp-seating&step=fifth", "crp_mixture?lesson=mixture-response-times&step=column"
# What had the focus before, by name, and whether it showed that: it, what is around it or after it looks otherwise now.
LEFT = """async () => {
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished)); // borders change over a moment
  const looks = (all) => all.map((each) => {
    const { outlineStyle, boxShadow, borderColor } = getComputedStyle(each);
    return [outlineStyle, boxShadow, borderColor].join();
  }).join();
  const { name, around, seen, ringed } = window.before ?? {};
  let one = document.activeElement;
  while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  const now = one.nextElementSibling ? [one.nextElementSibling] : [];
  for (let each = one; each && each !== document.body && now.length < 5; each = each.parentElement) now.push(each);
  const named = one === document.body ? "" : `${one.tagName} ${(one.ariaLabel || one.innerText || "").slice(0, 30)}`;
  const ring = getComputedStyle(one).outlineStyle !== "none"; // a card's word keeps it while its mark is lit
  window.before = { name: named, around: now, seen: looks(now), ringed: ring };
  return name ? [name, ringed || looks(around) !== seen] : ["", true];
}"""


def walked(screen: Screen, steps: int) -> dict[str, bool]:
    """Return the element to which Tab comes, and whether it shows that it has the focus."""
    found = {}
    for _ in range(steps):
        screen.press("Tab")
        name, shows = screen.page.evaluate(LEFT)
        found[name] = found.get(name, True) and shows
    return found


def test_whatever_has_the_focus_shows_it(screen):
    for path, steps in ((FIFTH, 24), ("crp_mixture?t=3", 44), ("", 24)):
        screen.open(path)
        found = walked(screen, steps)
        assert len(found) > 0.7 * steps
        assert [name for name, shows in found.items() if not shows] == []


def test_after_a_check_the_focus_is_on_what_is_said_and_after_next_on_the_heading(screen):
    screen.open(FIFTH)
    screen.press("2", "Enter")
    verdict = screen.page.locator(".st-key-verdict")
    expect(verdict).to_be_focused()
    screen.settle()
    expect(verdict).to_be_focused()
    screen.page.get_by_role("button", name="Next", exact=True).click()
    heading = screen.page.locator(".st-key-text h2")
    expect(heading).to_be_focused()
    expect(heading).not_to_have_text("The fifth customer")
    screen.settle()
    expect(heading).to_be_focused()
    screen.press("PageUp")
    expect(screen.heading("The fifth customer")).to_be_focused()


def test_a_question_that_is_asked_again_has_the_focus(screen):
    screen.open("crp_seating?lesson=crp-two-doors&step=look")
    screen.page.get_by_text("Yes, full tables attract more").click()
    screen.press("Enter")
    expect(screen.page.locator(".st-key-verdict")).to_be_focused()
    screen.page.get_by_role("button", name="Try again").click()
    expect(screen.page.get_by_role("radio").first).to_be_focused()


def test_in_a_low_window_the_new_heading_comes_into_sight(screen):
    screen.page.set_viewport_size({"width": 683, "height": 384})
    screen.go(FIFTH)
    screen.press("PageDown")
    heading = screen.page.locator(".st-key-text h2")
    expect(heading).to_be_focused()
    screen.settle()
    assert 0 < heading.bounding_box()["y"] < 200


def test_enter_in_the_field_for_a_number_checks_it(screen):
    screen.go(COLUMN)
    field = screen.page.get_by_role("textbox", name="Your guess")
    field.focus()
    screen.press("Enter")
    expect(screen.page.get_by_text(re.compile("^Answer with a number from .* then press Check"))).to_be_visible()
    field.fill("41")
    field.press("Enter")
    expect(screen.page.locator(".st-key-verdict")).to_be_focused()
    expect(screen.page.locator(".st-key-verdict")).to_contain_text("Right: 41")


def test_controls_are_named_once_and_as_they_read(screen):
    screen.go("gibbs_blobs?lesson=blobs-recipe&step=couple")
    screen.settle()
    expect(screen.page.get_by_role("slider", name="Border of the bar", exact=True)).to_be_attached()
    screen.go("crp_seating?lesson=crp-rich-get-richer&step=long-run")
    goal = screen.button("goal")
    expect(screen.page.get_by_role("button", name=goal.inner_text(), exact=True)).to_be_visible()
    dots = screen.page.get_by_role("img", name="Step 2 of")
    expect(dots).to_have_accessible_name(f"Step 2 of {dots.locator('i').count()}")


def test_the_dots_of_the_steps_are_seen_where_colours_are_forced(screen):
    screen.go(FIFTH)
    screen.page.emulate_media(forced_colors="active")
    style = "all => all.map((one) => getComputedStyle(one)).map((look) => [look.borderWidth, look.backgroundColor])"
    done, now, left = screen.page.locator(".dots i").evaluate_all(style)[3:6]
    assert done[0] == left[0] != now[0], "where the learner is has a thick border"
    assert done[1] != left[1], "what is done is filled"


def told(screen: Screen, number: int = 0) -> str:
    return screen.page.locator("figure:not([hidden]) .told").nth(number).inner_text()


def test_the_stage_is_told_in_a_sentence_and_in_tables(screen):
    screen.open("crp_seating?t=9&customers=12&seed=3")
    before = told(screen)
    expect(screen.page.get_by_role("img", name=re.compile("^Tables as circles"))).to_be_visible()
    assert re.match(r"\d tables?: 1 \(customers \d\)", before)
    screen.press("t")
    tables = screen.page.get_by_role("region", name="Charts as tables")
    counts = tables.get_by_role("table", name="Restaurant").first.get_by_role("row")
    expect(counts.first).to_have_text("tablecustomers")
    expect(tables).to_be_focused()
    rows = [row.split("\t") for row in counts.all_inner_texts()[1:]]
    assert ", ".join(f"{name} (customers {many})" for name, many in rows) in before
    screen.press("Escape")
    expect(tables).to_be_hidden()
    screen.press("ArrowRight")
    screen.rests_at(10)
    screen.settle()
    assert told(screen) != before


def test_what_a_question_hides_is_not_told(screen):
    """Of a chart that shows only its axes nothing is read, neither after it nor in the tables."""
    screen.go("crp_seating?lesson=crp-how-many&step=double")
    screen.settle()
    veiled = screen.page.locator("figure.veiled")
    expect(veiled).to_have_count(1)
    expect(veiled.locator(".told")).to_have_text("Only its axes are shown until you have answered.")
    screen.press("t")
    tables = screen.page.get_by_role("region", name="Charts as tables")
    expect(tables).to_contain_text("Only its axes are shown")
    expect(tables.get_by_role("table", name=veiled.locator("b").inner_text())).to_have_count(0)
    screen.press("t")


def test_a_mark_that_a_question_asks_for_is_picked_from_a_list(screen):
    screen.go(COLUMN)
    marks = screen.page.get_by_role("listbox", name="arrow keys choose a mark, Enter makes it your guess")
    marks.focus()
    screen.press("ArrowRight", "ArrowDown")
    name = marks.get_by_role("option", selected=True).inner_text()
    assert re.match(r"point 3, in 1, .* −?\d", name), "where it is, which the question asks about"
    screen.press("Enter")
    expect(screen.page.get_by_role("textbox", name="Your guess")).to_have_value("3")


def test_arrows_step_a_whole_number_and_the_focus_stays_in_its_field(screen):
    screen.open("crp_seating?t=3&seed=7")
    field = screen.page.get_by_label("Seed", exact=True)
    field.focus()
    screen.press("ArrowUp")
    screen.page.wait_for_url(re.compile("seed=8&"))
    expect(field).to_be_focused()
    screen.press("ArrowDown", "ArrowDown")
    screen.page.wait_for_url(re.compile("seed=6&"))
    expect(field).to_have_value("6")
    expect(field).to_be_focused()
