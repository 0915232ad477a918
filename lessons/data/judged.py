"""Whether a column is one of numbers, and which sign is before their decimals."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from lessons.data.gathered import Cell, Gathered
from lessons.data.numbers import Mark, written
from lessons.data.phrases import be, counted, quoted

NEARLY_ALL = 0.9  # of the cells of a column
MOST_WORDS = 10  # different words that can stand for a missing number
SENTINELS = {float(f"{sign}{digit * times}") for sign in ("", "-") for digit in "89" for times in (2, 3, 4, 5)}
SENTINELS |= {-1.0, -9.0, *(float("7" * times) for times in (2, 3, 4, 5))}
FAR = 20  # times the range of all others, from which on a single number is far from them
LEAST = 3  # others
EXACT = 2.0**53  # up to which each whole number is one of its own
TIMES = 2  # from this often on, a number far from all others may mean that there is none


@dataclass(frozen=True)
class Judged:
    """How the numbers of a column were read."""

    mark: Mark = ""  # the sign before decimals
    fault: str = ""  # what keeps it from being one of numbers, with the place and what to do; "" if nothing does
    unclear: str = ""  # the same, if it is what its decimals are: then its numbers cannot be used in any case
    code: str = ""  # what tells that its numbers only name something, as postal codes do; "" if nothing does
    notes: tuple[str, ...] = ()  # what was read in a way that might surprise
    text: Cell | None = None  # the first cell that is neither a number nor a gap
    all_numbers: bool = False  # whether each cell is a number or missing
    words: int = 0  # how many cells are neither a number nor a gap
    # the first cells with a sign of per cent, a decimal comma, marks between thousands, and a zero in front
    signs: Mapping[str, Cell] = field(default_factory=dict)

    @property
    def example(self) -> str:
        """The first cell's text that is neither a number nor a gap."""
        return self.text[1] if self.text else ""


def file_mark(columns: Iterable[Gathered], separator: str) -> Mark:
    """Return the sign before decimals of a file as its certain numbers show it; "" if they show none, or both."""
    found = {key[-1] for one in columns if one.count > one.other for key in one.firsts if key in {",", ".", "1,", "1."}}
    if len(found) == 1:
        return "," if "," in found else "."
    return "." if separator == "," and not found else ""  # a comma in a quoted cell of such a file marks thousands


def judge(one: Gathered, name: str, asked: Mark, mark: Mark, rows: np.ndarray, *, doubt: bool = False) -> Judged:
    """Judge a column.

    Parameters
    ----------
    one : Gathered
        Its cells.
    name : str
        What it is called.
    asked, mark : {"", ".", ","}
        The sign before decimals that was asked for, and that of the file.
    rows : numpy.ndarray
        Number of each row in the file.
    doubt : bool, optional
        Whether a point, too, may stand between thousands, as in files with semicolons between the cells.
    """
    gaps = _gaps(one)
    text = next((cell for word, cell in one.texts.items() if word not in gaps), None)
    mark, unclear = _mark(one, name, asked, mark, rows, doubt)
    fault = unclear
    if text and one.count >= one.other:
        others = f", and {counted(one.other - 1, 'other row')} likewise" if one.other > 1 else ""
        fault = (
            f"{quoted([name])} cannot be used: row {rows[text[0]]} says {quoted([text[1]])}, which is not a number"
            f"{others}. Correct this or empty the cell, and load the file again."
        )
    notes = [] if fault else [*_said_of_gaps(one, name, gaps, rows), *_said_of_far(one, name, mark, rows)]
    words = one.other if text else 0
    code = _code(one, rows)
    return Judged(mark, fault, unclear, code, tuple(notes), text, not one.other, words, _signs(one, mark))


def _code(one: Gathered, rows: np.ndarray) -> str:
    """Return the reason why numbers are names only: how they are written, or that all are days of a calendar."""
    if one.codes_so_far:
        zero = one.firsts.get("0")
        first = f"{quoted([zero[1]])} in row {rows[zero[0]]} begins with a zero, and " if zero else ""
        return f"{first}all have {one.digits} digits, as codes do"
    if one.digits == len("20201231"):
        values = one.numbers("")
        dates = values[np.isfinite(values)]
        parts = dates // 1_000_000, dates // 100 % 100, dates % 100
        limits = (18, 20), (1, 12), (1, 31)  # the first two digits of a year, months, and days
        if all(((low <= part) & (part <= high)).all() for part, (low, high) in zip(parts, limits, strict=True)):
            return f"all are dates such as {quoted([f'{dates[0]:.0f}'])}, a year, a month and a day"
    return ""


def _signs(one: Gathered, mark: Mark) -> dict[str, Cell]:
    """Return the first cells with signs that were left out, or read as what they need not be."""
    keys = {"percent": "%", "zeros": "0"}
    signs = {sign: one.firsts[key] for sign, key in keys.items() if key in one.firsts}
    if mark == ",":
        found = {"comma": (",", (",", "1,", ",,")), "thousands": (".", ("..", "1,"))}
    else:
        found = {"thousands": (",", (",,", "1."))}
    for name, (sign, kinds) in found.items():
        cells = [one.firsts[kind] for kind in kinds if kind in one.firsts and sign in one.firsts[kind][1]]
        signs |= {name: cells[0]} if cells else {}
    return signs


def _gaps(one: Gathered) -> list[str]:
    """Return the words that stand for a missing number: those without a digit, where nearly all cells are numbers."""
    nearly_all = one.count > NEARLY_ALL * (one.count + one.other) and len(one.texts) < MOST_WORDS
    return [word for word in one.texts if nearly_all and (word.startswith("#") or not re.search(r"\d", word))]


def _mark(one: Gathered, name: str, asked: Mark, mark: Mark, rows: np.ndarray, doubt: bool) -> tuple[Mark, str]:
    """Return the sign before the decimals of a column, and what keeps it from being found."""
    first = one.firsts
    comma, point = first.get(",") or first.get("1,"), first.get(".") or first.get("1.")
    comma_group, point_group = first.get(",,"), first.get("..")

    def at(cell: Cell) -> str:
        return f"row {rows[cell[0]]}"

    if first.get("%") and first.get("bare"):
        percent, bare = first["%"], first["bare"]
        return mark, (
            f"{quoted([name])} cannot be used: {at(percent)} has a per cent sign ({quoted([percent[1]])}) and "
            f"{at(bare)} none ({quoted([bare[1]])}). Write all numbers in one way."
        )
    wrong = point if asked == "," else comma if asked == "." else None
    if asked:
        said = "comma" if asked == "," else "point"
        return asked, "" if not wrong else (
            f"{quoted([name])} cannot be used: {at(wrong)} says {quoted([wrong[1]])}, which has no decimal {said}. "
            "Choose the other decimal sign."
        )
    pointed = point or (point_group if comma else None)
    commaed = comma or (comma_group if point and "1." not in first else None)
    if pointed and commaed:
        return mark, (
            f"{quoted([name])} cannot be used: {at(commaed)} has a comma ({quoted([commaed[1]])}) and {at(pointed)} a "
            f"point ({quoted([pointed[1]])}). Write all numbers in one way, without a mark between thousands."
        )
    if comma or point:
        return "," if comma else ".", ""
    unclear = comma_group or (point_group if doubt else None)
    if unclear and not mark:
        found = written(unclear[1])
        assert found is not None
        return mark, (
            f"{quoted([name])} cannot be used: {quoted([unclear[1]])} in {at(unclear)} could be "
            f"{found.point:.10g} or {found.comma:.10g}. Choose the decimal sign, or write the numbers without marks "
            "between thousands."
        )
    return mark or ".", ""


def _said_of_gaps(one: Gathered, name: str, gaps: list[str], rows: np.ndarray) -> list[str]:
    """Say which words of a column of numbers were taken for missing numbers."""
    if not gaps or one.count < one.other:
        return []
    first = rows[min(one.texts[word][0] for word in gaps)]
    return [
        f"{quoted(gaps)} in {quoted([name])} {be(len(gaps))} read as missing: {counted(one.other, 'cell')}, the first "
        f"in row {first}."
    ]


def _said_of_far(one: Gathered, name: str, mark: Mark, rows: np.ndarray) -> list[str]:
    """Say which numbers lie far from all others: some that occur again may mean that there is none, such as −999."""
    values = one.numbers(mark)
    there = values[np.isfinite(values)]
    notes = []
    if there.size and (large := np.flatnonzero(np.abs(values) > EXACT)).size:
        notes.append(
            f"{quoted([name])} has numbers of more than 15 digits, the first in row {rows[large[0]]}: their last ones "
            "are lost. Numbers that only name something are best left out."
        )
    codes = _edges(there)
    usual = there[~np.isin(there, codes)]
    extremes = {*there[[there.argmin(), there.argmax()]].tolist()} if there.size > LEAST else set()
    for number in sorted({*codes, *extremes}):
        others = usual if number in codes else there[there != number]
        times = int((there == number).sum())
        if others.size < LEAST:
            continue
        away, range_ = max(others.min() - number, number - others.max()), float(np.ptp(others))
        code = number in codes and times >= TIMES and range_ > 0  # −1 and 1 are classes
        if away <= max(range_, 1.0) * (1 if code else FAR):
            continue
        if times >= TIMES:
            said = f"occurs {times:,} times in {quoted([name])}, far from all other values: empty these cells if it"
            notes.append(f"{number:g} {said} means that there is no value.")
        else:
            row = rows[int(np.flatnonzero(values == number)[0])]
            notes.append(
                f"{number:g} in {quoted([name])}, row {row}, is far from all other values: look if it is right."
            )
    return notes


def _edges(there: np.ndarray) -> list[float]:
    """Return the least and the largest of numbers, one after the other, as long as they are sentinels."""
    found: list[float] = []
    while there.size > LEAST:
        edge = next((end for end in (float(there.min()), float(there.max())) if end in SENTINELS), None)
        if edge is None:
            break
        found.append(edge)
        there = there[there != edge]
    return found
