"""How a file of texts lies: a table, lines of a label, a tab or colon and a text, lines of texts, or fastText's."""

import re
from collections import Counter
from collections.abc import Sequence

from lessons.data.csv_text import is_number
from lessons.data.layout import (
    HEAD,
    LONGEST_HEADER,
    SEPARATORS,
    How,
    Layout,
    first_lines,
    has_header,
    head_of,
    lay_out,
)

LINES = "\n"  # in place of a separator: each line is one cell
TEXT_COLUMNS = ("text", "message", "sms", "body", "v2")
LABEL_COLUMNS = ("label", "class", "category", "type", "v1")
FASTTEXT = "__label__"
LONGEST_NAME = 30  # of a column, in characters, where it might be a part of a sentence
LEAST_ROWS = 3  # of a table that is told from lines of texts by its rows alone
OFTEN = 0.95  # of its rows, which have equally many cells
WORDY = 0.5  # of the cells of a column of texts, which have blanks in them
MOST_ABOVE = 5  # lines above the names of columns
_CELL = re.compile(r'"(?:[^"]|"")*"|[^\s"]+')
_ONE = r'(?:"(?:[^"]|"")*"|[\d.eE+-]+|NA)'
_CELLS = re.compile(rf"[ \t]*{_ONE}(?:[ \t]+{_ONE})*[ \t]*")
_LABEL = re.compile(r"\s*([^\s:]{1,30}):\s+\S")
_NEEDS = re.compile(r'""|,')  # quotes around a cell, as programs write them
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def lay_out_texts(text: str, how: How) -> Layout:
    """Return how a file of texts lies; errors as for `lessons.data.layout.lay_out`."""
    head = first_lines(text)
    first = head[0]
    if not how.separator:
        if 2 * sum(FASTTEXT in line for line in head) >= len(head):
            several = max(line.count(FASTTEXT) for line in text.split("\n")) > 1
            notes = ["Where a line has several labels, the first was read."] * several
            return Layout("\t", False, 2, ["label", "text"], notes=notes, form="fasttext")
        if _is_r_table(head):
            return lay_out(text, how.told(" "))
    if how.names:
        how = how.told(_separator_of_names(first, how), True)
    separator = how.separator or (":" if _has_labels(head) else _separator(text, first))
    if separator == ":":
        return Layout(":", False, 2, form="pairs")
    if separator == LINES:
        return _lines(text, how)
    if separator == "\t":
        return _tabbed(text, how)
    return lay_out(text, how.told(separator), names_rows=False)


def without_lines_above(text: str) -> tuple[str, list[int]]:
    """Return a text with empty lines in place of those above names of columns, and the numbers of these lines."""
    rows = [(row, line) for row, line in enumerate(text.split("\n", MOST_ABOVE + 3), 1) if line.strip()]
    for place, (row, line) in enumerate(rows[1 : MOST_ABOVE + 1], 1):
        for separator in ("\t", ",", ";", "|"):
            widths = [len(cells) for _, cells in head_of("\n".join(each for _, each in rows), separator)]
            names = [cell.strip().strip('"') for cell in line.split(separator)]
            if (
                1 < len(names) not in widths[:place]
                and widths[place + 1 : place + 2] == [len(names)]
                and _named(names)
                and not any(" " in name for name in names)
            ):
                above = [number for number, _ in rows[:place]]
                return "\n" * (row - 1) + text.split("\n", row - 1)[-1], above
    return text, []


def _is_r_table(head: Sequence[str]) -> bool:
    """Tell whether lines have cells between spaces, all texts in quotes, as R writes them: the first may lack one."""
    widths = {len(_CELL.findall(line)) for line in head[1:]}
    return (
        len(head) > 1
        and all(_CELLS.fullmatch(line) and '"' in line for line in head)
        and len(widths) == 1
        and len(_CELL.findall(head[0])) in (least := max(widths), least - 1)
        and least > 1
    )


def _has_labels(head: Sequence[str]) -> bool:
    """Tell whether each line begins with a word and a colon, one of a few words that all occur again."""
    found = [_LABEL.match(line) for line in head]
    labels = Counter(each[1].casefold() for each in found if each)
    return len(head) > LEAST_ROWS and labels.total() == len(head) and len(labels) > 1 and min(labels.values()) > 1


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
    lines = first_lines(text, 2 * HEAD)
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
