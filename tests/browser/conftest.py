"""One server and one browser for all browser tests; without a browser they are left out, and that is said."""

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.driver import WIDE, Screen, Server, browse, chromium, serve
from tests.browser.snippets import UNPAINTED

left_out = 0
REMEDY = "no Chromium found; install it with: apt-get install chromium"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the browser tests out where there is no browser, unless one was promised; those of a file stay together."""
    global left_out
    browser = [item for item in items if item.get_closest_marker("browser")]
    for item in browser:
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    many = Counter(map(group_of, browser))
    items.sort(key=lambda item: -many[group_of(item)])  # the longest first: workers end at about the same time
    if not browser or chromium():
        return
    if os.environ.get("SAMPLESCOPE_NEEDS_BROWSER"):
        raise pytest.UsageError(f"SAMPLESCOPE_NEEDS_BROWSER is set: {REMEDY}")
    left_out = len(browser)
    config.hook.pytest_deselected(items=browser)
    items[:] = [item for item in items if item not in browser]


def group_of(item: pytest.Item) -> str:
    """Return the name of the tests that stay together; "" of those without a browser."""
    group = item.get_closest_marker("xdist_group") if item.get_closest_marker("browser") else None
    return str(group.args[0]) if group else ""


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Do not call it a failure that there was nothing left to run: the summary says why."""
    if left_out and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was not run, and what would change that."""
    if left_out:
        terminalreporter.write_line(f"{left_out} browser tests were not run: {REMEDY}", yellow=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what the server said to the report of a test that failed."""
    report = yield
    server = getattr(item, "funcargs", {}).get("server")
    if report.failed and isinstance(server, Server):
        report.sections.append(("Said by the server", server.said()))
    return report


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with browse() as opened:
        yield opened


@pytest.fixture(scope="session")
def context(browser: Browser, server: Server):
    """Share one browser profile, so that the page's files are fetched and compiled once.

    Its learner prefers little motion: 60 pictures of each step cost more than the page. Tests of motion are marked.
    """
    opened = browser.new_context(viewport=WIDE, color_scheme="light", reduced_motion="reduce")
    opened.add_init_script(UNPAINTED)
    opened.new_page().goto(f"{server.url}/_stcore/health")  # stays open
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def kept() -> list[Screen]:
    """Keep a page for the next test."""
    return []


def bring(screen: Screen, request: pytest.FixtureRequest) -> None:
    """Bring a page to the front, in the size and the colours in which a test finds it, and with or without motion."""
    moves = bool(request.node.get_closest_marker("motion"))
    screen.page.bring_to_front()
    screen.page.set_viewport_size(WIDE)
    screen.page.emulate_media(
        color_scheme="light", forced_colors="none", reduced_motion="no-preference" if moves else "reduce"
    )


@pytest.fixture
def new_screen(request, context, server: Server) -> Iterator[Callable[..., Any]]:
    """Open pages as on a first visit, and fail if anything went wrong on one of them."""
    screens: list[Screen] = []

    def another(kind: type[Screen] = Screen) -> Screen:
        screens.append(kind(context.new_page(), server))
        bring(screens[-1], request)
        return screens[-1]

    yield another
    problems = [problem for screen in screens for problem in screen.problems]
    for screen in screens:
        if screen.page.url.startswith(server.url):
            screen.forget()  # answers stay with the browser
        screen.page.close()
    assert not problems


@pytest.fixture
def same_screen(request, context, server: Server, kept: list[Screen]) -> Iterator[Callable[..., Any]]:
    """Go on with the page of the test before, or, after a failure, with a new one."""
    failed = request.session.testsfailed
    used: list[Screen] = []

    def take(kind: type[Screen] = Screen) -> Screen:
        used.append(kept.pop().seen_as(kind) if kept else kind(context.new_page(), server))
        bring(used[-1], request)
        return used[-1]

    yield take
    for screen in used:
        (screen.forget if request.session.testsfailed > failed else screen.leave)()
        if screen.problems or request.session.testsfailed > failed:
            screen.page.close()
        else:
            kept.append(screen)
        assert not screen.problems


@pytest.fixture
def screen(same_screen) -> Screen:
    return same_screen()
