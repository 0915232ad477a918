"""The charts of sparse factors: a bar for each loading, and all loadings so far as a spike and a slab."""

from typing import Any

import numpy as np
from scipy.special import ndtr

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, UINT16, Columns, Data
from pages.drawing.numbers import rounded
from pages.topics.ibp_features import charts
from pages.topics.ibp_features.run import GONE
from pages.topics.ibp_features.scene import FeaturesScene

BINS = 14  # of the slab
LONGEST = 2.0  # loading whose bar fills half a column, in standard deviations of the slab
WIDEST = 3.5  # end of the axis, in standard deviations of the slab


def matrix(scene: FeaturesScene) -> Chart:
    """Return the chart of the loadings."""
    rows = scene.rows
    return Chart(
        "matrix",
        f"How much each {rows.one} loads on each factor",
        "· {zeros} of {all} loadings are exactly 0",
        f"A row for each {rows.one}, a column for each factor: a bar to the right for a loading above 0, to the "
        "left for one below 0, a ring for exactly 0.",
        charts.matrix(len(rows.data), rows.one, scene.named, bars=True),
        share=3,
        params={"longest": LONGEST * scene.settings.spread},
    )


def histogram(scene: FeaturesScene) -> Chart:
    """Return the chart of all loadings so far."""
    return Chart(
        "loadings",
        "Loadings so far",
        "· {spike} % exactly 0",
        "How often a loading was exactly 0 so far, as a line at 0, and how the others are distributed, over their "
        "prior.",
        charts.spike_and_slab(WIDEST * scene.settings.spread),
        [("accent", "exactly 0"), ("block", "other loadings"), ("dashed", "their prior")],
    )


SAID: dict[str, Any] = {"zeros": UINT16, "all": UINT16, "spike": UINT8}  # fields of the captions


def said(bits: np.ndarray, by_name: np.ndarray) -> Columns:
    """Return the columns of the matrix's caption from the parts of their pictures, each with one row a frame."""
    there = (by_name != GONE)[:, None]
    counts = (bits == 0) & there, np.broadcast_to(there, bits.shape)
    zeros, total = (each.sum(axis=(1, 2)) for each in counts)
    return {("say", "zeros"): zeros, ("say", "all"): total}


def data(scene: FeaturesScene) -> Data:
    """Return the data sets of the histogram."""
    edges = _edges(scene)
    return {
        "slab": {"x": rounded(edges[:-1], 4), "x2": rounded(edges[1:], 4), "share": FLOAT32, "prior": FLOAT32},
        "spike": {"x": [0.0], "share": FLOAT32},
    }


def so_far(scene: FeaturesScene, start: int, stop: int) -> Columns:
    """Return the columns of the histogram after the sweeps from `start` and below `stop`."""
    run, edges = scene.run, _edges(scene)
    amounts = run.amounts[1:stop]
    there = np.broadcast_to((run.by_name[1:stop] != GONE)[:, None], amounts.shape)
    place = np.clip(np.searchsorted(edges, amounts, "right") - 1, 0, BINS - 1)
    place = np.where(amounts == 0, BINS, place)  # the spike
    counts = np.zeros((stop, BINS + 1))
    np.add.at(counts[1:], (np.nonzero(there)[0], place[there]), 1)
    until = counts.cumsum(axis=0)[start:stop]
    shares = until / np.maximum(until.sum(axis=1, keepdims=True), 1)
    inside = np.diff(ndtr(edges / scene.settings.spread))
    return {
        ("slab", "share"): shares[:, :BINS],
        ("slab", "prior"): shares[:, :BINS].sum(axis=1, keepdims=True) * inside,
        ("spike", "share"): shares[:, BINS:],
        ("say", "spike"): np.round(100 * shares[:, BINS]),
    }


def _edges(scene: FeaturesScene) -> np.ndarray:
    return WIDEST * scene.settings.spread * np.linspace(-1, 1, BINS + 1)
