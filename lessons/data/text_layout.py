"""How a file of texts lies: a table, lines of a label, a tab and a text, lines of texts, JSON lines, or fastText's."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from lessons.data.csv_text import OwnDataError, is_number
from lessons.data.layout import (
    HEAD,
    LONGEST_HEADER,
    SEPARATORS,
    How,
    Layout,
    Record,
    has_header,
    head_of,
    lay_out,
    records_of,
)

LINES = "\n"  # in place of a separator: each line is one cell
TEXT_COLUMNS = ("text", "message", "sms", "body", "v2")
LABEL_COLUMNS = ("label", "class", "category", "type", "v1")
FASTTEXT = "__label__"
LONGEST_NAME = 30  # of a column, in characters, where it might be a part of a sentence
LEAST_ROWS = 3  # of a table that is told from lines of texts by its rows alone
OFTEN = 0.95  # of its rows, which have equally many cells
WORDY = 0.5  # of the cells of a column of texts, which have blanks in them
_NEEDS = re.compile(r'""|,')  # quotes around a cell, as programs write them
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def lay_out_texts(text: str, how: How) -> Layout:
    """Return how a file of texts lies; errors as for `lessons.data.layout.lay_out`."""
    first = next(line for line in text.split("\n") if line.strip())
    if not how.separator:
        if _as_json(first) is not None:
            return _json_layout(text, first)
        if first.startswith(FASTTEXT):
            return Layout("\t", False, 2, ["label", "text"], first=1, form="fasttext")
    if how.names:
        how = how.told(_separator_of_names(first, how), True)
    separator = how.separator or _separator(text, first)
    if separator == LINES:
        return _lines(text, how)
    if separator == "\t":
        return _tabbed(text, how)
    return lay_out(text, how.told(separator), names_rows=False)


def records_for(text: str, layout: Layout) -> Iterator[Record]:
    """Yield the rows that are not empty, as they lie; `OwnDataError` where one cannot be read."""
    if layout.form == "table":
        yield from records_of(text, layout.separator, layout.quotes)
        return
    for row, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if layout.form == "lines":
            yield row, [line]
        elif layout.form == "pairs":
            label, tab, message = line.partition("\t")
            if not tab:
                raise OwnDataError(f"Row {row} has no tab. Write a label, a tab and the message.")
            yield row, [label, message]
        elif layout.form == "fasttext":
            yield row, _fasttext(line)
        else:
            yield row, _json_cells(row, line, layout.header or [])


def _fasttext(line: str) -> list[str]:
    """Return the first label of a line, and its text."""
    words = line.split()
    labels = [word.removeprefix(FASTTEXT) for word in words if word.startswith(FASTTEXT)]
    return [labels[0] if labels else "", " ".join(word for word in words if not word.startswith(FASTTEXT))]


def _as_json(line: str) -> dict[str, object] | None:
    if not line.lstrip().startswith("{"):
        return None
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found else None


def _json_layout(text: str, first: str) -> Layout:
    names = list(_as_json(first) or {})
    note = "Each line was read as JSON; its names are those of the columns."
    row = text[: text.index(first)].count("\n") + 1
    return Layout(LINES, False, len(names), names, first=row, notes=[note], form="json")


def _json_cells(row: int, line: str, names: Sequence[str]) -> list[str]:
    found = _as_json(line)
    if found is None:
        raise OwnDataError(f"Row {row} is no JSON such as the first one. Correct the line, or leave it out.")
    values = [found.get(name) for name in names]
    return ["" if value is None else value if isinstance(value, str) else json.dumps(value) for value in values]


def _lines(text: str, how: How) -> Layout:
    first = next((row, line) for row, line in enumerate(text.split("\n"), 1) if line.strip())
    named = how.header if how.header is not None else first[1].strip().casefold() in TEXT_COLUMNS
    if named:
        return Layout(LINES, False, 1, [first[1].strip()], first[0], first[0] + 1, form="lines")
    return Layout(LINES, False, 1, first=first[0], form="lines")


def _tabbed(text: str, how: How) -> Layout:
    """Lay out a file with tabs: a table if names or many columns say so, and else a label and a text a line."""
    quotes = _quoted(text)
    head = [cells for _, cells in head_of(text, "\t", quotes)]
    widths = {len(cells) for cells in head}
    many = len(head) >= LEAST_ROWS and len(widths) == 1 and max(widths) > 2
    header = how.header
    if header is None and head:
        header = _named(head[0]) or ((many or quotes) and has_header(head))
    if header or many or quotes:
        return lay_out(text, how.told("\t", header), names_rows=False, quotes=quotes)
    row = next(row for row, line in enumerate(text.split("\n"), 1) if line.strip())
    return Layout("\t", False, 2, first=row, form="pairs")


def _named(cells: Sequence[str]) -> bool:
    """Tell whether cells are names of columns, one of them of texts."""
    names = [cell.strip().strip('"').casefold() for cell in cells]
    if len(names) > 1 and {*names} & {*LABEL_COLUMNS} and not any(" " in name for name in names):
        return True
    if not {*names} & {*TEXT_COLUMNS}:
        return False
    return max(map(len, names)) <= LONGEST_NAME or bool({*names} & {*LABEL_COLUMNS})


def _separator_of_names(first: str, how: How) -> str:
    """Return the separator by which the first line has most of the names that were asked for."""
    asked = {name.casefold() for name in how.names}

    def found(separator: str) -> tuple[int, int]:
        cells = next(iter(head_of(first, separator)), (1, [""]))[1]
        return len(asked & {cell.strip().casefold() for cell in cells}), len(cells)

    return how.separator or max(("\t", ",", ";", "|", LINES), key=found)


def _quoted(text: str) -> bool:
    """Tell whether quotation marks around the cells of a file with tabs have a meaning.

    They have if all cells that begin with one also end with one, and one needs them; or if lines lack tabs that are
    there if cells in quotes may have line breaks.
    """
    if '"' not in text:
        return False
    plain = [cells for _, cells in head_of(text, "\t", quotes=False)]
    begun = [cell for cells in plain for cell in cells if cell.startswith('"')]
    if len({len(cells) for cells in plain}) == 1:
        return any(_NEEDS.search(cell[1:-1]) for cell in begun) and all(
            _QUOTED.fullmatch(cell.strip()) for cell in begun
        )
    quoted = [cells for _, cells in head_of(text, "\t")]
    return len(quoted) > 0 and len({len(cells) for cells in quoted}) == 1 and len(quoted[0]) > 1


def _separator(text: str, first: str) -> str:
    """Return the separator of the cells; a line break if each line is a text."""
    lines = list(islice((line for line in text.split("\n") if line.strip()), 2 * HEAD))
    if "\t" in first and (2 * sum("\t" in line for line in lines) >= len(lines) or _quoted(text)):
        return "\t"
    for separator in (",", ";", "|"):
        head = [cells for _, cells in head_of(text, separator)]
        if head and len(head[0]) > 1 and len(first) <= 50 * LONGEST_HEADER and _named(head[0]):
            return separator
    if _named([first]):
        return "," if _quoted_column(text) else LINES
    return next((separator for separator in (",", ";", "|") if _is_table(text, separator)), LINES)


def _quoted_column(text: str) -> bool:
    head = [cells for _, cells in head_of(text, ",")]
    return '\n"' in text and len(head) > 1 and all(len(cells) == 1 for cells in head)


def _is_table(text: str, separator: str) -> bool:
    """Tell whether rows have equally many cells, one column texts, and another one values that occur again."""
    head = [cells for _, cells in head_of(text, separator)]
    if len(head) < LEAST_ROWS or separator not in SEPARATORS:
        return False
    width = max({len(cells) for cells in head}, key=lambda each: sum(len(cells) == each for cells in head))
    fitting = [cells for cells in head if len(cells) == width]
    if width < 2 or len(fitting) < OFTEN * len(head):
        return False
    rows = fitting[1:] if has_header(fitting) else fitting
    columns = [[cells[place].strip() for cells in rows] for place in range(width)]
    texts = [sum(" " in cell for cell in cells) > WORDY * len(rows) for cells in columns]
    short = [
        all(map(is_number, cells)) or (2 * len(set(cells)) <= len(cells) and max(map(len, cells)) <= LONGEST_NAME)
        for cells in columns
    ]
    return any(texts) and any(few and not words for few, words in zip(short, texts, strict=True))
