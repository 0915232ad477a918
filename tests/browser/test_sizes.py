"""A step can be read and done in a window of any size: what is sticky leaves room for all that it lies over."""

import pytest

from tests.browser.driver import ROOT, WIDE, Screen

pytestmark = pytest.mark.browser

COVERED = (ROOT / "tests" / "browser" / "covered.js").read_text("utf-8")
SIZES = [
    (320, 256),  # 1280 × 1024 at 400 %
    (683, 384),  # 1366 × 768 at 200 %
    (960, 540),  # 1920 × 1080 at 200 %
    (844, 390),  # a phone held sideways
    (390, 844),
    (768, 1024),
    (1024, 768),
    (1366, 768),
    (1280, 800),
]
STEPS = {
    "choices": "crp_seating?lesson=crp-seating&step=fifth",
    "a mark or its number": "crp_mixture?lesson=mixture-response-times&step=column",
    "goals": "crp_seating?lesson=crp-rich-get-richer&step=sandbox",
}


def covered(screen: Screen) -> dict[tuple[int, int], list[str]]:
    """Return, by the window's size, what of the open step is covered wherever one scrolls."""
    found = {}
    for width, height in SIZES:
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.settle()
        found[width, height] = screen.page.evaluate(COVERED)
    screen.page.set_viewport_size(WIDE)
    return found


@pytest.mark.parametrize("kind", STEPS)
def test_every_control_and_every_line_is_uncovered_somewhere(screen, kind):
    screen.go(STEPS[kind])
    assert covered(screen) == {size: [] for size in SIZES}


def test_a_player_that_sticks_in_a_low_window_is_seen(screen):
    screen.go(STEPS["choices"])
    stick = ".st-key-player { position: sticky !important; top: 3.2rem; z-index: 5; }"
    style = screen.page.add_style_tag(content=stick)
    assert {"The fifth customer", "BUTTON Check"} <= {*covered(screen)[683, 384]}
    style.evaluate("style => style.remove()")
