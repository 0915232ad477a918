"""A step can be read and done in a window of any size: what is sticky leaves room for all that it lies over."""

import pytest

from tests.browser.driver import WIDE, Screen
from tests.browser.sizes import COVERED, SIZES

pytestmark = pytest.mark.browser

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
