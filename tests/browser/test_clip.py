"""A clip of a chart for slides that play no web: pictures in one file, or a film, made by the page itself."""

import base64
import io
import zipfile

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.driver import WAIT
from tests.browser.snippets import PLAYER

pytestmark = pytest.mark.browser
AT_REST = "() => document.querySelector('[data-at-rest]')?.dataset.atRest > ''"
# The size of a film that a browser can read, its seconds, and whether its last picture is another than its first.
PLAYED = """async (bytes) => {
  const video = document.createElement("video"), canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))]));
  await new Promise((done, fail) => {
    Object.assign(video, { onloadeddata: done, onerror: () => fail(new Error(video.error.message)) });
  });
  Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
  const seen = () => {
    pen.drawImage(video, 0, 0);
    return pen.getImageData(0, 0, canvas.width, canvas.height).data.slice();
  };
  const first = seen(), ended = new Promise((done) => (video.onended = done));
  await video.play();
  await ended;
  const last = seen();
  return [canvas.width, canvas.height, video.currentTime, first.some((value, i) => Math.abs(value - last[i]) > 64)];
}"""


@pytest.fixture
def page(context, server) -> Page:
    page = context.new_page()
    page.set_default_timeout(WAIT)
    yield page
    page.close()


def opened(page: Page, server, address: str) -> None:
    page.goto(f"{server.url}/stage/{address}")
    page.wait_for_function(AT_REST)
    page.get_by_role("button", name="Take it away").click()


def taken(page: Page, kind: str, many: str) -> bytes:
    page.get_by_role("textbox", name="Iterations of the clip").fill(many)
    with page.expect_download() as download:
        page.get_by_role("group", name="Take it away").get_by_role("button", name=kind, exact=True).click()
    return download.value.path().read_bytes()


def test_pictures_of_each_iteration_come_in_one_file(page, server):
    opened(page, server, "crp_seating?t=3")
    with zipfile.ZipFile(io.BytesIO(taken(page, "Pictures", "4"))) as file:
        assert file.testzip() is None
        pictures = {name: Image.open(io.BytesIO(file.read(name))).convert("RGB") for name in file.namelist()}
    assert list(pictures) == [f"0000{t}.png" for t in range(3, 8)]
    assert all(picture.width >= 1600 for picture in pictures.values())
    assert len({picture.tobytes() for picture in pictures.values()}) == 5
    assert page.evaluate(f"{PLAYER}.at") == 3
    expect(page.locator("[data-part=takings] [role=status]")).to_have_text("")


def test_a_clip_ends_where_the_run_does(page, server):
    opened(page, server, "coin?tosses=5&t=4")
    with zipfile.ZipFile(io.BytesIO(taken(page, "Pictures", "300"))) as file:
        assert file.namelist() == ["00004.png", "00005.png"]


def test_a_film_can_be_played(page, server):
    opened(page, server, "crp_seating?t=3")
    page.evaluate(f"() => {PLAYER}.do({{ type: 'pace', speed: 15 }})")
    film = taken(page, "Film", "3")
    assert film[:4] == b"\x1a\x45\xdf\xa3"  # of WebM
    page.goto("about:blank")  # the app's own pages show no films
    wide, tall, seconds, changes = page.evaluate(PLAYED, base64.b64encode(film).decode())
    assert wide >= 1600
    assert tall > 400
    assert seconds > 1  # for which its last picture stays
    assert changes


def test_where_the_player_is_locked_no_clip_shows_what_comes(page, server):
    opened(page, server, "crp_seating?lesson=crp-seating&step=fifth")
    page.get_by_role("group", name="Take it away").get_by_role("button", name="Pictures", exact=True).click()
    expect(page.locator("[data-part=takings] [role=status]")).to_contain_text("The player is locked here")
