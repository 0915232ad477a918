"""The README's pictures, made where screenshots are taken: ``PICTURES=1 python -m pytest -m browser -k blank``.

One is a step of a lesson as it opens; the other moves: customers who come in, beside the exact distribution.
"""

import io
import os

from PIL import Image

from tests.browser.driver import ROOT, WIDE, Screen

FOLDER = ROOT / ".github"
STILL = "crp_mixture?lesson=mixture-one-update&step=guess"
MOVING = "crp_seating?concentration=3&customers=24"
FRAMES, LASTS, LAST = 25, 400, 3_000  # milliseconds of a frame, and of the last one
SIZE = (960, 600)


def wanted() -> bool:
    """Return whether the pictures are to be made."""
    return bool(os.environ.get("PICTURES"))


def make(screen: Screen) -> None:
    """Make both pictures of the page as it is now, in light colours at the size of a laptop."""
    screen.page.set_viewport_size(WIDE)
    screen.page.emulate_media(color_scheme="light")
    screen.open(STILL)
    screen.fit()
    screen.page.screenshot(path=FOLDER / "screenshot.png")
    screen.open(MOVING)
    frames = []
    for t in range(FRAMES):
        screen.rests_at(t)
        screen.settle()
        shot = Image.open(io.BytesIO(screen.page.screenshot()))
        frames.append(shot.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS))
        screen.press("ArrowRight")
    times = [LASTS] * (FRAMES - 1) + [LAST]
    frames[0].save(FOLDER / "playing.webp", save_all=True, append_images=frames[1:], duration=times, loop=0, quality=70)
