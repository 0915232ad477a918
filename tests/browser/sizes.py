"""Windows in which a step is read and done, what of it is covered in one, and what is wrong with how it is drawn."""

from tests.browser.driver import ROOT

LEAST = 11  # pixels of the smallest type on a laptop
LOOKED = (ROOT / "tests" / "browser" / "looked.js").read_text("utf-8")
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
