"""Clusterings of the same points side by side: clusters that share most of their points have one colour in both."""

import numpy as np
from scipy.optimize import linear_sum_assignment


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
