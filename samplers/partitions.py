"""All partitions of at most 8 points.

N points have Bell(N) partitions: 1, 2, 5, 15, 52, 203, 877, 4,140 for N = 1..8. They are written as restricted growth
strings, in which each label is at most one more than the largest label before it (Knuth 2011, The Art of Computer
Programming 4A, section 7.2.1.5).
"""

from functools import cache
from itertools import accumulate

from samplers.checks import whole_from

MOST_POINTS = 8

Partition = tuple[int, ...]


@cache
def partitions(points: int) -> tuple[Partition, ...]:
    """Return every partition of a number of points as a restricted growth string, in lexical order.

    Raises
    ------
    ValueError
        If the number of points is not from 1 to 8.
    """
    if not 1 <= whole_from("points", points, 1) <= MOST_POINTS:
        raise ValueError(f"points must be at most {MOST_POINTS} to list all their partitions, got {points}")
    if points == 1:
        return ((0,),)
    return tuple((*head, table) for head in partitions(points - 1) for table in range(max(head) + 2))


def groups(partition: Partition) -> list[list[int]]:
    """Return the points of each group, from 0."""
    return [[i for i, label in enumerate(partition) if label == group] for group in range(max(partition) + 1)]


def named(partition: Partition) -> str:
    """Return a partition as people write it, "12|3"."""
    return "|".join("".join(str(point + 1) for point in group) for group in groups(partition))


def bell_numbers(most: int) -> list[int]:
    """Return the Bell numbers: how many partitions 0, 1, ..., `most` points have, as integers of any size.

    Raises
    ------
    ValueError
        If most is negative.

    Notes
    -----
    Each row of Bell's triangle begins with the last number of the row before. Each further number is the sum of its
    left neighbour and the number above that neighbour (Knuth 2011, section 7.2.1.5).

    Examples
    --------
    >>> bell_numbers(7)
    [1, 1, 2, 5, 15, 52, 203, 877]
    """
    row, found = [1], [1]
    for _ in range(whole_from("most", most, 0)):
        found.append(row[-1])
        row = list(accumulate(row, initial=row[-1]))
    return found
