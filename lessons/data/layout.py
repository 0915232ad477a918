"""How the rows and cells of a file lie: separator, lines above the table, row of names; guessed or given.

Of 36 files as people bring them, small ones made after public files and reports of faults, this tells separator and row
of names of all 36. CleverCSV 0.8 tells 23 (the separator of 33; 0.24 s to import), and DuckDB's sniffer 23 (of 28;
0.31 s, 69 MB): neither knows R's rows with a name, years as names, or a label before a text. So no library is here.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Literal

from lessons.data.csv_text import OwnDataError, is_number, missing
from lessons.data.numbers import Mark
from lessons.data.phrases import NAMED, counted, rows_named

Record = tuple[int, list[str]]  # number of a row, its cells

Form = Literal["table", "pairs", "lines", "json", "fasttext"]

HEAD = 40  # rows by which the layout is told
LONGEST_HEAD = 1_000_000  # characters
LIST = 3  # numbers on a single line, from which on they are a list
LONGEST_HEADER = 60  # characters of a name, where a row might be one of texts
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "spaces"}
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BLANKS = re.compile(r"[ \t]+")
_RULE = re.compile(r"\s*:?-{2,}:?\s*")
_NAME = re.compile(r"[\W_]*[^\W\d_]|\s*[(\[]?[%‰°$€£]")  # or a unit
_YEAR = re.compile(r"(1[5-9]|20|21)\d\d")


@dataclass(frozen=True)
class How:
    """How a file is to be read; what is empty is left to the reader."""

    # encoding, separator: of the text, and of the cells
    encoding: str = ""
    separator: str = ""
    decimal: Mark = ""  # the sign before decimals
    header: bool | None = None  # whether the first row names the columns
    kinds: tuple[tuple[str, str], ...] = ()  # columns, and of which type each is
    names: tuple[str, ...] = ()  # names that the first row has, in a file of texts
    sheet: str = ""  # of a workbook

    def told(self, separator: str, header: bool | None = None) -> "How":
        """Return the same with a separator, and perhaps with what is known of the first row."""
        return replace(self, separator=separator, header=self.header if header is None else header)


AS_GUESSED = How()


@dataclass
class Layout:
    """How the rows and cells of a file lie."""

    separator: str  # of the cells
    quotes: bool  # whether quotation marks have a meaning
    width: int  # how many cells a row has
    header: list[str] | None = None  # the names of the columns as the file has them, if it names them
    # header_row, first: the row of the names, 0 if there is none, and the first row of the table below
    header_row: int = 0
    first: int = 1
    notes: list[str] = field(default_factory=list)  # what was read in a way that might surprise
    above: list[int] = field(default_factory=list)  # rows above the table that are left out
    form: Form = "table"  # what its rows are written as


def records_of(text: str, separator: str, quotes: bool = True) -> Iterator[Record]:
    """Yield the rows that are not empty and no comment lines, numbered from 1 as a spreadsheet shows them.

    Raises
    ------
    OwnDataError
        Where a row cannot be read.
    """
    lines: Iterable[str] = (found[0] for found in _LINE.finditer(text))
    if separator == " ":
        lines = (_BLANKS.sub(" ", line).strip(" ") for line in lines)
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    if separator == "\n":
        yield from ((row, [line.rstrip("\n")]) for row, line in enumerate(lines, 1) if line.strip())
        return
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True, quoting=quoting)
    row = 0
    try:
        for row, cells in enumerate(reader, 1):
            if any(cells) and not ("--" in cells[-2:][0] and _is_rule(cells)):
                yield row, cells
    except csv.Error as error:
        raise OwnDataError(
            f"Row {row + 1} cannot be read ({error}). Look there for a quotation mark that is not closed, or that "
            f"belongs to a text and must be written twice; or for a cell of more than {csv.field_size_limit():,} "
            "characters."
        ) from None


def _is_rule(cells: Sequence[str]) -> bool:
    """Tell whether a row is the line below the names of a table that is drawn with bars and dashes."""
    return len(cells) > 1 and all(_RULE.fullmatch(cell) for cell in cells if cell.strip())


def first_lines(text: str, most: int = HEAD) -> list[str]:
    """Return the first lines that are not empty."""
    return list(islice((line for line in text[:LONGEST_HEAD].split("\n") if line.strip()), most))


def head_of(text: str, separator: str, quotes: bool = True) -> list[Record]:
    """Return the first rows, up to one that cannot be read."""
    head: list[Record] = []
    try:
        head.extend(islice(records_of(text[:LONGEST_HEAD], separator, quotes), HEAD))
    except OwnDataError:
        return head
    return head


def lay_out(text: str, how: How = AS_GUESSED, *, names_rows: bool = True, quotes: bool = True) -> Layout:
    """Return how the rows and cells of a text lie that has a table.

    Where a row has a cell more than there are names, this names the row if `names_rows`, as R writes it.

    Raises
    ------
    OwnDataError
        If the row of names does not go with the rows below it.
    """
    text, comments = without_comments(text)
    _check_lines(text, how)
    separator = how.separator or separator_of(text)
    layout = Layout(separator, quotes, 1)
    head = list(islice(records_of(text, separator, quotes), HEAD))  # raises where a row cannot be read
    if not head:
        raise OwnDataError("There are only lines that begin with #. Add rows of numbers below them.")
    layout.width = _width([cells for _, cells in head])
    _place_header(layout, head, how.header, names_rows)
    if comments:
        _name_by(layout, comments[-1], how.header)
        said = f"{counted(len(comments), 'line')} that begin{'s' if len(comments) == 1 else ''} with #"
        layout.notes.append(f"{said} {'was' if len(comments) == 1 else 'were'} left out.")
    return layout


def _check_lines(text: str, how: How) -> None:
    """Raise an `OwnDataError` if all numbers are on one line."""
    if how.separator or how.header or "\n" in text.strip():
        return
    numbers = re.split(r"[,;|]?\s+|[,;|]", text.strip())
    if len(numbers) >= LIST and all(map(is_number, numbers)):
        raise OwnDataError(f"There is one line, of {len(numbers)} numbers. Write each of them on a line of its own.")


def without_comments(text: str) -> tuple[str, list[str]]:
    """Return a text with an empty line in place of each line at its top that begins with #, and these lines."""
    comments, place = [], 0
    for line in _LINE.finditer(text):
        said = line[0].strip()
        if said and (not said.startswith("#") or said[1:2] in {"", *SEPARATORS} - {" "}):
            break
        comments += [said] * bool(said)
        place = line.end()
    return ("\n" * text.count("\n", 0, place) + text[place:], comments) if comments else (text, [])


def _name_by(layout: Layout, comment: str, asked: bool | None) -> None:
    """Take the names of the columns from the comment above a table that has none, as NumPy writes them."""
    names = next(records_of(comment.lstrip("# "), layout.separator), (0, [""]))[1]
    if layout.header is None and asked is None and len(names) == layout.width > 1 and not any(map(is_number, names)):
        layout.header = [name.strip() for name in names]
        layout.notes.append("The names of the columns were read from the last line that begins with #.")


def separator_of(text: str) -> str:
    """Return the separator by which the most of the first rows have equally many cells.

    Where two do, what makes more of the cells numbers; then the one that comes first. A single column has no separator,
    and is read as if it had semicolons.
    """
    best, found = (0.5, 0.0), ";"
    for separator in SEPARATORS:
        head = [cells for _, cells in head_of(text, separator)]
        if not head or (len(head[0]) == 1 and _is_one_column(text)):
            continue
        width = _width(head)
        fitting = [cells for cells in head if len(cells) == width]
        if width == 1:
            continue
        cells = [cell for cell in chain.from_iterable(fitting) if cell.strip()]
        numbers = sum(is_number(cell) for cell in cells) / max(1, len(cells))
        if separator == " " and (numbers < 0.5 or len(head) < 3):  # words of a text are no cells
            continue
        score = (len(fitting) / len(head), numbers)
        if score > best:
            best, found = score, separator
    return found


def _is_one_column(text: str) -> bool:
    """Tell whether each line but the first is a number by itself, perhaps with a decimal comma."""
    lines = [line for line in text[:LONGEST_HEAD].split("\n")[: HEAD + 1] if line.strip()][1:]
    return bool(lines) and all(is_number(line) or missing(line) for line in lines)


def _width(head: Sequence[Sequence[str]]) -> int:
    """Return how many cells most rows have; of widths that are equally frequent that of the first row, or a later."""
    totals = Counter(map(len, head[1:] or head))
    return max([len(head[0]), *reversed([*totals])], key=totals.__getitem__) if totals else 1


def _place_header(layout: Layout, head: list[Record], asked: bool | None, names_rows: bool) -> None:
    """Find the row of names, and the lines above it."""
    while len(head) > 1 and layout.width > 1 and _is_title(layout.width, head):
        layout.above.append(head.pop(0)[0])
    row, cells = head[0]
    names = _without_trailing(cells)
    below = [cells for _, cells in head[1:]]
    if below and len(cells) != layout.width:
        _fit(layout, row, names, head[1:], asked, names_rows)
        return
    if below and len(names) < layout.width and not any(any(map(str.strip, cells[len(names) :])) for cells in below):
        layout.width = max(1, len(names))  # empty columns at the end
    if has_header([cells for _, cells in head]) if asked is None else asked:
        layout.header, layout.header_row, layout.first = cells[: layout.width], row, row + 1
        _take_second(layout, head[1:])
    else:
        layout.first = row


def _take_second(layout: Layout, below: list[Record]) -> None:
    """Take a second row of names, or of units, into the names: a group's name is that of all its columns."""
    names, rows = layout.header or [], [cells[: layout.width] for _, cells in below if len(cells) >= layout.width]
    if len(rows) < 3 or rows[0] != below[0][1][: layout.width] or not _goes_on(rows[0], rows[1:]):
        return
    if all(map(str.strip, rows[0])):
        for place in range(1, len(names)):
            names[place] = names[place].strip() or names[place - 1]
    layout.header = [f"{name.strip()} {more.strip()}".strip() for name, more in zip(names, rows[0], strict=True)]
    layout.first = below[0][0] + 1
    layout.notes.append(f"Rows {layout.header_row} and {below[0][0]} were both read as names of the columns.")


def _goes_on(cells: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Tell whether cells are names too: none a number, words above all numbers, and none again below."""
    columns = list(zip(*below, strict=True))
    numbers = [place for place, column in enumerate(columns) if _mostly_numbers(column)]
    return (
        any(_NAME.match(cells[place]) for place in numbers)
        and all(_NAME.match(cells[place]) or not cells[place].strip() for place in numbers)
        and not any(cell.strip() and (is_number(cell) or missing(cell)) for cell in cells)
        and not any(cell.strip() and cell in column for cell, column in zip(cells, columns, strict=True))
    )


def _is_title(width: int, head: list[Record]) -> bool:
    """Tell whether the first row is a line above the table: of one cell, or not as wide as the names that follow."""
    cells = _without_trailing(head[0][1])
    if len(cells) == width or len(head[0][1]) == width > 1 < len(cells):
        return False
    if len(cells) == 1 and (width > 2 or not _names_rows([row for _, row in head[1:]], width)):
        return True
    for place, (_, names) in enumerate(head[1:6], 1):
        if len(names) == width:
            rest = [row for _, row in head[place:]]
            years = all(_YEAR.fullmatch(name.strip()) for name in names if is_number(name))
            return years and len(rest) > 1 and has_header(rest)
    return False


def _fit(layout: Layout, row: int, names: list[str], below: list[Record], asked: bool | None, names_rows: bool) -> None:
    """Lay out a table whose first row has more or fewer cells than the others."""
    width, rows = layout.width, [cells for _, cells in below if len(cells) == layout.width]
    beyond = [cells[len(names) :] for cells in rows]
    if len(names) < width and not any(map(str.strip, chain.from_iterable(beyond))):
        layout.width = len(names)  # rows that end in a separator
    elif names_rows and len(names) == width - 1 and not any(map(is_number, names)) and _names_rows(rows, width):
        names = ["row name", *names]
        layout.notes.append(
            f"Row {row} has a name less than the rows below it have cells, so the first cell of each row was read as "
            "its name."
        )
    elif len(names) != width:
        remedy = (
            "where numbers have decimal commas, separate the cells by semicolons"
            if names_rows
            else "put texts with commas in quotes"
        )
        others = [number for number, cells in below if len(cells) != len(names)]
        widths = [len(cells) for _, cells in below if len(cells) != len(names)]
        raise OwnDataError(
            f"Row {row} has {counted(len(names), 'cell')}, and {rows_named(others)} "
            f"{'has' if len(others) == 1 else 'have'} {_said(widths)}. Give each column "
            f"one name, and delete lines above the names; {remedy}."
        )
    if has_header([names, *rows]) if asked is None else asked:
        layout.header, layout.header_row, layout.first = names, row, row + 1
    else:
        layout.first = row


def _said(widths: Sequence[int]) -> str:
    found = sorted(set(widths))
    return " or ".join(map(str, found[:NAMED])) if len(found) <= NAMED else f"{found[0]} to {found[-1]}"


def _names_rows(rows: Sequence[Sequence[str]], width: int) -> bool:
    """Tell whether the first cells name the rows: all different, and numbers in turn or no numbers at all."""
    first = [cells[0] for cells in rows if len(cells) == width]
    if len(set(first)) < len(first) or not first:
        return False
    return not any(map(is_number, first)) or [cell.strip() for cell in first] == [
        str(number) for number in range(1, len(first) + 1)
    ]


def _without_trailing(cells: list[str]) -> list[str]:
    kept = list(cells)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row names the columns.

    It does if it has text where mostly numbers follow; if it has years above other numbers and text elsewhere; or if it
    has no number, and none of its texts occurs again below or is too long for a name. Without a text it does if it
    counts the columns from 0, as pandas writes them, above decimals.
    """
    first, below = rows[0], [cells for cells in rows[1:] if len(cells) == len(rows[0])]
    texts = [place for place, cell in enumerate(first) if cell.strip() and not is_number(cell) and not missing(cell)]
    columns = [[cells[place] for cells in below] for place in range(len(first))]
    if not texts:
        return _numbered(first, columns)
    if any(_mostly_numbers(columns[place]) for place in texts):
        return True
    years = [place for place, cell in enumerate(first) if is_number(cell)]
    if years:
        return all(_YEAR.fullmatch(first[place].strip()) for place in years) and not any(
            _YEAR.fullmatch(cell.strip()) for place in years for cell in columns[place]
        )
    again = any(first[place].strip() in map(str.strip, columns[place]) for place in texts)
    return not again and max(len(cell) for cell in first) <= LONGEST_HEADER and not _missing_any(first, columns)


def _numbered(first: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    names = [cell.strip() for cell in first]
    counted = names[1:] if names[0] == "" else names
    decimals = any("." in cell for cell in chain.from_iterable(columns))
    return len(names) > 2 and counted == [str(place) for place in range(len(counted))] and decimals


def _missing_any(first: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row has no number and yet a gap above numbers, as a row of data may."""
    return any(cell.strip() and missing(cell) and _only_numbers(columns[place]) for place, cell in enumerate(first))


def _mostly_numbers(cells: Sequence[str]) -> bool:
    return sum(map(is_number, cells)) > sum(not is_number(cell) and not missing(cell) for cell in cells)


def _only_numbers(cells: Sequence[str]) -> bool:
    return any(map(is_number, cells)) and all(is_number(cell) or missing(cell) for cell in cells)
