"""A published course plays from a disk: a lesson is walked with wrong and right answers; no request leaves the folder.

`tests/pages/publish` compares its decisions with those of the live page, for the questions of all lessons.
"""

import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages.shell.lessons import library
from tests.browser.driver import NARROW, ROOT, WIDE

LESSON = "crp-seating"
AT_REST = "() => document.querySelector('.st-key-player')?.dataset.atRest"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("published") / "course"
    words = [sys.executable, "-m", "pages.publish", LESSON, "--out", str(place), "--processes", "1"]
    subprocess.run(words, check=True, cwd=ROOT, timeout=300)
    return place


@pytest.fixture
def page(browser, folder):
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    page, wrong, asked = context.new_page(), [], []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / "index.html").as_uri())
    yield page
    context.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith((folder.as_uri(), "data:", "blob:"))] == []


def rest(page):
    page.wait_for_function(AT_REST)
    return int(page.evaluate(AT_REST))


def answer(page, step, *, right):
    """Answer the open question as a learner does, right or with the first answer that is not."""
    keys = {choice.key for choice in step.choices if choice.correct is right}
    if step.form.lists:
        for field in page.locator(".st-key-question input").all():
            if field.input_value() in keys:
                field.check()
                break
    else:
        low, high = step.form.limits
        page.locator(".st-key-question input").fill(step.answers.right_keys[0] if right else f"{low or high:g}")
    page.locator(".st-key-check button").click()
    rest(page)


def test_a_lesson_is_walked_with_wrong_and_right_answers(page):
    lesson = library().lesson(LESSON)
    page.get_by_role("link", name="Start here").click()
    rest(page)
    for step in lesson.steps:
        assert page.locator("h2").inner_text() == step.title
        assert step.at in (None, rest(page))
        if step.choices:
            assert not page.locator(".st-key-views").is_visible()
            if not step.ask.guessed:
                answer(page, step, right=False)
                assert page.locator(".said.wrong").is_visible()
                page.get_by_role("button", name="Try again").click()
                assert step.at == rest(page)
            answer(page, step, right=True)
            assert page.locator(".said.right").is_visible()
            assert rest(page) == step.at + step.then.advance
            assert "no cards" not in page.locator(".st-key-inspector").inner_text()
        if step.until is not None:
            page.locator("[data-act=goal]").click()
            page.get_by_text("is reached").wait_for()
        page.locator(".st-key-next button").click()
    questions = sum(bool(step.choices) for step in lesson.steps)
    assert page.get_by_text(f"{questions} of {questions} right").is_visible()
    page.get_by_role("link", name="My work").click()
    assert page.locator(".answers li").count() >= questions
    page.reload()  # the browser has kept them
    assert page.locator(".answers li").count() >= questions


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")])
def test_axe_finds_nothing(page, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    for place in ("", "#work", f"#lesson={LESSON}&step=second", f"#lesson={LESSON}&step=sandbox"):
        page.goto(f"{page.url.split('#')[0]}{place}")
        page.reload()
        page.locator("h1, h2").first.wait_for()
        if "lesson" in place:
            rest(page)
        found = Axe().run(page, options={"preload": False}).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], place
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
