"""Files that are dropped on a picture in a real Chromium: where to drop is shown, and the data are read."""

import base64
import re

import pytest
from playwright.sync_api import expect

from lessons.catalogue import topic_info
from lessons.topics import STAGES
from tests.browser.driver import Screen
from tests.lessons.chains import files
from tests.pages.lesson.own_files import FILES

pytestmark = pytest.mark.browser
DRAG = """([kind, at, named]) => {
  const files = new DataTransfer(), { left, top, width, height } = document.querySelector(at).getBoundingClientRect();
  for (const [name, file] of Object.entries(named))
    files.items.add(new File([Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0))], name));
  const [clientX, clientY] = [left + width / 2, top + Math.min(height / 2, 200)];
  const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: files, clientX, clientY });
  return !document.elementFromPoint(clientX, clientY).dispatchEvent(event);
}"""
STAGE, TEXT = ".st-key-stage", ".st-key-text"


def drag(screen: Screen, kind: str, at: str, raw: bytes, *names: str) -> bool:
    """Say that files are dragged or dropped somewhere, and return whether the browser is kept from opening them."""
    named = dict.fromkeys(names or ["own.csv"], base64.b64encode(raw).decode())
    taken: bool = screen.page.evaluate(DRAG, [kind, at, named])
    return taken


@pytest.mark.parametrize("stage", ["climb_mixture", "gibbs_text", "generative"])
def test_a_file_that_is_dropped_on_the_picture_is_read(screen, stage):
    screen.charts = 1
    screen.open(f"{topic_info(stage).page.removesuffix('.py')}?t=0")
    frame = screen.page.locator(".drop-here")
    expect(frame).to_have_count(0)
    assert drag(screen, "dragover", TEXT, FILES[stage])
    expect(frame).to_have_text("Drop the file here to use its data")
    assert frame.bounding_box()["x"] == pytest.approx(screen.page.locator(STAGE).bounding_box()["x"], abs=1)
    assert drag(screen, "dragover", STAGE, FILES[stage])
    expect(frame).to_have_text("Let go: the data are read from this file")
    assert drag(screen, "drop", STAGE, FILES[stage], "mine.csv")
    expect(frame).to_have_count(0)
    expect(screen.page.get_by_text("mine.csv")).to_be_visible()
    expect(screen.page.locator(".st-key-sheet ol.cells").first).to_be_in_viewport()
    screen.page.wait_for_url(re.compile("data=own"))
    chips = screen.page.get_by_role("radiogroup", name="Decimal sign")
    comma = chips.get_by_role("radio", name="comma")
    comma.press("Enter")
    expect(chips).to_have_accessible_name("Decimal sign: chosen")
    expect(comma).to_be_checked()
    expect(comma).to_be_focused()


def test_a_file_that_is_dropped_beside_it_changes_nothing(screen):
    screen.charts = 1
    screen.open("climb_mixture?t=0")
    assert drag(screen, "drop", TEXT, FILES["climb_mixture"])
    expect(screen.page.locator(".drop-here")).to_have_count(0)
    expect(screen.page.get_by_test_id("stFileUploaderDropzone")).to_have_count(0)


def test_topics_without_data_of_ones_own_leave_files_to_the_browser(screen):
    assert STAGES["crp_seating"].takes is None
    screen.charts = 1
    screen.open("crp_seating?t=0")
    assert not drag(screen, "dragover", STAGE, b"1,2")
    expect(screen.page.locator(".drop-here")).to_have_count(0)


def test_where_there_are_no_data_yet_a_file_can_be_dropped(screen):
    screen.charts = 1
    screen.open("jumps?t=0")
    screen.follow("jumps?data=own&t=0")
    expect(screen.page.get_by_text("drop a file here")).to_be_visible()
    assert drag(screen, "drop", STAGE, FILES["jumps"], "mine.csv")
    expect(screen.page.get_by_text("mine.csv")).to_be_visible()
    expect(screen.page.locator(".st-key-player")).to_be_visible()


def test_chains_are_dropped_together_and_walk_in_the_plane(screen):
    screen.charts = 1
    screen.open("walk_the_hill?t=0")
    assert drag(screen, "drop", STAGE, files.cmdstan(1), "one.csv", "two.csv")
    expect(screen.page.get_by_text("2 chains of 12 draws, from CmdStan’s CSV.")).to_be_visible()
    expect(screen.page.locator(".st-key-stage figure").filter(has_text="Your chains")).to_be_visible()
    screen.page.wait_for_url(re.compile("own=[0-9a-f]{32}"))
