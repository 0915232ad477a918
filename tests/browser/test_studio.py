"""An instructor writes in the studio while somebody learns: what is valid and saved is seen, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from lessons.course.template import lesson_from
from tests.browser import axe
from tests.browser.driver import NARROW, ROOT, WAIT, WIDE, Screen, free_port, serve
from tests.browser.snippets import UNPAINTED

pytestmark = pytest.mark.browser

SECRET = "open sesame, then write"
LINE = "Write here what to look at while it runs."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "week-3.md").write_text(lesson_from("week-3"))
    monkeypatch.setenv("SAMPLESCOPE_LESSONS", str(folder))
    monkeypatch.setenv("SAMPLESCOPE_STUDIO", SECRET)
    return folder


def type_over(page: Page, old: str, new: str) -> None:
    """Select a piece of the text, and type another one."""
    text = page.locator("textarea")
    select = "const at = area.value.indexOf(old); area.focus(); area.setSelectionRange(at, at + old.length);"
    text.evaluate(f"(area, old) => {{ {select} }}", old)
    page.keyboard.insert_text(new)


def found_by_axe(page: Page) -> list[str]:
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in axe.violations(page)]


def begun_and_kept(screen: Screen, view: FrameLocator, folder: Path) -> None:
    """Begin a file: the browser keeps its text before it is saved."""
    page = screen.page
    page.get_by_role("button", name="New", exact=False).click()
    page.get_by_label("Name of the file").fill("week-4")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("status").first).to_contain_text("learners see your changes only after")
    type_over(page, "Write here what there is to see, and", "Kept by the browser.")
    expect(view.get_by_text("Kept by the browser.")).to_be_visible()
    screen.settle()
    page.reload()
    expect(view.get_by_text("Kept by the browser.")).to_be_visible()
    assert not (folder / "week-4.md").exists()
    page.keyboard.press("Control+s")
    expect(page.get_by_role("status").first).to_contain_text("Saved at")
    assert "Kept by the browser." in (folder / "week-4.md").read_text()


def test_learners_see_each_valid_save_soon_and_never_a_broken_one(browser, folder):
    with serve() as server:
        writing, learning = (browser.new_context(viewport=WIDE, reduced_motion="reduce") for _ in range(2))
        for context in (writing, learning):
            context.add_init_script(UNPAINTED)
        learner = Screen(learning.new_page(), server)
        learner.page.goto(f"{server.url}/crp_seating?lesson=week-3&step=watch")
        learner.page.get_by_text(LINE).wait_for()

        screen = Screen(writing.new_page(), server)
        page, view = screen.page, screen.page.frame_locator("iframe")
        page.goto(f"{server.url}/studio?file=mine/week-3.md&step=watch")
        page.get_by_label("The studio’s secret").fill(SECRET)
        page.keyboard.press("Enter")
        view.get_by_text(LINE).wait_for()

        type_over(page, LINE, "Look at $K$, once.")
        view.get_by_text("Look at").wait_for()  # the draft is for the instructor alone
        assert learner.page.get_by_text(LINE).is_visible()
        for before, after in (("once.", "twice."), ("twice.", "three times.")):
            type_over(page, before, after)
            page.keyboard.press("Control+s")
            learner.page.get_by_text(after).wait_for()

        type_over(page, "until: 10", "until: ten")
        problem = page.get_by_role("button", name="Line 39")
        expect(problem).to_contain_text("until")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("status").first).to_contain_text("learners keep its last valid version")
        assert "until: ten" in (folder / "week-3.md").read_text()

        page.locator("textarea").evaluate("area => area.setSelectionRange(0, 0)")
        problem.click()
        line = "area => area.value.slice(0, area.selectionStart).split('\\n').length"
        assert page.locator("textarea").evaluate(line) == 39

        type_over(page, "three times.", "never saved.")
        screen.settle()
        page.reload()  # the pass lets in, and the browser has kept the text
        expect(page.get_by_role("status").first).to_contain_text("This is your text from before.")
        assert "never saved." in page.locator("textarea").input_value()
        screen.settle()
        assert learner.page.get_by_text("three times.").is_visible()
        assert learner.page.get_by_role("heading", name="Watch").is_visible()

        begun_and_kept(screen, view, folder)

        found = found_by_axe(page)
        page.set_viewport_size(NARROW)
        page.emulate_media(color_scheme="dark")
        screen.settle()
        assert found + found_by_axe(page) == []
        assert screen.problems + learner.problems == []
        writing.close()
        learning.close()


def test_one_command_opens_it_on_ones_own_machine(browser, tmp_path):
    command = [sys.executable, "-m", "pages.studio", str(tmp_path / "week-3"), "--port", str(free_port())]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SAMPLESCOPE_", "STREAMLIT_"))}
    environment = kept | {"STREAMLIT_SERVER_HEADLESS": "true"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            link = next(line.split()[-1] for line in process.stdout if "The studio:" in line)
            page = browser.new_page()
            page.set_default_timeout(WAIT)
            with page.expect_response(lambda answer: answer.url.endswith("/pass")):
                page.goto(link)
            page.get_by_role("heading", name="week-3").wait_for()
            page.wait_for_url(link.partition("?")[0])
            page.reload()
            page.get_by_role("heading", name="week-3").wait_for()  # by the browser's pass
            page.close()
        finally:
            process.terminate()
