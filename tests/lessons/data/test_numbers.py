"""Numbers as people write them; the browser reads the same examples in the same way."""

import json
from pathlib import Path

import pytest

from lessons.data.numbers import NumberError, typed, written

EXAMPLES = json.loads((Path(__file__).parents[2] / "js/player/typed.json").read_text("utf-8"))


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_number_that_is_typed(example):
    text, expected, whole = (*example, False)[:3]
    limits = () if isinstance(expected, int | float) and abs(expected) > 2000 else (-2000, 2000)
    if isinstance(expected, str):
        with pytest.raises(NumberError) as refused:
            typed(text, *limits, whole=whole)
        assert str(refused.value) == expected
    else:
        assert typed(text, *limits, whole=whole) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "limits", "said"), [("-1", (0,), "at least 0"), ("2", (-float("inf"), 1), "at most 1")]
)
def test_a_range_that_is_open_names_its_end(text, limits, said):
    with pytest.raises(NumberError, match=said):
        typed(text, *limits)


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [("1,150", 1150, 1.15), ("1.150", 1.15, 1150), ("1,15", None, 1.15), ("1.15", 1.15, None), ("115", 115, 115)],
)
def test_what_is_written_in_a_cell_has_its_readings(text, point, comma):
    assert written(text) == (point, comma, False)
