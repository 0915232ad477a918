"""The player in a real Chromium at 500 customers, counted on the restaurant's pixels."""

import statistics
from collections.abc import Callable, Iterator
from os import sysconf
from pathlib import Path

from bench import Reference, Row
from tests.browser.driver import WIDE, Screen, Server, browse, chromium, serve

CROWDED = "crp_seating?customers=500&concentration=5"
FROM, TO = 40, 460  # the iterations that are counted: start and end of a run are left out
# Reads the restaurant's pixels; its canvas is another one after a change of the settings.
PIXELS = """() => {
  const roots = [...document.querySelectorAll("div")].map((element) => element.shadowRoot);
  const root = roots.find((root) => root?.querySelector(".player"));
  window.pixels = () => {
    const canvas = root.querySelector("figure canvas");
    if (!canvas?.width) return 0;
    const data = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    let hash = 0, ink = false;
    for (let i = 0; i < data.length; i++) { hash = (31 * hash + data[i]) | 0; ink ||= data[i] !== 0; }
    return ink ? hash : 0;
  };
  window.said = () => root.querySelector("[data-part=now]").textContent;
  window.cards = () => document.querySelector("[data-t]").dataset.t;
}"""
# In every animation frame between two iterations: has the counter changed, and have the pixels, if they are looked at?
COUNT = """([from, to, looks]) => new Promise((done) => {
  let start = null, pixels = null, said = null, painted = 0, counted = 0;
  const look = (now) => {
    const t = +window.said().split(" ")[1];
    if (t >= from) {
      const [newPixels, newSaid] = [looks && window.pixels(), window.said()];
      if (start === null) start = now;
      else { painted += newPixels !== pixels; counted += newSaid !== said; }
      [pixels, said] = [newPixels, newSaid];
    }
    if (t < to) requestAnimationFrame(look);
    else done([1000 * painted / (now - start), 1000 * counted / (now - start)]);
  };
  requestAnimationFrame(look);
})"""
# 500 circles in each animation frame, on a page with nothing else: how many such frames this browser paints a second.
BARE = """() => new Promise((done) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 820, height: 420 });
  const brush = document.body.appendChild(canvas).getContext("2d");
  let frames = 0, start = null;
  const draw = (now) => {
    start ??= now;
    brush.clearRect(0, 0, 820, 420);
    for (let i = 0; i < 500; i++) {
      brush.beginPath();
      brush.arc((37 * i + frames) % 820, (91 * i) % 420, 6, 0, 7);
      brush.fill();
      brush.stroke();
    }
    if (frames++ < 420) requestAnimationFrame(draw);
    else done(1000 * 420 / (now - start));
  };
  requestAnimationFrame(draw);
})"""
# From an event to the end of the animation frame in which the pixels, or the cards, are others.
TIME_FROM = """([event, what]) => {
  const before = window[what]();
  window.taken = new Promise((done) => document.addEventListener(event, () => {
    const start = performance.now();
    const look = () => {
      const now = window[what]();
      if (now && now !== before) done((performance.now() - start) / 1000);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { once: true, capture: true }));
}"""


def processor_seconds(server: Server) -> float | None:
    """Return the processor time that a server has used, None where there is no /proc."""
    try:
        told = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in server.pids]
    except OSError:
        return None
    return sum(int(fields[11]) + int(fields[12]) for fields in told) / sysconf("SC_CLK_TCK")


def played(screen: Screen, server: Server) -> Iterator[Row]:
    """Play at full speed; once more with a look at the pixels of each frame, which takes a fifth of its time."""
    rates, used = [], 0.0
    for looks in (False, True):
        screen.load(CROWDED)
        screen.page.evaluate(PIXELS)
        screen.page.locator("[data-part=speed]").select_option("60")
        before = processor_seconds(server)
        screen.button("play").click()
        rates.append(screen.page.evaluate(COUNT, [FROM, TO, looks]))
        screen.at(500)
        after = processor_seconds(server)
        used += 0 if before is None or after is None else (after - before) / 1000
    (_, counted), (painted, looked_at) = rates
    share = painted / looked_at
    compared = f"{share:.0%} of what is counted is painted; {painted:.1f} /s with each frame looked at"
    yield Row("iterations painted, 500 customers", counted * share, 55, compared, unit="/s")
    yield Row("server's processor time, a played frame", used or None, 0.001)


def median_from(screen: Screen, event: str, what: str, act: Callable[[], None], repeats: int = 15) -> float:
    """Return the median time from an event to other pixels or cards, in seconds."""
    times = []
    for _ in range(repeats):
        screen.page.evaluate(TIME_FROM, [event, what])
        act()
        times.append(float(screen.page.evaluate("() => window.taken")))
        screen.settle()  # the walk ends
    return statistics.median(times)


def touched(screen: Screen) -> Iterator[Row]:
    """Press Step, and change a setting."""
    screen.page.locator("[data-part=scrub]").fill("250")
    screen.rests_at(250)
    for what, most in (("pixels", 0.060), ("cards", 0.100)):
        step = median_from(screen, "keydown", what, lambda: screen.press("ArrowRight"))
        yield Row(f"Step, key to {what}", step, most)
    screen.page.get_by_role("slider", name="Concentration").focus()
    yield Row("slider, key to pixels", median_from(screen, "keydown", "pixels", lambda: screen.press("ArrowRight"), 7))


def rows() -> Iterator[Row | Reference]:
    if not chromium():
        print("no Chromium found, nothing is timed; install it with: apt-get install chromium")
        return
    with browse() as browser, serve() as server:
        bare = browser.new_context(viewport=WIDE).new_page()
        yield Reference("bare frames", 1 / bare.evaluate(BARE), 1 / 60)
        bare.close()
        screen = Screen(browser.new_context(viewport=WIDE).new_page(), server)
        yield from played(screen, server)
        yield from touched(screen)
