"""The places of clusterings in the picture: by how many groups they have, with their groups written out."""

from functools import cache
from typing import NamedTuple

import numpy as np

from samplers.partitions import Partition, groups, partitions

WIDTH, HEIGHT = 120.0, 90.0  # of the picture, in its own units
TOP, BOTTOM = 82.5, 21.0  # between which clusterings stand; below lies the line with the points
COLUMNS = {3: (1, 1, 1), 4: (1, 2, 2, 1), 5: (1, 3, 5, 2, 1)}  # side by side, for each number of groups
ROOM = {3: 8.8, 4: 5.2, 5: 4.0}  # the largest ring's radius
PITCH = {3: 4.2, 4: 3.0, 5: 1.55}  # between two numbers of a group
LOOP = {3: 5.4, 4: 4.2, 5: 2.6}  # how large an arrow is that leads back to where it begins
GAP = 1.45  # between two groups, in pitches
LEAST = 0.02  # how much longer a band is, in pitches: a line without a length is not drawn by all browsers
LEFT = (1, 3)  # of the five clusterings of three points, those with an arrow between them that leads down
LOWEST = 3  # of them
ASIDE = 15.0  # how far the middle one of the three stands off, so that a straight arrow passes it


class Layout(NamedTuple):
    """The places of everything, for a number of points."""

    places: np.ndarray  # of the clusterings, shape (clusterings, 2), in the order of `samplers.partitions.partitions`
    heads: np.ndarray  # places of the numbers of groups, across, shape (points,)


def colors(partition: Partition) -> list[int]:
    """Return the number of each point's colour, that of its group's first point: so few change in an update."""
    return [partition.index(label) for label in partition]


@cache
def layout(points: int) -> Layout:
    """Return the places for 3 to 5 points."""
    every, across = partitions(points), COLUMNS[points]
    places, heads = np.zeros((len(every), 2)), np.zeros(points)
    wide = (WIDTH - 2) / sum(across)
    left = 1.0
    for number, columns in enumerate(across, 1):
        mine = [index for index, partition in enumerate(every) if max(partition) + 1 == number]
        down = -(-len(mine) // columns)
        heads[number - 1] = left + columns * wide / 2
        for place, index in enumerate(mine):
            column, row = divmod(place, down)
            here = min(down, len(mine) - column * down)  # the last column may be shorter
            tall = (TOP - BOTTOM) / here
            places[index] = left + (column + 0.5) * wide, TOP - (row + 0.5) * tall
        left += columns * wide
    if points == 3:
        places[1:4, 0] += ASIDE * np.array([-0.5, 0.5, -0.5])
    return Layout(places, heads)


def written(points: int, rings: np.ndarray) -> tuple[dict[str, list], dict[str, list]]:
    """Return the writing at each clustering: its points' numbers, and a band behind each of its groups.

    It is below the ring, whose radius is given, of shape (clusterings,); where arrows lead down, to the left of it.
    """
    pitch, places = PITCH[points], layout(points).places
    numbers: dict[str, list] = {field: [] for field in ("x", "y", "point", "color", "number")}
    bands: dict[str, list] = {field: [] for field in ("x", "y", "x2", "color", "number")}
    for index, partition in enumerate(partitions(points)):
        x, y = places[index].tolist()
        together = groups(partition)
        wide = pitch * (points - len(together) + GAP * (len(together) - 1))
        if points == 3 and index in LEFT:
            x -= rings[index] + wide + pitch
        else:
            x, y = x - wide / 2, y - max(rings[index], 1.5) - 0.8 * pitch
        for group in together:
            ends = x, x + (len(group) - 1) * pitch
            _add(bands, ends[0], y, ends[1] + LEAST * pitch, group[0], index + 1)
            for step, point in enumerate(group):
                _add(numbers, x + step * pitch, y, point + 1, group[0], index + 1)
            x = ends[1] + GAP * pitch
    return numbers, bands


def _add(rows: dict[str, list], *values: float) -> None:
    for column, value in zip(rows.values(), values, strict=True):
        column.append(round(value, 3))
