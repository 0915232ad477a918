"""A published course plays from a disk, looks as the app does, and no request leaves its folder.

`tests/pages/publish` compares its decisions with those of the live page, for the questions of all lessons. `make
published` publishes all lessons, and compares every step of each on the screen; here it is one lesson.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import expect

from lessons.course.work import judged, read_work
from pages.judge.packing import packed
from pages.lesson.lessons import library
from samplers.judge.bank import PROBLEMS
from tests.browser import axe
from tests.browser.driver import NARROW, ROOT, WIDE, served
from tests.browser.published_page import answer, answered, give, resize, rest
from tests.browser.sizes import COVERED, SIZES
from tests.browser.snippets import UNPAINTED
from tests.browser.walker import Walk, differences
from tests.pages.publish.own_lesson import OWN
from tests.samplers.judge.rules import CASES

LESSON, RULE = "crp-seating", "crp-write"  # the second asks for a rule
WHOLE = os.environ.get("PUBLISHED")  # a folder with all lessons
RUNTIME = ROOT / "node_modules/scorm-again/dist/scorm12.min.js"

pytestmark = pytest.mark.browser
FIRST_ACT = 450_000  # bytes of a lesson until its first picture is at rest, packed as web spaces pack it


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("published") / "course"
    if WHOLE:
        return Path(WHOLE).resolve()
    words = [sys.executable, "-m", "pages.publish", LESSON, RULE, "--out", str(place), "--processes", "1", "--scorm"]
    subprocess.run(words, check=True, cwd=ROOT, timeout=300)
    return place


@pytest.fixture
def page(browser, folder):
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    context.add_init_script(UNPAINTED)
    page, wrong, asked = context.new_page(), [], []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / "index.html").as_uri())
    yield page
    context.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith((folder.as_uri(), "data:", "blob:"))] == []


def test_a_lesson_is_walked_with_wrong_and_right_answers(page):
    lesson = library().lesson(LESSON)
    page.get_by_role("link", name=lesson.title, exact=True).click()
    rest(page)
    for step in lesson.steps:
        assert page.locator("h2").inner_text() == step.title
        assert step.at in (None, rest(page))
        if step.choices:
            assert page.locator(".st-key-views").is_visible() == ("inspector" not in step.hide)
            if not step.once:
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
    page.locator(".answers li").nth(questions - 1).wait_for()
    page.reload()  # the browser has kept them
    page.locator(".answers li").nth(questions - 1).wait_for()


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")])
def test_axe_finds_nothing(page, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    lessons = [library().lesson(LESSON), *(library().lessons if WHOLE else ())]
    steps = [
        (lesson.id, step.id)
        for lesson in lessons
        for step in (next(step for step in lesson.steps if step.choices), lesson.steps[-1])
    ]
    for place in ("", "#work", *(f"#lesson={lesson}&step={step}" for lesson, step in steps)):
        page.goto(f"{page.url.split('#')[0]}{place}")
        page.reload()
        page.locator("h1, h2").first.wait_for()
        if "lesson" in place:
            rest(page)
        found = axe.violations(page)
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], place
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_step_is_done_at_any_size_and_the_focus_follows(page):
    page.goto(f"{page.url}#lesson={LESSON}&step=fifth")
    rest(page)
    for width, height in SIZES:
        resize(page, width, height)
        assert page.evaluate(COVERED) == [], (width, height)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-verdict")).to_be_focused()
    page.keyboard.press("PageDown")
    expect(page.locator("h2")).to_be_focused()
    assert re.match(r"\d tables?: 1 ", page.locator("figure .told").first.inner_text())


def test_a_course_in_arabic_runs_to_the_left_and_the_apps_own_words_do_not(browser, tmp_path):
    mine = ROOT / "tests/lessons/format/languages/ar"
    words = [sys.executable, "-m", "pages.publish", str(mine), "--out", str(tmp_path / "course"), "--processes", "1"]
    subprocess.run(words, check=True, cwd=ROOT, timeout=300)
    page = browser.new_page(viewport=NARROW)
    ways = "query => [...document.querySelectorAll(query)].map((one) => getComputedStyle(one).direction)"
    page.goto((tmp_path / "course/index.html").as_uri())
    page.locator(".lessons li").first.wait_for()
    assert {*page.evaluate(ways, "h1, .lessons li")} == {"rtl"}
    assert {*page.evaluate(ways, ".lessons .quiet")} == {"ltr"}
    page.locator("a.primary").click()
    rest(page)
    assert {*page.evaluate(ways, ".crumbs, .st-key-text h2, .words p")} == {"rtl"}
    assert {*page.evaluate(ways, ".st-key-stage, .st-key-player, .words math")} == {"ltr"}
    assert axe.violations(page) == []
    page.context.close()


def test_a_course_says_where_data_of_ones_own_are_read(browser, tmp_path):
    (tmp_path / "own.md").write_text(OWN)
    place, live = tmp_path / "course", "https://app.example/x"
    words = [sys.executable, "-m", "pages.publish", str(tmp_path), "own", "--out", str(place), "--live", live]
    subprocess.run([*words, "--processes", "1"], check=True, cwd=ROOT, timeout=300)
    page = browser.new_page(viewport=WIDE)
    page.goto(f"{(place / 'index.html').as_uri()}#lesson=own")
    note = page.get_by_text("data of your own, need the app")
    expect(note.get_by_role("link", name="Open this step there")).to_have_attribute(
        "href", re.compile(f"^{live}/crp_mixture\\?lesson=own&step=bring&")
    )
    index = place / "index.html"
    assert live in index.read_text("utf-8")
    index.write_text(index.read_text("utf-8").replace(live, ""), "utf-8")
    page.reload()
    expect(note).to_contain_text("Ask your instructor for its address")
    page.context.close()


# ---- the same walk in the app and in the course ----------------------------------------------------------------------


def walked(context, place, lesson):
    """Walk a lesson on fresh pages, first with right answers in the end, then with wrong guesses."""
    seen = []
    for way in (Walk.all_of, Walk.wrong_guesses):
        page, asked = context.new_page(), []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        walk = Walk(page, place)
        seen += way(walk, lesson)
        problems = walk.screen.problems
        if page.url != "about:blank":  # a lesson may have no such question
            walk.screen.forget()
        page.close()
        assert problems == []
        folder = place.removesuffix("index.html")
        assert [url for url in asked if not url.startswith((folder, "data:", "blob:"))] == []
    return seen


@pytest.mark.parametrize("name", [one.id for one in library().lessons] if WHOLE else [LESSON, RULE])
def test_a_lesson_is_on_the_screen_as_in_the_app(context, server, folder, name):
    lesson = library().lesson(name)
    app, others = walked(context, server.url, lesson), [walked(context, (folder / "index.html").as_uri(), lesson)]
    assert len(app) >= len(lesson.steps)
    if WHOLE:
        with served(folder.parent) as address:
            others.append(walked(context, f"{address}/{folder.name}/index.html", lesson))
    for other in others:
        assert [one.where for one in other] == [one.where for one in app]
        assert [line for pair in zip(app, other, strict=True) for line in differences(*pair)] == []


def test_a_first_act_moves_few_bytes_and_the_fonts_come_after_it(browser, folder):
    context = browser.new_context(reduced_motion="reduce")
    page, moved = context.new_page(), []
    page.on("request", lambda request: moved.append(request.url.partition("#")[0].rpartition("/")[2]))
    page.goto(f"{(folder / 'index.html').as_uri()}#lesson={LESSON}")
    page.wait_for_function("() => document.querySelector('[data-at-rest]')?.dataset.atRest > ''")
    page.wait_for_function("() => document.getElementById('faces').media === 'all'")
    page.evaluate("() => document.fonts.ready")
    first = [next(folder.rglob(name)) for name in dict.fromkeys(moved) if not name.endswith(".woff2")]
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in first}
    context.close()
    assert len(sizes) > 4
    assert sum(sizes.values()) <= FIRST_ACT, sizes
    assert any(name.endswith(".woff2") for name in moved)
    assert [name for name, many in Counter(moved).items() if many > 1] == []


# ---- what leaves the course ------------------------------------------------------------------------------------------


def test_work_is_handed_in_and_taken_in_by_another_browser(page, browser, folder):
    lesson = library().lesson(LESSON)
    step = answered(page, lesson)
    page.goto(f"{page.url.split('#')[0]}#work")
    page.get_by_placeholder("Your name").fill("Ada")
    with page.expect_download() as download:
        page.get_by_role("button", name="As a file").click()
    content = Path(download.value.path()).read_bytes()
    work = read_work(content)
    assert (work.name, [one.step for one in work.answers]) == ("Ada", [step.id])
    verdict = judged(work.answers[0], library())
    assert (verdict.right, verdict.remark) == (True, "")
    with page.expect_download() as download:
        page.get_by_role("button", name="To print or hand in").click()
    text = Path(download.value.path()).read_text("utf-8")
    assert "Ada" in text
    assert step.title in text
    other = browser.new_context().new_page()
    other.goto(f"{(folder / 'index.html').as_uri()}#work")
    other.get_by_text("Bring it from another browser").click()
    other.locator("input[type=file]").set_input_files(
        {"name": "my-work.json", "mimeType": "application/json", "buffer": content}
    )
    other.get_by_text("1 of 1 answers in the file are here now").wait_for()
    assert other.locator(".answers li").count() == 1
    other.context.close()


@pytest.mark.skipif(bool(WHOLE), reason="the package is made of two lessons")
@pytest.mark.parametrize("name", [LESSON, RULE])
def test_a_learning_platform_keeps_answers_score_and_place(browser, folder, tmp_path, name):
    with zipfile.ZipFile(folder.with_name("course-scorm.zip")) as package:
        assert "imsmanifest.xml" in package.namelist()
        package.extractall(tmp_path / "sco")
    (tmp_path / "scorm12.js").write_text(RUNTIME.read_text("utf-8"), "utf-8")
    frame = "const course = document.createElement('iframe');"
    frame += f"course.src = 'sco/lesson-{name}.html';"
    frame += "course.width = 1200; course.height = 700; document.body.append(course)"
    (tmp_path / "platform.html").write_text(
        "<!doctype html><meta charset=utf-8><title>Platform</title><body><script src='scorm12.js'></script><script>"
        "window.API = new Scorm12API({autocommit: false, logLevel: 4}); const kept = sessionStorage.getItem('cmi');"
        f"if (kept) API.loadFromJSON(JSON.parse(kept), ''); {frame}</script>",
        "utf-8",
    )
    lesson = library().lesson(name)
    questions = sum(bool(step.choices or step.goals) for step in lesson.steps)
    page = browser.new_page(viewport=WIDE)
    with served(tmp_path) as address:
        page.goto(f"{address}/platform.html")
        frame = page.frame_locator("iframe")
        step = next(step for step in lesson.steps if step.choices and not step.ask.guessed)
        while frame.locator("h2").first.inner_text() != step.title:
            frame.locator(".st-key-next button").click()
        give(frame, step, right=True)
        frame.locator(".said.right").wait_for()
        page.wait_for_function(f"() => +API.lmsGetValue('cmi.core.score.raw') === {round(100 / questions)}")
        assert page.evaluate("API.lmsGetValue('cmi.core.lesson_status')") == "incomplete"
        page.evaluate("sessionStorage.setItem('cmi', JSON.stringify(API.renderCMIToJSONObject().cmi))")
        page.evaluate("localStorage.clear()")
        page.reload()
        assert step.title in frame.locator("h2").first.inner_text()  # where the learner was
        frame.locator(".said.right").wait_for()  # and with the answer
        if step.returns:
            frame.locator(".crumbs a").first.click()
            frame.get_by_role("link", name="Review").click()
            expect(frame.locator("main")).to_contain_text("1 idea so far")
    page.context.close()


JUDGED = """async ([pack, rules]) => {
  const judge = new Worker(window.judgeIsAt), found = [];
  for (const [place, texts] of rules.entries())
    found.push(
      await new Promise((done) => {
        judge.onmessage = ({ data }) => done(data.verdict ?? null);
        judge.postMessage({ pack: place ? null : pack, texts });
      }),
    );
  judge.terminate();
  return found;
}"""


def test_the_judge_of_a_published_page_gives_every_rule_of_the_list_the_verdict_that_the_app_gives(page):
    """The page's own script is asked, in a thread as the page starts it."""
    page.add_init_script("window.Worker = class extends Worker { constructor(at) { super(window.judgeIsAt = at); } }")
    page.reload()
    answered(page, library().lesson(RULE))
    expect(page.locator(".rule-proof")).to_contain_text("Right in each of 75 cases.")
    seen = 0
    for name, problem in PROBLEMS.items():
        cases = [case for case in CASES if case.problem == name]
        found = page.evaluate(JUDGED, [packed(problem), [case.texts for case in cases]])
        for case, verdict in zip(cases, found, strict=True):
            assert (verdict is None) == (case.kind == "refused"), case
            if verdict is None:
                continue
            assert verdict["named"] == case.named, case
            assert (verdict["kind"] in ("right", "invariant")) == (case.kind in ("right", "invariant")), case
            assert case.named is not None or verdict["kind"] == case.kind, case
        seen += len(found)
    assert seen == len(CASES)


@pytest.mark.parametrize("name", [LESSON, RULE])
def test_a_record_store_hears_of_an_answer_if_the_link_names_it(browser, folder, name):
    def hear(route):
        route.fulfill(json=["ok"], headers={"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"})

    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.route("https://store.example/**", hear)
    actor = '{"mbox":"mailto:ada@example.org"}'
    asked = f"endpoint=https%3A%2F%2Fstore.example%2Fx&auth=Basic%20abc&actor={actor}"
    with page.expect_request(lambda request: request.method == "POST") as posted:
        page.goto(f"{(folder / 'index.html').as_uri()}?{asked}")
    (first,) = json.loads(posted.value.post_data)
    assert first["verb"]["display"]["en"] == "initialized"
    with page.expect_request(lambda request: request.method == "POST") as posted:
        step = answered(page, library().lesson(name))
    said = json.loads(posted.value.post_data)[-1]
    assert posted.value.url == "https://store.example/x/statements"
    assert posted.value.headers["authorization"] == "Basic abc"
    context.close()
    assert said["actor"] == json.loads(actor)
    assert said["object"]["id"].endswith(f"#lesson={name}&step={step.id}")
    assert said["result"]["success"] is True
    assert said["result"]["score"] == {"scaled": 1}
    assert name == LESSON or said["result"]["response"] == ", ".join(step.answers.right_keys[:-1])


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")])
def test_what_was_answered_days_ago_comes_back_and_the_old_answer_stays(page, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    keep = "([name, keys]) => localStorage.setItem(`samplescope answer ${name}`, JSON.stringify(keys))"
    kept = "name => JSON.parse(localStorage.getItem(`samplescope answer ${name}`))"
    page.evaluate(keep, [f"{LESSON}/second", ["2/3"]])
    page.evaluate(keep, [f".tries/{LESSON}/second", ["1", *["2026-01-01T00:00:00Z"] * 2, "2/3"]])
    page.goto(f"{page.url}#review")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Begin").click()
    rest(page)
    page.locator(".st-key-question input[value='1/2']").check()
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".st-key-then")).to_have_text("In the lesson you said 2/3; it was 1/2.")
    assert page.evaluate(kept, f"{LESSON}/second") == ["2/3"]
    record = page.evaluate(kept, ".idea/chinese-restaurant-process")
    assert (record[0], record[2]) == ("1", f"{LESSON}/second")
    rest(page)
    assert axe.violations(page) == []
    page.get_by_role("button", name="Finish").click()
    expect(page.locator("main")).to_contain_text("Nothing is due now. The next question comes in 3 days.")
    page.get_by_label("Ask me again").uncheck()
    expect(page.locator("main")).to_contain_text("Review is switched off")
