"""Remedies for label switching: order the components, match them to a reference, or do without names.

The posterior of a mixture with K alike components has K! copies of each mode, one for each way to name the components,
and a chain that moves between copies changes the names (Stephens 2000, Dealing with label switching in mixture models,
section 2). Names can be set right afterwards, sweep by sweep; what does not depend on them needs no setting right.

Ranks are what the functions here have in common: ``ranks[t, k]``, of integers of shape (sweeps, K), is the new name of
component k at sweep t.
"""

import numpy as np
from numpy.typing import ArrayLike

from samplers.crp.exact_partitions import ExactPosterior
from samplers.diagnostics.convergence import partition_ids
from samplers.mixtures.exact_labellings import ExactLabels
from samplers.partitions import partitions


def ranks_by_order(values: ArrayLike) -> np.ndarray:
    """Name components by the order of a number that each has, say its mean: the constraint that the means ascend.

    It always gives an answer, and where components overlap a wrong one: sorted draws lie apart even if the components
    do not (Stephens 2000, section 3.1).

    Parameters
    ----------
    values : array_like
        Shape (sweeps, K). The smallest gets the rank 0, and equal ones keep their order.
    """
    order = np.argsort(np.asarray(values), axis=-1, kind="stable")
    return np.argsort(order, axis=-1)


def ranks_by_overlap(assignments: ArrayLike, reference: ArrayLike, classes: int) -> np.ndarray:
    """Name the components of each sweep so that as many points as possible have the label of a reference.

    It is Stephens's algorithm (2000, section 4) with one fixed labelling in the place of the averaged probabilities:
    the names are the answer to an assignment problem.

    Parameters
    ----------
    assignments : array_like of int
        Labels from 0 and below K, shape (sweeps, N).
    reference : array_like of int
        Labels to agree with, shape (N,).
    classes : int
        K.

    Raises
    ------
    ValueError
        If the shapes do not fit together, or if a label is out of range.
    """
    labels, wanted = np.asarray(assignments), np.asarray(reference)
    if labels.ndim != 2 or labels.shape[1:] != wanted.shape:
        raise ValueError(f"assignments must be rows of {wanted.size} labels, got the shape {labels.shape}")
    for some in (labels, wanted):
        if some.size and not 0 <= some.min() <= some.max() < classes:
            raise ValueError(f"labels must be from 0 and below {classes}, got {some.min()} to {some.max()}")
    from scipy.optimize import linear_sum_assignment  # here, as it takes 0.15 s to import

    ranks = np.empty((len(labels), classes), np.intp)
    for t, row in enumerate(labels):
        agree = np.bincount(row.astype(np.intp) * classes + wanted, minlength=classes * classes)
        ranks[t] = linear_sum_assignment(agree.reshape(classes, classes), maximize=True)[1]
    return ranks


def renamed(assignments: ArrayLike, ranks: ArrayLike) -> np.ndarray:
    """Return labels with their new names, shape (sweeps, N)."""
    return np.take_along_axis(np.asarray(ranks), np.asarray(assignments, np.intp), axis=1)


def without_names(exact: ExactLabels) -> ExactPosterior:
    """Return the distribution of who sits with whom: labellings that differ in names alone are added up.

    Partitions with more parts than there are classes have the log probability -inf.

    Raises
    ------
    ValueError
        If there are more than 8 items.
    """
    every = partitions(exact.labellings.shape[1])
    which = partition_ids(exact.labellings)
    top = exact.log_joint.max()
    with np.errstate(divide="ignore"):
        log_joint = top + np.log(np.bincount(which, np.exp(exact.log_joint - top), len(every)))
    return ExactPosterior(every, log_joint)


def summaries(assignments: ArrayLike, pair: tuple[int, int]) -> dict[str, np.ndarray]:
    """Return summaries of a run that do not depend on the components' names.

    Parameters
    ----------
    assignments : array_like of int
        Labels from 0, shape (sweeps, N).
    pair : (int, int)
        Two points.

    Returns
    -------
    dict of str to numpy.ndarray
        ``occupied``, how many components have points; ``largest``, how many points the largest has; ``together``,
        whether the pair has one label. Each of shape (sweeps,).
    """
    labels = np.asarray(assignments)
    sizes = (labels[:, :, None] == np.arange(labels.max(initial=0) + 1)).sum(axis=1)
    return {
        "occupied": (sizes > 0).sum(axis=1),
        "largest": sizes.max(axis=1),
        "together": labels[:, pair[0]] == labels[:, pair[1]],
    }
