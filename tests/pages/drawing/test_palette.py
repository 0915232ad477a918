"""Colours can be told from both backgrounds, and from one another."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.drawing import palette
from pages.drawing.marks import CLASSES, colors_of, in_colors
from pages.drawing.palette import COLORS, color
from pages.drawing.reads import Spec
from tests.pages.waiting import waited

THEME = tomllib.loads((Path(__file__).parents[3] / ".streamlit/config.toml").read_text("utf-8"))["theme"]
BACKGROUNDS = {name: THEME[name]["backgroundColor"] for name in ("light", "dark")}


def channels(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_computed_as_wcag_says():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("colour", COLORS)
@pytest.mark.parametrize("theme", BACKGROUNDS)
def test_every_colour_stands_out_from_the_background(theme, colour):
    assert contrast(colour, BACKGROUNDS[theme]) >= 3


@pytest.mark.parametrize("colour", COLORS)
def test_a_white_number_on_a_colour_can_be_read(colour):
    assert contrast(colour, "#ffffff") >= 3  # bold or large; the number is also in the tooltip and in the inspector


def test_no_two_colours_are_alike():
    for i, one in enumerate(COLORS):
        for other in COLORS[:i]:
            assert max(abs(a - b) for a, b in zip(channels(one), channels(other), strict=True)) > 0.1, (one, other)


@pytest.mark.parametrize("theme", BACKGROUNDS)
@pytest.mark.parametrize(("what", "least"), [("textColor", 7), ("primaryColor", 4.5), ("linkColor", 4.5)])
def test_text_and_links_can_be_read(theme, what, least):
    assert contrast(THEME[theme][what], BACKGROUNDS[theme]) >= least


def test_after_the_last_colour_they_begin_again():
    assert [color(i) for i in range(2 * len(COLORS))] == [*COLORS, *COLORS]


def test_colours_have_their_place_in_the_palette():
    pages = Path(palette.__file__).parents[1]
    files = [path for path in pages.rglob("*.py") if path != Path(palette.__file__)]
    found = {str(path.relative_to(pages)): re.findall(r"#[0-9A-Fa-f]{6}\b", path.read_text("utf-8")) for path in files}
    assert {name: colours for name, colours in found.items() if colours} == {
        "contract/charts.py": ["#2E8B57", "#D1495B", "#3B6FB6"]  # an example in the contract
    }


def test_themes_are_those_of_the_page():
    for name in ("light", "dark"):
        assert palette.THEMES[name]["paper"] == THEME[name]["backgroundColor"]
        assert palette.THEMES[name]["ink"] == THEME[name]["textColor"]


def test_ten_colours_have_ten_shapes():
    assert len(COLORS) == len(set(palette.SHAPES)) == 10


@pytest.mark.parametrize(
    ("stage", "given"),
    [("generative", {"data": "mixed"}), ("marginalise", {"variant": "full Bayes", "known_labels": 2})],
)
def test_ham_and_spam_have_one_pair_of_colours(stage, given):
    """In the legend and wherever a class is drawn, in each topic that has these classes."""
    settings = STAGES[stage].model_validate(given)
    film = waited(lambda: stage_of(stage).film(settings, 7))
    keys = {key[1]: key[0].split()[0] for chart in film.charts for key in chart.legend if key[1] in palette.NAMED}
    assert keys == palette.NAMED
    drawn = [chart for chart in film.charts if palette.NAMED.keys() <= {key[1] for key in chart.legend}]
    for chart in drawn:
        ranges = re.findall(r'"range": \["(#\w{6})", "(#\w{6})"', json.dumps(chart.spec))
        assert all(found == tuple(palette.NAMED.values()) for found in ranges)


def test_colours_of_other_classes_are_as_they_were():
    spec = Spec({"mark": "point", "data": {"name": "rows"}, "encoding": {"fill": {"value": CLASSES[0]}}})
    assert in_colors(spec, ("class 0", "class 1")) is spec
    assert in_colors(spec, ("ham", "spam"))["encoding"]["fill"]["value"] == CLASSES[1]
    assert colors_of(("ham", "spam", "else")) == (COLORS[0], COLORS[1], CLASSES[2])
