"""axe finds nothing, on any kind of page and in any state of one: light, dark, with forced colours, and on a phone."""

import re

import pytest

from tests.browser import axe
from tests.browser.driver import NARROW, WIDE, Screen

pytestmark = pytest.mark.browser

FREE = {  # of each topic, what is open in free play
    "coin": "t=5",
    "draws": "method=chain&t=5",
    "crp_seating": "shuffle=1&view=evening&t=9",
    "crp_mixture": "data=seven_points&family=known&second=start&view=clusters&t=9",
    "gibbs_blobs": "data=two_humps&points=16&number=2&family=known&view=switching&t=40",
    "why_sample": "arrows=flows&view=sweep&t=9",
    "jumps": "step_by=update&sweep=7&t=11",
    "ibp_buffet": "order=left&view=matrix&t=9",
    "ibp_features": "t=3",
    "gibbs_text": "data=six_messages&step_by=update&t=4",
    "gibbs_topics": "data=tiny&step_by=update&t=4",
    "hidden_chain": "method=block&step_by=update&t=7",
    "logistic": "view=evidence&t=3",
    "laplace_line": "view=code&t=3",
    "generative": "data=mixed&view=query&t=20",
    "walk_the_hill": "method=NUTS&target=ring&t=9",
    "climb_mixture": "data=seven_points&method=VB&number=2&compare=all&t=9",
    "marginalise": "step_by=term&iteration=3&t=9",
}


def violations(screen: Screen, *rules: str) -> set[str]:
    """Return the faults that axe finds by some of its rules, or by all, in one line each."""
    options = {"runOnly": list(rules)} if rules else {}
    return {
        f"{violation['id']}: {node['html'][:100]} {' '.join(node['failureSummary'].split())}"
        for violation in axe.violations(screen.page, **options)
        for node in violation["nodes"]
    }


def in_every_look(screen: Screen) -> set[str]:
    """Return the faults that axe finds on a wide screen, on a narrow one in the dark, and of forced colours."""
    screen.settle()
    found = {f"wide: {line}" for line in violations(screen)}
    screen.page.emulate_media(forced_colors="active")
    screen.settle()  # colours change over a moment
    found |= {f"forced colours: {line}" for line in violations(screen, "color-contrast")}
    screen.page.emulate_media(color_scheme="dark", forced_colors="none")
    screen.page.set_viewport_size(NARROW)
    screen.settle()
    found |= {f"narrow, dark: {line}" for line in violations(screen)}
    screen.page.emulate_media(color_scheme="light")
    screen.page.set_viewport_size(WIDE)
    return found


FAULTS = """<div class=faults>
  <button></button>
  <p style='position: fixed; inset: 40%; color: #ddd; background: #fff'>Faint</p>
</div>"""


def test_axe_would_find_something(screen):
    screen.open()
    assert in_every_look(screen) == set()
    screen.page.locator(".stMain").evaluate("(main, faults) => main.insertAdjacentHTML('beforeend', faults)", FAULTS)
    assert {line.partition(":")[0] for line in violations(screen)} == {"button-name", "color-contrast"}
    screen.page.locator(".faults").evaluate("faults => faults.remove()")


def test_a_cover(screen):
    """One stands for all: they differ in words and thumbnails alone."""
    screen.follow("coin")
    screen.page.get_by_role("button", name=re.compile("^Start the lessons")).wait_for()
    screen.canvas(0).wait_for(state="attached")
    assert in_every_look(screen) == set()


LAYOUTS = ("crp_seating", "gibbs_text", "marginalise")  # cards, a list that scrolls, a table of terms


def test_free_play(screen):
    """Each topic's charts and cards once, and each layout in every look: style sheets know no topic."""
    for topic, place in FREE.items():
        screen.go(f"{topic}?{place}")
        screen.inspector.wait_for()
        assert (in_every_look if topic in LAYOUTS else violations)(screen) == set(), topic


def test_a_file_that_was_read(screen):
    """The panel has all that it can have: columns of each type, notes, and what can be changed."""
    screen.charts = 1
    screen.open("crp_mixture?data=seven_points&t=0")
    screen.follow("crp_mixture?data=own&t=0")
    rows = "".join(f"0{1234 + row},{row % 7},{row * row},{'ab'[row % 2]}\n" for row in range(9))
    upload = screen.page.get_by_test_id("stFileUploaderDropzoneInput")
    upload.set_input_files({"name": "own.csv", "mimeType": "text/csv", "buffer": f"zip,x,y,kind\n{rows}".encode()})
    screen.page.locator(".st-key-read-as").wait_for()
    screen.page.get_by_text("Why these types").click()
    assert in_every_look(screen) == set()


def test_a_question_before_and_after_and_the_end_of_a_lesson(screen):
    screen.step_of("crp-seating", "fifth")
    assert in_every_look(screen) == set()
    screen.answer("1/4")
    screen.rests_at(5)
    assert in_every_look(screen) == set()
    screen.follow("crp_seating?lesson=crp-seating&step=end")
    screen.heading("What you have seen").wait_for()
    assert in_every_look(screen) == set()


def test_a_guess_on_a_wall_before_and_after_and_a_tile_that_is_opened(screen):
    screen.charts = 2
    screen.step_of("crp-how-many", "ten")
    assert in_every_look(screen) == set()
    field = screen.page.get_by_role("textbox", name="Your guess")
    field.fill("3")
    field.press("Enter")
    screen.at(10)
    screen.settle()
    assert in_every_look(screen) == set()
    tiles = screen.page.get_by_role("listbox", name="100 restaurants")
    tiles.focus()  # on the tile of seed 3
    assert violations(screen) == set()
    screen.press(*["ArrowDown"] * 5, "ArrowLeft")
    assert re.match(r"seed 52: \d+$", tiles.get_by_role("option", selected=True).inner_text())
    screen.press("Enter")
    screen.page.wait_for_url(re.compile(r"[?&]seed=52&"))  # the sixth row, the third tile
    screen.rests_at(10)
