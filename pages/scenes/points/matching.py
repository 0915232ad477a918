"""Names of clusters for pictures: shared by two clusterings of the same points, and of different looks in each."""

from collections.abc import Iterable

import numpy as np
from scipy.optimize import linear_sum_assignment

from pages.drawing.palette import COLORS


def matched(groups: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return the groups of points with the names of the clusters that share most of their points, one name each.

    A group that is left without a cluster has the first name that no cluster has.

    Examples
    --------
    >>> matched(np.array([0, 0, 1, 1, 2]), np.array([7, 7, 3, 3, 3])).tolist()
    [7, 7, 3, 3, 0]
    """
    ours, group = np.unique(groups, return_inverse=True)
    theirs, cluster = np.unique(labels, return_inverse=True)
    shared = np.zeros((len(ours), len(theirs)), int)
    np.add.at(shared, (group, cluster), 1)
    free = (name for name in range(len(labels) + len(ours)) if name not in theirs)
    rows, columns = linear_sum_assignment(shared, maximize=True)
    pairs = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    names = [theirs[pairs[one]] if one in pairs else next(free) for one in range(len(ours))]
    return np.array(names, np.int16)[group]


def told_apart(ids: Iterable[int], looks: int = len(COLORS)) -> dict[int, int]:
    """Return names for clusters by their ids; no two names have one colour and mark, as long as another is free.

    An id keeps its own look, ``id % looks``, before a smaller one that has the same. The others have the last ones that
    are free, since new clusters come with small ids: so a cluster seldom changes its look when another one opens.

    Examples
    --------
    >>> told_apart([0, 3, 13, 25])
    {25: 25, 13: 13, 3: 9, 0: 0}
    """
    order = sorted(ids, reverse=True)
    owners = {one % looks: one for one in reversed(order)}
    free = [look for look in range(looks) if look not in owners]
    return {one: one if owners[one % looks] == one or not free else free.pop() for one in order}
