"""A real server and a real browser, and a page of the app as a learner uses it. The bench drives the same."""

from __future__ import annotations

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
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, TimeoutError, expect, sync_playwright

ROOT = Path(__file__).parents[2]
WAIT = 60_000  # milliseconds until something that should come is missed: a busy machine is slow
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PLAYER = (
    "[...document.querySelectorAll('*')].find((one) => one.shadowRoot?.querySelector('.player'))?.shadowRoot.player"
)
# The middle of a mark that a question asks for.
MARK = f"""value => {{
  const {{ guess }} = {PLAYER}, chart = guess.charts.find(({{ name }}) => name === guess.asked.chart);
  const {{ left, top }} = chart.canvas.getBoundingClientRect();
  const mark = guess.marks(chart).find(({{ datum }}) => String(datum[guess.asked.field]) === value);
  return [left + (mark.left + mark.right) / 2, top + (mark.top + mark.bottom) / 2];
}}"""
# Whether the page has sent anything to the server that no run of the script has answered yet. Messages begin with the
# tags of their fields: a BackMsg with `rerun_script` (11), whose `fragment_id` (5) comes after other texts, and a
# ForwardMsg with hash and metadata (1, 2), and then `new_session` (4). Streamlit drops without an answer what is sent
# for a fragment that a run of the whole page has removed meanwhile (`AppSession.request_rerun`). So a fragment's
# message counts for ten seconds at most if no script runs; one of the whole page, the first one too, until its answer.
UNANSWERED = """(() => {
  const { send } = WebSocket.prototype;
  let sent = null; // when the last one was, and whether any was of the whole page
  const runs = (bytes, at = 0) =>
    bytes[at] === 34 || ([10, 18].includes(bytes[at]) && runs(bytes, at + 2 + bytes[at + 1]));
  const sized = (bytes, at) => { // the length that stands there, and where it ends
    let length = 0, part = 0;
    do length += (bytes[at] & 127) << (7 * part++); while (bytes[at++] > 127);
    return [length, at];
  };
  const whole = (bytes) => {
    let [, at] = sized(bytes, 1), length;
    while ([10, 18, 26, 34].includes(bytes[at])) {
      [length, at] = sized(bytes, at + 1);
      at += length;
    }
    return bytes[at] !== 42 || bytes[at + 1] === 0;
  };
  const dropped = () => {
    const script = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
    return !sent.whole && performance.now() > sent.at + 10_000 && script === "notRunning";
  };
  Object.defineProperty(window, "unanswered", { get: () => sent !== null && !dropped() });
  WebSocket.prototype.send = function (data) {
    const bytes = new Uint8Array(data);
    if (bytes[0] === 90) {
      sent = { at: performance.now(), whole: whole(bytes) || Boolean(sent?.whole) };
      const answered = ({ type, data }) => {
        if (type === "message" && !runs(new Uint8Array(data))) return;
        sent = null;
        for (const kind of ["message", "close"]) this.removeEventListener(kind, answered);
      };
      for (const kind of ["message", "close"]) this.addEventListener(kind, answered);
    }
    return send.call(this, data);
  };
})()"""
# The script has run to its end, and the player says itself when nothing is under way (pages/player/resting.js), where
# there is one, or will be: a slow machine has its place on the page before its code, and so it is with Streamlit's own
# widgets and charts. No test waits for somebody who might step on. Colours and opacities change over a moment.
AT_REST = """() => {
  if (window.unanswered) return false;
  const app = document.querySelector("[data-testid=stApp]"), host = document.querySelector("[data-at-rest]");
  const { reporter } = host?.shadowRoot.player ?? {};
  if (reporter?.telling) reporter.report();
  const fades = ({ playState, effect }) => playState === "running" && effect.getComputedTiming().endTime < Infinity;
  if (app?.dataset.testScriptState !== "notRunning") return false;
  if (!host && document.querySelector(".st-key-player")) return false;
  if (document.querySelector("[data-testid=stSkeleton], .st-key-inspector .stVegaLiteChart:not(:has(svg, canvas))"))
    return false;
  return host?.dataset.atRest !== "" && !document.getAnimations().some(fades);
}"""
# What may keep a page from coming to rest, for the message of a test that waits in vain.
UNDER_WAY = """() => {
  const host = document.querySelector("[data-at-rest]"), player = host?.shadowRoot.player;
  const cards = document.querySelector(".st-key-inspector [data-t]");
  const animated = document.getAnimations().filter(({ playState }) => playState === "running");
  return {
    unanswered: Boolean(window.unanswered),
    script: document.querySelector("[data-testid=stApp]")?.dataset.testScriptState,
    progress: document.querySelector(".stProgress") !== null,
    cards: cards && { t: cards.dataset.t, busy: cards.ariaBusy },
    animations: animated.map(({ animationName, transitionProperty }) => animationName ?? transitionProperty),
    player: player && {
      at: player.at, due: player.due, restless: player.restless, atRest: host.dataset.atRest, state: player.state,
      calm: player.resting.calm, unheard: player.reporter.unheard.length, telling: Boolean(player.reporter.telling),
      told: player.latest.told, next: [...player.latest.next.keys()],
    },
  };
}"""
# Goes where a link leads, within the app.
FOLLOW = "to => { history.pushState(null, '', to); dispatchEvent(new PopStateEvent('popstate')); }"
# Spares a page that nobody looks at its pixels: canvases draw into memory as ever, all that is written is there and can
# be pressed, but nothing is put together for a screen, which is a tenth of a test's processor time.
UNPAINTED = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0 }");
  document.adoptedStyleSheets.push(sheet);
})()"""
# Pages of one profile share a process, and with it the code that has been compiled, as long as one of them is open.
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--process-per-site"]
# Streamlit looks for these beside the page before it looks at the server's root, at every first visit to a page.
STREAMLITS_OWN = re.compile(r"/[^/]+/_stcore/(health|host-config)$")


def chromium() -> str | None:
    """Return where Chromium is: CHROMIUM, or what the PATH has, first the build without windows, which does less."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@dataclass
class Server:
    """A running ``streamlit run app.py``, or several at one address."""

    url: str
    pids: tuple[int, ...]


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
def serve(port: int | None = None, *, base: str = "", folder: Path = ROOT) -> Iterator[Server]:
    """Run the app of a folder, on this machine alone and on a free port if none is given, and end it afterwards."""
    port = port or free_port()
    process = subprocess.Popen(
        command(port, base),
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}{f'/{base}' * bool(base)}"
    try:
        wait_until_healthy(url, process)
        yield Server(url, (process.pid,))
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


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


expect.set_options(timeout=WAIT)


class Screen:
    """One page of the app, with what went wrong on it."""

    charts = 4

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.server = page, server
        self.problems: list[str] = []
        page.set_default_timeout(WAIT)
        page.add_init_script(UNANSWERED)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not STREAMLITS_OWN.search(message.location["url"]):
            self.problems.append(f"{message.text} ({message.location['url']})")

    # ---- going places --------------------------------------------------------------------------------------------

    def open(self, path: str = "") -> None:
        """Go to a page and wait until it stands."""
        self.page.goto(f"{self.server.url}/{path}{'?t=0' * bool(path and '?' not in path)}")  # no cover
        self.wait_until_drawn() if path else self.heading("See samplers work").wait_for()

    def go(self, path: str) -> None:
        """Go to a topic from another one, as by a link: to load the app once more takes much longer."""
        there = f"{self.server.url}/{path}"
        if self.page.url.startswith(self.server.url):
            self.page.evaluate(FOLLOW, there)
        else:
            self.page.goto(there)
        of_topic = f"topic => {PLAYER}?.message.source.startsWith(topic + '?')"
        self.page.wait_for_function(of_topic, arg=path.partition("?")[0])
        self.settle()

    def step_of(self, lesson: str, step: str) -> None:
        self.open(f"crp_seating?lesson={lesson}&step={step}")

    def wait_until_drawn(self) -> None:
        """Wait for all charts, the inspector or a question, and the address that the player writes when it stands."""
        self.canvas(self.charts - 1).wait_for(state="attached")
        expect(self.now).to_contain_text(re.compile(r"\d"))
        expect(self.page.locator(".st-key-inspector, .st-key-question").first).not_to_be_empty()
        self.page.wait_for_url(re.compile(r"&t=\d+$"))
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
        expect(self.page).to_have_url(re.compile(rf"&t={t}$"))
        expect(self.inspector).to_contain_text(f"That makes {t} customer" if t else "The restaurant is empty")

    def passes(self, t: int) -> None:
        """Wait until a film that plays has gone so far."""
        now = self.now.element_handle()
        self.page.wait_for_function("([now, t]) => +now.textContent.split(' ')[1] >= t", arg=[now, t])

    def repainted(self, before: np.ndarray, number: int = 0, seconds: float = 30) -> np.ndarray:
        """Wait until a chart's pixels are others, and return them; its canvas may be a new one."""
        end = time.monotonic() + seconds
        while same(picture := self.picture(number), before):
            assert time.monotonic() < end, f"chart {number} was not repainted"
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
