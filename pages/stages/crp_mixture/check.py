"""The data beside sets of points that are drawn from the posterior: a predictive check, by two distances."""

from collections.abc import Callable

import numpy as np

from lessons.stages.crp_mixture import CRPMixtureSettings
from pages.drawing.cards import quiet
from pages.drawing.numbers import significant
from pages.stages.crp_mixture.prediction import counted_sweeps, replica_of
from pages.stages.crp_mixture.run import MixtureRun
from pages.stages.points.scene import Scene
from samplers.diagnostics.predictive_checks import STATISTICS

MOST_SETS = 50
ROOM = 0.12  # beside the outermost number, in shares of their span


def check(scene: Scene[CRPMixtureSettings], sweep: int) -> str:
    """Return each statistic of the data beside those of sets from the sweeps that count, as HTML."""
    if not sweep:
        return quiet("Run some sweeps first.")
    run = scene.run
    assert isinstance(run, MixtureRun)
    sweeps, draw = counted_sweeps(scene, sweep, MOST_SETS), replica_of(run)
    sets = [draw(int(each)).points for each in sweeps]
    parts = [_compared(name, measure, run.mixture.data, sets) for name, measure in STATISTICS.items()]
    units = " Distances are in standard deviations." if any(column.standardised for column in scene.columns) else ""
    said = (
        f"{len(sets)} sets of {len(scene.data)} new points, one each from sweeps {sweeps[0]} to {sweeps[-1]}: each set "
        f"is a grey line, the last one black. The red line is the data.{units}"
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
    said = (
        f"Data: <b>{significant(ours)}</b>. New points of the last sweep: {last}; of all sets, from {smallest} to "
        f"{largest}. As large as the data’s, or larger, in <b>{above}</b> of {len(sets)} sets."
    )
    line = f'<div class="sets" aria-hidden="true">{marks}</div>'
    return f"<section><h4>Distance {name}</h4><p>{said}</p>{line}</section>"
