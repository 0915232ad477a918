"""The page of logistic regression while λ is dragged: what is computed anew, and how soon the plane shows it."""

import statistics
from collections.abc import Iterator
from itertools import count

from bench import Row, median_seconds, sent, size
from bench.player import PIXELS, TIME_FROM
from lessons.topics.logistic import LogisticSettings
from pages.topics.logistic.film import LogisticScene, filmed
from pages.topics.logistic.fit import FITS
from pages.topics.logistic.run import LogisticRun
from tests.browser.driver import WIDE, Screen, browse, chromium, serve

KINDS = {
    "30 points": {},
    "30 points, a bias": {"bias": "on"},
    "30 points, radial features": {"features": "rbf"},
    "200 points": {"points": 200},
    "30 points of three classes": {"data": "three"},
    "200 points, one a step": {"points": 200, "method": "points"},
    "30 points, 300 gradient steps": {"method": "gradient", "step_length": 0.05},
}
LIMIT = 0.060  # of the 150 ms that a drag may take from the slider to the pixels


def made(settings: LogisticSettings) -> list[bytes]:
    """Make everything of a film that nobody has made before, as the browser gets it."""
    fit = FITS[settings.likelihood](settings, *settings.dataset(), 7)
    return sent(filmed(LogisticScene("bench", fit, LogisticRun(fit)), (3.0, 2.0)))


def computed() -> Iterator[Row]:
    for name, changes in KINDS.items():
        settings, steps = LogisticSettings(**changes), count()

        def another(settings: LogisticSettings = settings, steps: Iterator[int] = steps) -> list[bytes]:
            return made(settings.model_copy(update={"log_precision": -2 + 0.1 * (next(steps) % 40)}))

        limit, large = None if changes else LIMIT, f"{size(made(settings)):.0f} kB"
        yield Row(f"film and frames of a new λ, {name}", median_seconds(another), limit, large)


def repainted() -> Row:
    """Drag the slider on and on, and wait for other pixels on the plane each time."""
    with browse() as browser, serve() as server:
        screen = Screen(browser.new_context(viewport=WIDE).new_page(), server)
        screen.page.goto(f"{server.url}/logistic?data=few&log_precision=-2")
        screen.canvas(3).wait_for(state="attached")
        screen.settle()
        screen.page.evaluate(PIXELS)
        box = screen.page.get_by_role("slider", name="Prior precision").bounding_box()
        assert box is not None
        x, y, step = box["x"] + 0.25 * box["width"], box["y"] + box["height"] / 2, 0.025 * box["width"]
        screen.page.mouse.move(x, y)
        screen.page.mouse.down()
        times = []
        for move in range(1, 21):
            screen.page.evaluate(TIME_FROM, "input")
            screen.page.mouse.move(x + move * step, y)
            times.append(float(screen.page.evaluate("() => window.taken")))
            screen.settle()
        screen.page.mouse.up()
        return Row(
            "λ dragged, pointer to pixels of the plane",
            statistics.median(times),
            0.150,
            f"longest {1e3 * max(times):.0f} ms",
        )


def rows() -> Iterator[Row]:
    yield from computed()
    if chromium():
        yield repainted()
    else:
        print("no Chromium found, the repaint is not timed; install it with: apt-get install chromium")
