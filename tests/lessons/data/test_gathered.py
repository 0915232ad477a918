"""Columns while they are read: whole blocks as cell by cell, at little cost, and in little more room than the file."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.data import gathered
from lessons.data.gathered import Gathered
from lessons.data.judged import judge
from lessons.data.numbers import written
from lessons.data.packed import MOST_UNIQUE, Packed
from lessons.data.sheet import read_sheet
from tests.work import calls

BLOCK = 3
WAYS = {  # of one column: numbers by a pattern each
    "decimals": ("1.5", "-2.25", "3", "1e3", ".5", "7."),
    "decimal commas": ("1,5", "-2,25", "3", "1e3", ",5", "7,"),
    "three decimals": ("1.150", "2.300", "0.125", "12.000", "1234.567"),
    "three decimals after commas": ("1,150", "2,300", "0,125", "12,000", "1234,567"),
    "thousands": ("1,150", "12,300", "1,234,567", "980", "-1,000.5", "0,5", "1,2345"),
    "thousands with points": ("1.150", "12.300", "1.234.567", "980", "-1.000,5", "0.5", "1.2345"),
    "Swiss": ("1'150", "12’300.5", "980", "1'150,25", "000'123"),
    "spaces": ("1 150", "12\u202f300,5", "980", "1 150.25", "1 15"),
    "per cent": ("5 %", "5%", "1,5%", "7%%", "6"),
    "gaps and words": ("NA", "", "–", "x1", "1e999", "5 kg", "٣"),
}
CELLS = st.sampled_from(sorted(WAYS)).flatmap(lambda way: st.lists(st.sampled_from(WAYS[way]), min_size=1))
COLUMNS = st.lists(CELLS, min_size=1, max_size=3).map(lambda parts: [cell for part in parts for cell in part])


def judged_by(cells: list[str], asked: str, *, doubt: bool) -> tuple[object, ...]:
    one = Gathered()
    for start in range(0, len(cells), BLOCK):
        one.extend(cells[start : start + BLOCK])
    found = judge(one, "x", asked, "", np.arange(len(cells)), doubt=doubt)
    counts = one.count, one.other, one.gaps
    return (found.fault, counts, [] if found.fault else one.numbers(found.mark).tolist(), found.notes)


@given(COLUMNS, st.sampled_from(["", ".", ","]), st.booleans())
@settings(deadline=None)
@example(3 * BLOCK * ["1.150"], ",", False)
@example(3 * BLOCK * ["1,150"], ",", False)
@example(["1,150,000"] * BLOCK + ["1,150"] * BLOCK, "", True)
def test_blocks_say_what_their_cells_say_one_by_one(cells, asked, doubt):
    at_once = judged_by(cells, asked, doubt=doubt)
    with pytest.MonkeyPatch.context() as patch:
        for quick in ("_quick", "_with_gaps", "_wordy"):
            patch.setattr(Gathered, quick, lambda self, cells: None)
        one_by_one = judged_by(cells, asked, doubt=doubt)
    np.testing.assert_equal(at_once, one_by_one)


BIG = {  # a cell of each way in which people write numbers, with the separator that goes with it
    "decimals": (lambda number: f"{number / 7:.3f}", ","),
    "thousands": (lambda number: f"{1000 + 37 * number:,}", "\t"),
    "thousands and decimals": (lambda number: f'"{1000 + 37 * number:,}.50"', ","),
    "points between thousands": (lambda number: f"{1000 + 37 * number:,}".replace(",", ".") + ",5", ";"),
    "Swiss": (lambda number: f"{1000 + 37 * number:,}".replace(",", "’"), ";"),
    "narrow spaces": (lambda number: f"{1000 + 37 * number:,}".replace(",", "\u202f"), ";"),
    "true minus": (lambda number: f"−{number / 7:.3f}", ","),
    "per cent": (lambda number: f"{number / 7:.1f} %", ","),
    "words": (lambda number: f"word {number * 7919 % 10007}", ","),
    "money": (lambda number: f"{number / 7:.2f} euros", ","),
}


def table(way: str, rows: int) -> bytes:
    cell, separator = BIG[way]
    lines = (separator.join(cell(2 * row + place) for place in range(2)) for row in range(rows))
    return "\n".join([separator.join("ab"), *lines]).encode()


def calls_a_cell(way: str) -> float:
    gathered._read.cache_clear()
    few, many = (table(way, rows) for rows in (4_000, 8_000))
    return (calls(lambda: read_sheet(many, "big")) - calls(lambda: read_sheet(few, "big"))) / 8_000


MOST_CALLS = 20


@pytest.mark.parametrize("way", BIG)
def test_a_cell_of_a_big_file_takes_a_few_calls_however_it_is_written(way):
    """200,000 rows of 12 cells, in 20 MB, take 0.6 to 1.6 s of one processor; read cell by cell they took 5 to 8."""
    assert calls_a_cell(way) < MOST_CALLS


@pytest.mark.parametrize("way", ["thousands", "Swiss", "true minus"])
def test_cells_that_are_read_one_by_one_would_be_seen(monkeypatch, way):
    monkeypatch.setattr(Gathered, "_quick", lambda self, cells: None)
    assert calls_a_cell(way) > MOST_CALLS


@pytest.mark.parametrize("way", ["words", "thousands", "money"])
def test_a_big_file_takes_little_room(way):
    raw = b"\n".join(
        b",".join(b"%s%d" % (line, place) for place in range(5)) for line in table(way, 20_000).splitlines()
    )
    tracemalloc.start()
    try:
        sheet = read_sheet(raw, "big")
        room = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sheet.rows == 20_000
    assert room < 8_000_000 + 6 * len(raw)


def test_texts_beyond_those_that_are_looked_up_are_kept_as_they_are():
    packed, cells = Packed(), [f"text {number % 9_000}" for number in range(20_000)]
    codes = [code for start in range(0, len(cells), 500) for code in packed.add(cells[start : start + 500])]
    assert [packed[code] for code in codes] == cells
    assert list(packed) == packed[:]
    assert len(packed) == max(codes) + 1 == len(list(packed))
    assert len(set(packed[:MOST_UNIQUE])) == MOST_UNIQUE
    with pytest.raises(IndexError):
        packed[len(packed)]


def test_all_ways_have_cells_that_are_numbers():
    assert all(any(written(cell) for cell in cells) for cells in WAYS.values())
