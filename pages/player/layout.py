"""Where charts stand: a CSS grid, and the same grid when some of them are hidden."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple


class _Box(NamedTuple):
    """A rectangle of cells: rows from top to before bottom, columns from left to before right."""

    top: int
    left: int
    bottom: int
    right: int


def without(areas: str, columns: str, hidden: Iterable[str]) -> dict[str, str]:
    """Return a grid in which the charts that are left have the room of those that are hidden.

    Parameters
    ----------
    areas, columns : str
        ``grid-template-areas`` and ``grid-template-columns``.
    hidden : iterable of str
        Areas.

    Returns
    -------
    dict
        The new ``areas`` and ``columns``. Each chart still fills a rectangle, as CSS wants it; a place that no
        neighbour can fill so stays empty. If all are hidden, the grid is as it was.
    """
    grid = [row.split() for row in re.findall(r'"([^"]*)"', areas)]
    gone = {name for row in grid for name in row} & {*hidden}
    grid = [row for row in grid if not gone.issuperset(row)]
    if not gone or not grid:
        return {"areas": areas, "columns": columns}
    # ten times each, which is the same, but fractions that add up to less than one would leave some of the room empty
    tens = re.sub(r"([\d.]+)fr", lambda width: f"{10 * float(width[1]):g}fr", columns)
    widths = re.findall(r"(?:\([^()]*\)|[^\s()])+", tens)
    kept = [x for x in range(len(widths)) if not gone.issuperset(row[x] for row in grid)]
    grid = [[row[x] for x in kept] for row in grid]
    shown = {name: _box(grid, name) for row in grid for name in row if name not in gone}
    free = [_box(grid, name) for name in sorted(gone) if any(name in row for row in grid)]
    while free and (_fill(free, shown) or _merge(free)):
        pass
    cells = [
        next((name for name, box in shown.items() if _holds(box, y, x)), ".")
        for y in range(len(grid))
        for x in range(len(kept))
    ]
    rows = [" ".join(cells[start : start + len(kept)]) for start in range(0, len(cells), len(kept))]
    return {"areas": " ".join(f'"{row}"' for row in dict.fromkeys(rows)), "columns": " ".join(widths[x] for x in kept)}


def _box(grid: list[list[str]], name: str) -> _Box:
    ys = [y for y, row in enumerate(grid) if name in row]
    xs = [x for x in range(len(grid[0])) if any(row[x] == name for row in grid)]
    return _Box(ys[0], xs[0], ys[-1] + 1, xs[-1] + 1)


def _holds(box: _Box, y: int, x: int) -> bool:
    return box.top <= y < box.bottom and box.left <= x < box.right


def _fill(free: list[_Box], shown: dict[str, _Box]) -> bool:
    """Let the neighbours on one side of a free box have it, if they end where it ends; return whether any could."""
    for box in free:
        beside, above = range(box.top, box.bottom), range(box.left, box.right)
        sides = [  # sideways first: a chart in a strip gains more from width
            ([(y, box.right) for y in beside], "left", box.left),
            ([(y, box.left - 1) for y in beside], "right", box.right),
            ([(box.bottom, x) for x in above], "top", box.top),
            ([(box.top - 1, x) for x in above], "bottom", box.bottom),
        ]
        for edge, grows, to in sides:
            near = {name: found for name, found in shown.items() if any(_holds(found, *cell) for cell in edge)}
            covered = all(any(_holds(found, *cell) for found in near.values()) for cell in edge)
            if covered and all(_within(found, box, grows) for found in near.values()):
                shown.update({name: found._replace(**{grows: to}) for name, found in near.items()})
                free.remove(box)
                return True
    return False


def _within(found: _Box, box: _Box, grows: str) -> bool:
    """Return whether a neighbour is no longer than the side of a box that it touches."""
    if grows in ("left", "right"):
        return box.top <= found.top and found.bottom <= box.bottom
    return box.left <= found.left and found.right <= box.right


def _merge(free: list[_Box]) -> bool:
    """Make one of two free boxes that are a rectangle together; return whether there were any."""
    for one, other in combinations(free, 2):
        both = _Box(*map(min, one[:2], other[:2]), *map(max, one[2:], other[2:]))
        if _area(both) == _area(one) + _area(other):
            free.remove(one)
            free.remove(other)
            free.append(both)
            return True
    return False


def _area(box: _Box) -> int:
    return (box.bottom - box.top) * (box.right - box.left)
