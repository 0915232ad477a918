"""A predictive check as cards: numbers of the data beside those of sets that the model draws."""

from collections.abc import Callable, Sequence

import numpy as np

from pages.drawing.cards import plus_minus, quiet
from pages.drawing.numbers import probability, significant
from pages.scenes.points.scene import MixtureScene
from samplers.diagnostics.lineup import share_above
from samplers.diagnostics.predictive_checks import STATISTICS

ROOM = 0.12  # beside the outermost number, in shares of their span


def compared(scene: MixtureScene, sweeps: Sequence[int] | np.ndarray, sets: list[np.ndarray]) -> str:
    """Return each statistic of the data beside those of sets, as HTML.

    Parameters
    ----------
    scene : MixtureScene
        Whose first chain's points are the data.
    sweeps : sequence of int
        The sweep of each set, in order.
    sets : list of numpy.ndarray
        Shape (N, D) each.
    """
    parts = [_compared(name, measure, scene.data, sets) for name, measure in STATISTICS.items()]
    units = " Distances are in standard deviations." if any(column.standardised for column in scene.columns) else ""
    said = (
        f"{len(sets)} sets of {len(scene.data)} new points, one each from sweeps {sweeps[0]} to {sweeps[-1]}: each set "
        f"is a grey line, the last one taller. The red line is the data. After ± is the standard error of "
        f"the share: sets that follow each other are not independent, which it takes into account.{units}"
    )
    return f'<div class="checks">{"".join(parts)}</div>{quiet(said)}'


def _compared(name: str, measure: Callable[[np.ndarray], float], data: np.ndarray, sets: list[np.ndarray]) -> str:
    """Return one statistic: a line with a mark for each set and for the data, and how many sets lie as far out."""
    ours, theirs = measure(data), np.array([measure(points) for points in sets])
    above = int((theirs >= ours).sum())
    every = [ours, *theirs.tolist()]
    low, high = min(every), max(every)
    room = ROOM * (high - low) or 1.0

    def at(value: float) -> str:
        return f"left:{100 * (value - low + room) / (high - low + 2 * room):.2f}%"

    marks = "".join(f'<i style="{at(value)}"></i>' for value in theirs.tolist())
    marks += f'<i class="last" style="{at(float(theirs[-1]))}"></i><b style="{at(ours)}"></b>'
    smallest, largest, last = (significant(float(value)) for value in (theirs.min(), theirs.max(), theirs[-1]))
    share = share_above(ours, theirs)
    error = f", a share of {probability(share.above)}{plus_minus(share.error)}" if share.error else ""
    said = (
        f"Data: <b>{significant(ours)}</b>. New points of the last sweep: {last}; of all sets, from {smallest} to "
        f"{largest}. As large as the data’s, or larger, in <b>{above}</b> of {len(sets)} sets{error}."
    )
    line = f'<div class="sets" aria-hidden="true">{marks}</div>'
    return f"<section><h4>Distance {name}</h4><p>{said}</p>{line}</section>"
