"""The page of logistic regression in a real Chromium: the pointer on the plane, and sliders that only repaint."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.driver import same
from tests.browser.snippets import PLAYER
from tests.browser.topic_page import TopicPage

pytestmark = pytest.mark.browser

FEW = "logistic?data=few&log_precision=-1"


class Logistic(TopicPage):
    """The topic's page."""

    path, counter = FEW, "^(step )?{t} of "

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where on the screen a place of the plane is: its corners are where the picture's frame ends."""
        left, top, right, bottom = self.canvas(0).evaluate(FRAME)
        return left + (x + 8) / 16 * (right - left), bottom - (y + 6) / 12 * (bottom - top)

    def click(self, x: float, y: float) -> None:
        self.page.mouse.click(*self.at(x, y))

    def drag(self, start: tuple[float, float], *stops: tuple[float, float]) -> None:
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        for stop in stops:
            self.page.mouse.move(*self.at(*stop), steps=4)

    def hears(self, **values: str) -> None:
        """Wait until the address says so."""
        for name, value in values.items():
            expect(self.page).to_have_url(re.compile(rf"[?&]{name}={re.escape(value.removesuffix('.0'))}(&|$)"))

    def press_to(self, choice: str) -> None:
        """Choose what the pointer does."""
        button = self.page.get_by_role("button", name=choice, exact=True)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        self.settle()


# Where the map's coloured pixels begin and end is where the axes do: the map fills the plane.
FRAME = """canvas => {
  const box = canvas.getBoundingClientRect(), scale = canvas.width / box.width;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const columns = Array(canvas.width).fill(0), rows = Array(canvas.height).fill(0);
  for (let at = 0; at < data.length; at += 4) {
    const color = [...data.subarray(at, at + 3)], x = (at / 4) % canvas.width;
    if (data[at + 3] < 250 || Math.max(...color) - Math.min(...color) < 25) continue;
    columns[x] += 1;
    rows[(at / 4 - x) / canvas.width] += 1;
  }
  const ends = (counts, most) => [counts.findIndex((n) => n > most / 4), counts.findLastIndex((n) => n > most / 4) + 1];
  const [left, right] = ends(columns, canvas.height), [top, bottom] = ends(rows, canvas.width);
  return [box.left + left / scale, box.top + top / scale, box.left + right / scale, box.top + bottom / scale];
}"""

# The map's picture: its size, and whether each cell is bluish where its number is positive, and reddish elsewhere.
MAP = f"""() => {{
  const [{{ cells, image }}] = {PLAYER}.painter.views[0].view.data("cells_67_map_marks_picture");
  const {{ data }} = image.getContext("2d").getImageData(0, 0, 67, 50);
  const at = (i) => 4 * ((49 - Math.floor(i / 67)) * 67 + (i % 67));
  const right = ({{ i, v }}) => Math.abs(v) < 0.1 || v > 0 === data[at(i) + 2] > data[at(i)];
  return [image.width, image.height, cells.length, cells.every(right)];
}}"""


@pytest.fixture
def plane(same_screen):
    return same_screen(Logistic)


def test_the_probe_follows_the_pointer_and_the_inspector_the_probe(plane):
    plane.open(f"{FEW}&view=probe")
    assert plane.page.evaluate(MAP) == [67, 50, 67 * 50, True]
    before, ray, canvas = plane.picture(0), plane.picture(2), plane.canvas(0).element_handle()
    said = plane.inspector.inner_text()
    plane.drag((0, 0), (-2, 1), (-3, -2.5))
    plane.repainted(before)
    plane.repainted(ray, 2)
    expect(plane.inspector).not_to_have_text(said)  # while it is held
    said = plane.inspector.inner_text()
    plane.page.mouse.move(*plane.at(-1, 2))
    plane.page.mouse.move(*plane.at(-3, -2.5))
    plane.page.mouse.up()
    plane.page.wait_for_url(re.compile(r"probe_x=-(2\.9|3|3\.1)&probe_y=-2\.[456]&"))
    x, y = (float(plane.address()[f"probe_{axis}"]) for axis in "xy")
    expect(plane.inspector).not_to_have_text(said)
    expect(plane.inspector).to_contain_text(f"{x:.3g}".replace("-", "−"))
    assert abs(x + 3) <= 0.1
    assert abs(y + 2.5) <= 0.1
    assert canvas.evaluate("canvas => canvas.isConnected")
    assert not same(before, plane.picture(0)), "it stays where it was released"


def test_the_probe_does_not_leave_the_plane(plane):
    plane.open(FEW)
    plane.drag((0, 0), (9, 30))
    plane.page.mouse.up()
    plane.hears(probe_x="8.0", probe_y="6.0")


def test_points_are_added_moved_relabelled_and_removed(plane):
    plane.open(f"{FEW}&view=step&method=points&t=6")
    plane.press_to("Add class 1")
    plane.hears(pointer="add+class+1")
    expect(plane.now).to_have_text("6 of 6 points")
    plane.click(-3, 3)
    expect(plane.now).to_have_text("6 of 7 points")
    plane.hears(data="own")
    plane.button("last").click()
    expect(plane.inspector).to_contain_text(
        re.compile(r"Point 7 at \(−(2\.9|3|3\.0)\d*, (2\.9|3|3\.0)\d*\) is of class 1")
    )
    plane.press_to("Move")
    plane.hears(pointer="move")
    plane.drag((-3, 3), (-1, -3))
    plane.page.mouse.up()
    expect(plane.inspector).to_contain_text(
        re.compile(r"Point 7 at \(−(0\.9|1|1\.0)\d*, −(2\.9|3|3\.0)\d*\) is of class 1")
    )
    plane.press_to("Relabel")
    plane.hears(pointer="relabel")
    plane.click(-1, -3)
    expect(plane.inspector).to_contain_text(re.compile(r"Point 7 .* is of class 0"))
    plane.click(4, -4)
    plane.settle()
    expect(plane.now).to_have_text("7 of 7 points")
    plane.press_to("Remove")
    plane.hears(pointer="remove")
    plane.click(-1, -3)
    expect(plane.now).to_have_text("6 of 6 points")


def test_a_slider_repaints_the_charts_that_are_there(plane, new_screen):
    plane.open(FEW)
    canvases = [plane.canvas(number).element_handle() for number in range(4)]
    slider = plane.page.get_by_role("slider", name="Prior precision")
    for _ in range(2):
        before = plane.picture(0), plane.picture(1), plane.picture(2)
        slider.press("ArrowRight")
        for number in range(3):
            plane.repainted(before[number], number)
    plane.hears(log_precision="-0.8")
    assert all(canvas.evaluate("canvas => canvas.isConnected") for canvas in canvases)
    refilled = plane.pictures()
    anew = new_screen(Logistic)
    anew.open(plane.page.url.removeprefix(plane.server.url + "/"))
    assert all(same(*pair) for pair in zip(refilled, anew.pictures(), strict=True)), "as if it had been opened so"


def test_charts_follow_a_dial_while_it_is_dragged(plane):
    plane.open(f"{FEW}&view=evidence&t=3")
    dial = plane.page.get_by_role("slider", name="Prior precision")
    box, said = dial.bounding_box(), plane.inspector.inner_text()
    plane.page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + box["height"] / 2)
    plane.page.mouse.down()
    for part in (0.5, 0.6, 0.7):
        before = plane.picture(0), plane.picture(1)
        plane.page.mouse.move(box["x"] + part * box["width"], box["y"] + box["height"] / 2)
        for number in range(2):
            plane.repainted(before[number], number)
    assert plane.inspector.inner_text() == said, "only the charts follow"
    plane.page.mouse.up()
    expect(plane.inspector).not_to_have_text(said)
    value = float(dial.input_value())
    assert value > 0.5
    plane.hears(log_precision=str(value))
    plane.rests_at(3)


def test_a_point_that_is_dragged_goes_along_and_the_probe_stays(plane):
    plane.open("logistic?lesson=logistic-by-hand&step=drag")
    there = f"""() => {{
      const {{ view, figure }} = {PLAYER}.painter.views.find(({{ figure }}) => figure.dataset.chart === "plane");
      const {{ left, top }} = figure.querySelector("canvas").getBoundingClientRect();
      const room = view.padding(), [x, y] = view.origin();
      const at = (u, v) => [left + room.left + x + view.scale("x")(u), top + room.top + y + view.scale("y")(v)];
      return [at(-3.4, -2.6), at(-2, 1), [view.signal("carries"), ...view.signal("carried")], view.signal("probe")];
    }}"""
    start, end, _, probe = plane.page.evaluate(there)
    plane.page.mouse.move(*start)
    plane.page.mouse.down()
    plane.page.mouse.move(*end, steps=4)
    _, _, (row, x, y), still = plane.page.evaluate(there)
    assert row >= 0
    assert [x, y] == pytest.approx([-2, 1], abs=0.05)
    assert still == probe
    plane.page.mouse.up()
    plane.hears(data="own")
    plane.settle()
    assert plane.page.evaluate(there)[2][0] == -1, "the film has it by now"


def test_a_dial_keeps_the_step_however_far_a_run_has_to_go(plane):
    plane.open(f"{FEW}&method=chain&t=1800")
    plane.rests_at(1800)
    for _ in range(4):
        plane.page.get_by_role("slider", name="Prior precision").press("ArrowRight")
    plane.hears(log_precision="-0.6", t="1800")
    plane.rests_at(1800)


def test_a_report_of_a_dial_that_gets_lost_is_told_again(plane):
    plane.open(f"{FEW}&log_precision=0.5")
    plane.rests_at(0)
    plane.page.evaluate(
        f"() => {{ const told = {PLAYER}.reporter, {{ post }} = told; told.post = () => {{ told.post = post; }}; }}"
    )
    for _ in range(3):
        plane.page.get_by_role("slider", name="Prior precision").press("ArrowRight")
    plane.hears(log_precision="0.8")


def test_curves_that_are_drawn_at_rest_outlive_a_change_of_the_theme(plane):
    plane.open(f"{FEW}&predictive=probit")
    before = plane.picture(2)
    plane.page.emulate_media(color_scheme="dark")
    dark = plane.repainted(before, 2)
    plane.page.emulate_media(color_scheme="light")
    plane.repainted(dark, 2)
    plane.settle()
    assert same(plane.picture(2), before)


DRAW = f"""(number) => {{ // a draw's place among the weights, on the screen, and the ends of its line, in the plane
  const [plane, weights] = {PLAYER}.painter.views.map(({{ view }}) => view);
  const [x, y] = weights.origin(), {{ left, top }} = weights.padding();
  const frame = weights.container().querySelector("canvas").getBoundingClientRect();
  const [{{ wx, wy }}] = weights.data("drawn").filter(({{ draw }}) => draw === number);
  const ends = plane.data("draws").filter(({{ draw }}) => draw === number).map(({{ x, y }}) => [x, y]);
  return [[frame.x + left + x + weights.scale("x")(wx), frame.y + top + y + weights.scale("y")(wy)], ...ends];
}}"""


def test_a_draw_of_the_weights_lights_its_line_and_a_line_its_weights(plane):
    plane.open()
    lines, weights = plane.picture(0), plane.picture(1)
    place, *ends = plane.page.evaluate(DRAW, 3)
    plane.page.mouse.move(*place)
    plane.repainted(lines, 0)
    assert not same(plane.picture(1), weights)
    plane.page.mouse.move(5, 400)
    plane.page.wait_for_function(f"{PLAYER}.painter.params.lit === ''")
    x, y = (0.9 * one + 0.1 * other for one, other in zip(*ends, strict=True))
    plane.page.mouse.move(*plane.at(x, y))
    plane.page.wait_for_function(f"{PLAYER}.painter.params.lit.startsWith('draw-')")
    plane.repainted(weights, 1)


def test_newton_plays_to_its_end(plane):
    plane.open(f"{FEW}&t=24")
    before = plane.picture(3)
    plane.page.locator("[data-part=speed]").select_option("15")
    plane.button("play").click()
    plane.rests_at(30)
    assert not same(plane.picture(3), before)
    expect(plane.inspector).to_contain_text("g = (0, 0)")
    plane.press("Home")
    plane.rests_at(0)


def test_a_finger_moves_the_probe(plane):
    plane.open(FEW)
    hand = plane.page.context.new_cdp_session(plane.page)
    hand.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(*events):
        for kind, *places in events:
            points = [{"x": x, "y": y} for x, y in places]
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(start, stop):
        (x0, y0), (x1, y1) = plane.at(*start), plane.at(*stop)
        places = [(x0 + (x1 - x0) * part / 8, y0 + (y1 - y0) * part / 8) for part in range(9)]
        touch(("touchStart", places[0]), *(("touchMove", place) for place in places), ("touchEnd",))

    touch(("touchStart", plane.at(-4, 2)), ("touchEnd",))
    plane.page.wait_for_url(re.compile(r"probe_x=-(3\.9|4|4\.1)&(probe_y=(1\.9|2\.1)&)?"))
    plane.settle()
    where = plane.address()
    swipe((4, -4), (4, 4))  # not on the probe: the page is scrolled, and the probe stays
    swipe((4, -4), (-4, -4))  # nor does it come along where the page cannot be scrolled
    plane.settle()
    assert plane.address() == where
    swipe((-4, 2), (2, 1))
    plane.page.wait_for_url(re.compile(r"probe_x=(1\.9|2|2\.1)&probe_y=(0\.9|1|1\.1)&"))
    hand.detach()  # and with it the finger


def test_what_a_mark_stands_for_is_told_under_the_pointer(screen):
    screen.open("crp_seating?t=12")
    tip = screen.page.locator("#vg-tooltip-element, .vg-tooltip")
    box = screen.canvas(0).bounding_box()
    for part in range(3, 18):
        for row in (0.35, 0.5, 0.65):
            screen.page.mouse.move(box["x"] + box["width"] * part / 20, box["y"] + box["height"] * row)
            screen.painted()
            if tip.count() and tip.is_visible():
                assert len(tip.inner_text()) > 3
                return
    raise AssertionError("no tooltip anywhere on the chart")
