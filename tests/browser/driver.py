"""A real server and a real browser, and a page of the app as a learner uses it. The bench drives the same."""

import base64
import io
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Thread
from typing import TypeVar
from urllib.parse import parse_qsl, urlsplit

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, TimeoutError, expect, sync_playwright

from pages.http.framing import FRAMED_BY
from tests.browser.snippets import AT_REST, FOLLOW, FORGET, LEAD, PLAYER, UNANSWERED, UNDER_WAY

ROOT = Path(__file__).parents[2]
WAIT = 60_000  # milliseconds until something that should come is missed: a busy machine is slow
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
# Pages of one profile share a process, and with it the code that has been compiled, as long as one of them is open.
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--process-per-site"]
# Streamlit says it when it has lost a part of the page, after a quick move while that was drawn. The page begins anew
# by itself (pages/lesson/store.js), and has what a test expects.
MENDED = "delta path"


def chromium() -> str | None:
    """Return where Chromium is: CHROMIUM, or what the PATH has, first the build without windows, which does less."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@dataclass
class Server:
    """A running ``streamlit run app.py``, or several at one address."""

    url: str
    pids: tuple[int, ...]
    log: Path | None = None  # of its errors

    def said(self, most: int = 4_000) -> str:
        """Return the end of what it said."""
        return self.log.read_text(errors="replace")[-most:] if self.log else ""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_healthy(url: str, process: subprocess.Popen, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"{url}: the server ended with {process.returncode}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError(f"{url} did not answer within {seconds:g} s")


def command(port: int, base: str = "") -> list[str]:
    """Return the command of ``make run``, with where the app is served: all else is as learners have it."""
    where = {"headless": "true", "port": port, "address": "127.0.0.1"} | ({"baseUrlPath": base} if base else {})
    options = [f"--server.{name}={value}" for name, value in where.items()]
    return [sys.executable, "-m", "streamlit", "run", "app.py", *options]


@contextmanager
def serve(
    port: int | None = None, *, base: str = "", folder: Path = ROOT, log: Path | None = None, framed_by: str = ""
) -> Iterator[Server]:
    """Run the app of a folder, on this machine alone and on a free port if none is given, and end it afterwards.

    What it says goes into a file, which is deleted unless it is named. Pages of `framed_by` may show it in a frame.
    """
    port = port or free_port()
    url = f"http://127.0.0.1:{port}{f'/{base}' * bool(base)}"
    with log.open("wb") if log else NamedTemporaryFile("wb", suffix=".log") as said:
        process = subprocess.Popen(
            command(port, base),
            cwd=folder,
            env={name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
            | {FRAMED_BY: framed_by},
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        try:
            wait_until_healthy(url, process)
            yield Server(url, (process.pid,), Path(said.name))
        finally:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder by Python's own server of files, an origin of its own; yield its address."""
    quiet = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def browse() -> Iterator[Browser]:
    """Open a browser and close it afterwards."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=OPTIONS)
        yield browser
        browser.close()


def same(one: np.ndarray, other: np.ndarray, few: float = 2e-4) -> bool:
    """Return whether two pictures show the same.

    Vega repaints a part at a time, and edges may be smoothed otherwise at its rim: a few pixels are no difference.
    """
    return one.shape == other.shape and bool(np.mean(np.abs(one - other).max(axis=2) > 64) < few)


def not_a_cover(path: str) -> str:
    """Return the path of a page such that a topic shows what can be done there, and not its cover."""
    return f"{path}{'?t=0' * bool(path and '?' not in path)}"


expect.set_options(timeout=WAIT)
Kind = TypeVar("Kind", bound="Screen")


class Screen:
    """One page of the app, with what went wrong on it."""

    charts = 4

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.server = page, server
        self.problems: list[str] = []
        page.set_default_timeout(WAIT)
        page.add_init_script(UNANSWERED)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self._went_wrong(f"page error: {error}"))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._went_wrong(f"{message.text} ({message.location['url']})")

    def _went_wrong(self, said: str) -> None:
        if MENDED not in said:
            self.problems.append(said)

    def seen_as(self, kind: type[Kind]) -> Kind:
        """Return the same page, with its problems, as another kind of screen."""
        other = kind.__new__(kind)
        other.page, other.server, other.problems = self.page, self.server, self.problems
        return other

    # ---- going places --------------------------------------------------------------------------------------------

    def load(self, path: str = "") -> None:
        """Load the app at a page, as on a first visit, and wait until it stands."""
        self.page.goto(f"{self.server.url}/{not_a_cover(path)}")
        self.stands(path)

    def open(self, path: str = "") -> None:
        """Go to a page, by a link if the app is open already, and wait until it stands."""
        self.follow(not_a_cover(path))
        self.stands(path)

    def go(self, path: str) -> None:
        """Go to a topic of which it does not matter how many charts are drawn, and wait until it stands."""
        self.follow(path)
        self.is_of(path)
        self.settle()

    def follow(self, path: str) -> None:
        """Go where a link leads, within the app if it is open: to load it once more takes four times as long."""
        there = f"{self.server.url}/{path}"
        if self.page.url.startswith(self.server.url):
            self.page.evaluate(FOLLOW, there)
        else:
            self.page.goto(there)

    def leave(self) -> None:
        """Leave the page as another test may find it: where no topic is, and nothing has been answered."""
        self.page.mouse.move(0, 0)
        self.follow("work")
        self.heading("My work").wait_for()
        self.settle()
        self.paint(False)
        if self.forget():
            for leads in (True, False):  # whoever leads a class has no answers yet, nor has whoever leads none any more
                self.page.evaluate(LEAD, leads)
                self.settle()
                self.forget()
        expect(self.page.get_by_text("Nothing yet: your answers will appear here.")).to_be_visible()

    def paint(self, on: bool = True) -> None:
        """Have the page painted as a learner sees it: somebody looks at its pixels."""
        self.page.evaluate("on => { if (window.unpainted) unpainted.disabled = on; }", on)

    def forget(self) -> bool:
        """Have the browser forget all that it has kept; return whether it knew of answers or lessons."""
        return bool(self.page.evaluate(FORGET))

    def step_of(self, lesson: str, step: str) -> None:
        self.open(f"crp_seating?lesson={lesson}&step={step}")

    def stands(self, path: str) -> None:
        """Wait until a page is drawn, and not the one before it."""
        if not path:
            self.heading("See samplers work").wait_for()
            return
        self.is_of(path)
        self.wait_until_drawn()

    def is_of(self, path: str) -> None:
        """Wait until the player shows a topic."""
        of_topic = f"topic => {PLAYER}?.message.source.startsWith(topic + '?')"
        self.page.wait_for_function(of_topic, arg=path.partition("?")[0])

    def wait_until_drawn(self) -> None:
        """Wait for all charts, the inspector or a question, and the address that the player writes when it stands."""
        self.canvas(self.charts - 1).wait_for(state="attached")
        expect(self.now).to_contain_text(re.compile(r"\d"))
        expect(self.page.locator(".st-key-inspector, .st-key-question").first).not_to_be_empty()
        self.page.wait_for_url(re.compile(r"[?&]t=\d+$"))
        self.settle()

    # ---- what is there -------------------------------------------------------------------------------------------

    @property
    def now(self) -> Locator:
        return self.page.locator(".player:not(.poster) [data-part=now]")

    @property
    def inspector(self) -> Locator:
        return self.page.locator(".st-key-inspector")

    def button(self, act: str) -> Locator:
        """Return a button of the player."""
        return self.page.locator(f".player:not(.poster) [data-act={act}]")

    def level(self, name: str) -> None:
        """Choose what Step goes by."""
        self.page.locator("[data-part=levels] button", has_text=name).click()

    def unfold(self, heading: str) -> None:
        """Show the controls that are folded away under a heading."""
        fold = self.page.locator("[data-testid=stExpander] details", has_text=heading)
        if fold.get_attribute("open") is None:
            fold.locator("summary").click()

    def heading(self, name: str) -> Locator:
        return self.page.get_by_role("heading", name=name, exact=True)

    def canvas(self, number: int) -> Locator:
        return self.page.locator("figure canvas").nth(number)

    def picture(self, number: int = 0) -> np.ndarray:
        """Return the pixels of a chart, shape (height, width, 4)."""
        address = str(self.canvas(number).evaluate("canvas => canvas.toDataURL()"))
        image = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
        return np.asarray(image.convert("RGBA"), np.int16)

    def pictures(self) -> list[np.ndarray]:
        """Return the pixels of the charts that are shown."""
        return [self.picture(number) for number in range(self.charts) if self.canvas(number).is_visible()]

    def address(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.page.url).query))

    # ---- waiting -------------------------------------------------------------------------------------------------

    def at(self, t: int, total: int | None = None) -> None:
        """Wait until the counter says so."""
        expect(self.now).to_have_text(f"customer {t} of {total}" if total else re.compile(rf"^customer {t} of "))

    def rests_at(self, t: int) -> None:
        """Wait until counter and inspector say so, and the address bar."""
        self.at(t)
        expect(self.page).to_have_url(re.compile(rf"[?&]t={t}$"))
        expect(self.inspector).to_contain_text(f"That makes {t} customer" if t else "The restaurant is empty")

    def passes(self, t: int) -> None:
        """Wait until a film that plays has gone so far."""
        now = self.now.element_handle()
        self.page.wait_for_function("([now, t]) => +now.textContent.split(' ')[1] >= t", arg=[now, t])

    def repainted(self, before: np.ndarray, number: int = 0, seconds: float = 30) -> np.ndarray:
        """Wait until a chart's pixels are others, and return them; its canvas may be a new one."""
        end = time.monotonic() + seconds
        while same(picture := self.picture(number), before):
            if time.monotonic() > end:
                raise AssertionError(f"chart {number} was not repainted")
            self.painted()
        return picture

    def fit(self) -> None:
        """Have the charts fit their places once more, as after any change of the window's size."""
        size = self.page.viewport_size
        self.page.set_viewport_size({**size, "width": size["width"] + 8})
        self.settle()
        self.page.set_viewport_size(size)
        self.settle()

    def settle(self, patience: float = WAIT / 1000) -> None:
        """Wait until nothing is under way any more, for so many seconds at most."""
        self.painted()
        self.painted()  # a change of the window's size has been noticed
        try:
            self.page.wait_for_function(AT_REST, timeout=1000 * patience, polling=30)
        except TimeoutError as error:
            raise AssertionError(f"still under way: {self.page.evaluate(UNDER_WAY)}") from error

    def heard(self) -> None:
        """Wait until the server has begun to answer: with two messages on their way, its answer could be to either."""
        self.page.wait_for_function("() => !window.unanswered", polling=30)

    def painted(self) -> None:
        """Wait until the page is painted once more, or could be: one in the background is not."""
        self.page.evaluate("() => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 100); })")

    def answer(self, text: str) -> None:
        """Choose an answer and have it checked."""
        self.page.get_by_role("radiogroup").get_by_text(text, exact=True).click()
        self.heard()
        self.page.get_by_role("button", name="Check").click()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
