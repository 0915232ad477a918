"""The learner's own series: a column of a CSV file, scaled to the means of the states."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from lessons.data.csv_table import Table, check_file, read_csv
from pages.drawing.numbers import significant
from pages.shell.page import plain
from pages.shell.uploads import Upload
from samplers.data.hours import MOST_HOURS, centres

LOW, HIGH = 0.1, 0.9  # the quantiles that get the means of the first and the last state
STATES = 3


@dataclass(frozen=True, eq=False)
class OwnSeries:
    """A series of a learner's own, scaled, shape (T,)."""

    values: np.ndarray


def _choose(read: Table) -> tuple[tuple[object, ...], OwnSeries, str] | None:
    column = st.selectbox("Column", read.columns, key="own series column", help="Its rows are steps in time, in order.")
    if column is None:
        return None
    found, _, notes = read.points([column], False, len(read.rows))
    values = found[:MOST_HOURS, 0]
    low, high = np.quantile(values, [LOW, HIGH]).tolist()
    if high <= low:
        raise ValueError(f"Nearly all values of {column} are the same. Choose a column that varies.")
    top = float(centres(STATES)[-1])
    series = OwnSeries(np.round((values - low) * top / (high - low), 4))
    scaled = f"They are scaled: {significant(low)} becomes 0 and {significant(high)} becomes {top:g}."
    first = f" The first {MOST_HOURS} of {len(found):,} are used." if len(found) > MOST_HOURS else ""
    said = f"{len(values)} values.{first} {scaled} " + " ".join(plain(note) for note in (*read.notes, *notes))
    return (column,), series, said


UPLOAD = Upload(
    OwnSeries,
    ("CSV file", "own series file", None),
    (check_file, read_csv),
    _choose,
    "**Your own series:** upload a CSV file among the controls. Each row is an hour, or any other step in time.",
    "The series of an earlier file is in use.",
)
