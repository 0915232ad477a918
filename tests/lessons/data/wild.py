"""Files as people bring them, and what is to be read in them."""

from pathlib import Path
from typing import NamedTuple

import pytest

from lessons.data.csv_table import table_of
from lessons.data.csv_text import OwnDataError
from lessons.data.layout import How
from lessons.data.sheet import Sheet, read_sheet

CASES = Path(__file__).with_name("cases")
KINDS = {"n": "number", "c": "category", "t": "text", "r": "running number", "e": "empty"}


class Case(NamedTuple):
    """A file, its columns as ``name:kind``, its rows, the first cell of its last column, and words that are said."""

    file: str | bytes
    columns: str
    rows: int = 0
    value: float | str = ""
    said: str = ""
    how: How = How()


def sheet_of(case: Case, *, texts: bool = False) -> Sheet:
    known = isinstance(case.file, str) and (CASES / case.file).is_file() if len(case.file) < 60 else False
    raw = (CASES / str(case.file)).read_bytes() if known else case.file
    return read_sheet(raw if isinstance(raw, bytes) else raw.encode(), "wild", case.how, texts=texts)


def described(sheet: Sheet) -> str:
    letters = {kind: letter for letter, kind in KINDS.items()}
    return ", ".join(f"{column.name}:{letters[column.kind]}" for column in sheet.columns)


def all_said(sheet: Sheet) -> str:
    notes = [note for column in sheet.columns for note in (column.why, *column.judged.notes)]
    return " ".join([*sheet.notes, *notes])


def check(case: Case) -> None:
    """See that a file is read as its case has it, or refused, and that this is said."""
    assert case.said in said_of(case)
    if not case.columns:
        with pytest.raises(OwnDataError):
            sheet_of(case)
        return
    sheet = sheet_of(case)
    assert (described(sheet), sheet.rows) == (case.columns, case.rows)


def said_of(case: Case) -> str:
    """Return all that is said of a file, as a topic of points says it."""
    try:
        sheet = sheet_of(case)
        said = all_said(sheet)
    except OwnDataError as error:
        return str(error)
    try:
        return " ".join([said, *table_of(sheet).notes])
    except OwnDataError as error:
        return f"{said} {error}"
