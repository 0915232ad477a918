"""The learner's own points: a CSV file, one or two of its columns, standardised or not. They stay in the session."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from lessons.data.csv_table import Table, check_file, read_csv
from lessons.data.csv_text import OwnDataError
from pages.shell.page import plain
from pages.shell.uploads import read_once

KEY = "own points"
MISSING = "**Your own data:** upload a CSV file on the left. It stays in this session; a link never carries data."


@dataclass(frozen=True, eq=False)
class OwnPoints:
    """The learner's file and the columns chosen from it.

    Attributes
    ----------
    data : numpy.ndarray
        Shape (N, 1) or (N, 2).
    columns : tuple of str
        Their names.
    """

    data: np.ndarray
    columns: tuple[str, ...]


def own_points() -> OwnPoints | None:
    """Return this session's own points, None if there are none."""
    points: OwnPoints | None = st.session_state.get(KEY)
    return points


def upload() -> None:
    """Draw the upload and the choice of columns, and keep the points that come of it."""
    file = st.file_uploader("CSV file", type=["csv", "tsv", "txt"], key="own file")
    if file is None:
        if own_points() is not None:
            st.caption("The points of your last file are still in use.")
        return
    try:
        _choose(read_once(file, "own table", check_file, read_csv))
    except OwnDataError as error:
        st.error(plain(str(error)))


def _choose(table: Table) -> None:
    columns = st.multiselect(
        "Columns",
        table.columns,
        default=table.columns[:2],
        max_selections=2,
        key="own columns",
        help="One or two of them.",
    )
    standardise = st.toggle("Standardise", value=True, key="own standardise", help="Mean 0 and standard deviation 1.")
    if not columns:
        st.info("Choose one column, or two.")
        return
    data, notes = table.points(columns, standardise)
    st.session_state[KEY] = OwnPoints(data, tuple(columns))
    st.caption(f"{len(data)} points. " + " ".join(plain(note) for note in (*table.notes, *notes)))
