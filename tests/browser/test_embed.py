"""A bare stage in a page of another origin: it plays, by mouse and by keys, light and dark, and moves few bytes."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from pages.http.qr import as_qr
from tests.browser.driver import NARROW, ROOT, WAIT, WIDE, serve, served

pytestmark = pytest.mark.browser
MOST = 450_000  # bytes moved until the stage is at rest, with no cache
AT_REST = "() => document.querySelector('[data-at-rest]')?.dataset.atRest > ''"
PLAYER = "document.querySelector('.st-key-player').shadowRoot.player"
KEPT = """() => {  // nothing that a browser keeps is to be read or written
  for (const name of ["localStorage", "sessionStorage", "indexedDB"])
    Object.defineProperty(window, name, { get() { window.reached = name; throw new Error(name); } });
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[tuple[str, str, Path]]:
    """Run an app that another site may frame; yield the addresses of both, and the folder of the other site's pages."""
    folder = tmp_path_factory.mktemp("site")
    with served(folder) as other, serve(framed_by=other) as app:
        yield app.url, other, folder


@pytest.fixture
def app_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=WIDE, color_scheme="light", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(WAIT)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


@pytest.fixture
def page(app_page: Page) -> Page:
    app_page.add_init_script(f"({KEPT})()")
    return app_page


def framed(page: Page, site: tuple[str, str, Path], address: str, look: str = "") -> Frame:
    """Open a page of the other site that shows a stage in a frame; return the frame at rest."""
    style = f"<style>iframe {{ width: 100%; height: 560px; border: 0 }} {look}</style>"
    return shown(page, site, f'{style}<p>Before</p><iframe src="{site[0]}/stage/{address}"></iframe>')


def shown(page: Page, site: tuple[str, str, Path], body: str) -> Frame:
    """Open a page of the other site with this body; return its frame at rest."""
    _, other, folder = site
    head = '<!doctype html><title>Another site</title><meta name="viewport" content="width=device-width">'
    (folder / "index.html").write_text(head + body, "utf-8")
    page.goto(f"{other}/index.html?{crc32(body.encode())}")  # a second page in the same second is no older one
    return at_rest(page)


def at_rest(page: Page) -> Frame:
    """Return the frame of a page once it has come to rest."""
    page.wait_for_function("() => frames.length === 1 || document.querySelector('samplescope-stage')?.shadowRoot")
    (frame,) = page.frames[1:]
    frame.wait_for_function(AT_REST)
    return frame


def at(frame: Frame) -> int:
    frame.wait_for_function(AT_REST)
    return int(frame.evaluate(f"{PLAYER}.at"))


def test_a_stage_plays_in_a_page_of_another_origin_and_keeps_nothing(page, site):
    frame = framed(page, site, "crp_mixture?concentration=2&t=4")
    assert at(frame) == 4
    frame.get_by_role("button", name="Step (right arrow)").click()
    assert at(frame) == 5
    frame.get_by_role("button", name="Beat").click()
    expect(frame.locator("[data-part=now]")).to_contain_text("sweep 6")
    frame.get_by_role("button", name="This update").click()
    expect(frame.locator(".st-key-inspector")).to_contain_text("The sweep is about to begin")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert at(frame) == 2
    expect(frame.locator(".beat").nth(1)).to_contain_text("p(table")
    page.keyboard.press("t")
    expect(frame.get_by_role("region", name="Charts as tables")).to_be_visible()
    assert "concentration=2&" in frame.evaluate("location.search")
    assert frame.evaluate("window.reached ?? null") is None
    assert page.context.cookies() == []
    assert frame.locator(".told").first.text_content()
    assert frame.get_by_role("button", name=re.compile("Copy a link|Keep")).count() == 0


def test_the_answer_comes_when_it_is_asked_for_and_a_reload_keeps_it(page, site):
    frame = framed(page, site, "crp_seating?lesson=crp-seating&step=fifth&t=9")
    assert at(frame) == 4
    expect(frame.get_by_role("button", name="Play (space)")).to_be_disabled()
    frame.get_by_role("button", name="Show the answer").click()
    expect(frame.get_by_role("button", name="Play (space)")).to_be_enabled()
    frame.wait_for_function(f"() => {PLAYER}.at === 5")
    assert "answered=1" in frame.evaluate("location.search")
    link = frame.get_by_role("link", name="Open in Samplescope")
    assert link.get_attribute("href") == f"{site[0]}/crp_seating?lesson=crp-seating&step=fifth&t=5"


def test_a_frame_is_as_dark_as_its_page_asks(page, site):
    frame = framed(page, site, "coin?theme=dark")
    assert frame.evaluate(f"{PLAYER}.painter.moment().dark")
    frame = framed(page, site, "coin")
    assert not frame.evaluate(f"{PLAYER}.painter.moment().dark")
    page.emulate_media(color_scheme="dark")
    frame.wait_for_function(f"() => {PLAYER}.painter.moment().dark")


@pytest.mark.parametrize("size", [NARROW, {"width": 640, "height": 400}], ids=["phone", "200 %"])
def test_a_stage_fits_its_frame(page, site, size):
    page.set_viewport_size(size)
    frame = framed(page, site, "coin?tosses=9&t=5&charts=density", "body { margin: 0 }")
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tall = frame.evaluate("[document.body.scrollHeight, innerHeight]")
    assert tall[0] <= tall[1] + 1


def test_a_broken_address_is_said_in_the_frame(page, site):
    app, *_ = site
    page.goto(f"{app}/stage/coin?lesson=none")
    expect(page.locator(".wrong")).to_have_text(re.compile("could not be shown. There is no lesson of that name"))


def test_a_stage_moves_few_bytes_from_its_own_origin_alone(page, site):
    app, *_ = site
    asked: list[str] = []
    page.on("response", lambda got: asked.append(got.url) if got.status == 200 else None)  # a busy server says: later
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    moved: list[float] = []
    wire.on("Network.loadingFinished", lambda event: moved.append(event["encodedDataLength"]))
    page.goto(f"{app}/stage/crp_mixture?concentration=2")
    page.wait_for_function(AT_REST)
    assert [url for url, many in Counter(asked).items() if many > 1] == []
    assert {url for url in asked if not url.startswith((app, "data:"))} == set()
    assert 300_000 < sum(moved) < MOST


# ---- the link's menu -------------------------------------------------------------------------------------------------


def test_what_the_link_s_menu_says_puts_the_same_on_another_page(app_page, site):
    app, *_ = site
    app_page.goto(f"{app}/crp_seating?concentration=2&t=5")
    app_page.wait_for_function(AT_REST)
    app_page.get_by_role("button", name="Copy a link to exactly this").click()
    link = app_page.get_by_role("textbox", name="Link")
    expect(link).to_have_value(f"{app}/crp_seating?concentration=2&t=5")
    drawn = app_page.locator("[data-part=qr] path").last.get_attribute("d")
    assert drawn
    assert f'd="{drawn}"' in as_qr(link.input_value()).decode()
    app_page.get_by_text("Put it on a page").click()
    expect(app_page.locator("[data-part=framed]")).to_contain_text(f"SAMPLESCOPE_FRAMED_BY: {site[1]}.")
    snippets = [app_page.get_by_role("textbox", name=name).input_value() for name in ("Frame", "Element")]
    assert app_page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for snippet in snippets:
        frame = shown(app_page, site, snippet)
        assert frame.evaluate("location.search").startswith("?concentration=2&t=5") or "theme=light" in frame.url
        assert at(frame) == 5


def test_an_element_is_as_dark_as_its_page_and_follows_it(page, site):
    app, *_ = site
    script, style = f'<script src="{app}/stage/element.js"></script>', "<style>.dark { background: #181818 }</style>"
    stage = f'<samplescope-stage height="400" src="{app}/stage/coin"></samplescope-stage>'
    frame = shown(page, site, script + style + stage)
    dark = f"{PLAYER}.painter.moment().dark"
    assert not frame.evaluate(dark)
    page.evaluate("document.body.classList.add('dark')")
    frame.wait_for_function(f"() => {dark}")
    assert frame.evaluate("innerHeight") == 400


# ---- a folder --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def course(site) -> Path:
    """Publish a lesson in the folder of the other site."""
    place = site[2] / "course"
    command = [sys.executable, "-m", "pages.publish", "crp-seating", "--out", str(place), "--processes", "1"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return place


@pytest.mark.parametrize("by", ["disk", "web"])
def test_a_folder_has_the_same_stage_without_a_server(page, site, course, by):
    base = course.as_uri() if by == "disk" else f"{site[1]}/course"
    (site[2] / "slides.html").write_text(
        f'<iframe src="{base}/stage.html?lesson=crp-seating&step=fifth" style="width: 900px; height: 560px"></iframe>'
    )
    page.goto(f"{site[2].as_uri() if by == 'disk' else site[1]}/slides.html")
    frame = at_rest(page)
    assert at(frame) == 4
    frame.get_by_role("button", name="Show the answer").click()
    frame.wait_for_function(f"() => {PLAYER}.at === 5")
    frame.get_by_role("button", name="This customer").click()
    expect(frame.locator(".beat").first).to_be_visible()
    frame.get_by_role("button", name="Step (right arrow)").click()
    assert at(frame) == 6


def test_a_folder_says_which_lesson_or_run_it_does_not_have(page, site, course):
    for search, said in [
        ("lesson=none", "This course has no lesson of that name."),
        ("lesson=crp-seating&step=none", "This lesson has no step of that name."),
        ("lesson=crp-seating&step=fifth&concentration=3", "This copy does not have this run; the app has it."),
    ]:
        page.goto(f"{site[1]}/course/stage.html?{search}")
        expect(page.locator("[role=status]").first).to_have_text(said)
