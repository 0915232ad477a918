"""Frames and cards come by routes: cards beside the picture, a lost connection, a proxy, a frame on another page."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import FilePayload, Locator, Page, Route, expect

from pages.server.icon import FILE
from tests.browser.driver import Screen, Server, serve
from tests.browser.proxy import REMEDY, behind_nginx, nginx
from tests.browser.snippets import PLAYER
from tests.browser.topic_page import TopicPage

pytestmark = pytest.mark.browser
FRAMES = re.compile(r"/play/.*/frames\?")
OWN: FilePayload = {"name": "own.csv", "mimeType": "text/csv", "buffer": b"x,y\n1,2\n2,1\n7,8\n"}
REPORTS = f"() => {PLAYER}.reporter.count"


class Draws(TopicPage):
    path, counter, charts = "draws?seed=7", "^draw {t} of ", 2

    @property
    def shown(self) -> Locator:
        return self.inspector.locator("[data-t]")


@pytest.fixture
def draws(same_screen) -> Draws:
    page = same_screen(Draws)
    page.open()
    return page


def test_cards_go_with_the_picture_step_by_step_and_back(draws):
    for key, t in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 0)):
        draws.press(key)
        expect(draws.shown).to_have_attribute("data-t", str(t))
        expect(draws.shown).to_contain_text(f"mean of {t}:" if t else "This is the start")


def test_cards_follow_while_it_plays(draws):
    draws.page.locator("[data-part=speed]").select_option("15")
    draws.button("play").click()
    draws.page.wait_for_function("() => +document.querySelector('[data-t]').dataset.t >= 6")
    expect(draws.shown).to_have_css("opacity", "1")
    lag = draws.page.evaluate(f"() => {PLAYER}.shown.t - document.querySelector('[data-t]').dataset.t")
    assert 0 <= lag <= 15, "at most a second behind"
    draws.button("play").click()
    draws.settle()
    t = draws.page.evaluate(f"() => {PLAYER}.shown.t")
    expect(draws.shown).to_contain_text(f"mean of {t}:")
    draws.rests_at(t)


def test_steps_in_a_row_run_no_script_until_there_is_a_pause(draws):
    draws.press("ArrowRight")
    draws.settle()
    sent = draws.page.evaluate(REPORTS)
    for t in range(2, 6):
        draws.press("ArrowRight")
        expect(draws.shown).to_have_attribute("data-t", str(t))
    assert draws.page.evaluate(REPORTS) == sent
    draws.page.wait_for_function(f"() => {PLAYER}.reporter.count > {sent}")
    draws.rests_at(5)


def test_what_is_pressed_on_the_page_comes_after_the_step_that_was_not_told_yet(same_screen):
    page = same_screen(TopicPage)
    page.open("crp_mixture?data=seven_points&view=chains")
    for _ in range(3):
        page.press("ArrowRight")
    page.press_button("Branch here")
    expect(page.page).to_have_url(re.compile("branch_at=3"))


def test_a_lost_connection_is_said_and_made_good(draws):
    def refuse(route: Route) -> None:
        route.abort()

    draws.page.route(FRAMES, refuse)
    draws.press("End")
    expect(draws.now).to_have_text("Connection lost: trying again")
    draws.page.unroute(FRAMES, refuse)
    draws.rests_at(1000)
    draws.problems[:] = [problem for problem in draws.problems if "ERR_FAILED" not in problem]


def test_code_that_could_not_be_had_is_asked_for_again(new_screen):
    page = new_screen(Draws)
    asked: list[str] = []

    def refuse_once(route: Route) -> None:  # browsers remember that it could not be had
        asked.append(route.request.url.split("/play/")[1].partition("/")[2])
        route.abort() if asked[-1].startswith("js/") else route.continue_()

    page.page.route("**/player/source.js", refuse_once)
    page.page.goto(f"{page.server.url}/{page.path}")
    expect(page.canvas(0)).to_be_attached()
    assert asked[-1] == "js1/player/source.js"
    page.wait_until_drawn()
    page.press("ArrowRight")
    page.rests_at(1)
    page.problems[:] = [problem for problem in page.problems if "ERR_FAILED" not in problem]


# ---- behind a proxy, and on another page -----------------------------------------------------------------------------


def test_two_processes_behind_nginx_below_a_path(context, tmp_path):
    if nginx() is None:
        (pytest.fail if os.environ.get("SAMPLESCOPE_NEEDS_BROWSER") else pytest.skip)(REMEDY)
    with behind_nginx(tmp_path, processes=2) as server:
        page, asked = TopicPage(context.new_page(), server), []
        page.page.on("request", lambda request: asked.append(request.url))
        page.page.goto(f"{server.url}/crp_mixture?data=own")
        page.page.locator("input[type=file]").set_input_files(OWN)
        page.wait_until_drawn()  # the process that has the file is asked for what is made of it
        page.press("ArrowRight")
        page.rests_at(1)
        icon = page.page.request.get(page.page.evaluate("document.querySelector('link[rel~=icon]').href"))
        assert (icon.headers["content-type"], icon.text()) == ("image/svg+xml", FILE.read_text("utf-8"))
        script = page.page.evaluate("document.querySelector('script[src*=index]').src")
        kept = [page.page.request.get(script).headers for _ in range(2)][1]
        assert (kept["content-encoding"], kept["x-cache-status"]) == ("br", "HIT")
        page.page.close()
        assert not page.problems
        assert f"{server.url}/_stcore/health" in asked
        assert not [url for url in asked if "crp_mixture/_stcore" in url], "it does not look for its server"


@contextmanager
def another_site(html: str) -> Iterator[str]:
    """Serve one page from another origin, and yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://localhost:{site.server_port}/"
        site.shutdown()


def test_in_a_frame_on_a_page_that_may_have_it(context):
    """A learning platform shows the app so; the browser refuses it all cookies, and files come in nevertheless."""
    with serve(framed_by="http://localhost:*") as server, another_site(framed(server)) as address:
        screen = Screen(context.new_page(), server)
        refuse_cookies_of_frames(screen.page)
        screen.page.goto(address)
        inside = screen.page.frame_locator("iframe")
        expect(inside.locator("[data-part=now]")).to_contain_text("draw 0 of")
        inside.locator("[data-act=step]").click()
        expect(inside.locator("[data-t]")).to_contain_text("mean of 1:")
        assert screen.page.frames[1].evaluate("() => document.cookie") == ""
        screen.page.frames[1].goto(f"{server.url}/crp_mixture?data=own")
        with screen.page.expect_response(re.compile("/_stcore/upload_file/")) as sent:
            inside.locator("input[type=file]").set_input_files(OWN)
        assert sent.value.status == 204
        expect(inside.locator("[data-part=now]")).to_contain_text("sweep 0 of")
        with screen.page.expect_response(re.compile("/_stcore/upload_file/")) as removed:
            inside.get_by_role("button", name="Remove own.csv").click()
        assert (removed.value.request.method, removed.value.status) == ("DELETE", 204)
        screen.page.close()
    assert not [problem for problem in screen.problems if "favicon" not in problem]


def refuse_cookies_of_frames(page: Page) -> None:
    """Have the browser neither keep nor send cookies of sites that another one shows in a frame."""
    controls = {"disableThirdPartyCookieMetadata": True, "disableThirdPartyCookieHeuristics": True}
    session = page.context.new_cdp_session(page)
    session.send("Network.setCookieControls", {"enableThirdPartyCookieRestriction": True, **controls})


def test_in_no_frame_of_another_site_unless_it_is_named(context, server):
    with another_site(framed(server)) as address:
        page = context.new_page()
        with page.expect_console_message(lambda message: "frame-ancestors 'self'" in message.text):
            page.goto(address)
        page.close()


def framed(server: Server) -> str:
    return f'<iframe src="{server.url}/draws?embed=true" width="1200" height="760"></iframe>'
