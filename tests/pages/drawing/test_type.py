"""No type is smaller than 11 pixels in a window of 1280 × 800, and each class of the style sheet has one look."""

import re
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[3] / "pages"
SIZE = re.compile(r"font(?:-size)?:[^;{}]*?(?<![\w.])(\d*\.?\d+)(rem|px)(?![\w.])")
RAISED = re.compile(r"var\(--(?:least|drawn)\)")
LEAST = 11  # pixels


def too_small(css: str) -> list[str]:
    """Return the sizes of letters in a style sheet that are below the least one, and that nothing raises to it."""
    plain = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return [
        found[0]
        for found in SIZE.finditer(plain)
        if float(found[1]) * (16 if found[2] == "rem" else 1) < LEAST
        and not RAISED.search(plain[found.start() :].split(";")[0])
    ]


def test_small_type_is_found():
    assert too_small("p { font-size: 0.6rem; } b { font-size: 10px }") == ["font-size: 0.6rem", "font-size: 10px"]
    assert too_small("p { font-size: max(0.6rem, var(--least)); } b { font: 0.8rem / 1.5 var(--code); }") == []


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.css")), ids=lambda path: path.name)
def test_no_type_of_a_style_sheet_is_too_small(path):
    assert too_small(path.read_text("utf-8")) == []


def test_the_least_size_is_that():
    """Type in charts has it as well: see `typeOf` in pages/player/canvas.js."""
    assert f"--least: {LEAST / 16}rem; --drawn: {LEAST}px;" in (PAGES / "lesson" / "style.css").read_text("utf-8")


def test_no_class_has_two_looks():
    """A second rule for a class, of another part of the page, would change the first one's look as well."""
    alone = re.findall(r"^\.([\w-]+) \{", (PAGES / "lesson" / "style.css").read_text("utf-8"), re.MULTILINE)
    assert sorted({name for name in alone if alone.count(name) > 1}) == []
