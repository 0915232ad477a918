"""Three summaries of the same sweeps side by side: the best clustering seen, the present draw, and the average."""

import numpy as np

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.drawing.cards import quiet
from pages.drawing.numbers import counted, fixed, probability, significant
from pages.scenes.points.scene import MixtureScene
from pages.topics.crp_mixture.prediction import counted_sweeps
from pages.topics.crp_mixture.run import MixtureRun
from samplers.crp.mixture import co_clustering
from samplers.diagnostics.convergence import partition_ids

SIDE = 120  # pixels of a matrix
MOST_POINTS = 60  # rows that it has room for: two pixels each
MOST_SWEEPS = 400
LEVELS = 10  # of how full a cell can be
SURE = 0.95  # from which share on two points count as surely together, or apart


def summaries(scene: MixtureScene[CRPMixtureSettings], sweep: int) -> str:
    """Return the summaries of the sweeps so far as matrices of who sits with whom, as HTML."""
    if not sweep:
        return quiet("Run some sweeps first.")
    run, counts = scene.run, counted_sweeps(scene, sweep, MOST_SWEEPS)
    best = int(run.log_joint[1 : sweep + 1].argmax()) + 1
    order = _order(scene.data, run.labels[best])
    average = co_clustering(run.labels[counts])
    parts = [
        ("Best so far", together(run.labels[best]), _clustering(scene, best, sweep)),
        ("This draw", together(run.labels[sweep]), _clustering(scene, sweep, sweep)),
        (f"Average, sweeps {counts[0]} to {sweep}", average, _pairs(average)),
    ]
    if scene.exact is not None:
        exact = scene.exact.co_clustering
        off = significant(float(np.abs(average - exact).max()), 2)
        parts.append(("Exact average", exact, [*_pairs(exact), f"average off by {off} at most"]))
    if scene.makers is not None:
        made = together(scene.makers)
        parts.append(("Who made them", made, _made(scene, made, average, sweep)))
    tiles = (_tile(name, shares[np.ix_(order, order)], said) for name, shares, said in parts)
    return f'<div class="summaries">{"".join(tiles)}</div>{quiet(_key(len(order), len(scene.data)))}'


def _tile(name: str, shares: np.ndarray, said: list[str]) -> str:
    return f"<section><h4>{name}</h4><div>{_matrix(shares)}<span>{'<br>'.join(said)}</span></div></section>"


def together(labels: np.ndarray) -> np.ndarray:
    """Return who sits with whom in one clustering, 0 or 1, shape (N, N)."""
    return (labels[:, None] == labels).astype(float)


def times_seen(runs: np.ndarray, labels: np.ndarray) -> int:
    """Return in how many sweeps the same points sat together as in one clustering, whatever the tables' names.

    Parameters
    ----------
    runs : numpy.ndarray
        Labels, shape (sweeps, N).
    labels : numpy.ndarray
        The clustering, shape (N,).
    """
    # two clusterings are the same if there are as many pairs of names, one from each, as there are names in either
    names = int(runs.max()) + 1
    pairs = _distinct(runs.astype(np.int64) + names * labels.astype(np.int64))
    return int(((pairs == _distinct(runs)) & (pairs == len(np.unique(labels)))).sum())


def _distinct(rows: np.ndarray) -> np.ndarray:
    """Return how many different values each row has."""
    return (np.diff(np.sort(rows, axis=1), axis=1) > 0).sum(axis=1) + 1


def _order(data: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Return points by their tables, the tables by where they lie; of many points some, equally far apart."""
    middle = {table: data[labels == table, 0].mean() for table in np.unique(labels).tolist()}
    found = np.lexsort((data[:, 0], [middle[table] for table in labels.tolist()]))
    shown = np.linspace(0, len(found) - 1, min(len(found), MOST_POINTS)).round().astype(int)
    return found[shown]


def _clustering(scene: MixtureScene[CRPMixtureSettings], at: int, sweep: int) -> list[str]:
    """Return how good one clustering is, how often it came up, and how probable it is where that is known."""
    run = scene.run
    seen = times_seen(run.labels[1 : sweep + 1], run.labels[at])
    said = [
        f"sweep {at}",
        counted(int(run.tables[at]), "table"),
        f"log joint {fixed(float(run.log_joint[at]), 1)}",
        f"seen {'once' if seen == 1 else f'{seen:,} times'}",
    ]
    if scene.exact is not None:
        (place,) = partition_ids(run.labels[at : at + 1])
        said.append(f"probability <b>{probability(float(scene.exact.probabilities[place]))}</b>")
    return said


def _made(scene: MixtureScene[CRPMixtureSettings], made: np.ndarray, average: np.ndarray, sweep: int) -> list[str]:
    """Return how well sweeps agree with those who made the points, and how good a clustering these are."""
    run, pairs = scene.run, np.triu_indices(len(made), 1)
    right = 1 - np.abs(made - average)[pairs].mean()
    now = (made == together(run.labels[sweep]))[pairs].mean()
    assert isinstance(run, MixtureRun)
    assert scene.makers is not None
    joint = run.mixture.log_joint(run.mixture.state(scene.makers))
    return [
        counted(len(np.unique(scene.makers)), "component"),
        f"log joint {fixed(float(joint), 1)}",
        f"pairs right: <b>{100 * now:.0f}&nbsp;%</b> in this draw, {100 * right:.0f}&nbsp;% on average",
    ]


def _pairs(shares: np.ndarray) -> list[str]:
    """Return how many pairs are neither surely together nor surely apart."""
    pairs = shares[np.triu_indices(len(shares), 1)]
    unsure = ((pairs < SURE) & (pairs > 1 - SURE)).mean() if pairs.size else 0.0
    return ["no clustering:", "a share for each pair", f"unsure of <b>{100 * unsure:.0f}&nbsp;%</b>"]


def _matrix(shares: np.ndarray) -> str:
    """Return a square with a cell for each pair, the fuller the more often together; one path for each level."""
    size, fullness = len(shares), np.ceil(shares * LEVELS - 1e-9).astype(int)
    paths = []
    for level in range(1, LEVELS + 1):
        cells = "".join(f"M{column} {row}h1v1h-1z" for row, column in np.argwhere(fullness == level).tolist())
        if cells:
            paths.append(f'<path d="{cells}" fill-opacity="{level / LEVELS:.1f}"/>')
    frame = f'<rect width="{size}" height="{size}" class="frame"/>'
    box = f'viewBox="0 0 {size} {size}" width="{SIDE}" height="{SIDE}"'
    return f'<svg {box} shape-rendering="crispEdges" aria-hidden="true">{"".join(paths)}{frame}</svg>'


def _key(shown: int, points: int) -> str:
    some = "" if shown == points else f"{shown} of the {points} points are shown: there is no room for more. "
    return (
        f"{some}A cell is a pair of points, full if they sit together; in an average, the fuller, the more often. A "
        "pair is unsure if it is together in more than 5 % of the sweeps and in less than 95 %."
    )
