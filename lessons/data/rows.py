"""The rows of a file, whatever they are written as: how they lie, and the cells of each."""

import csv
import re
from collections.abc import Iterator

from lessons.data.csv_text import OwnDataError
from lessons.data.json_rows import json_lines, json_records
from lessons.data.layout import How, Layout, Record, first_lines, lay_out, records_of, without_comments
from lessons.data.text_layout import FASTTEXT, lay_out_texts, without_lines_above

_WRAPPED = re.compile(r'"(?:[^"]|"")*"')


def laid_out(text: str, how: How, *, texts: bool) -> tuple[str, Layout]:
    """Return a text with its rows as they are to be read, and how they lie.

    Raises
    ------
    OwnDataError
        If no rows are found in it.
    """
    found = None if how.separator else json_lines(text, texts=texts)
    if found:
        return found
    if texts:
        text, above = without_lines_above(text)
        layout = lay_out_texts(text, how)
        layout.above += above
        return text, layout
    text, notes = _unwrapped(text)
    layout = lay_out(text, how)
    layout.notes += notes
    return without_comments(text)[0], layout


def records_for(text: str, layout: Layout) -> Iterator[Record]:
    """Yield the rows that are not empty, as they lie; `OwnDataError` where one cannot be read."""
    if layout.form == "table":
        yield from records_of(text, layout.separator, layout.quotes)
    elif layout.form == "json":
        names = layout.header or []
        yield from ((row, [found.get(name, "") for name in names]) for row, found in json_records(text))
    else:
        for row, line in enumerate(text.split("\n"), 1):
            if line.strip() and row >= layout.first:
                yield row, _cells(row, line, layout)


def _cells(row: int, line: str, layout: Layout) -> list[str]:
    if layout.form == "lines":
        return [line]
    if layout.form == "fasttext":
        return _fasttext(line)
    label, mark, message = line.partition(layout.separator)
    if not mark:
        said = "tab" if layout.separator == "\t" else f"“{layout.separator}”"
        raise OwnDataError(f"Row {row} has no {said}. Write a label, a {said} and the message.")
    return [label, message]


def _fasttext(line: str) -> list[str]:
    """Return the first label of a line, and its text."""
    words = line.split()
    labels = [word.removeprefix(FASTTEXT).rstrip(",;:") for word in words if word.startswith(FASTTEXT)]
    text = [word for word in words if not word.startswith(FASTTEXT)]
    return [labels[0] if labels else "", " ".join(text).removeprefix(", ")]


def _unwrapped(text: str) -> tuple[str, list[str]]:
    """Take off quotation marks around whole rows, as programs put them that take each row for one cell."""
    head = first_lines(text)
    inner = [_within(line) for line in head]
    if len(head) < 2 or any(each is None for each in inner):
        return text, []
    for separator in (",", ";", "\t"):
        widths = {len(cells) for cells in csv.reader(filter(None, inner), delimiter=separator)}
        if len(widths) == 1 and widths.pop() > 1:
            lines = [_within(line) or line for line in text.split("\n")]
            return "\n".join(lines), ["Each row was in quotation marks as a whole: these were left out."]
    return text, []


def _within(line: str) -> str | None:
    """Return the line within quotation marks; None if these are not around the whole."""
    found = _WRAPPED.fullmatch(line.strip())
    return found[0][1:-1].replace('""', '"') if found else None
