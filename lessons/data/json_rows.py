"""Rows that are written as JSON: an object a line, a list of objects, or one that holds a list or columns."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from lessons.data.csv_text import SAVE_AS_CSV, OwnDataError
from lessons.data.layout import Layout

DEEP = 3  # objects in objects, from which on they are kept as they are written
_BEGINNING = re.compile(r'\s*(\{\s*("|\}|$)|\[\s*["\[{])')


def json_lines(text: str, *, texts: bool = False) -> tuple[str, Layout] | None:
    """Return rows of JSON with an object a line, and how they lie; None if the text is no JSON.

    Among texts a line may look like JSON by chance, so that the whole first line must be.

    Raises
    ------
    OwnDataError
        If it is JSON, but no rows, or if a line is none.
    """
    if not _BEGINNING.match(text) and (texts or text.lstrip()[:1] != "{"):
        return None
    note = "Each line was read as JSON; its names are those of the columns."
    first = next(line for line in text.split("\n") if line.strip())
    several = text.strip() != first.strip()
    if not (several and isinstance(_parsed(first), dict)):
        rows = _rows_in(_parsed(text))
        if rows is None:
            raise OwnDataError(
                'By its beginning this is JSON, but no rows of it. Write one object a line, such as {"x": 1, "y": 2}, '
                f"or a list of them. {SAVE_AS_CSV}"
            )
        text = "\n".join(map(json.dumps, rows))
        note = "The entries of the JSON are the rows, numbered from 1; their names are those of the columns."
    names = list(dict.fromkeys(name for _, row in json_records(text) for name in row))
    return text, Layout("\n", False, len(names), names, notes=[note], form="json")


def json_records(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the objects of lines that are not empty, by their numbers, with a text for each name."""
    for row, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found = _parsed(line)
            if not isinstance(found, dict):
                raise OwnDataError(f"Row {row} is no JSON such as the first one. Correct the line, or leave it out.")
            nested = any(isinstance(value, dict) for value in found.values())
            yield row, dict(_flat(found)) if nested else {name: _said(value) for name, value in found.items()}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_float=str, parse_int=str)  # numbers as they are written
    except (ValueError, RecursionError):
        return None


def _rows_in(found: Any) -> list[dict[str, Any]] | None:
    """Return the rows in a list of objects, in an object with one such list, or in one of columns of equal length."""
    if isinstance(found, list):
        return found if found and all(isinstance(row, dict) for row in found) else None
    if not isinstance(found, dict) or not found:
        return None
    listed = [rows for rows in map(_rows_in, filter(_is_list, found.values())) if rows]
    if len(listed) == 1:
        return listed[0]
    columns = [list(each.values()) if isinstance(each, dict) else each for each in found.values()]
    if all(map(_is_list, columns)) and len({len(column) for column in columns}) == 1:
        return [dict(zip(found, cells, strict=True)) for cells in zip(*columns, strict=True)] or None
    return None if any(map(_is_list, columns)) else [found]


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _flat(row: dict[str, Any], before: str = "", depth: int = 1) -> Iterable[tuple[str, str]]:
    """Yield the values of an object as texts, those of an object in it by both names: ``meta.label``."""
    for name, value in row.items():
        if isinstance(value, dict) and value and depth < DEEP:
            yield from _flat(value, f"{before}{name}.", depth + 1)
        else:
            yield f"{before}{name}", _said(value)


def _said(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
