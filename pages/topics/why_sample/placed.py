"""The rings of all clusterings, and the line of the points: what the pictures of all modes have in common."""

import numpy as np

from pages.contract.columns import FLOAT32, Data
from pages.drawing.numbers import counted, rounded
from pages.topics.why_sample.layout import ROOM, layout, written
from pages.topics.why_sample.run import Clusterings
from samplers.partitions import named


def scale_of(run: Clusterings) -> float:
    """Return the radius of a ring for a probability of 1: so that the largest one has its room."""
    return ROOM[run.points] / float(np.sqrt(max(run.exact.max(), run.limit.max())))


def fixed(run: Clusterings) -> Data:
    """Return the data sets of the rings, their names and the line, with the shares that discs show."""
    here = layout(run.points)
    numbers, bands = written(run.points, scale_of(run) * np.sqrt(np.maximum(run.exact, run.limit)))
    x, y = here.places.T
    return {
        "nodes": {
            "x": rounded(x),
            "y": rounded(y),
            "number": list(range(1, len(x) + 1)),
            "name": [named(partition) for partition in run.partitions],
            "exact": rounded(run.exact),
            "limit": rounded(run.limit),
            **FLOAT32.made(share=run.shares),
        },
        "heads": {
            "x": rounded(here.heads),
            "y": [88.0] * run.points,
            "said": [counted(number, "group") for number in range(1, run.points + 1)],
        },
        "ticks": {"at": [-4, -2, 0, 2, 4]},
        "numbers": numbers,
        "bands": bands,
    }


def line_of(run: Clusterings) -> dict[str, list]:
    """Return the places of the points on their line."""
    return {"at": rounded(run.settings.data), "point": list(range(1, run.points + 1))}
