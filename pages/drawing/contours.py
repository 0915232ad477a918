"""Contour lines and areas of a surface."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from contourpy import FillType, LineType, contour_generator


def level_lines(
    x: np.ndarray, y: np.ndarray, heights: np.ndarray, levels: Iterable[float]
) -> Iterator[tuple[float, np.ndarray]]:
    """Yield the contours of a surface, level by level, with their level.

    Parameters
    ----------
    x, y : numpy.ndarray
        Coordinates of a grid's columns and rows, shapes (columns,) and (rows,), or of each crossing as `heights`.
    heights : numpy.ndarray
        Shape (rows, columns).
    levels : iterable of float
        The heights of the lines.

    Yields
    ------
    (float, numpy.ndarray)
        A level, and one of its lines: corners in order, shape (corners, 2).
    """
    engine = contour_generator(x=x, y=y, z=heights, line_type=LineType.Separate)
    for level in levels:
        for line in engine.lines(level):
            assert isinstance(line, np.ndarray)  # so it is with lines that are separate
            yield level, line


def level_areas(
    x: np.ndarray, y: np.ndarray, heights: np.ndarray, levels: Iterable[float]
) -> Iterator[tuple[float, np.ndarray]]:
    """Yield the areas above each level with their level; arguments as for `level_lines`.

    An area is one outline that can be filled directly: at a hole, it goes in, round the hole the other way, and back.
    """
    engine = contour_generator(x=x, y=y, z=heights, fill_type=FillType.OuterOffset)
    for level in levels:
        for corners, ends in zip(*engine.filled(level, np.inf), strict=True):
            assert isinstance(corners, np.ndarray)  # so it is with this type of areas
            outer, *holes = (corners[start:end] for start, end in pairwise(ends))
            yield level, np.concatenate([outer, *(part for hole in holes for part in (hole, outer[-1:]))])


def as_rows(lines: Sequence[np.ndarray], digits: int) -> dict[str, list[Any]]:
    """Return lines as a data set with a row per corner: its rounded place and the number of its line; never empty."""
    if not lines:
        return {"x": [None], "y": [None], "line": [0]}
    x, y = np.concatenate(lines).round(digits).T.tolist()
    return {"x": x, "y": y, "line": [number for number, line in enumerate(lines) for _ in line]}
