"""The learner's own series: a column of a CSV file, scaled to the means of the states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from lessons.data.csv_table import Table, check_file, read_csv
from lessons.stages.hidden_chain import HiddenChainSettings
from pages.contract.place import Place
from pages.drawing.numbers import significant
from pages.player.kept import OWN_DATA, digest_of
from pages.shell.page import plain
from pages.shell.uploads import panel, use
from samplers.data.hours import MOST_HOURS, centres

ASK = "**Your own series:** upload a CSV file on the left. Each row is an hour, or any other step in time."
LOW, HIGH = 0.1, 0.9  # the quantiles that get the means of the first and the last state
STATES = 3


@dataclass(frozen=True, eq=False)
class OwnSeries:
    """A series of a learner's own.

    Attributes
    ----------
    values : numpy.ndarray
        Scaled, shape (T,).
    """

    values: np.ndarray


def keep(series: OwnSeries) -> str:
    """Keep a series for those who have its digest, and return it."""
    digest = digest_of(series.values)
    OWN_DATA.keep(digest, series, series.values.nbytes + 200)
    return digest


def upload(place: Place[HiddenChainSettings]) -> None:
    """Draw the upload and the choice of a column, and keep what comes of it."""
    idle = "The series of an earlier file is in use." if OWN_DATA.get(place.settings.own, OwnSeries) else None
    panel(place, ("CSV file", "own series file", None), idle, (check_file, read_csv), _choose)


def _choose(place: Place[HiddenChainSettings], read: Table, file: str) -> None:
    column = st.selectbox("Column", read.columns, key="own series column", help="Its rows are steps in time, in order.")
    if column is None:
        return
    found, _, notes = read.points([column], False, len(read.rows))
    values = found[:MOST_HOURS, 0]
    low, high = np.quantile(values, [LOW, HIGH]).tolist()
    if high <= low:
        raise ValueError(f"Nearly all values of {column} are the same. Choose a column that varies.")
    top = float(centres(STATES)[-1])
    use(place, (file, column), keep(OwnSeries(np.round((values - low) * top / (high - low), 4))))
    scaled = f"They are scaled: {significant(low)} becomes 0 and {significant(high)} becomes {top:g}."
    first = f" The first {MOST_HOURS} of {len(found):,} are used." if len(found) > MOST_HOURS else ""
    st.caption(f"{len(values)} values.{first} {scaled} " + " ".join(plain(note) for note in (*read.notes, *notes)))
