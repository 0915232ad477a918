"""Exact numbers: the posterior of every clustering, and what an update leaves unchanged."""

import math

import numpy as np

from pages.drawing.cards import MOST_ROWS, head, quiet, table
from pages.drawing.numbers import counted, multiplied, significant
from pages.topics.why_sample.inspector import clustering
from pages.topics.why_sample.run import Clusterings
from samplers.enumerated import stationary
from samplers.partitions import groups, named

NUMBERED = 15  # clusterings whose matrix is shown
ROWS = 15


def all_clusterings(run: Clusterings, t: int) -> str:
    """Return prior, fit and posterior of every clustering, and the sum by which all are divided."""
    joint, shares = np.exp(run.posterior.log_joint), run.visits[t] / max(1, t)
    order = list(range(len(joint)))
    if len(order) > ROWS:
        order.sort(key=lambda index: -joint[index])
    rows = []
    for index in order[:ROWS]:
        prior, formula = _prior(run, index)
        rows.append(
            (
                clustering(run, index),
                f"{formula} = {prior:.3f}",
                significant(joint[index] / prior),
                significant(joint[index]),
                f"<b>{run.exact[index]:.3f}</b>",
                f"{shares[index]:.3f}",
            )
        )
    if rest := order[ROWS:]:
        more = significant(joint[rest].sum()), f"<b>{run.exact[rest].sum():.3f}</b>", f"{shares[rest].sum():.3f}"
        rows.append((f"{len(rest)} more, together", "", "", *more))
    rows.append(("<b>sum</b>", "", "", f"<b>{significant(joint.sum())}</b>", "1", "1" if t else "0"))
    heads = ("clustering", "prior", "fit", "prior · fit", "posterior", f"visits / {t}")
    return table(heads, rows) + quiet(
        "Prior: α for each group, times 1 · 2 · … · (n − 1) for a group of n points, divided so that all sum to 1. "
        "Fit: the density of the points, each group about a centre of its own. Posterior: prior · fit / sum."
    )


def _prior(run: Clusterings, index: int) -> tuple[float, str]:
    """Return a clustering's prior, and its formula with the numbers in it."""
    alpha, sizes = run.settings.concentration, [len(group) for group in groups(run.partitions[index])]
    weight = alpha ** len(sizes) * math.prod(math.factorial(size - 1) for size in sizes)
    everything = math.prod(alpha + earlier for earlier in range(run.points))
    orders = [f"{math.factorial(size - 1)}" for size in sizes if size > 2]
    power = f"{alpha:g}<sup>{len(sizes)}</sup>" if len(sizes) > 1 else f"{alpha:g}"
    return weight / everything, f"{' · '.join([power, *orders])} / {everything:.4g}"


# ---- what an update leaves unchanged ---------------------------------------------------------------------------------


def sweep(run: Clusterings, t: int) -> str:
    """Return where the point at hand and a sweep lead from each clustering, or a step of each half of a class."""
    mine, whole = run.ways(t)
    if len(run.partitions) > NUMBERED:
        matrices = quiet(f"The matrices have {len(run.exact)} rows and columns: too many to show. Choose 3 points.")
    else:
        matrices = f'<div class="sideways"><div>{_matrix(run, mine.matrix, mine.title)}</div>'
        matrices += f"<div>{_matrix(run, whole.matrix, whole.title)}</div></div>"
    return matrices


def flows(run: Clusterings, t: int) -> str:
    """Return how much of the posterior goes along each way of the point, or the half, at hand, and comes back."""
    way = run.opened(t)
    matrix = way.matrix
    along = run.exact[:, None] * matrix
    pairs = [(int(a), int(b)) for a, b in zip(*np.nonzero(np.maximum(along, along.T)), strict=True) if a < b]
    pairs.sort(key=lambda pair: -max(along[pair], along[pair[::-1]]))
    rows = []
    for a, b in pairs[:ROWS]:
        said = [_flow(run.exact[i], matrix[i, j]) for i, j in ((a, b), (b, a))]
        equal = abs(along[a, b] - along[b, a]) < 1e-12
        rows.append((clustering(run, a), clustering(run, b), *said, "equal" if equal else "<b>differ</b>"))
    more = quiet(f"and {counted(len(pairs) - ROWS, 'more pair')}") if len(pairs) > ROWS else ""
    return (
        table(("A", "B", "A to B", "B to A", ""), rows)
        + more
        + quiet(f"{way.title}. Flow: the exact posterior of where the way begins, times the probability of taking it.")
    )


def _matrix(run: Clusterings, matrix: np.ndarray, title: str) -> str:
    """Return a matrix as a map of its numbers, rows from which and columns to which clustering it leads."""
    names = [named(partition) for partition in run.partitions]
    said = len(names) < MOST_ROWS
    rows = head(("from \\ to", *names)) if said else ""
    for index, row in enumerate(matrix):
        cells = "".join(
            f'<td style="--p: {100 * p:.0f}%" title="{names[index]} to {to}: {p:.3f}">'
            f"{f'{p:.3f}' if said and p else ''}</td>"
            for to, p in zip(names, row.tolist(), strict=True)
        )
        rows += f"<tr><th>{clustering(run, index)}</th>{cells}</tr>"
    return f'<p>{title}</p><table class="pairs">{rows}</table>'


def kept(run: Clusterings, t: int) -> str:
    """Return the posterior before and after, clustering by clustering, and what the second way leaves unchanged."""
    mine, whole = run.ways(t)
    once, swept = run.exact @ mine.matrix, run.exact @ whole.matrix
    stays = np.maximum(stationary(whole.matrix), 0.0)  # a rounding error below 0 is none
    order = np.argsort(-run.exact, kind="stable")[:ROWS] if len(run.exact) > ROWS else range(len(run.exact))
    rows = [
        (clustering(run, int(i)), f"{run.exact[i]:.4f}", f"{once[i]:.4f}", f"{swept[i]:.4f}", f"<b>{stays[i]:.4f}</b>")
        for i in order
    ]
    off = float(np.abs(swept - run.exact).sum()) / 2
    heads = ("clustering", "posterior", f"after {mine.name}", f"after {whole.name}", f"left unchanged by {whole.name}")
    if off < 1e-12:
        said = f"Posterior × matrix = posterior: start from the posterior, and {whole.name} leaves you there."
    else:
        away = float(np.abs(stays - run.exact).sum()) / 2
        said = (
            f"Posterior × matrix ≠ posterior: after {whole.name} it is {off:.4f} off, in total variation. The "
            f"distribution that {whole.name} leaves unchanged is {away:.3f} away from the posterior."
        )
    return quiet("What becomes of the posterior:") + table(heads, rows) + f"<p>{said}</p>"


def _flow(there: float, along: float) -> str:
    """Return the flow along a way: the probability of its beginning, times that of taking it."""
    return multiplied(*(math.log(each) if each else -math.inf for each in (there, along)), mark="b")
