"""A workbook of Excel or LibreOffice as CSV: the sheet that is asked for, or the one with the most cells.

Of the libraries that read workbooks, calamine does so in a tenth of the time of openpyxl: 200,000 rows of 12 cells in
1.2 s, for 2.3 MB on the disk. It is imported when the first workbook comes, which takes 25 ms.
"""

import csv
import datetime
import io
import zipfile
from collections.abc import Callable
from typing import Any, NamedTuple

from lessons.data.csv_text import MOST_CELLS, OwnDataError
from lessons.data.phrases import counted, quoted

ZIPPED, OLD = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # first bytes
_INSIDE = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")  # of a workbook, but of no other archive
OPENING = 0.5  # of the time that it takes to make CSV of a workbook
BLOCK = 500  # rows from one report to the next
LARGEST_UNPACKED = 120_000_000  # bytes
SAVE = "Save the sheet as CSV (UTF-8) and load that file."


class FoundSheet(NamedTuple):
    """A sheet of a workbook."""

    csv: bytes  # its cells, in UTF-8
    name: str
    names: tuple[str, ...]  # of all sheets


def is_workbook(raw: bytes) -> bool:
    """Return whether bytes are a workbook; an old one of Excel is known by its first bytes alone."""
    if raw.startswith(OLD):
        return True
    if not raw.startswith(ZIPPED):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return bool({*archive.namelist()} & {*_INSIDE})
    except zipfile.BadZipFile:
        return False


def read_workbook(raw: bytes, asked: str, told: Callable[[float], object]) -> FoundSheet:
    """Return a sheet of a workbook, the one that is `asked` for or the one with the most cells.

    Meanwhile `told` is called with the share of the work that is done, from 0 to 1.

    Raises
    ------
    OwnDataError
        If it is damaged, locked, empty or too large.
    """
    try:
        import python_calamine as calamine  # here, so that the start of the app does not wait for it
    except ImportError:
        raise OwnDataError(f"This is a workbook, which cannot be read here. {SAVE}") from None
    _check_size(raw)
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(raw))
        names = tuple(book.sheet_names)
        found: Any = None
        opened = [asked] if asked in names else names
        for number, name in enumerate(opened, 1):
            sheet = book.get_sheet_by_name(name)
            told(OPENING * number / len(opened))
            if found is None or sheet.height * sheet.width > found.height * found.width:
                found = sheet
    except (calamine.CalamineError, OSError, ValueError) as error:
        said = " ".join(str(error).split())[:120]
        raise OwnDataError(f"The workbook cannot be read ({said}). It may be locked or damaged. {SAVE}") from None
    if found is None or not found.height:
        raise OwnDataError(f"The workbook has no cells in {quoted(names[:1]) or 'any sheet'}. Choose another sheet.")
    rows, width = (last + 1 for last in found.end)
    if rows * width > MOST_CELLS:
        raise OwnDataError(
            f"The sheet {quoted([found.name])} has {rows:,} rows of {counted(width, 'cell')}, more than "
            f"{MOST_CELLS:,} in all. Keep those that you need."
        )
    return FoundSheet(_as_csv(found, lambda row: told(OPENING + (1 - OPENING) * row / rows)), found.name, names)


def _check_size(raw: bytes) -> None:
    if not raw.startswith(ZIPPED):
        return
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > LARGEST_UNPACKED:
        raise OwnDataError(
            f"The workbook has {unpacked / 1e6:,.0f} MB when it is unpacked, and at most {LARGEST_UNPACKED / 1e6:g} MB "
            "can be read. Keep the rows and columns that you need."
        )


def _as_csv(sheet: Any, reached: Callable[[int], object]) -> bytes:
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    for number, row in enumerate(sheet.iter_rows()):
        if number % BLOCK == 0:
            reached(number)
        writer.writerow([cell if isinstance(cell, str) else _written(cell) for cell in row])
    return made.getvalue().encode("utf-8", "replace")


def _written(cell: Any) -> str:
    """Return a cell that is no text as people write it."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, (int, float)):
        return f"{cell:.15g}"
    return cell.isoformat() if isinstance(cell, (datetime.date, datetime.time)) else str(cell)
